// The queue against a model of a recorder and a target, with failures, lost connections and
// restarts between any two steps. No server, no loop.
import Digest
import Testing

@testable import Link

@Suite struct CopyQueueTests {
  private static let sum = SHA256.Sum(1, 2, 3, 4)

  private static func recording(
    _ id: String, folder: String = "/", remote: String? = nil, tracks: Int = 1,
    from file: String = "old.opus", words: QueuedTexts? = nil
  ) -> QueuedRecording {
    QueuedRecording(
      id: id, folder: "root", folderPath: folder,
      files: (1...tracks).map {
        QueuedRecording.File(
          track: "\($0)", path: [$0 == 1 ? "\(id).opus" : "\(id) (\($0 - 1)).flac"], sizeBytes: 9,
          soundFrom: 4, sound: sum)
      },
      copy: remote.map { QueuedRecording.Copy(remote: $0, file: file, verifiedSeconds: 0) },
      words: words)
  }

  private static func verified(_ name: String) throws -> CopyOutcome {
    .verified(
      CopyReceipt(
        name: try RemoteName([name]),
        hashes: ContentHashes(header: sum, sound: sum, length: 9), wasThere: false,
        hasOlderTags: false))
  }

  private static let network = LinkError(.network, .target, "The server does not answer.")
  private static let odd = LinkError(.name, .recording, "The name cannot be used.")

