// A server that a test starts: a program without a shell, told to end by the end of its standard
// input or by a signal, and waited for. Which port it has it prints, or it is given a free one.
import Glibc
import Realtime
import Testing

/// A program that serves on loopback while its owner lives.
final class TestServer: Sendable {
  struct CannotStart: Error { let program: String, words: String }

  let id: pid_t
  private let input: Int32
  private let output: Int32

  init(_ words: [String], environment: [String: String] = [:]) throws {
    guard let toChild = Descriptors.pipe(), let fromChild = Descriptors.pipe() else {
      throw CannotStart(program: words[0], words: "no pipes")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { "\($0)=\($1)" }
    variables.append("PATH=/usr/sbin:/usr/bin:/sbin:/bin")
    let settings = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + settings { free(text) } }
    var made = pid_t()
    let failed = posix_spawn(&made, words[0], &actions, nil, arguments, settings)
    close(toChild.reading)
    close(fromChild.writing)
    input = toChild.writing
    output = fromChild.reading
    id = failed == 0 ? made : 0
    if failed != 0 {
      throw CannotStart(program: words[0], words: systemWords(for: failed))
    }
  }

  deinit {
    close(input)
    close(output)
    guard id > 0 else { return }
    kill(id, SIGKILL)
    waitpid(id, nil, 0)
  }

  /// Waits for a line with the port.
  func printedPort() throws -> Int {
    var line = ""
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1, byte != 10 {
      line.unicodeScalars.append(UnicodeScalar(byte))
    }
    guard let port = Int(line) else { throw CannotStart(program: "server", words: "no port") }
    return port
  }

  /// Waits until something listens on the port; fails if the program ends before.
  func waitForPort(_ port: Int) throws {
    for _ in 0..<1000 {
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      var address = loopback(port)
      let connected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if connected == 0 { return }
      if waitpid(id, nil, WNOHANG) != 0 {
        throw CannotStart(program: "server", words: "it has ended")
      }
      // A server tells of its port only by opening it.
      usleep(10_000)
    }
    throw CannotStart(program: "server", words: "it does not listen")
  }
}

private func loopback(_ port: Int) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  return address
}

/// Returns a port that was free just now.
func freePort() -> Int {
  let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(socket) }
  var address = loopback(0)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  return withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(socket, $0, length)
      getsockname(socket, $0, &length)
    }
    return Int(in_port_t(bigEndian: pointer.pointee.sin_port))
  }
}

/// The folder with the servers of these tests.
let serversFolder = String(#filePath.dropLast("TestServer.swift".count)) + "servers"
