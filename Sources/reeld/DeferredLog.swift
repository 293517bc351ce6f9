// Writes sentences to standard error. If that is the dashboard's terminal, they wait until the
// terminal is restored. Any thread.

import Glibc
import Realtime
import Systemd

final class DeferredLog: Sendable {
  private let held = Locked<[String]?>(nil)

  func hold() {
    if isatty(STDERR_FILENO) == 1 { held.withLock { $0 = $0 ?? [] } }
  }

  func write(_ sentence: String) {
    let isHeld = held.withLock { held in
      held?.append(sentence)
      return held != nil
    }
    if !isHeld { logError(sentence) }
  }

  func release() {
    let sentences = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    for sentence in sentences { logError(sentence) }
  }
}

/// Writes one sentence to standard error, after the program's name.
func logError(_ sentence: String) {
  Journal.write("reeld: \(sentence)\n", to: STDERR_FILENO)
}
