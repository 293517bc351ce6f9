// Whether the wall clock can be believed. A board without a battery clock starts in the past, until
// something sets it and keeps it right; the kernel is told of that. Any thread.
import CSystemd
import Glibc

public enum WallClock {
  /// Whether something keeps it right, as the kernel was told.
  public static var isSynchronised: Bool {
    var state = timex()
    let result = adjtimex(&state)
    return isSynchronised(
      kernelSays: result < 0 ? nil : Int64(state.maxerror),
      mark: "/run/systemd/timesync/synchronized")
  }

  /// How wrong it may be at most; nil where the kernel may not be asked.
  public static var errorMicroseconds: Int64? {
    var state = timex()
    return adjtimex(&state) < 0 ? nil : Int64(state.maxerror)
  }

  /// A sandbox that keeps the clock from being set does not let the kernel be asked either; then
  /// there is the mark that systemd-timesyncd leaves. Not to know is not to believe: a take of the
  /// lab's was named for 1970 and called certain.
  ///
  /// What counts is how wrong the clock may be, as systemd has it too: the flag that says
  /// "unsynchronised" may be there only so that the kernel leaves the battery clock alone.
  static func isSynchronised(kernelSays errorMicroseconds: Int64?, mark: String) -> Bool {
    guard let errorMicroseconds else { return access(mark, F_OK) == 0 }
    return errorMicroseconds < errorOfNobody
  }

  /// What the kernel says when nobody has told it better: 16 seconds.
  private static let errorOfNobody: Int64 = 16_000_000
}
