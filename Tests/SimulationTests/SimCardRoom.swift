// The card's room without its thread: the real worker with its mailbox, stepped when a letter came
// or work is left. Its events are recorded in the ledger at once, and reach the loop a little
// later. One thread.

import Digest
import Realtime
import Tape

@testable import Library
@testable import Recorder

// Sendable: a simulation has one thread.
final class SimCardRoom: @unchecked Sendable {
  private unowned let world: World
  private let letters = Mailbox<CardLetter>()
  private var worker: CardWorker<MemoryCard>?
  private var news: [CardEvent] = []
  private(set) var due: Int64 = .max
  /// Whether it is in the middle of a step, while the card makes it wait.
  private(set) var isBusy = false

  /// The same in each run.
  static let key = SigningKey(seed: [UInt8](1...32))

  init(_ world: World) { self.world = world }

  func begin(_ card: MemoryCard) {
    worker = CardWorker(
      letters: letters, tracks: world.setup.record.tracks.map(\.plan), key: Self.key,
      clientFiles: .none,
      open: { () throws(TapeError) in card },
      send: { [unowned self] event in tell(event) })
  }

  private func tell(_ event: CardEvent) {
    if world.isDown { return }
    world.ledger.handle(event)
    news.append(event)
    world.cardIsNew()
  }

  func collect() -> [CardEvent] {
    defer { news = [] }
    return news
  }

  // MARK: Letters

  func perform(_ command: CardCommand) {
    world.ledger.handle(command)
    post(.command(command, WallTime(milliseconds: world.wall)))
  }

  func measureSpace() { post(.measureSpace) }

  private func post(_ letter: CardLetter) {
    letters.post(letter)
    due = min(due, world.now + world.latency())
  }

  /// Runs one step, during which the card may let time pass.
  func step() {
    due = .max
    isBusy = true
    let hasMore = worker?.step() ?? false
    isBusy = false
    if hasMore { due = min(due, world.now + 200_000 + world.latency()) }
  }
}
