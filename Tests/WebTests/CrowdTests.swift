// The server with as many connections as it bears: it takes another as soon as one has ended.
// Everything runs in this test's loop.
import Glibc
import Systemd
import Testing

@testable import Web

@Suite final class CrowdTests {
  private let loop: EventLoop
  private let server: HTTPServer
  private var address = sockaddr_in()

  init() throws {
    loop = try EventLoop()
    let listener = try ListenSocket.open(at: "127.0.0.1:0")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
    }
    #expect(result == 0)
    var limits = HTTPServer.Limits()
    limits.connections = 2
    server = try HTTPServer(listener: listener, limits: limits, on: loop)
  }

  private func connect() -> Int32 {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    #expect(result == 0)
    return client
  }

  private func hasSoon(_ isSo: () -> Bool) throws -> Bool {
    for _ in 0..<500 {
      if isSo() { return true }
      _ = try loop.runOneTurn(waitingAtMostMilliseconds: 10)
    }
    return false
  }

  @Test("when all connections end at once, one that waited is served")
  func allLeave() throws {
    // given all the connections that it bears, and one more that asks for something
    let held = [connect(), connect()]
    #expect(try hasSoon { server.connectionCount == 2 })
    let waiting = connect()
    defer { close(waiting) }
    let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    #expect(send(waiting, request, request.count, 0) == request.count)
    // when the others end between two turns of the loop
    for client in held { close(client) }
    // then that one gets its answer
    var byte: UInt8 = 0
    let isAnswered = try hasSoon { recv(waiting, &byte, 1, Int32(MSG_DONTWAIT)) == 1 }
    #expect(isAnswered)
  }
}
