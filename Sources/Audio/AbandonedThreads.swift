// Threads that hang in a sound device or a sound server. Their owner does not wait for them. They
// are kept here with all they use, so that a late return from the device writes into memory that
// still exists, and freed when they have ended. Ordinary threads only.

import Glibc
import Realtime

/// The work of a thread; releasing it waits for the thread's end. A protocol of its own, because
/// Swift 6.0's compiler fails on `any AnyObject & Sendable`.
protocol AtWork: AnyObject, Sendable {
  /// True once releasing it will not wait.
  var hasEnded: Bool { get }
}

extension AtWork {
  /// Waits for the thread's end, but at most this long.
  func awaitEnd(milliseconds: Int) {
    for _ in 0..<(milliseconds / 5) where !hasEnded { usleep(5_000) }
  }
}

enum AbandonedThreads {
  /// With this many hanging threads, no other device is tried.
  static let most = 4

  private static let kept = Locked<[any AtWork]>([])

  /// Releases work, without waiting for a thread that hangs.
  static func leave(_ work: any AtWork) {
    guard !work.hasEnded else { return }
    kept.withLock { $0.append(work) }
  }

  /// How many threads have not ended; frees those that have.
  static var count: Int {
    let ended = kept.withLock { kept in
      let ended = kept.filter(\.hasEnded)
      kept.removeAll(where: \.hasEnded)
      return ended
    }
    // Joined and freed here, outside of the lock.
    return withExtendedLifetime(ended) { kept.withLock(\.count) }
  }
}
