// Waking the loop from other threads: no wake-up is lost, many are merged into one, and nothing
// breaks when the loop is gone first. Run these under the thread sanitizer, too.
import Glibc
import Synchronization
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct LoopWakerTests {
    /// Written by the waking threads, read by the loop's.
    private final class Tally: Sendable {
      let count = Atomic(0)
    }

    @Test("of 40,000 wake-ups by 4 threads, no news is lost")
    func noneLost() throws {
      // Given a handler that exits when it has seen everything
      let loop = try EventLoop()
      let tally = Tally()
      let everything = 4 * 10_000
      var calls = 0
      let watch = try loop.watchWaker {
        calls += 1
        if tally.count.load(ordering: .acquiring) == everything { loop.exit(code: 0) }
      }
      // When
      let threads = (0..<4).map { [waker = watch.waker] _ in
        TestThread {
          for _ in 0..<10_000 {
            tally.count.wrappingAdd(1, ordering: .releasing)
            waker.wake()
          }
        }
      }
      let code = try loop.runToExit()
      for thread in threads { thread.join() }
      // Then
      #expect(code == 0)
      #expect((1...everything).contains(calls))
    }

    @Test("memory written before a wake-up is visible to its handler")
    func publishes() throws {
      // Written before the wake-up and read after it: the test proves that order.
      final class Slot: @unchecked Sendable {
        var text = ""
      }
      let loop = try EventLoop()
      let slot = Slot()
      let watch = try loop.watchWaker { loop.exit(code: slot.text == "said" ? 0 : 1) }
      let thread = TestThread { [waker = watch.waker] in
        slot.text = "said"
        waker.wake()
      }
      #expect(try loop.runToExit() == 0)
      thread.join()
    }

    @Test("wake-ups that were not handled yet are merged into one")
    func coalesce() throws {
      let loop = try EventLoop()
      var calls = 0
      let watch = try loop.watchWaker { calls += 1 }
      for _ in 0..<1000 { watch.waker.wake() }
      #expect(try loop.runAllReady() == 1)
      #expect(calls == 1)
    }

    @Test("a wake-up during the handler runs it again")
    func duringHandler() throws {
      let loop = try EventLoop()
      var calls = 0
      var watch: WakerWatch?
      watch = try loop.watchWaker {
        calls += 1
        if calls < 3 { watch?.waker.wake() }
      }
      watch?.waker.wake()
      #expect(try loop.runAllReady() == 3)
      watch?.stop()
    }

    @Test("waking keeps errno, since a signal handler may call it")
    func keepsErrno() throws {
      let waker = try EventLoop().watchWaker {}.waker
      errno = ECHILD
      waker.wake()
      #expect(errno == ECHILD)
    }

    @Test("a waker does no harm when the watch and the loop are gone")
    func outlivesLoop() throws {
      // Given
      let waker = try EventLoop().watchWaker {}.waker
      // When: if the waker's descriptor was closed, the next one opened would get its number
      let pairs = (0..<8).map { _ in Pair.sockets() }
      waker.wake()
      // Then
      #expect(pairs.allSatisfy { $0.receive().isEmpty })
    }

    @Test("a stopped watch gets no wake-up")
    func stopped() throws {
      let loop = try EventLoop()
      let watch = try loop.watchWaker { Issue.record("woken after the stop") }
      watch.waker.wake()
      watch.stop()
      #expect(try loop.runAllReady() == 0)
    }
  }
}
