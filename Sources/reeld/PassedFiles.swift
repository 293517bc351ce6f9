// Keeps files that clients have passed until they are used, and those that are passed to clients
// until their answer is sent, each under a number: the state knows only the number. The loop's
// thread and the card's put them in and take them out.

import Glibc
import Library
import Realtime

final class PassedFiles: Sendable {
  private struct Shelf {
    var files: [Int: Int32] = [:]
    var last = 0
    /// Those for clients, the oldest first.
    var offered: [Int] = []
  }

  /// The answers of clients that have gone are never sent: so many files may wait.
  private static let offeredLimit = 16

  /// What the card's room needs.
  var doors: ClientFiles {
    ClientFiles(claim: { self.claim($0) }, offer: { self.offer($0) })
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

  /// Keeps a file for a client; the oldest of too many is closed.
  private func offer(_ descriptor: Int32) -> Int {
    let number = keep(descriptor)
    let oldest: Int? = shelf.withLock { shelf in
      shelf.offered.append(number)
      return shelf.offered.count > Self.offeredLimit ? shelf.offered.removeFirst() : nil
    }
    if let oldest { drop(oldest) }
    return number
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
