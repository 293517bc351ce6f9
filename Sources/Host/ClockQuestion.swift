// Whether the clock is set, asked of those who know in a sandbox that lets nobody ask the kernel:
// systemd-timedated, which says what the kernel was told, whoever tells it (chrony, ntpsec). Waits
// for it a few seconds at most. Where systemd-timesyncd is at work its own mark says so, and nobody
// is asked.
import Glibc

enum ClockQuestion {
  /// False as well where there is nobody to ask: not to know is not to believe.
  static func isSynchronised(
    asking program: String = "timedatectl", timesyncd: String = "/run/systemd/timesync"
  ) -> Bool {
    if access(timesyncd, F_OK) == 0 { return access(timesyncd + "/synchronized", F_OK) == 0 }
    let words = [program, "show", "--property=NTPSynchronized", "--value"]
    return ShortProgram.output(of: words)?.split(separator: "\n").first == "yes"
  }
}
