// Keeps files that clients have opened and passed until they are used, each under a number: the
// state knows only the number. Put in by the loop's thread, taken out by the card's.

import Glibc
import Realtime

final class PassedFiles: Sendable {
  private struct Shelf {
    var files: [Int: Int32] = [:]
    var last = 0
  }

  /// A thread that finds a file here removes it, so that no other thread closes it.
  private let shelf = Locked(Shelf())

  func keep(_ descriptor: Int32) -> Int {
    shelf.withLock { shelf in
      shelf.last += 1
      shelf.files[shelf.last] = descriptor
      return shelf.last
    }
  }

  /// Removes and returns a file, which the caller must close.
  func claim(_ number: Int) -> Int32? {
    shelf.withLock { $0.files.removeValue(forKey: number) }
  }

  /// Closes the file unless the card has taken it; without waiting for the file system it is on.
  func drop(_ number: Int) {
    if let descriptor = claim(number) { ForeignFile.close(descriptor) }
  }

  deinit { for descriptor in shelf.withLock({ $0.files.values }) { close(descriptor) } }
}
