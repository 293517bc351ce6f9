// The file operations that repairing and tagging need, so that both run on real files and on files
// in memory that lose power. The file's owner calls them, on one thread at a time.

/// What repairing and tagging need of a file.
public protocol TapeFile: ~Copyable {
  func byteCount() throws(TapeError) -> Int64
  /// Fills the buffer as far as the file goes; returns the number of bytes.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(TapeError) -> Int
  /// Writes all bytes or throws.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TapeError)
  func truncate(to byteCount: Int64) throws(TapeError)
  /// Returns once all earlier changes are on the disk.
  func sync() throws(TapeError)
  /// Nanoseconds since 1970.
  func modified() throws(TapeError) -> Int64
  func setModified(_ nanoseconds: Int64) throws(TapeError)
}

extension TapeFile where Self: ~Copyable {
  /// Reads `count` bytes, fewer where the file ends.
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
