// The thread of the small files in a simulation: like `SmallFiles` of `reeld`, it writes the
// remembered state a little later, on a thread that may wait for the card. The state is saved only
// if the card is still there afterwards.

import Tape

@testable import Library
@testable import Recorder

final class SimFiles {
  private unowned let world: World
  private var remembered: Remembered?
  private var isDue = false

  init(_ world: World) { self.world = world }

  /// Saves the state; of several values only the latest is written.
  func remember(_ remembered: Remembered) {
    self.remembered = remembered
    if isDue { return }
    isDue = true
    world.at(world.now + world.latency()) { [weak self] in self?.write() }
  }

  private func write() {
    isDue = false
    guard let remembered else { return }
    self.remembered = nil
    // Reading the space is an operation that waits when the card stalls, and that is refused when
    // the loop itself calls it.
    do { _ = try world.card.space() } catch { return }
    if !world.isDown { world.remembered = remembered }
  }
}
