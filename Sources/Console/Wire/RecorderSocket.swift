// The control socket as a program has it that stays beside the recorder: lines out, lines in, and
// the open files beside them. It connects again by itself when the recorder was away. Loop's
// thread; it never waits for the recorder.

import Glibc
import Systemd

/// A connection to the recorder that is made anew whenever it ends.
public final class RecorderSocket {
  /// Why there is no connection.
  public enum Loss: Sendable {
    case unreachable(SocketFailure)
    case unwatched(EventLoopError)
    case gone
    case tooLong
    case unread
    /// What the recorder said, or what is wrong with it.
    case refused(String)

    public var sentence: String {
      switch self {
      case .unreachable: "The recorder does not answer."
      case .unwatched: "The recorder's socket cannot be watched."
      case .gone: "The recorder has gone away."
      case .tooLong: "The recorder's answer is too long."
      case .unread: "The recorder does not read."
      case .refused(let sentence): sentence
      }
    }

    public static let nonsense = Loss.refused(
      "The recorder's answer makes no sense; are both of one version?")
  }

  /// How long it waits before it connects again: each time twice as long, until it was greeted.
  public struct Pauses: Sendable {
    let firstMilliseconds: Int64
    let longestMilliseconds: Int64
    let slackMilliseconds: Int64

    public init(firstMilliseconds: Int64, longestMilliseconds: Int64, slackMilliseconds: Int64) {
      self.firstMilliseconds = firstMilliseconds
      self.longestMilliseconds = longestMilliseconds
      self.slackMilliseconds = slackMilliseconds
    }
  }

  /// Called with each line, without its end.
  public var onLine: ([UInt8]) -> Void = { _ in }
  /// Called when the connection has ended, or could not be made.
  public var onLoss: (Loss) -> Void = { _ in }

  private static let replyLimitBytes = 16 << 20
  private static let queueLimitBytes = 4 << 20

  private let path: String
  private let loop: EventLoop
  private let pauses: Pauses
  private var pauseMilliseconds: Int64
  private var socket: Box?
  private var watch: FileWatch?
  private var retry: Timer?
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var files: [Int32] = []
  /// Files to be passed, each with the first byte of its line in `output`.
  private var outputFiles: [(at: Int, file: Int32)] = []

  /// Owns the socket, since a noncopyable value cannot be taken out of an optional property.
  private final class Box {
    let file: SocketFile
    init(_ file: consuming SocketFile) { self.file = file }
  }

  public init(to path: String, _ pauses: Pauses, on loop: EventLoop) {
    (self.path, self.loop, self.pauses) = (path, loop, pauses)
    pauseMilliseconds = pauses.firstMilliseconds
  }

  deinit { for file in files + outputFiles.map(\.file) { close(file) } }

  // MARK: Coming and going

  public func connect() {
    do throws(SocketFailure) {
      let file = try SocketFile.connect(to: path)
      listen(to: file)
    } catch { lose(.unreachable(error)) }
  }

  /// The recorder is there, and speaks.
  public func noteGreeting() { pauseMilliseconds = pauses.firstMilliseconds }

  private func listen(to file: consuming SocketFile) {
    let descriptor = file.descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    socket = Box(file)
    do throws(EventLoopError) {
      watch = try loop.watch(fileDescriptor: descriptor, for: .readable) { [weak self] in
        self?.handle($0)
      }
    } catch { lose(.unwatched(error)) }
  }

  /// Ends the connection, and makes another one later.
  public func lose(_ why: Loss) {
    watch?.stop()
    for file in files + outputFiles.map(\.file) { close(file) }
    (watch, socket, input, output, files) = (nil, nil, [], [], [])
    outputFiles = []
    onLoss(why)
    do throws(EventLoopError) {
      retry = try loop.timer(
        afterMilliseconds: pauseMilliseconds, slackMilliseconds: pauses.slackMilliseconds
      ) { [weak self] in
        self?.retry?.stop()
        self?.retry = nil
        self?.connect()
      }
    } catch {
      // Without a timer nothing can go on; the service manager starts the program again.
      loop.exit(code: 71)
    }
    pauseMilliseconds = min(pauses.longestMilliseconds, pauseMilliseconds * 2)
  }

  // MARK: Lines out

  /// Sends a line with its end, or loses the connection. What the recorder does not read yet waits.
  /// - Parameter file: passed with the line, and closed.
  public func send(_ line: [UInt8], passing file: Int32? = nil) {
    guard socket != nil else {
      if let file { close(file) }
      return
    }
    if let file { outputFiles.append((output.count, file)) }
    output += line
    if output.count > Self.queueLimitBytes { return lose(.unread) }
    drain()
  }

  private func drain() {
    guard let socket else { return }
    while !output.isEmpty {
      let passed = outputFiles.first.flatMap { $0.at == 0 ? $0.file : nil }
      let stop = outputFiles.first { $0.at > 0 }?.at ?? output.count
      let count = SocketFile.send(
        output[..<stop], with: passed.map { [$0] } ?? [], to: socket.file.descriptor,
        flags: Int32(MSG_DONTWAIT))
      if count > 0 {
        if let passed {
          close(passed)
          outputFiles.removeFirst()
        }
        output.removeFirst(count)
        for index in outputFiles.indices { outputFiles[index].at -= count }
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return lose(.gone)
      }
    }
    do throws(EventLoopError) {
      try watch?.change(to: output.isEmpty ? .readable : [.readable, .writable])
    } catch { lose(.unwatched(error)) }
  }

  // MARK: Lines in

  /// Gives the next file that came to its new owner.
  public func nextFile() -> Int32? { files.isEmpty ? nil : files.removeFirst() }

  private func handle(_ readiness: Readiness) {
    if readiness.contains(.writable) { drain() }
    if !readiness.isDisjoint(with: [.readable, .error, .hangup]) { read() }
  }

  private func read() {
    guard let socket else { return }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let came = SocketFile.receive(from: socket.file.descriptor, into: &buffer)
    files += came.files
    if came.count < 0, errno == EAGAIN || errno == EINTR { return }
    guard came.count > 0 else { return lose(.gone) }
    input += buffer[..<came.count]
    if input.count > Self.replyLimitBytes { return lose(.tooLong) }
    var lines: [[UInt8]] = []
    var start = 0
    while let end = input[start...].firstIndex(of: 10) {
      lines.append(Array(input[start..<end]))
      start = end + 1
    }
    input.removeFirst(start)
    for line in lines where self.socket === socket { onLine(line) }
  }
}
