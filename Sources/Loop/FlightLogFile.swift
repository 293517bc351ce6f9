// Reads a flight log from a file, for a replay at a desk. It waits for the disk: a thread that must
// not wait must not call it.

import Glibc

public enum FlightLogFile {
  /// Larger than any flight log: a wrong path must not make us read without end.
  private static let limitBytes = 64 << 20

  /// Returns the bytes of a flight log; nil, with `errno` set, if it cannot be read.
  public static func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    if file < 0 { return nil }
    defer {
      let number = errno
      close(file)
      errno = number
    }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limitBytes {
      let count = read(file, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
    errno = EFBIG
    return nil
  }
}
