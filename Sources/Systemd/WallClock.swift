// Whether the wall clock can be believed. A board without a battery clock starts in the past, until
// something sets it and keeps it right; the kernel is told of that. Any thread.
import CSystemd

public enum WallClock {
  /// Whether something keeps it right, as the kernel was told.
  public static var isSynchronised: Bool {
    var state = timex()
    return adjtimex(&state) != TIME_ERROR
  }
}
