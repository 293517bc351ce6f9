// The little that mending and tagging ask of a file, so that they run on a real one and on one in
// memory that loses power. Whoever owns the file calls it, on one thread at a time.

public protocol TapeFile: ~Copyable {
  func byteCount() throws(TapeError) -> Int64
  /// Fills the buffer as far as the file goes; says how far that was.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(TapeError) -> Int
  /// Writes all of it or throws.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TapeError)
  func truncate(to byteCount: Int64) throws(TapeError)
  /// Returns once everything above is on the disk.
  func sync() throws(TapeError)
  /// Nanoseconds since 1970.
  func modified() throws(TapeError) -> Int64
  func setModified(_ nanoseconds: Int64) throws(TapeError)
}

extension TapeFile where Self: ~Copyable {
  /// At most `count` bytes, fewer where the file ends.
  public func bytes(at offset: Int64, count: Int) throws(TapeError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(TapeError) in try read(into: buffer, at: offset) }
    }
    bytes.removeLast(count - (try result.get()))
    return bytes
  }

  public func write(_ bytes: [UInt8], at offset: Int64) throws(TapeError) {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(TapeError) in try write(buffer, at: offset) }
    }.get()
  }
}
