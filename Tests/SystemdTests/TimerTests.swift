// Timers: never early, in order of their deadlines, cheap to stop, and sparing with wake-ups.
// Nothing that a busy machine can delay is asserted to be on time.
import Glibc
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct TimerTests {
    @Test("timers fire once each, never early, and a later one not before an earlier one is due")
    func order() throws {
      // Given
      let loop = try EventLoop()
      let start = EventLoop.monotonicNanoseconds()
      var fired: [(deadline: Int64, at: Int64)] = []
      let timers = try ([30, 10, 20] as [Int64]).map { milliseconds in
        let deadline = start + milliseconds * 1_000_000 + 1
        return try loop.timer(atNanoseconds: deadline, slackMilliseconds: 0) {
          fired.append((deadline, EventLoop.monotonicNanoseconds()))
          if fired.count == 3 { loop.exit(code: 0) }
        }
      }
      // When
      _ = try withExtendedLifetime(timers) { try loop.runToExit() }
      // Then
      for (earlier, later) in zip(fired, fired.dropFirst()) {
        #expect(earlier.deadline < later.deadline || earlier.at >= earlier.deadline)
      }
      #expect(fired.allSatisfy { $0.at >= $0.deadline })
      #expect(Set(fired.map(\.deadline)).count == 3)
    }

    @Test(
      "without slack 40 timers of 5 ms, one after another, don't take a quarter second each")
    func precise() throws {
      let loop = try EventLoop()
      let limit = try loop.timer(afterMilliseconds: 5_000, slackMilliseconds: 0) {
        loop.exit(code: 1)
      }
      var left = 40
      var timer: Systemd.Timer?
      timer = try loop.timer(afterMilliseconds: 5, slackMilliseconds: 0) {
        left -= 1
        if left == 0 { loop.exit(code: 0) } else { timer?.restart(afterMilliseconds: 5) }
      }
      #expect(try loop.runToExit() == 0)
      timer?.stop()
      limit.stop()
    }

    @Test("a timer with slack fires along with another wake-up")
    func slack() throws {
      // Given a timer that may be a minute late, and a precise one soon after it
      let loop = try EventLoop()
      var fired = 0
      func fire() {
        fired += 1
        if fired == 2 { loop.exit(code: 0) }
      }
      let patient = try loop.timer(
        afterMilliseconds: 10, slackMilliseconds: 60_000, handler: fire)
      let precise = try loop.timer(afterMilliseconds: 20, slackMilliseconds: 0, handler: fire)
      let late = try loop.timer(afterMilliseconds: 30_000, slackMilliseconds: 0) {
        loop.exit(code: 1)
      }
      // When, then both have fired before a third that is due in between
      #expect(try loop.runToExit() == 0)
      withExtendedLifetime((patient, precise, late)) {}
    }

    @Test("the largest number of milliseconds is a long time, not a crash")
    func never() throws {
      let loop = try EventLoop()
      let timers = [
        try loop.timer(afterMilliseconds: .max, slackMilliseconds: .max) {},
        try loop.timer(everyMilliseconds: .max, slackMilliseconds: 0) {},
        try loop.timer(atNanoseconds: .max, slackMilliseconds: 0) {},
      ]
      #expect(try loop.runAllReady() == 0)
      withExtendedLifetime(timers) {}
    }

    @Test("a deadline in the past fires at once")
    func past() throws {
      let loop = try EventLoop()
      var fired = 0
      let timer = try loop.timer(atNanoseconds: -5, slackMilliseconds: 0) { fired += 1 }
      #expect(try loop.runAllReady() == 1)
      #expect(fired == 1)
      withExtendedLifetime(timer) {}
    }

    @Test("a repeating timer fires again and again, never early")
    func repeating() throws {
      let loop = try EventLoop()
      let start = EventLoop.monotonicNanoseconds()
      var fired: Int64 = 0
      let timer = try loop.timer(everyMilliseconds: 3, slackMilliseconds: 0) {
        fired += 1
        #expect(EventLoop.monotonicNanoseconds() >= start + fired * 3_000_000)
        if fired == 10 { loop.exit(code: 0) }
      }
      _ = try withExtendedLifetime(timer) { try loop.runToExit() }
      #expect(fired == 10)
    }

    @Test(
      "a repeating timer keeps its phase and skips deadlines it has missed",
      arguments: [
        (due: 100, now: 100, next: 110), (due: 100, now: 109, next: 110),
        (due: 100, now: 110, next: 120), (due: 100, now: 1005, next: 1010),
        (due: 100, now: 99, next: 110),
      ] as [(due: UInt64, now: UInt64, next: UInt64)])
    func beat(_ given: (due: UInt64, now: UInt64, next: UInt64)) {
      #expect(Alarm.nextDue(after: given.due, now: given.now, period: 10) == given.next)
    }

    @Test("a repeating timer may pause itself, be restarted, and stop itself for good")
    func pausing() throws {
      // Given
      let loop = try EventLoop()
      var fired = 0
      var timer: Systemd.Timer?
      let watch = try loop.watchWaker {
        if fired == 2 { loop.exit(code: 0) } else { timer?.restart(afterMilliseconds: 1) }
      }
      timer = try loop.timer(everyMilliseconds: 1, slackMilliseconds: 0) {
        fired += 1
        if fired == 1 { timer?.pause() } else { timer?.stop() }
        watch.waker.wake()
      }
      // When
      _ = try withExtendedLifetime(watch) { try loop.runToExit() }
      // Then
      #expect(fired == 2)
      timer?.restart(afterMilliseconds: 0)
      timer?.pause()
    }

    @Test("a paused timer does not fire at its deadline")
    func paused() throws {
      let loop = try EventLoop()
      var fired = 0
      let timer = try loop.timer(afterMilliseconds: 0, slackMilliseconds: 0) { fired += 1 }
      timer.pause()
      #expect(try loop.runAllReady() == 0)
      timer.restart(afterMilliseconds: 0)
      #expect(try loop.runOneTurn(waitingAtMostMilliseconds: 60_000))
      #expect(fired == 1)
    }

    @Test("a timer that is due may be stopped by another that fires first")
    func stopsSibling() throws {
      let loop = try EventLoop()
      var timers: [Systemd.Timer] = []
      var fired = 0
      for _ in 0..<3 {
        timers.append(
          try loop.timer(atNanoseconds: 0, slackMilliseconds: 0) {
            fired += 1
            for timer in timers { timer.stop() }
          })
      }
      #expect(try loop.runAllReady() == 1)
      #expect(fired == 1)
    }
  }
}
