// What is copied next to one target. The queue is a question to the recorder, asked again and
// again from the oldest recording on: so nothing of it has to be kept, and a power cut loses
// nothing. A recording that fails steps back by itself; what fails at the target as a whole
// holds the target. While there is nothing to copy, the copies are looked at one after another,
// for what was edited or lost there. Pure: events in, effects out; time and chance come in as
// values.

/// The queue of one target.
public struct CopyQueue: Sendable {
  public enum Event: Equatable, Sendable {
    case connected, disconnected
    /// Something may be new.
    case changed
    case tick
    case page(QueuePage)
    /// The recorder could not answer.
    case unanswered(String)
    case sent(CopyOutcome)
    case renamed(RenameOutcome)
    case described(DescribeOutcome)
    case looked(LookOutcome)
    /// The recorder has taken a note; or why it has not.
    case noted(refusal: String?)
  }

  public enum Effect: Equatable, Sendable {
    case list(after: String?)
    /// The recordings that the target has.
    case listHeld(after: String?)
    case send(QueuedRecording, file: Int)
    case rename(QueuedRecording, file: Int)
    /// Bring the texts of both sides together.
    case describe(QueuedRecording)
    /// See whether the copy is there, and what was edited beside it.
    case look(QueuedRecording)
    case note(QueuedRecording, Record)
    case tell(Telling)
    /// Nothing is to be done until then, on the clock of the events.
    case rest(untilSeconds: Int64)
  }

  /// What is noted of a copy.
  public enum Record: Equatable, Sendable {
    /// What the target calls the first file, and the hash of each file's sound as it was read back.
    case verified(remote: String, hashes: [String])
    case renamed(remote: String)
    /// The target has the texts of this checksum.
    case described(String)
    case gone
  }

  /// What is told to people, of the target or of one recording.
  public struct Telling: Equatable, Sendable {
    public enum Condition: String, Sendable { case waiting, sending, sent, failed }

    public let recording: String?
    public let condition: Condition
    public var waiting: Int?
    public var why: String?
    public var retrySeconds: Int64?
  }

  /// Why the target may not be used now.
  public enum Hold: Sendable {
    case hours, metered

    var sentence: String {
      switch self {
      case .hours: "It waits for its hours."
      case .metered: "It waits for a connection that is not metered."
      }
    }
  }

  private enum Phase: Equatable {
    case off, resting, listing, listingHeld
    case working(Work)
    case describing(QueuedRecording)
    case looking(QueuedRecording)
    case noting(QueuedRecording)
  }

  private struct Work: Equatable {
    let recording: QueuedRecording
    var remotes: [String] = []
    var hashes: [String] = []
  }

  /// How far the copies have been looked at.
  private struct Round: Equatable {
    var left: [QueuedRecording] = []
    var place: String?
    var begunSeconds: Int64 = 0
    var nextSeconds: Int64 = 0

    mutating func forget() { (left, place) = ([], nil) }
  }

  /// So often the recorder is asked anyway.
  public static let pollSeconds: Int64 = 300
  /// The copies of a page are looked at, and so much later those of the next; a round takes
  /// at least as long as a poll.
  static let lookSeconds: Int64 = 15
  /// So many recordings that failed are remembered.
  static let retriesLimit = 10_000

  private let isIncluded: @Sendable (String) -> Bool
  private let looks: Bool
  private var phase = Phase.off
  private var left: [QueuedRecording] = []
  private var nextPage: String?
  private var waiting = 0
  private var health = TargetHealth()
  private var retries: [String: Retry] = [:]
  private var isChanged = false
  private var hold: Hold?
  private var round = Round()
  private var told: Telling?

  /// - Parameters:
  ///   - looks: whether copies are looked at again.
  ///   - isIncluded: whether recordings of a folder's path are copied to this target.
  public init(
    looks: Bool = false, isIncluded: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    (self.looks, self.isIncluded) = (looks, isIncluded)
  }

