// The loop itself: who runs when, what an exit means, and that nothing is left behind. Each test
// makes its own loop on its own thread; none may depend on how fast the machine is.
import Glibc
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct EventLoopTests {
    @Test("exit ends the run with its code, and the first code counts")
    func exitCode() throws {
      // Given
      let loop = try EventLoop()
      // When
      loop.afterThisTurn {
        loop.exit(code: 7)
        loop.exit(code: 9)
      }
      // Then
      #expect(!loop.isExiting)
      #expect(try loop.runToExit() == 7)
      #expect(loop.isExiting)
    }

    @Test("an exit asked for before the run ends it at once")
    func exitBeforeRun() throws {
      let loop = try EventLoop()
      loop.exit(code: 0)
      #expect(try loop.run() == 0)
    }

    @Test("after an exit from inside a handler no other handler runs, ready or put off")
    func exitIsImmediate() throws {
      // Given two descriptors ready at once
      let loop = try EventLoop()
      let pairs = [Pair.pipe(), Pair.pipe()]
      var calls = 0
      let watches = try pairs.map { pair in
        pair.send("x")
        return try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
          calls += 1
          loop.afterThisTurn { calls += 1 }
          loop.exit(code: 0)
        }
      }
      // When; as released, pairs that nobody holds are closed, and the loop waits for ever
      let code = try withExtendedLifetime((watches, pairs)) { try loop.run() }
      // Then
      #expect(code == 0)
      #expect(calls == 1)
    }

    @Test("a loop that has exited takes nothing new and does not run again")
    func finished() throws {
      let loop = try EventLoop()
      loop.exit(code: 0)
      _ = try loop.run()
      let pair = Pair.pipe()

      #expect(code { _ = try loop.run() } == .finished)
      #expect(code { _ = try loop.watch(fileDescriptor: pair.near, for: []) { _ in } } == .finished)
    }

    @Test("a handler cannot run the loop it runs on, and trying harms nothing")
    func reentry() throws {
      let loop = try EventLoop()
      var refusal: EventLoopError.Code?
      loop.afterThisTurn {
        loop.afterThisTurn { loop.exit(code: 0) }
        refusal = code { _ = try loop.run() }
      }
      #expect(try loop.runToExit() == 0)
      #expect(refusal == .alreadyRunning)
    }

    @Test("of several ready handlers the most urgent runs first")
    func priorities() throws {
      // Given three descriptors, ready at once, watched in the wrong order
      let loop = try EventLoop()
      var order: [EventLoop.Priority] = []
      let pairs = [Pair.pipe(), Pair.pipe(), Pair.pipe()]
      let wrongOrder: [EventLoop.Priority] = [.idle, .normal, .urgent]
      let watches = try zip(pairs, wrongOrder).map { pair, priority in
        pair.send("x")
        return try loop.watch(
          fileDescriptor: pair.near, for: .readable, priority: priority
        ) { _ in
          order.append(priority)
          _ = pair.receive()
        }
      }
      // When
      try withExtendedLifetime(watches) { _ = try loop.runAllReady() }
      // Then
      #expect(order == [.urgent, .normal, .idle])
    }

    @Test("work put off runs in order, before other events; idle work after all of them")
    func deferredOrder() throws {
      // Given two descriptors ready at once, the first of which puts off work
      let loop = try EventLoop()
      var order: [String] = []
      let pairs = [Pair.pipe(), Pair.pipe()]
      let watches = try pairs.map { pair in
        pair.send("x")
        return try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
          _ = pair.receive()
          order.append("event")
          guard order.count == 1 else { return }
          loop.whenIdle { order.append("idle 1") }
          loop.whenIdle { order.append("idle 2") }
          loop.afterThisTurn {
            order.append("after 1")
            loop.afterThisTurn { order.append("after 3") }
          }
          loop.afterThisTurn { order.append("after 2") }
        }
      }
      // When
      try withExtendedLifetime(watches) { _ = try loop.runAllReady() }
      // Then
      #expect(
        order == ["event", "after 1", "after 2", "after 3", "event", "idle 1", "idle 2"])
    }

    @Test("idle work that asks again lets events in between its steps")
    func idleSteps() throws {
      let loop = try EventLoop()
      let pair = Pair.pipe()
      var order: [String] = []
      func step() {
        order.append("step")
        if order.count == 1 { pair.send("x") }
        if order.count < 4 { loop.whenIdle(step) }
      }
      let watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
        order.append("event")
        _ = pair.receive()
      }
      loop.whenIdle(step)
      try withExtendedLifetime(watch) { _ = try loop.runAllReady() }
      #expect(order == ["step", "event", "step", "step"])
    }

    @Test("work that was put off and never done is let go of, with what it captured")
    func droppedWork() throws {
      let count = Canary.Count()
      do {
        let loop = try EventLoop()
        let canary = Canary(count)
        loop.exit(code: 0)
        // The closures hold the loop, too: the cycle must not outlive the run.
        loop.afterThisTurn { [loop] in withExtendedLifetime(loop) { canary.sing() } }
        loop.whenIdle { [loop] in withExtendedLifetime(loop) { canary.sing() } }
        _ = try loop.run()
        loop.whenIdle { [loop] in withExtendedLifetime(loop) { canary.sing() } }
      }
      #expect(count.alive == 0)
    }

    @Test("10,000 of everything, added and dropped, leave no descriptor and no handler behind")
    func noLeak() throws {
      // Given
      let count = Canary.Count()
      let pair = Pair.pipe()
      let loop = try EventLoop()
      let before = openDescriptors()
      // When
      for _ in 0..<10_000 {
        let canary = Canary(count)
        let tokens: [EventSource] = [
          try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in canary.sing() },
          try loop.timer(afterMilliseconds: 1, slackMilliseconds: 1) { canary.sing() },
          try loop.timer(everyMilliseconds: 1, slackMilliseconds: 1) { canary.sing() },
          try loop.watchWaker { canary.sing() },
        ]
        withExtendedLifetime(tokens) {}
      }
      // Then, with room for what tests of other targets do at the same time
      #expect(count.alive == 0)
      #expect(openDescriptors() < before + 1000)
      #expect(try loop.runAllReady() == 0)
    }

    @Test("a token may outlive its loop, and a loop its tokens")
    func endsInAnyOrder() throws {
      let count = Canary.Count()
      let canary = Canary(count)
      let pair = Pair.pipe()
      var loop: EventLoop? = try EventLoop()
      var token = try loop?.watch(fileDescriptor: pair.near, for: .readable) { [canary] _ in
        canary.sing()
      }
      loop = nil
      token?.stop()
      token = nil
      #expect(count.alive == 1)
      withExtendedLifetime(canary) {}
    }
  }
}

/// The code of the error `body` throws, or nil.
func code(_ body: () throws -> Void) -> EventLoopError.Code? {
  do { try body() } catch { return (error as? EventLoopError)?.code }
  return nil
}

private func openDescriptors() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}