  @Test("recordings are copied one after the other, the oldest first, and each is noted")
  func order() throws {
    var queue = CopyQueue()
    // given a target that lacks two recordings, one of them with two tracks
    let (first, second) = (Self.recording("1", tracks: 2), Self.recording("2"))
    #expect(queue.handle(.connected, nowSeconds: 0, chance: 0) == [.list(after: nil)])
    let page = QueuePage([first, second], next: nil, waiting: 2)
    // when the first is sent, then its other track follows, then the note, then the second
    #expect(
      queue.handle(.page(page), nowSeconds: 0, chance: 0).last == .send(first, file: 0))
    let sent = CopyQueue.Event.sent(try Self.verified("1.opus"))
    #expect(queue.handle(sent, nowSeconds: 1, chance: 0) == [.send(first, file: 1)])
    let record = CopyQueue.Record.verified(
      remote: "1.opus", hashes: ["\(Self.sum)", "\(Self.sum)"])
    let other = CopyQueue.Event.sent(try Self.verified("1 (1).flac"))
    #expect(queue.handle(other, nowSeconds: 2, chance: 0) == [.note(first, record)])
    let noted = queue.handle(.noted(refusal: nil), nowSeconds: 3, chance: 0)
    #expect(noted.last == .send(second, file: 0))
  }

  @Test("one that fails steps back and blocks no other; its reason is told")
  func stepsBack() throws {
    var queue = CopyQueue()
    let (bad, good) = (Self.recording("1"), Self.recording("2"))
    _ = queue.handle(.connected, nowSeconds: 0, chance: 0)
    let page = CopyQueue.Event.page(QueuePage([bad, good], next: nil, waiting: 2))
    _ = queue.handle(page, nowSeconds: 0, chance: 0)
    // when the first fails by itself
    let failed = queue.handle(.sent(.failed(Self.odd)), nowSeconds: 1, chance: 0)
    // then the next one is sent at once
    #expect(failed.last == .send(good, file: 0))
    #expect(
      failed.contains {
        if case .tell(let telling) = $0 { telling.why == Self.odd.sentence } else { false }
      })
    _ = queue.handle(.sent(try Self.verified("2.opus")), nowSeconds: 2, chance: 0)
    let rest = queue.handle(.noted(refusal: nil), nowSeconds: 3, chance: 0)
    // and the first is tried again after a minute, not before
    #expect(rest.last == .rest(untilSeconds: 61))
    #expect(queue.handle(.changed, nowSeconds: 30, chance: 0) == [.list(after: nil)])
    let early = queue.handle(
      .page(QueuePage([bad], next: nil, waiting: 1)), nowSeconds: 30, chance: 0)
    #expect(early.last == .rest(untilSeconds: 61))
    _ = queue.handle(.tick, nowSeconds: 61, chance: 0)
    let late = queue.handle(
      .page(QueuePage([bad], next: nil, waiting: 1)), nowSeconds: 61, chance: 0)
    #expect(late.last == .send(bad, file: 0))
  }

  @Test("what fails at the target holds all that is for it")
  func held() {
    var queue = CopyQueue()
    _ = queue.handle(.connected, nowSeconds: 0, chance: 0)
    let all = (1...3).map { Self.recording("\($0)") }
    _ = queue.handle(.page(QueuePage(all, next: "x", waiting: 9)), nowSeconds: 0, chance: 0)
    let failed = queue.handle(.sent(.failed(Self.network)), nowSeconds: 1, chance: 0)
    #expect(failed.last == .rest(untilSeconds: 61))
    // Nothing that is new changes that.
    #expect(queue.handle(.changed, nowSeconds: 2, chance: 0).last == .rest(untilSeconds: 61))
    #expect(queue.handle(.tick, nowSeconds: 61, chance: 0) == [.list(after: nil)])
  }

  private static func texts(_ sum: String, known: String?) -> QueuedTexts {
    QueuedTexts(
      Texts(),
      SidecarFacts(
        id: "1", number: 1, began: nil, lengthMilliseconds: 0, rate: 48_000, integrity: []),
      sum: sum, knownSum: known)
  }

  @Test("texts that are older at the target are brought there, and what it has is noted")
  func described() throws {
    var queue = CopyQueue()
    _ = queue.handle(.connected, nowSeconds: 0, chance: 0)
    let stale = Self.recording(
      "1", remote: "1.opus", from: "1.opus", words: Self.texts("b", known: "a"))
    let page = CopyQueue.Event.page(QueuePage([stale], next: nil, waiting: 1))
    #expect(queue.handle(page, nowSeconds: 0, chance: 0) == [.describe(stale)])
    #expect(
      queue.handle(.described(.same), nowSeconds: 1, chance: 0) == [.note(stale, .described("b"))])
    _ = queue.handle(.noted(refusal: nil), nowSeconds: 2, chance: 0)
    // When the recording has other texts afterwards, it is asked for again, and nothing noted
    _ = queue.handle(.changed, nowSeconds: 3, chance: 0)
    _ = queue.handle(page, nowSeconds: 3, chance: 0)
    #expect(
      queue.handle(.described(.changedHere), nowSeconds: 4, chance: 0) == [.list(after: nil)])
    // and what cannot be merged steps back like a copy
    _ = queue.handle(page, nowSeconds: 5, chance: 0)
    let failed = queue.handle(.described(.failed(Self.odd)), nowSeconds: 5, chance: 0)
    #expect(failed.last == .rest(untilSeconds: 65))
  }

  @Test("while there is nothing to copy, copies are looked at, page by page, round after round")
  func looks() throws {
    var queue = CopyQueue(looks: true)
    let none = CopyQueue.Event.page(QueuePage([], next: nil, waiting: 0))
    let (one, two) = (
      Self.recording("1", remote: "1.opus", from: "1.opus"),
      Self.recording("2", remote: "2.opus", from: "2.opus")
    )
    _ = queue.handle(.connected, nowSeconds: 0, chance: 0)
    #expect(queue.handle(none, nowSeconds: 0, chance: 0) == [.listHeld(after: nil)])
    let held = CopyQueue.Event.page(QueuePage([one], next: "1-x", waiting: 0))
    #expect(queue.handle(held, nowSeconds: 1, chance: 0) == [.look(one)])
    // A copy that is well leaves no note, and the next page comes a little later
    let rest = queue.handle(.looked(.fine), nowSeconds: 2, chance: 0)
    #expect(rest.last == .rest(untilSeconds: 16))
    #expect(queue.handle(.tick, nowSeconds: 16, chance: 0) == [.list(after: nil)])
    #expect(queue.handle(none, nowSeconds: 16, chance: 0) == [.listHeld(after: "1-x")])
    // One that is gone is noted, and asked for at once
    let last = CopyQueue.Event.page(QueuePage([two], next: nil, waiting: 0))
    #expect(queue.handle(last, nowSeconds: 17, chance: 0) == [.look(two)])
    #expect(queue.handle(.looked(.gone), nowSeconds: 18, chance: 0) == [.note(two, .gone)])
    #expect(queue.handle(.noted(refusal: nil), nowSeconds: 19, chance: 0) == [.list(after: nil)])
    // The next round begins when a poll's time has passed since this one began
    let after = queue.handle(none, nowSeconds: 20, chance: 0)
    #expect(after.last == .rest(untilSeconds: 300))
    // and what was told is not told again
    #expect(!after.contains { if case .tell = $0 { true } else { false } })
  }

  @Test("a copy that was read again is noted with the hashes it was compared with")
  func reread() throws {
    var queue = CopyQueue(looks: true)
    let one = Self.recording("1", remote: "1.opus", tracks: 2, from: "1.opus")
    _ = queue.handle(.connected, nowSeconds: 0, chance: 0)
    _ = queue.handle(.page(QueuePage([], next: nil, waiting: 0)), nowSeconds: 0, chance: 0)
    _ = queue.handle(.page(QueuePage([one], next: nil, waiting: 0)), nowSeconds: 0, chance: 0)
    let record = CopyQueue.Record.verified(
      remote: "1.opus", hashes: ["\(Self.sum)", "\(Self.sum)"])
    #expect(queue.handle(.looked(.reread), nowSeconds: 1, chance: 0) == [.note(one, record)])
  }

  @Test("a copy under an old name is renamed, and one that is gone is noted and sent again")
  func renamed() throws {
    var queue = CopyQueue()
    _ = queue.handle(.connected, nowSeconds: 0, chance: 0)
    let old = Self.recording("1", remote: "0.opus")
    let page = CopyQueue.Event.page(QueuePage([old], next: nil, waiting: 1))
    #expect(queue.handle(page, nowSeconds: 0, chance: 0).last == .rename(old, file: 0))
    let renamed = queue.handle(
      .renamed(.renamed(try RemoteName(["1.opus"]))), nowSeconds: 1, chance: 0)
    #expect(renamed == [.note(old, .renamed(remote: "1.opus"))])
    _ = queue.handle(.noted(refusal: nil), nowSeconds: 2, chance: 0)
    _ = queue.handle(.changed, nowSeconds: 3, chance: 0)
    _ = queue.handle(page, nowSeconds: 3, chance: 0)
    #expect(queue.handle(.renamed(.missing), nowSeconds: 4, chance: 0) == [.note(old, .gone)])
    #expect(queue.handle(.noted(refusal: nil), nowSeconds: 5, chance: 0) == [.list(after: nil)])
  }

  @Test("only the folders of the target, and only at its hours")
  func scope() {
    var queue = CopyQueue { $0 == "/In" }
    _ = queue.handle(.connected, nowSeconds: 0, chance: 0)
    let (inside, outside) = (Self.recording("1", folder: "/In"), Self.recording("2"))
    let page = CopyQueue.Event.page(QueuePage([outside, inside], next: nil, waiting: 2))
    #expect(queue.handle(page, nowSeconds: 0, chance: 0).last == .send(inside, file: 0))
    var waiting = CopyQueue()
    let first = waiting.handle(.connected, nowSeconds: 0, chance: 0, hold: .hours)
    #expect(first.last == .rest(untilSeconds: CopyQueue.pollSeconds))
  }

  @Test("while the connection is metered nothing is begun, and people are told why")
  func metered() throws {
    var queue = CopyQueue()
    let one = Self.recording("1")
    let held = queue.handle(.connected, nowSeconds: 0, chance: 0, hold: .metered)
    guard case .tell(let telling) = held.first else {
      Issue.record("nothing is told: \(held)")
      return
    }
    #expect(telling.condition == .waiting && telling.why?.contains("metered") == true)
    // When it is free, and becomes metered during the copy
    #expect(queue.handle(.changed, nowSeconds: 1, chance: 0) == [.list(after: nil)])
    let page = CopyQueue.Event.page(QueuePage([one, Self.recording("2")], next: nil, waiting: 2))
    #expect(queue.handle(page, nowSeconds: 1, chance: 0).last == .send(one, file: 0))
    // Then that copy is finished, and the next one waits
    let sent = CopyQueue.Event.sent(try Self.verified("1.opus"))
    #expect(
      queue.handle(sent, nowSeconds: 2, chance: 0, hold: .metered).contains {
        if case .note = $0 { true } else { false }
      })
    let rest = queue.handle(.noted(refusal: nil), nowSeconds: 3, chance: 0, hold: .metered)
    #expect(rest.last == .rest(untilSeconds: 3 + CopyQueue.pollSeconds))
  }

  @Test(
    "whatever fails and whenever a connection ends, all are copied in the end, one at a time",
    arguments: 1...40 as ClosedRange<UInt64>)
  func histories(seed: UInt64) throws {
    var model = QueueModel(seed: seed)
    for _ in 0..<3000 where !model.isDone { try model.step() }
    #expect(model.isDone, "left: \(model.lacking)")
    #expect(model.doubled.isEmpty)
  }
}

