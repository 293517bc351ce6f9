// Waking the loop from other threads: none lost, many become one, and nothing breaks when the loop
// is gone first. Run these under the thread sanitizer, too.
import Glibc
import Synchronization
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct WakerTests {
    /// Written by the waking threads, read by the loop's.
    private final class Tally: Sendable {
      let count = Atomic(0)
    }

    @Test("of 40,000 wake-ups by 4 threads, none that says something new is lost")
    func noneLost() throws {
      // Given a handler that is done when it has seen all there is to see
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

    @Test("what was written before a wake-up is seen by its handler without further ado")
    func publishes() throws {
      // Written before the wake-up and read after it: that this is an order is what is proved.
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

    @Test("wake-ups nobody has seen yet become one")
    func coalesce() throws {
      let loop = try EventLoop()
      var calls = 0
      let watch = try loop.watchWaker { calls += 1 }
      for _ in 0..<1000 { watch.waker.wake() }
      #expect(try loop.runAllReady() == 1)
      #expect(calls == 1)
    }

    @Test("a wake-up during the handler brings another")
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

    @Test("waking leaves errno alone, for the signal handler it may be called from")
    func keepsErrno() throws {
      let waker = try EventLoop().watchWaker {}.waker
      errno = ECHILD
      waker.wake()
      #expect(errno == ECHILD)
    }

    @Test("a waker is harmless when the watch and the loop are gone, and takes no other's place")
    func outlivesLoop() throws {
      // Given
      let waker = try EventLoop().watchWaker {}.waker
      // When: a closed descriptor's number would be given to the next one opened
      let pairs = (0..<8).map { _ in Pair.sockets() }
      waker.wake()
      // Then
      #expect(pairs.allSatisfy { $0.receive().isEmpty })
    }

    @Test("a stopped watch hears nothing")
    func stopped() throws {
      let loop = try EventLoop()
      let watch = try loop.watchWaker { Issue.record("woken after the stop") }
      watch.waker.wake()
      watch.stop()
      #expect(try loop.runAllReady() == 0)
    }
  }
}
