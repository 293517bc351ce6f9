// The loop itself: which handler runs when, what an exit means, and that nothing is left behind.
// Each test makes its own loop on its own thread; none may depend on the machine's speed.
import Glibc
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct EventLoopTests {
    @Test("exit ends the run with its code, and the first code counts")
    func exitCode() throws {
      // Given a handler that asks for two exits
      let loop = try EventLoop()
      let pair = Pair.pipe()
      let watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
        loop.exit(code: 7)
        loop.exit(code: 9)
      }
      #expect(!loop.isExiting)
      // When it is run
      pair.send("x")
      let code = try withExtendedLifetime((watch, pair)) { try loop.runToExit() }
      // Then
      #expect(code == 7)
      #expect(loop.isExiting)
    }

    @Test("an exit asked for before the run ends it at once")
    func exitBeforeRun() throws {
      let loop = try EventLoop()
      loop.exit(code: 0)
      #expect(try loop.run() == 0)
    }

    @Test("after an exit from inside a handler no other handler runs")
    func exitIsImmediate() throws {
      // Given two descriptors ready at once
      let loop = try EventLoop()
      let pairs = [Pair.pipe(), Pair.pipe()]
      var calls = 0
      let watches = try pairs.map { pair in
        pair.send("x")
        return try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
          calls += 1
          loop.exit(code: 0)
        }
      }
      // When; in a release build, unreferenced pairs are closed, and the loop would wait for ever
      let code = try withExtendedLifetime((watches, pairs)) { try loop.run() }
      // Then
      #expect(code == 0)
      #expect(calls == 1)
    }

    @Test("a loop that has exited refuses new sources and does not run again")
    func finished() throws {
      let loop = try EventLoop()
      loop.exit(code: 0)
      _ = try loop.run()
      let pair = Pair.pipe()

      #expect(code { _ = try loop.run() } == .finished)
      #expect(code { _ = try loop.watch(fileDescriptor: pair.near, for: []) { _ in } } == .finished)
    }

    @Test("a handler cannot run its own loop, and trying does no harm")
    func reentry() throws {
      let loop = try EventLoop()
      let pair = Pair.pipe()
      var refusal: EventLoopError.Code?
      let watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
        if refusal != nil { return loop.exit(code: 0) }
        refusal = code { _ = try loop.run() }
      }
      pair.send("x")
      #expect(try withExtendedLifetime((watch, pair)) { try loop.runToExit() } == 0)
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

    @Test("10,000 sources of each kind, added and dropped, leave no descriptor or handler behind")
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
      // Then, with a margin for tests of other targets that run at the same time
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

/// Returns the code of the error that `body` throws, or nil.
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