/// A recorder, a target, and a queue between them.
private struct QueueModel {
  var queue = CopyQueue()
  var random: SplitMix
  var lacking: [Int]
  var isConnected = false
  var faultsLeft = 30
  var now: Int64 = 0
  /// What the queue waits for.
  var awaited: [CopyQueue.Event] = []
  var doubled: [String] = []
  private var noted: Set<String> = []
  private var lastID: Int

  init(seed: UInt64) {
    random = SplitMix(state: seed)
    lastID = 3 + Int(seed) % 9
    lacking = Array(1...lastID)
  }

  var isDone: Bool { lacking.isEmpty && faultsLeft == 0 }

  mutating func step() throws {
    now += Int64(random.below(400))
    if faultsLeft > 0, random.below(8) == 0 { return fault() }
    if !isConnected {
      isConnected = true
      return perform(queue.handle(.connected, nowSeconds: now, chance: 0.5))
    }
    if random.below(20) == 0, lacking.count < 12, faultsLeft > 0 {
      lastID += 1
      lacking.append(lastID)
      return perform(queue.handle(.changed, nowSeconds: now, chance: 0.5))
    }
    let event = awaited.isEmpty ? CopyQueue.Event.tick : awaited.removeFirst()
    perform(queue.handle(event, nowSeconds: now, chance: 0.5))
  }

