// Proves that the loop's thread never waits for the thread of the small files: while the card
// stalls every call returns, the last of several values is written, and the end has a deadline.

import Realtime
import Recorder
import Systemd
import Testing

@testable import reeld

@Suite struct SmallFilesTests {
  /// A card that blocks every write until it is released.
  private final class StalledCard: Sendable {
    let written = Locked<[Int]>([])
    let marks = Locked<[Int?]>([])
    private let isFree: WakeUp
    private let isReached: WakeUp

    init() throws { (isFree, isReached) = (try WakeUp(), try WakeUp()) }

    func wait() {
      isReached.makeWaker().wake()
      _ = isFree.wait(milliseconds: nil)
      letGo()  // for the next write
    }

    /// Returns once the thread waits here.
    func awaitVisitor() { _ = isReached.wait(milliseconds: nil) }

    func letGo() { isFree.makeWaker().wake() }

    var work: SmallFiles.Work {
      SmallFiles.Work(
        remember: { remembered in
          self.wait()
          self.written.withLock { $0.append(remembered.volumePercent) }
          return remembered.volumePercent == 13 ? "the card refused 13" : nil
        },
        mark: { continuation in
          self.marks.withLock { $0.append(continuation?.part) }
          return nil
        },
        readConfiguration: { .failure(.init(mistakes: [])) })
    }
  }

  @Test("While the card stalls no call waits, and only the last of the values is written")
  func latestWins() throws {
    let (card, loop) = try (StalledCard(), EventLoop())
    let files = try SmallFiles(on: loop, card.work) { _ in }
    files.remember(Remembered(volumePercent: 1))
    card.awaitVisitor()
    for volume in 2...50 { files.remember(Remembered(volumePercent: volume)) }
    for part in [1, nil, 2] { files.mark(part.map { TakeContinuation(part: $0) }) }
    #expect(card.written.withLock { $0 } == [])
    card.letGo()
    #expect(files.end())
    #expect(card.written.withLock { $0 } == [1, 50])
    #expect(card.marks.withLock { $0 } == [2])
  }

  @Test("At the end a card that does not answer is abandoned, with the values not written yet")
  func boundedEnd() throws {
    let (card, loop) = try (StalledCard(), EventLoop())
    let files = try SmallFiles(on: loop, card.work) { _ in }
    files.remember(Remembered(volumePercent: 1))
    card.awaitVisitor()
    #expect(!files.end(waitingMilliseconds: 20))
    #expect(card.written.withLock { $0 } == [])
    card.letGo()
  }

  @Test("Failed writes and a read configuration are reported on the loop's thread")
  func news() throws {
    let (card, loop) = try (StalledCard(), EventLoop())
    card.letGo()
    var sentences: [String] = []
    let files = try SmallFiles(on: loop, card.work) { news in
      switch news {
      case .failed(let sentence): sentences.append(sentence)
      case .configuration(.failure(let refusal)):
        sentences.append("\(refusal.mistakes.count) mistakes")
        loop.exit(code: 0)
      case .configuration(.success): Issue.record("there is no such file")
      }
    }
    files.remember(Remembered(volumePercent: 13))
    files.readConfiguration()
    _ = try loop.run()
    #expect(sentences == ["the card refused 13", "0 mistakes"])
    #expect(files.end())
  }
}
