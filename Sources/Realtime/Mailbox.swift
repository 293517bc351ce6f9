// A queue between ordinary threads: whoever posts never waits for whoever takes. Not for the
// capture and playback threads, which have rings. The lock is held for moves of a few words only.

import Synchronization

public final class Mailbox<Letter: Sendable>: Sendable {
  private let letters = Mutex<[Letter]>([])

  public init() {}

  public func post(_ letter: Letter) {
    letters.withLock { $0.append(letter) }
  }

  /// Everything that was posted since the last time, the oldest first.
  public func takeAll() -> [Letter] {
    letters.withLock { letters in
      let taken = letters
      letters = []
      return taken
    }
  }
}
