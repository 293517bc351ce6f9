// Sentences for whoever reads standard error. Where that is the terminal that shows the dashboard,
// they wait until it is given back. Any thread.

import Glibc
import Realtime

final class HeldWords: Sendable {
  private let held = Locked<[String]?>(nil)

  func hold() {
    if isatty(STDERR_FILENO) == 1 { held.withLock { $0 = $0 ?? [] } }
  }

  func say(_ sentence: String) {
    let isHeld = held.withLock { held in
      held?.append(sentence)
      return held != nil
    }
    if !isHeld { complain(sentence) }
  }

  func release() {
    let sentences = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    for sentence in sentences { complain(sentence) }
  }
}
