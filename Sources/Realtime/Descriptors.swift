// File descriptors that no spawned program inherits. The kernel sets close-on-exec when it creates
// them. If a second call set it, another thread could spawn a hook in between, which would keep a
// client's connection open. Any thread.
import CRealtime
import Glibc

/// Opens descriptors that no spawned program inherits.
public enum Descriptors {
  /// Accepts a waiting connection, non-blocking. Returns nil, with `errno` set, if there is none.
  public static func accept(from listener: Int32) -> Int32? {
    let made = realtime_accept(listener)
    return made < 0 ? nil : made
  }

  /// Returns both ends of a pipe; nil, with `errno` set, if the process has no descriptors left.
  public static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    return realtime_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Renames a file below open directories; never replaces one. Returns the errno if that fails:
  /// EEXIST if the new name is taken, EINVAL if the file system cannot promise that.
  public static func renameNeverReplacing(
    _ old: String, in from: Int32, to new: String, in to: Int32
  ) -> Int32? {
    realtime_rename_new(from, old, to, new) == 0 ? nil : errno
  }
}
