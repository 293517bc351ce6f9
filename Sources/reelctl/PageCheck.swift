// What `reelctl doctor` says of the page for browsers. The recorder does not know of it, so reelctl
// asks reel-web.

import Glibc
import Recorder

enum PageCheck {
  /// Nil where no page belongs to this recorder.
  static func check(of call: CommandLineCall) -> CheckupView.Check? {
    let isOwn = call.socket == CommandLineCall.standardSocket
    guard let socket = WebAdmin.socketOfEnvironment ?? (isOwn ? WebAdmin.standardSocket : nil),
      access(socket, F_OK) == 0
    else { return nil }
    do throws(ExitError) { return check(try WebAdmin(socket).ask(["sessions"])) } catch {
      let isUnknown = error.code == ExitCode.notPermitted
      return .init("page", isUnknown ? .unknown : .wrong, error.wholeSentence)
    }
  }

  static func check(_ report: WebReport) -> CheckupView.Check {
    if let wait = report.waitSeconds, wait > 0 {
      return .init(
        "page", .wrong, "Wrong codes were typed; pairing waits for \(wait) s.",
        "If they were not yours, turn the page off with 'reelctl web off'.")
    }
    guard report.isOn == true else { return .init("page", .well, "The page is off.") }
    let now = Int64(time(nil))
    if let trouble = certificateTrouble(report, atSeconds: now) { return trouble }
    let browsers = report.sessions?.count ?? 0
    return .init(
      "page", .well,
      report.isSecure == true
        ? "The page is on, by HTTPS; paired browsers: \(browsers)."
        : "The page is on, and the network can read it; paired browsers: \(browsers).")
  }

  private static let daySeconds: Int64 = 86_400
  /// A certificate of three months is usually renewed when a third of that is left.
  private static let warningDays: Int64 = 14

  static func certificateTrouble(
    _ report: WebReport, atSeconds now: Int64
  ) -> CheckupView.Check? {
    guard let from = report.validFrom, let until = report.validUntil, from <= until else {
      return nil
    }
    let advice = "Renew it, then restart the page: 'systemctl restart reel-web'."
    if now < from {
      return .init(
        "page", .wrong, "The page's certificate is not valid before \(WebPage.day(from)).",
        "Check the clock with 'timedatectl'.")
    }
    if now >= until {
      let ended = "The page's certificate ended on \(WebPage.day(until)); browsers refuse it."
      return .init("page", .wrong, ended, advice)
    }
    // Some are made anew every few days.
    guard until - now < min(warningDays * daySeconds, (until - from) / 3) else { return nil }
    return .init(
      "page", .wrong, "The page's certificate is valid only until \(WebPage.day(until)).", advice)
  }
}
