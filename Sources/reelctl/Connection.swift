// The connection to the appliance: sends lines, and waits for lines. A daemon that goes away and
// one that never ran give different errors.

import Console
import Glibc
import JSON
import Recorder

final class Connection {
  let hello: WireHello
  private let file: SocketFile
  private let path: String
  private var input: [UInt8]
  private var start = 0
  private var lastID = 0

  static func open(_ path: String) throws(ExitError) -> Connection {
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

  private static func connect(_ path: String) throws(ExitError) -> SocketFile {
    do throws(SocketFailure) { return try SocketFile.connect(to: path) } catch {
      throw trouble(error, path)
    }
  }

  private static func trouble(_ failure: SocketFailure, _ path: String) -> ExitError {
    switch failure.errorNumber {
    case ENOENT, ECONNREFUSED, ENOTDIR:
      return ExitError(
        ExitCode.unavailable,
        "no recorder listens at \(path); start it (systemctl start reeld, or reeld --virtual), or"
          + " name its socket with --socket")
    case EACCES, EPERM:
      return .mayNotTalk
    default: return ExitError(ExitCode.unavailable, failure.description)
    }
  }

  private static func greeting(
    _ descriptor: Int32, _ path: String, _ input: inout [UInt8]
  ) throws(ExitError) -> WireHello {
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
    case .error(_, let failure): throw ExitError(failure)
    default: throw stranger(path)
    }
  }

  /// How long to wait for the greeting: a recorder sends it at once, whatever it is doing.
  private static let greetingSeconds = 10

  /// Sets the timeout for receiving; 0 waits for ever.
  private static func setPatience(of descriptor: Int32, seconds: Int) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func silent(_ path: String) -> ExitError {
    ExitError(
      ExitCode.unavailable,
      "what listens at \(path) does not answer; see `systemctl status reeld`")
  }

  private static func stranger(_ path: String) -> ExitError {
    ExitError(ExitCode.unavailable, "what listens at \(path) is no recorder")
  }

  static func gone(_ path: String) -> ExitError {
    ExitError(ExitCode.unavailable, "the recorder at \(path) has gone away in the middle")
  }

  // MARK: Talking

  /// - Parameter files: open files that are passed with it; the caller still closes them.
  func ask(_ body: WireRequest.Body, files: [Int32] = []) throws(ExitError) -> Int {
    lastID += 1
    try send(WireRequest(id: lastID, body, files: files.count), with: files)
    return lastID
  }

  private func send(_ request: WireRequest, with files: [Int32]) throws(ExitError) {
    // Words and numbers can always be written as JSON.
    guard var line = try? JSON.encode(request) else { return }
    line.append(10)
    if line.count > Wire1.lineLimitBytes {
      throw ExitError(ExitCode.usage, "that is too much for one command")
    }
    var rest = line[...]
    var files = files
    while !rest.isEmpty {
      let count = SocketFile.send(rest, with: files, to: file.descriptor)
      if count > 0 {
        // The files have gone with the first piece.
        files = []
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Self.gone(path)
      }
    }
  }

  /// Waits for the next reply.
  func next() throws(ExitError) -> WireReply {
    while true {
      if let reply = try nextNow() { return reply }
      guard Self.receive(file.descriptor, into: &input) else { throw Self.gone(path) }
    }
  }

  /// For an event loop that waits until something arrives.
  var descriptor: Int32 { file.descriptor }

  /// Reads once, and returns the replies that are whole by then.
  func arrived() throws(ExitError) -> [WireReply] {
    guard Self.receive(descriptor, into: &input) else { throw Self.gone(path) }
    var replies: [WireReply] = []
    while let reply = try nextNow() { replies.append(reply) }
    return replies
  }

  /// Returns a reply that has arrived; nil if no line is whole.
  private func nextNow() throws(ExitError) -> WireReply? {
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
      throw ExitError(
        ExitCode.badData, "the recorder's answer makes no sense; are both of one version?")
    }
    return reply
  }

  private static func reply(_ line: [UInt8]) -> WireReply? {
    // The caller reports a reply that cannot be read.
    try? JSON.decode(WireReply.self, from: line)
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
