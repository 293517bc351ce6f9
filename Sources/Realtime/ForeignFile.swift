// Files whose other end may not answer: a serial port with unsent bytes, a file on a network, a
// file served by another program (FUSE). Closing one or reading its size may block for ever, so a
// thread that must not wait uses these calls. Not for realtime threads: `close` starts a thread.

import CRealtime
import Glibc

/// Closes and measures files whose other end may not answer.
public enum ForeignFile {
  /// Returns the type bits and the size as fstat(2) does, but without asking the file's server; nil
  /// if the kernel does not know them.
  public static func typeAndSize(of descriptor: Int32) -> (type: mode_t, byteCount: UInt64)? {
    var (mode, byteCount): (UInt32, UInt64) = (0, 0)
    guard realtime_file_known(descriptor, &mode, &byteCount) else { return nil }
    return (mode_t(mode) & S_IFMT, byteCount)
  }

  /// Closes a descriptor on a thread of its own. If no thread can be created, the caller closes it
  /// and may wait. A close that hangs does not keep the process from exiting: the kernel wakes the
  /// thread to end it.
  public static func close(_ descriptor: Int32) {
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { descriptor in
        Glibc.close(Int32(Int(bitPattern: descriptor) - 1))
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(descriptor) + 1))
    if result == 0 { pthread_detach(thread) } else { Glibc.close(descriptor) }
  }
}