  private mutating func fault() {
    faultsLeft -= 1
    switch random.below(3) {
    case 0:
      isConnected = false
      awaited = []
      perform(queue.handle(.disconnected, nowSeconds: now, chance: 0.5))
    case 1:
      // The program is killed: nothing of the queue is kept.
      (queue, isConnected, awaited) = (CopyQueue(), false, [])
    default:
      guard case .sent? = awaited.first else { return }
      let scope: LinkError.Scope = random.below(2) == 0 ? .target : .recording
      awaited = [.sent(.failed(LinkError(.network, scope, "It broke.")))]
    }
  }

  private mutating func perform(_ effects: [CopyQueue.Effect]) {
    for effect in effects {
      switch effect {
      case .list(let after):
        let first = after.flatMap { Int($0) } ?? 0
        let rest = lacking.filter { $0 > first }
        let page = rest.prefix(2).map { QueueModel.recording($0) }
        awaited = [
          .page(
            QueuePage(
              page, next: rest.count > 2 ? page.last?.id : nil, waiting: lacking.count))
        ]
      case .send(let recording, _):
        // A number is always a name.
        guard let name = try? RemoteName(["\(recording.id).opus"]) else { continue }
        let sum = SHA256.Sum(1, 2, 3, 4)
        awaited = [
          .sent(
            .verified(
              CopyReceipt(
                name: name, hashes: ContentHashes(header: sum, sound: sum, length: 9),
                wasThere: false, hasOlderTags: false)))
        ]
      case .note(let recording, _):
        if !noted.insert(recording.id).inserted { doubled.append(recording.id) }
        lacking.removeAll { "\($0)" == recording.id }
        awaited = [.noted(refusal: nil)]
      case .listHeld:
        awaited = [.page(QueuePage([], next: nil, waiting: 0))]
      case .rename, .describe, .look, .tell, .rest: break
      }
    }
  }

  private static func recording(_ number: Int) -> QueuedRecording {
    QueuedRecording(
      id: "\(number)", folder: "root", folderPath: "/",
      files: [
        QueuedRecording.File(
          track: "main", path: ["\(number).opus"], sizeBytes: 9, soundFrom: 4,
          sound: SHA256.Sum(1, 2, 3, 4))
      ], copy: nil)
  }
}
