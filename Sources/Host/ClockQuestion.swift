// Whether the clock is set, for a sandbox that hides the kernel's own flag. If systemd-timesyncd is
// active, its marker file answers, without a wait. Otherwise systemd-timedated is asked for the
// kernel's flag, whichever daemon sets it (chrony, ntpsec); that takes a few seconds at most.
import Glibc

enum ClockQuestion {
  /// Returns false also if there is no answer: an unknown state counts as unsynchronised.
  static func isSynchronised(
    asking program: String = "timedatectl", timesyncd: String = "/run/systemd/timesync"
  ) -> Bool {
    if access(timesyncd, F_OK) == 0 { return access(timesyncd + "/synchronized", F_OK) == 0 }
    let words = [program, "show", "--property=NTPSynchronized", "--value"]
    return ShortProgram.output(of: words)?.split(separator: "\n").first == "yes"
  }
}
