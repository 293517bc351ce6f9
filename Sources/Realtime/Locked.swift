// A value shared under a lock, and a mailbox made of one. For ordinary threads only: capture and
// playback use rings. The lock is held only while a few words are moved.

import CRealtime
import Synchronization

/// `@unchecked`: the value is accessed only with the lock held. It is not stored in the `Mutex`,
/// because Swift 6.0 cannot compile a class that holds a `Mutex` of a generic value.
public final class Locked<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let mutex = Mutex(())
  /// Accessed only with the lock held.
  @usableFromInline var value: Value

  public init(_ value: Value) { self.value = value }

  /// Calls `body` with exclusive access to the value.
  @inlinable public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    // ThreadSanitizer cannot see into the library that contains Mutex: report the lock to it.
    let place = Unmanaged.passUnretained(self).toOpaque()
    return mutex.withLock { _ in
      sanitizer_lock_taken(place)
      defer { sanitizer_lock_given_back(place) }
      return body(&value)
    }
  }
}

/// A queue between threads. Posting never waits for the reader.
public final class Mailbox<Letter: Sendable>: Sendable {
  @usableFromInline let letters = Locked<[Letter]>([])

  public init() {}

  @inlinable public func post(_ letter: Letter) { letters.withLock { $0.append(letter) } }

  /// Removes and returns all letters, oldest first.
  @inlinable public func drain() -> [Letter] {
    letters.withLock { letters in
      let taken = letters
      letters = []
      return taken
    }
  }
}
