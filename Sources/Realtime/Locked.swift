// A value that threads share under a lock, and a queue made of one. For ordinary threads only,
// never for capture or playback, which have rings: the lock is held for moves of a few words.

import CRealtime
import Synchronization

/// `@unchecked`: the value is touched with the lock held only. It does not lie in the lock, because
/// Swift 6.0 cannot compile a class that holds a lock of a generic value.
public final class Locked<Value: Sendable>: @unchecked Sendable {
  private let mutex = Mutex(())
  /// Changed by whoever holds the lock.
  private var value: Value

  public init(_ value: Value) { self.value = value }

  public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    // ThreadSanitizer does not see into the library that Mutex is in, so it is told.
    let place = Unmanaged.passUnretained(self).toOpaque()
    return mutex.withLock { _ in
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
