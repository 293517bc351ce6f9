// A file in pieces: how it is cut, the hash of each piece, and what a server has of them. Plain
// values, for any thread.
import Digest

/// The pieces of a file: all of one size, the last one shorter.
public struct Pieces: Equatable, Sendable {
  public let length: Int64
  public let pieceBytes: Int64
  public let sums: [SHA256.Sum]

  /// S3 takes at most ten thousand.
  static let countMaximum: Int64 = 9000

  /// Returns the size of the pieces of a file: `least`, or more if there were too many.
  static func pieceBytes(of length: Int64, atLeast least: Int64) -> Int64 {
    max(least, (length + countMaximum - 1) / countMaximum)
  }

  var count: Int { sums.count }

  /// Returns where a piece begins and how long it is; the first one has the number 1.
  func place(of number: Int) -> (offset: Int64, length: Int64) {
    let offset = Int64(number - 1) * pieceBytes
    return (offset, min(pieceBytes, length - offset))
  }
}

/// Computes the hash of each piece while the file is read.
struct PieceHasher {
  private let pieceBytes: Int64
  private var hasher = SHA256()
  private var hashedBytes: Int64 = 0
  private var length: Int64 = 0
  private var sums: [SHA256.Sum] = []

  init(pieceBytes: Int64) { self.pieceBytes = pieceBytes }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int(min(pieceBytes - hashedBytes, Int64(rest.count))))
      hasher.update(UnsafeRawBufferPointer(rebasing: part))
      hashedBytes += Int64(part.count)
      length += Int64(part.count)
      rest = rest.dropFirst(part.count)
      if hashedBytes == pieceBytes { endPiece() }
    }
  }

  private mutating func endPiece() {
    sums.append(hasher.sum)
    (hasher, hashedBytes) = (SHA256(), 0)
  }

  /// Returns the pieces of all bytes so far.
  func pieces() -> Pieces {
    var ended = self
    if hashedBytes > 0 { ended.endPiece() }
    return Pieces(length: length, pieceBytes: pieceBytes, sums: ended.sums)
  }
}

/// A piece that a server has.
public struct RemotePiece: Equatable, Sendable {
  public let number: Int
  public let length: Int64
  /// What the server calls it; S3 wants that back.
  public let tag: String
}

/// A step of an upload in pieces.
public enum PieceOperation: Equatable, Sendable {
  /// Looks for an upload that was cut.
  case find
  /// Lists its pieces behind the one with that number.
  case list(upload: String, after: Int)
  case begin
  case send(upload: String, number: Int)
  /// Puts the pieces together under the name.
  case finish(upload: String, tags: [String])
  case abandon(upload: String)
}
