// Whether the wall clock can be believed. A board without a battery clock starts in the past, until
// something sets it and keeps it right; the kernel is told of that. Any thread.
import CSystemd
import Glibc

public enum WallClock {
  /// Whether something keeps it right, as the kernel was told.
  public static var isSynchronised: Bool {
    var state = timex()
    return isSynchronised(kernelSays: adjtimex(&state), mark: "/run/systemd/timesync/synchronized")
  }

  /// A sandbox that keeps the clock from being set does not let the kernel be asked either; then
  /// there is the mark that systemd-timesyncd leaves. Not to know is not to believe: a take of the
  /// lab's was named for 1970 and called certain.
  static func isSynchronised(kernelSays state: Int32, mark: String) -> Bool {
    if state < 0 { return access(mark, F_OK) == 0 }
    return state != TIME_ERROR
  }
}