  /// Follows an event.
  /// - Parameter hold: a copy that has begun is finished all the same.
  public mutating func handle(
    _ event: Event, nowSeconds now: Int64, chance: Double, hold: Hold? = nil
  ) -> [Effect] {
    self.hold = hold
    switch (event, phase) {
    case (.connected, _):
      (phase, left, nextPage, told) = (.resting, [], nil, nil)
      round.forget()
      return begin(now)
    case (.disconnected, _):
      (phase, left, nextPage) = (.off, [], nil)
      return []
    case (.changed, .resting), (.tick, .resting): return begin(now)
    case (.changed, _):
      isChanged = true
      return []
    case (.page(let page), .listing): return receive(page, now)
    case (.page(let page), .listingHeld): return receiveHeld(page, now)
    case (.unanswered(let why), .listing), (.unanswered(let why), .listingHeld):
      _ = health.note(.recorder(why), nowSeconds: now, chance: chance)
      return rest(now, why: why)
    case (.sent(let outcome), .working(let work)): return handle(outcome, of: work, now, chance)
    case (.renamed(let outcome), .working(let work)): return handle(outcome, of: work, now, chance)
    case (.described(let outcome), .describing(let recording)):
      return handle(outcome, of: recording, now, chance)
    case (.looked(let outcome), .looking(let recording)):
      return handle(outcome, of: recording, now, chance)
    case (.noted(nil), .noting(let recording)):
      retries[recording.id] = nil
      _ = health.note(nil, nowSeconds: now, chance: chance)
      return goOn(now)
    case (.noted(let why?), .noting(let recording)):
      return fail(recording, .recorder(why), now, chance)
    // An answer to what was asked before the connection ended.
    default: return []
    }
  }

  // MARK: Listing

  private mutating func begin(_ now: Int64) -> [Effect] {
    guard hold == nil, health.mayAsk(nowSeconds: now) else { return rest(now) }
    isChanged = false
    phase = .listing
    return [.list(after: nil)]
  }

  private mutating func receive(_ page: QueuePage, _ now: Int64) -> [Effect] {
    left = page.recordings.filter {
      !$0.files.isEmpty && ($0.copy != nil || isIncluded($0.folderPath))
        && ($0.task != .describe || $0.words != nil)
    }
    (nextPage, waiting) = (page.next, page.waiting)
    return goOn(now)
  }

  /// Takes the next recording that is due.
  private mutating func goOn(_ now: Int64) -> [Effect] {
    guard hold == nil, health.mayAsk(nowSeconds: now) else { return rest(now) }
    while !left.isEmpty {
      let recording = left.removeFirst()
      if let retry = retries[recording.id], !retry.isDue(nowSeconds: now) { continue }
      return start(recording)
    }
    if let next = nextPage {
      phase = .listing
      return [.list(after: next)]
    }
    return isChanged ? begin(now) : inspectNext(now)
  }

  // MARK: Looking

  /// Looks at the next copy, if it is time for that.
  private mutating func inspectNext(_ now: Int64) -> [Effect] {
    while !round.left.isEmpty {
      let recording = round.left.removeFirst()
      if let retry = retries[recording.id], !retry.isDue(nowSeconds: now) { continue }
      phase = .looking(recording)
      return [.look(recording)]
    }
    guard looks, now >= round.nextSeconds else { return rest(now) }
    if round.place == nil { round.begunSeconds = now }
    phase = .listingHeld
    return [.listHeld(after: round.place)]
  }

  private mutating func receiveHeld(_ page: QueuePage, _ now: Int64) -> [Effect] {
    round.left = page.recordings.filter { $0.copy != nil && !$0.files.isEmpty }
    round.place = page.next
    let pause = page.next == nil ? round.begunSeconds + Self.pollSeconds : now
    round.nextSeconds = max(pause, now + Self.lookSeconds)
    return goOn(now)
  }

  private mutating func handle(
    _ outcome: LookOutcome, of recording: QueuedRecording, _ now: Int64, _ chance: Double
  ) -> [Effect] {
    switch outcome {
    case .failed(let error): return fail(recording, error, now, chance)
    case .fine:
      retries[recording.id] = nil
      _ = health.note(nil, nowSeconds: now, chance: chance)
      return goOn(now)
    case .changedHere:
      isChanged = true
      return goOn(now)
    case .reread:
      phase = .noting(recording)
      let hashes = recording.files.map { "\($0.sound)" }
      return [.note(recording, .verified(remote: recording.copy?.remote ?? "", hashes: hashes))]
    case .gone:
      phase = .noting(recording)
      isChanged = true
      return [.note(recording, .gone)]
    }
  }

  private mutating func handle(
    _ outcome: DescribeOutcome, of recording: QueuedRecording, _ now: Int64, _ chance: Double
  ) -> [Effect] {
    switch outcome {
    case .failed(let error): return fail(recording, error, now, chance)
    case .same:
      phase = .noting(recording)
      return [.note(recording, .described(recording.words?.sum ?? ""))]
    case .changedHere:
      isChanged = true
      return goOn(now)
    }
  }

