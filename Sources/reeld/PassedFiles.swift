// Files that clients have opened and passed to the recorder, until they are used: each under a
// number, which is all that the state knows of it. Kept by the loop's thread, taken by the card's.

import Glibc
import Realtime

final class PassedFiles: Sendable {
  private struct Shelf {
    var files: [Int: Int32] = [:]
    var last = 0
  }

  /// Whoever finds a file on it takes it off: nobody else closes it.
  private let shelf = Locked(Shelf())

  func keep(_ descriptor: Int32) -> Int {
    shelf.withLock { shelf in
      shelf.last += 1
      shelf.files[shelf.last] = descriptor
      return shelf.last
    }
  }

  /// It is the caller's from now on.
  func take(_ number: Int) -> Int32? {
    shelf.withLock { $0.files.removeValue(forKey: number) }
  }

  /// Closed, unless somebody has taken it.
  func drop(_ number: Int) {
    if let descriptor = take(number) { close(descriptor) }
  }

  deinit { for descriptor in shelf.withLock({ $0.files.values }) { close(descriptor) } }
}
