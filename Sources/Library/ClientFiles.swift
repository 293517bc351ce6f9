// Files that pass between clients and the card's thread, each under a number: the state knows only
// the number. Any thread.

import Glibc

/// Takes and gives the files of clients.
public struct ClientFiles: Sendable {
  /// Returns a file that a client passed, which the caller must close. Works once for each number;
  /// nil if it is gone.
  public let claim: @Sendable (Int) -> Int32?
  /// Keeps a file until a client gets it, and returns its number.
  public let offer: @Sendable (Int32) -> Int

  public init(
    claim: @escaping @Sendable (Int) -> Int32?, offer: @escaping @Sendable (Int32) -> Int
  ) {
    (self.claim, self.offer) = (claim, offer)
  }

  public static let none = ClientFiles(
    claim: { _ in nil },
    offer: { descriptor in
      close(descriptor)
      return 0
    })
}