  private mutating func rest(_ now: Int64, why: String? = nil) -> [Effect] {
    (phase, left, nextPage) = (.resting, [], nil)
    var until = now + Self.pollSeconds
    let isHeld = !health.mayAsk(nowSeconds: now)
    if isHeld {
      until = health.retry.nextSeconds
    } else {
      if let earliest = retries.values.map(\.nextSeconds).min() {
        until = min(until, max(now + 1, earliest))
      }
      if looks, hold == nil { until = min(until, max(now + 1, round.nextSeconds)) }
    }
    var telling = Telling(recording: nil, condition: isHeld ? .failed : .waiting)
    telling.waiting = waiting
    telling.why = why ?? hold?.sentence
    telling.retrySeconds = isHeld ? until - now : nil
    // The reason was told when it failed.
    let isTold = isHeld && why == nil || telling == told
    told = telling
    return (isTold ? [] : [.tell(telling)]) + [.rest(untilSeconds: until)]
  }

  // MARK: Working

  private mutating func start(_ recording: QueuedRecording) -> [Effect] {
    if recording.task == .describe {
      phase = .describing(recording)
      return [.describe(recording)]
    }
    told = nil
    let work = Work(recording: recording)
    phase = .working(work)
    var target = Telling(recording: nil, condition: .sending)
    target.waiting = waiting
    let item = Telling(recording: recording.id, condition: .sending)
    return [.tell(target), .tell(item), step(work)]
  }

  private func step(_ work: Work) -> Effect {
    work.recording.task == .rename
      ? .rename(work.recording, file: work.remotes.count)
      : .send(work.recording, file: work.remotes.count)
  }

  private mutating func handle(
    _ outcome: CopyOutcome, of work: Work, _ now: Int64, _ chance: Double
  ) -> [Effect] {
    switch outcome {
    case .failed(let error): return fail(work.recording, error, now, chance)
    case .verified(let receipt):
      var work = work
      work.remotes.append("\(receipt.name)")
      work.hashes.append("\(receipt.hashes.sound)")
      if work.remotes.count < work.recording.files.count {
        phase = .working(work)
        return [step(work)]
      }
      phase = .noting(work.recording)
      let record = Record.verified(remote: work.remotes[0], hashes: work.hashes)
      waiting = max(0, waiting - 1)
      return [.note(work.recording, record)]
    }
  }

  private mutating func handle(
    _ outcome: RenameOutcome, of work: Work, _ now: Int64, _ chance: Double
  ) -> [Effect] {
    switch outcome {
    case .failed(let error): return fail(work.recording, error, now, chance)
    case .missing:
      phase = .noting(work.recording)
      // It is listed as one without a copy then.
      isChanged = true
      return [.note(work.recording, .gone)]
    case .renamed(let name):
      var work = work
      work.remotes.append("\(name)")
      if work.remotes.count < work.recording.files.count {
        phase = .working(work)
        return [step(work)]
      }
      phase = .noting(work.recording)
      waiting = max(0, waiting - 1)
      return [.note(work.recording, .renamed(remote: work.remotes[0]))]
    }
  }

  private mutating func fail(
    _ recording: QueuedRecording, _ error: LinkError, _ now: Int64, _ chance: Double
  ) -> [Effect] {
    let stepsBack = health.note(error, nowSeconds: now, chance: chance)
    var item = Telling(recording: recording.id, condition: .failed)
    item.why = error.sentence
    if stepsBack {
      var retry = retries[recording.id] ?? Retry()
      retry.fail(
        nowSeconds: now, chance: chance, retryAfterSeconds: error.retryAfterSeconds,
        health.backOff)
      item.retrySeconds = retry.nextSeconds - now
      if retries[recording.id] != nil || retries.count < Self.retriesLimit {
        retries[recording.id] = retry
      }
    }
    if health.mayAsk(nowSeconds: now) { return [.tell(item)] + goOn(now) }
    item.retrySeconds = max(item.retrySeconds ?? 0, health.retry.nextSeconds - now)
    return [.tell(item)] + rest(now, why: error.sentence)
  }
}

extension LinkError {
  /// What the recorder has refused.
  public static func recorder(_ why: String) -> LinkError { LinkError(.source, .recording, why) }
}
