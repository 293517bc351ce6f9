// One client of the control socket: bytes in, lines out, and what it has under way. It believes
// nothing it is sent, reads a bounded amount a turn, keeps a bounded amount for a client that does
// not read, and lets go of one that goes on that way. Loop's thread; it never blocks.

import Glibc
import Recorder
import Systemd

final class WireClient {
  /// What it needs of the socket it came by.
  struct House {
    let loop: EventLoop
    /// A whole line was said.
    let hear: (WireClient, [UInt8]) -> Void
    /// The connection is over.
    let leave: (WireClient) -> Void
  }

  static let outputLimitBytes = 8 << 20
  private static let readBytes = 64 << 10
  /// So many lines at once, and then so many a second.
  private static let burst = 200.0
  private static let linesPerSecond = 200.0
  private static let mistakeLimit = 16

  let id: Int
  /// Requests that are not answered yet.
  var underWay: Set<Int> = []
  /// Files that were passed with them, by the numbers under which they are kept.
  var keptFiles: [Int: [Int]] = [:]
  /// What it watches, by the request that asked for it.
  var subscriptions: [Int: WireSubscription] = [:]
  private let file: SocketFile
  private let house: House
  private var watch: FileWatch?
  private var pause: Timer?
  private var input: [UInt8] = []
  /// Passed by the client, and not yet asked for by a line.
  private var files: [Int32] = []
  private var output: [UInt8] = []
  private var sent = 0
  private var allowance = burst
  private var countedNanoseconds: Int64
  private var mistakes = 0
  private var isInputOver = false
  /// Nothing more is taken; it ends when all is out.
  private var isLeaving = false
  private(set) var isGone = false

  init(id: Int, _ file: consuming SocketFile, _ house: House) throws(EventLoopError) {
    self.id = id
    self.house = house
    countedNanoseconds = EventLoop.monotonicNanoseconds()
    let descriptor = file.descriptor
    self.file = file
    watch = try house.loop.watch(fileDescriptor: descriptor, for: .readable) { [weak self] in
      self?.take($0)
    }
  }

  deinit { closeFiles() }

  var queuedBytes: Int { output.count - sent }

  // MARK: Going out

  func say(_ reply: WireReply) {
    if isGone || isLeaving { return }
    do { output += try JSONLine.encode(reply) } catch {
      // Nothing of ours is not to be written; if it were, the client must not wait for it.
      output += Array(#"{"error":{"code":"failed","sentence":"cannot be written"}}"#.utf8)
    }
    output.append(10)
    drain()
    // Whoever does not read what was asked for is not waited for.
    if queuedBytes > Self.outputLimitBytes { end() }
  }

  /// The last thing it is told.
  func leave(saying failure: Failure) {
    say(.error(nil, failure))
    isLeaving = true
    endIfDone()
  }

  /// A request is answered for good.
  func isAnswered(_ request: Int) {
    underWay.remove(request)
    endIfDone()
  }

  private func drain() {
    while queuedBytes > 0, !isGone {
      let count = output.withUnsafeBytes { bytes in
        send(
          file.descriptor, bytes.baseAddress.map { $0 + sent }, queuedBytes,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return end()
      }
    }
    if sent > 64 << 10 || queuedBytes == 0 {
      output.removeFirst(sent)
      sent = 0
    }
    updateInterest()
  }

  private func endIfDone() {
    guard isLeaving || (isInputOver && underWay.isEmpty) else { return }
    if queuedBytes == 0 { end() }
  }

  func end() {
    if isGone { return }
    isGone = true
    watch?.stop()
    pause?.stop()
    (watch, pause) = (nil, nil)
    subscriptions = [:]
    closeFiles()
    house.leave(self)
  }

  private func closeFiles() {
    for file in files { close(file) }
    files = []
  }

  /// So many of those that were passed, the oldest first.
  func takeFiles(_ count: Int) throws(Failure) -> [Int32] {
    guard count <= files.count else {
      throw Failure("badFile", "\(count) files were announced, and \(files.count) passed.")
    }
    let taken = Array(files.prefix(count))
    files.removeFirst(count)
    return taken
  }

  // MARK: Coming in

  private func updateInterest() {
    var interest: Readiness = []
    if !isInputOver, !isLeaving, pause == nil { interest.insert(.readable) }
    if queuedBytes > 0 { interest.insert(.writable) }
    do { try watch?.change(to: interest) } catch { end() }
  }

  private func take(_ readiness: Readiness) {
    if readiness.contains(.writable) || !readiness.isDisjoint(with: [.error, .hangup]) { drain() }
    if isGone { return }
    if !isInputOver, !isLeaving, pause == nil { read() }
    // Nobody is left to read what is still to be said.
    if readiness.contains(.error) || (readiness.contains(.hangup) && isInputOver) { return end() }
    endIfDone()
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: Self.readBytes)
    let came = SocketFile.receive(from: file.descriptor, into: &buffer)
    files += came.files
    if came.isCut || files.count > Wire1.fileLimit {
      closeFiles()
      return leave(
        saying: Failure(
          "tooManyFiles", "\(Wire1.fileLimit) files may be passed before they are asked for."))
    }
    let count = came.count
    if count > 0 {
      input += buffer[..<count]
    } else if count == 0 {
      isInputOver = true
      updateInterest()
    } else if errno != EAGAIN, errno != EINTR {
      return end()
    }
    hearLines()
  }

  /// What has come in as whole lines, as fast as a client may talk.
  private func hearLines() {
    var rest = input[...]
    while !isGone, !isLeaving, let end = rest.firstIndex(of: 10) {
      guard mayTalk() else { break }
      let line = Array(rest[..<end])
      rest = rest[(end + 1)...]
      if !line.allSatisfy({ $0 <= 32 }) { house.hear(self, line) }
    }
    input = Array(rest)
    if isGone || isLeaving { input = [] }
    let hasLine = pause != nil
    if input.count > Wire1.lineLimitBytes, !hasLine {
      input = []
      leave(
        saying: Failure(
          "lineTooLong", "A line may have \(Wire1.lineLimitBytes) bytes; this one has more."))
    }
  }

  private func mayTalk() -> Bool {
    let now = EventLoop.monotonicNanoseconds()
    let seconds = Double(now - countedNanoseconds) / 1_000_000_000
    countedNanoseconds = now
    allowance = min(Self.burst, allowance + seconds * Self.linesPerSecond)
    if allowance >= 1 {
      allowance -= 1
      return true
    }
    do {
      pause = try house.loop.timer(afterMilliseconds: 50, slackMilliseconds: 10) { [weak self] in
        guard let self else { return }
        pause?.stop()
        pause = nil
        hearLines()
        if !isGone { updateInterest() }
        endIfDone()
      }
      updateInterest()
    } catch { end() }
    return false
  }

  /// A line that made no sense. Of many of them nothing sensible will come.
  func makeMistake(_ failure: Failure) {
    mistakes += 1
    if mistakes < Self.mistakeLimit { return say(.error(nil, failure)) }
    leave(saying: Failure("nonsense", "Too many lines made no sense; this connection ends."))
  }
}
