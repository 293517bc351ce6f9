// Messages to systemd, against a real datagram socket in systemd's place. The environment is
// restored after each test.
import CSystemd
import Glibc
import Scratch
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct NotifyTests {
    @Test("each message arrives as systemd expects it")
    func messages() throws {
      let manager = try #require(Manager())
      withEnvironment("NOTIFY_SOCKET", manager.path) {
        #expect(Notify.ready() == .sent)
        #expect(manager.receive() == "READY=1")
        Notify.ready(status: "armed")
        #expect(manager.receive() == "READY=1\nSTATUS=armed")
        Notify.status("recording, 3 h left")
        #expect(manager.receive() == "STATUS=recording, 3 h left")
        Notify.stopping(status: "closing the take")
        #expect(manager.receive() == "STOPPING=1\nSTATUS=closing the take")
        Notify.watchdog()
        #expect(manager.receive() == "WATCHDOG=1")
        Notify.reloading()
        #expect(manager.receive().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
      }
    }

    @Test("a line end in a title cannot inject an assignment")
    func lineEnds() throws {
      let manager = try #require(Manager())
      withEnvironment("NOTIFY_SOCKET", manager.path) {
        Notify.status("take 1\nSTOPPING=1\r\nend")
        #expect(manager.receive() == "STATUS=take 1 STOPPING=1 end")
      }
    }

    @Test("a manager that reads nothing blocks nothing: the result says that there is no room")
    func busy() throws {
      let manager = try #require(Manager())
      withEnvironment("NOTIFY_SOCKET", manager.path) {
        var count = 0
        while Notify.watchdog() == .sent, count < 10_000 { count += 1 }
        #expect(count < 10_000)
        #expect(Notify.ready() == .busy)
        while manager.receive() == "WATCHDOG=1" {}
        #expect(Notify.ready() == .sent)
        #expect(manager.receive() == "READY=1")
      }
    }

    @Test("an abstract socket is found")
    func abstract() throws {
      let name = "@reel-test-\(getpid())"
      let manager = try #require(Manager(abstract: name))
      withEnvironment("NOTIFY_SOCKET", name) {
        #expect(Notify.ready() == .sent)
        #expect(manager.receive() == "READY=1")
      }
    }

    @Test("without systemd nothing happens, and a broken socket is reported, not fatal")
    func nobody() {
      withEnvironment("NOTIFY_SOCKET", nil) {
        #expect(Notify.ready() == .noManager)
      }
      withEnvironment("NOTIFY_SOCKET", "/tmp/reel-test-no-such-socket") {
        #expect(Notify.ready() == .failed(errorNumber: ENOENT))
      }
    }

    @Test("the watchdog interval is the one that systemd set for this process")
    func watchdogInterval() {
      withEnvironment("WATCHDOG_USEC", "20000000") {
        withEnvironment("WATCHDOG_PID", "\(getpid())") {
          #expect(Notify.watchdogIntervalMicroseconds() == 20_000_000)
        }
        withEnvironment("WATCHDOG_PID", "1") {
          #expect(Notify.watchdogIntervalMicroseconds() == nil)
        }
      }
      withEnvironment("WATCHDOG_USEC", nil) {
        #expect(Notify.watchdogIntervalMicroseconds() == nil)
      }
    }
  }
}

/// A datagram socket in a folder of its own, both removed when this ends.
final class Manager {
  let path: String
  private let scratch = ScratchFolder()
  private let socket: Int32

  /// `name`: an abstract address, which begins with an @.
  init?(abstract name: String? = nil) {
    path = scratch.path + "/notify"
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: (name ?? path).utf8)
      if name != nil { bytes[0] = 0 }
    }
    let length = name.map { 2 + $0.utf8.count } ?? MemoryLayout<sockaddr_un>.size
    let bound = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(socket, $0.baseAddress, socklen_t(min(length, bytes.count)))
      }
    }
    guard bound == 0 else { return nil }
  }

  deinit { close(socket) }

  func receive() -> String {
    receiveText(socket)
  }
}
