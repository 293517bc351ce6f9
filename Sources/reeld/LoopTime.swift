// The event loop's timers as the runtime asks for them. Used by the loop's thread.

import Runtime
import Systemd

extension Timekeeping {
  /// - Parameter say: receives a sentence if a timer cannot be set; its user goes without it.
  init(on loop: EventLoop, say: @escaping (String) -> Void) {
    func kept(_ make: () throws -> Timer) -> Stop? {
      do {
        let timer = try make()
        return { timer.stop() }
      } catch {
        say("a timer could not be set: \(error)")
        return nil
      }
    }
    self.init(
      once: { deadline, slack, work in
        kept { try loop.timer(atNanoseconds: deadline, slackMilliseconds: slack, handler: work) }
      },
      every: { period, slack, work in
        kept { try loop.timer(everyMilliseconds: period, slackMilliseconds: slack, handler: work) }
      },
      nowNanoseconds: EventLoop.monotonicNanoseconds)
  }
}
