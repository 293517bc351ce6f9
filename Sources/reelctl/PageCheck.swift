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
    let browsers = report.sessions?.count ?? 0
    return .init(
      "page", .well,
      report.isSecure == true
        ? "The page is on, by HTTPS; paired browsers: \(browsers)."
        : "The page is on, and the network can read it; paired browsers: \(browsers).")
  }
}
