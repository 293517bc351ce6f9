// The wire to the appliance: lines out, lines in, waiting in between. A daemon that goes away is
// told from one that never was.

import Console
import Glibc

final class Connection {
  let hello: WireHello
  private let file: SocketFile
  private let path: String
  private var input: [UInt8]
  private var start = 0
  private var lastID = 0

  static func open(_ path: String) throws(Trouble) -> Connection {
    let file = try connect(path)
    var input: [UInt8] = []
    let hello = try greeting(file.descriptor, path, &input)
    return Connection(file, path, hello, input)
  }

  private init(
    _ file: consuming SocketFile, _ path: String, _ hello: WireHello, _ input: [UInt8]
  ) {
    self.file = file
    self.path = path
    self.hello = hello
    self.input = input
  }

  private static func connect(_ path: String) throws(Trouble) -> SocketFile {
    do throws(SocketFailure) { return try SocketFile.connect(to: path) } catch {
      throw trouble(error, path)
    }
  }

  private static func trouble(_ failure: SocketFailure, _ path: String) -> Trouble {
    switch failure.errorNumber {
    case ENOENT, ECONNREFUSED, ENOTDIR:
      return Trouble(
        ExitCode.unavailable,
        "no recorder listens at \(path); start it (systemctl start reeld, or reeld --virtual), or"
          + " name its socket with --socket")
    case EACCES, EPERM:
      return Trouble(
        ExitCode.notPermitted,
        "you may not talk to the recorder; join the group reel (usermod -aG reel NAME), or use sudo"
      )
    default: return Trouble(ExitCode.unavailable, failure.description)
    }
  }

  private static func greeting(
    _ descriptor: Int32, _ path: String, _ input: inout [UInt8]
  ) throws(Trouble) -> WireHello {
    var buffer = input
    setPatience(of: descriptor, seconds: greetingSeconds)
    while !buffer.contains(10) {
      errno = 0
      guard receive(descriptor, into: &buffer) else {
        throw errno == EAGAIN ? silent(path) : gone(path)
      }
      if buffer.count > Wire1.lineLimitBytes { throw stranger(path) }
    }
    setPatience(of: descriptor, seconds: 0)
    let end = buffer.firstIndex(of: 10) ?? 0
    let line = Array(buffer[..<end])
    input = Array(buffer[(end + 1)...])
    switch reply(line) {
    case .hello(let hello): return hello
    case .error(_, let failure): throw Trouble(failure)
    default: throw stranger(path)
    }
  }

  /// A recorder greets at once, whatever it is doing.
  private static let greetingSeconds = 10

  /// 0: for as long as it takes.
  private static func setPatience(of descriptor: Int32, seconds: Int) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func silent(_ path: String) -> Trouble {
    Trouble(
      ExitCode.unavailable,
      "what listens at \(path) does not answer; see `systemctl status reeld`")
  }

  private static func stranger(_ path: String) -> Trouble {
    Trouble(ExitCode.unavailable, "what listens at \(path) is no recorder")
  }

  static func gone(_ path: String) -> Trouble {
    Trouble(ExitCode.unavailable, "the recorder at \(path) has gone away in the middle")
  }

  // MARK: Talking

  /// - Parameter files: open ones, passed with it; they stay the caller's.
  func ask(_ wish: WireRequest.Wish, files: [Int32] = []) throws(Trouble) -> Int {
    lastID += 1
    try send(WireRequest(id: lastID, wish, files: files.count), with: files)
    return lastID
  }

  private func send(_ request: WireRequest, with files: [Int32]) throws(Trouble) {
    // Words and numbers can always be written as JSON.
    guard var line = try? JSONLine.encode(request) else { return }
    line.append(10)
    if line.count > Wire1.lineLimitBytes {
      throw Trouble(ExitCode.usage, "that is too much for one command")
    }
    var rest = line[...]
    var files = files
    while !rest.isEmpty {
      let count = SocketFile.send(rest, with: files, to: file.descriptor)
      if count > 0 {
        // They have gone with the first piece.
        files = []
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Self.gone(path)
      }
    }
  }

  /// Waits for the next thing that is said.
  func next() throws(Trouble) -> WireReply {
    while true {
      if let reply = try nextNow() { return reply }
      guard Self.receive(file.descriptor, into: &input) else { throw Self.gone(path) }
    }
  }

  /// What has been said already; nil when there is nothing whole.
  private func nextNow() throws(Trouble) -> WireReply? {
    guard let end = input[start...].firstIndex(of: 10) else {
      if start > 0 {
        input.removeFirst(start)
        start = 0
      }
      return nil
    }
    let line = Array(input[start..<end])
    start = end + 1
    guard let reply = Self.reply(line) else {
      throw Trouble(
        ExitCode.badData, "the recorder's answer makes no sense; are both of one version?")
    }
    return reply
  }

  private static func reply(_ line: [UInt8]) -> WireReply? {
    // What cannot be read is told by whoever waited for it.
    try? JSONLine.decode(WireReply.self, from: line)
  }

  private static func receive(_ descriptor: Int32, into input: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        input += buffer[..<count]
        return true
      }
      if count == 0 || errno != EINTR { return false }
    }
  }
}
