// A value that threads share under a lock, and a queue made of one. For ordinary threads only,
// never for capture or playback, which have rings: the lock is held for moves of a few words.

import CRealtime
import Synchronization

public final class Locked<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  public init(_ value: Value) { mutex = Mutex(value) }

  public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    // ThreadSanitizer does not see into the library that Mutex is in, so it is told.
    let place = Unmanaged.passUnretained(self).toOpaque()
    return mutex.withLock { value in
      sanitizer_lock_taken(place)
      defer { sanitizer_lock_given_back(place) }
      return body(&value)
    }
  }
}

/// Whoever posts never waits for whoever takes.
public final class Mailbox<Letter: Sendable>: Sendable {
  private let letters = Locked<[Letter]>([])

  public init() {}

  public func post(_ letter: Letter) { letters.withLock { $0.append(letter) } }

  /// Everything that was posted since the last time, the oldest first.
  public func takeAll() -> [Letter] {
    letters.withLock { letters in
      let taken = letters
      letters = []
      return taken
    }
  }
}
