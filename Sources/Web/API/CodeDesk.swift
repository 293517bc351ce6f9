// Codes that are asked for at the recorder: by a button, on a screen. It says so in its status; a
// code is made, and told to the recorder, which winks and shows it. Loop's thread.
import JSON

/// Answers the recorder's wish for a code.
final class CodeDesk {
  private let gate: Gatekeeper
  private let pool: CommandPool
  private let address: WebAddress
  private let log: (String) -> Void
  private var lastWish: Int?
  /// The recorder shows a code that is valid.
  private var isShown = false

  init(
    _ gate: Gatekeeper, _ pool: CommandPool, at address: WebAddress, log: @escaping (String) -> Void
  ) {
    self.gate = gate
    self.pool = pool
    self.address = address
    self.log = log
    gate.onCodeOver = { [unowned self] in hide() }
  }

  /// Follows the status; nil if the recorder has gone.
  func follow(_ status: JSONValue?) {
    let wish = status?["codeWish"]?.integer
    if wish != nil, wish != lastWish { show() }
    lastWish = wish
  }

  /// A page that is off does not answer, and the recorder says so.
  private func show() {
    guard gate.isOn else { return log("a code was asked for at the recorder; the page is off") }
    isShown = false
    let code = gate.offerCode(for: .control, isWinked: true)
    isShown = true
    let text = address.text()
    ask(
      [
        "pairing", code, "--address", text, "--seconds", "\(Pairing.lifeSeconds)", "--picture",
        WebAddress.picture(of: text).joined(separator: "/"),
      ])
  }

  private func hide() {
    guard isShown else { return }
    isShown = false
    ask(["pairing"])
  }

  private func ask(_ words: [String]) {
    pool.ask(words) { [log] reply in
      if case .error(_, let sentence) = reply { log(sentence) }
    }
  }
}
