// Whether the wall clock can be trusted. A board without a battery clock starts in the past, until
// a time service sets the clock and keeps it right, and reports that to the kernel. Any thread.
import CSystemd
import Glibc

/// The system's clock.
public enum WallClock {
  /// Whether a time service keeps the clock right.
  public static var isSynchronised: Bool {
    var state = timex()
    let result = adjtimex(&state)
    return isSynchronised(
      kernelSays: result < 0 ? nil : Int64(state.maxerror),
      mark: "/run/systemd/timesync/synchronized")
  }

  /// The largest possible error; nil if the sandbox does not allow asking the kernel.
  public static var errorMicroseconds: Int64? {
    var state = timex()
    return adjtimex(&state) < 0 ? nil : Int64(state.maxerror)
  }

  /// A sandbox that forbids setting the clock also forbids asking the kernel; then
  /// systemd-timesyncd's marker file decides. An unknown state counts as unsynchronised: a take in
  /// the lab was once named for 1970 and marked certain.
  ///
  /// The possible error decides, as in systemd: the kernel's "unsynchronised" flag may be set only
  /// so that the kernel leaves the battery clock alone.
  static func isSynchronised(kernelSays errorMicroseconds: Int64?, mark: String) -> Bool {
    guard let errorMicroseconds else { return access(mark, F_OK) == 0 }
    return errorMicroseconds < errorOfNobody
  }

  /// The kernel's error while no time service has set a better one: 16 seconds.
  private static let errorOfNobody: Int64 = 16_000_000
}
