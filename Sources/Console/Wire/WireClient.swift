// One client of the control socket: reads its lines, sends replies and tracks its requests. It
// trusts no input, reads a bounded amount a turn, queues a bounded amount for a client that does
// not read, and closes the connection of one that still does not. Loop's thread; it never blocks.

import Glibc
import JSON
import Realtime
import Recorder
import Systemd

final class WireClient {
  /// What a client needs from its socket.
  struct House {
    let loop: EventLoop
    /// Handles a complete line.
    let handle: (WireClient, [UInt8]) -> Void
    /// Called when the connection is over.
    let leave: (WireClient) -> Void
  }

  static let outputLimitBytes = 8 << 20
  private static let readBytes = 64 << 10
  /// The most lines at once, and the rate at which more are allowed.
  private static let burst = 200.0
  private static let linesPerSecond = 200.0
  private static let mistakeLimit = 16
  private static let farewellMilliseconds: Int64 = 10_000

  let id: Int
  /// Requests that are not answered yet.
  var underWay: Set<Int> = []
  /// The numbers of passed files that are kept, by request.
  var keptFiles: [Int: [Int]] = [:]
  /// What the client watches, by the id of its request.
  var subscriptions: [Int: WireSubscription] = [:]
  /// Watched folders that have not been sent completely yet.
  var windows: [Int: FolderWindow] = [:]
  private let file: SocketFile
  private let house: House
  private var watch: FileWatch?
  private var pause: Timer?
  private var input: [UInt8] = []
  /// Passed by the client, and not yet claimed by a request.
  private var files: [Int32] = []
  private var output: [UInt8] = []
  /// Files to be passed, each with the first byte of its line in `output`.
  private var outputFiles: [(at: Int, file: Int32)] = []
  private var sent = 0
  private var allowance = burst
  private var countedNanoseconds: Int64
  private var mistakes = 0
  private var isInputOver = false
  /// Input is ignored, and the connection ends when all output is sent.
  private var isLeaving = false
  private(set) var isGivenUp = false
  private(set) var isGone = false

  init(id: Int, _ file: consuming SocketFile, _ house: House) throws(EventLoopError) {
    self.id = id
    self.house = house
    countedNanoseconds = EventLoop.monotonicNanoseconds()
    let descriptor = file.descriptor
    self.file = file
    watch = try house.loop.watch(fileDescriptor: descriptor, for: .readable) { [weak self] in
      self?.handle($0)
    }
  }

  deinit { closeFiles() }

  var queuedBytes: Int { output.count - sent }

  // MARK: Going out

  /// - Parameter file: passed with the line, and closed.
  func send(_ reply: WireReply, passing file: Int32? = nil) {
    if isGone || isLeaving {
      if let file { ForeignFile.close(file) }
      return
    }
    if let file { outputFiles.append((output.count, file)) }
    do { output += try JSON.encode(reply) } catch {
      // Our replies can always be written; if one could not, the client must not wait for it.
      output += Array(#"{"error":{"code":"failed","sentence":"cannot be written"}}"#.utf8)
    }
    output.append(10)
    drain()
    if queuedBytes > Self.outputLimitBytes, !isGivenUp { giveUp() }
  }

  /// Ends the connection of a client that does not read. Queued replies are dropped, and the reason
  /// follows the current line, if the client reads it within `farewellMilliseconds`.
  private func giveUp() {
    isGivenUp = true
    let rest = output[sent...]
    let lineEnd = rest.firstIndex(of: 10).map { $0 + 1 } ?? rest.endIndex
    output.removeSubrange(lineEnd...)
    while let last = outputFiles.last, last.at >= output.count {
      ForeignFile.close(outputFiles.removeLast().file)
    }
    let limit = "\(Self.outputLimitBytes >> 20) MB"
    let sentence = "More than \(limit) were not read; this connection ends."
    leave(saying: CommandError("tooSlow", sentence))
    if isGone { return }
    do {
      pause = try house.loop.timer(
        afterMilliseconds: Self.farewellMilliseconds, slackMilliseconds: 1000
      ) { [weak self] in self?.end() }
    } catch { end() }
  }

  /// Sends a last error, and ends the connection once it is sent.
  func leave(saying failure: CommandError) {
    send(.error(nil, failure))
    isLeaving = true
    endIfDone()
  }

  /// Ends a request after its last answer.
  func isAnswered(_ request: Int) {
    underWay.remove(request)
    endIfDone()
  }

  private func drain() {
    while queuedBytes > 0, !isGone {
      let passed = outputFiles.first.flatMap { $0.at == sent ? $0.file : nil }
      let stop = outputFiles.first { $0.at > sent }?.at ?? output.count
      let count = SocketFile.send(
        output[sent..<stop], with: passed.map { [$0] } ?? [], to: file.descriptor,
        flags: Int32(MSG_DONTWAIT))
      if count > 0 {
        sent += count
        if let passed {
          ForeignFile.close(passed)
          outputFiles.removeFirst()
        }
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return end()
      }
    }
    if sent > 64 << 10 || queuedBytes == 0 {
      output.removeFirst(sent)
      for index in outputFiles.indices { outputFiles[index].at -= sent }
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
    (subscriptions, windows) = ([:], [:])
    closeFiles()
    house.leave(self)
  }

  private func closeFiles() {
    for file in files + outputFiles.map(\.file) { ForeignFile.close(file) }
    (files, outputFiles) = ([], [])
  }

  /// Returns the oldest passed files, which the caller must close.
  func claimFiles(_ count: Int) throws(CommandError) -> [Int32] {
    guard count <= files.count else {
      throw CommandError("badFile", "\(count) files were announced, and \(files.count) passed.")
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

  private func handle(_ readiness: Readiness) {
    if readiness.contains(.writable) || !readiness.isDisjoint(with: [.error, .hangup]) { drain() }
    if isGone { return }
    if !isInputOver, !isLeaving, pause == nil { read() }
    // The client can no longer read the queued output.
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
        saying: CommandError(
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
    handleLines()
  }

  /// Handles complete lines, no faster than a client may send them.
  private func handleLines() {
    var rest = input[...]
    while !isGone, !isLeaving, let end = rest.firstIndex(of: 10) {
      guard mayTalk() else { break }
      let line = Array(rest[..<end])
      rest = rest[(end + 1)...]
      if !line.allSatisfy({ $0 <= 32 }) { house.handle(self, line) }
    }
    input = Array(rest)
    if isGone || isLeaving { input = [] }
    let hasLine = pause != nil
    if input.count > Wire1.lineLimitBytes, !hasLine {
      input = []
      leave(
        saying: CommandError(
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
        handleLines()
        if !isGone { updateInterest() }
        endIfDone()
      }
      updateInterest()
    } catch { end() }
    return false
  }

  /// Answers an invalid line with an error. After `mistakeLimit` of them the connection ends.
  func makeMistake(_ failure: CommandError) {
    mistakes += 1
    if mistakes < Self.mistakeLimit { return send(.error(nil, failure)) }
    leave(saying: CommandError("nonsense", "Too many lines made no sense; this connection ends."))
  }
}
