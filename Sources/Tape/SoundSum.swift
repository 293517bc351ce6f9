// The SHA-256 of a file's sound: of all bytes behind the header, up to the end of the file. Nothing
// writes those again once they are written, whereas tags, seek table and length in the header
// change. So the sum stays the same when a recording is renamed, moved or tagged anew. The file's
// owner calls it; reading a whole file belongs on a thread that has the time.

import Digest

/// The SHA-256 of a file's sound, and the byte at which the sound begins.
public struct SoundSum: Equatable, Sendable {
  public let sha256: SHA256.Sum
  /// The length of the header. 0 if the file is neither Ogg Opus nor FLAC: then all of it counts as
  /// sound.
  public let soundFrom: Int64
}

/// Computes the sum of a file's sound, while the file is written or read from its beginning.
public struct SoundHasher: Sendable {
  private var sha256 = SHA256()
  private var soundFrom: Int64 = 0
  /// The bytes of the file so far, its header among them.
  public private(set) var byteCount: Int64 = 0

  private static let pieceBytes = 1 << 18

  public init() {}

  /// Begins with the sound of a file that exists.
  public init<File: TapeFile & ~Copyable>(
    behindHeaderOf file: borrowing File
  ) throws(TapeError) {
    if let layout = try FlacLayout.read(from: file) {
      soundFrom = layout.end
    } else if let headers = try OpusHeaders.read(from: file) {
      soundFrom = headers.end
    }
    byteCount = soundFrom
  }

  /// Reads a whole file.
  public static func reading<File: TapeFile & ~Copyable>(
    _ file: borrowing File, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> SoundHasher {
    let byteCount = try file.byteCount()
    var hasher = try SoundHasher(behindHeaderOf: file)
    while try hasher.addPiece(of: file) {
      try progress(Progress(done: hasher.byteCount, of: byteCount)).check()
    }
    return hasher
  }

  /// Adds the next bytes of the file.
  /// - Parameter headerBytes: how many of them, from the first on, are of the header.
  public mutating func add(_ bytes: UnsafeRawBufferPointer, headerBytes: Int = 0) {
    soundFrom += Int64(headerBytes)
    sha256.update(UnsafeRawBufferPointer(rebasing: bytes[headerBytes...]))
    byteCount += Int64(bytes.count)
  }

  /// Adds a page that was written.
  public mutating func add(_ page: PageOut) {
    add(page.bytes, headerBytes: page.isHeader ? page.bytes.count : 0)
  }

  /// Reads the next piece of the file, and adds it. Returns false if there is none.
  public mutating func addPiece<File: TapeFile & ~Copyable>(
    of file: borrowing File
  ) throws(TapeError) -> Bool {
    let piece = try file.bytes(at: byteCount, count: Self.pieceBytes)
    piece.withUnsafeBytes { add($0) }
    return !piece.isEmpty
  }

  /// The sum of what was added.
  public var sum: SoundSum { SoundSum(sha256: sha256.sum, soundFrom: soundFrom) }
}
