// Watching descriptors: what is reported, what is not, and that handlers may stop themselves and
// each other. Everything is made ready beforehand, so that no test waits for time to pass.
import Glibc
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct FileWatchTests {
    @Test("a readable descriptor is reported until it has been read empty")
    func readable() throws {
      // Given
      let loop = try EventLoop()
      let pair = Pair.pipe()
      var received: [String] = []
      let watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { readiness in
        #expect(readiness == .readable)
        received.append(pair.receive(upTo: 1))
      }
      #expect(try loop.runAllReady() == 0)
      // When
      pair.send("abc")
      try loop.runAllReady()
      // Then
      #expect(received == ["a", "b", "c"])
      withExtendedLifetime(watch) {}
    }

    @Test("interest can change from inside the handler")
    func changeInterest() throws {
      // Given
      let loop = try EventLoop()
      let pair = Pair.sockets()
      var seen: [Readiness] = []
      var watch: FileWatch?
      watch = try loop.watch(fileDescriptor: pair.near, for: .writable) { readiness in
        seen.append(readiness)
        do { try watch?.change(to: .readable) } catch { Issue.record(error) }
      }
      defer { watch?.stop() }
      // When
      try loop.runAllReady()
      pair.send("x")
      #expect(try loop.runOneTurn(waitingAtMostMilliseconds: 0))
      // Then
      #expect(seen == [.writable, .readable])
    }

    @Test("once the loop has exited, a changed interest is no error")
    func exited() throws {
      let loop = try EventLoop()
      let pair = Pair.sockets()
      let watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in }
      loop.exit(code: 0)
      #expect(try loop.run() == 0)
      try watch.change(to: [.readable, .writable])
    }

    @Test("the far end's hang-up is reported without being asked for")
    func hangup() throws {
      let loop = try EventLoop()
      let pair = Pair.pipe()
      var seen: Readiness = []
      let watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { seen = $0 }
      pair.closeFar()
      #expect(try loop.runOneTurn(waitingAtMostMilliseconds: 0))
      #expect(seen == .hangup)
      withExtendedLifetime(watch) {}
    }

    @Test("a half-closed far end is a hang-up, if asked for")
    func halfClosed() throws {
      let loop = try EventLoop()
      let pair = Pair.sockets()
      var seen: Readiness = []
      let watch = try loop.watch(fileDescriptor: pair.near, for: .hangup) { seen = $0 }
      shutdown(pair.far, Int32(SHUT_WR))
      #expect(try loop.runOneTurn(waitingAtMostMilliseconds: 0))
      #expect(seen == .hangup)
      withExtendedLifetime(watch) {}
    }

    @Test("a writer without a reader left sees an error")
    func brokenPipe() throws {
      let loop = try EventLoop()
      let pair = Pair.pipe()
      var seen: Readiness = []
      let watch = try loop.watch(fileDescriptor: pair.far, for: .writable) { seen = $0 }
      pair.closeNear()
      #expect(try loop.runOneTurn(waitingAtMostMilliseconds: 0))
      #expect(seen == [.writable, .error])
      withExtendedLifetime(watch) {}
    }

    @Test("a watch without interest ignores a hang-up until its interest changes")
    func sleeping() throws {
      // Given
      let loop = try EventLoop()
      let pair = Pair.pipe()
      var seen: Readiness = []
      let watch = try loop.watch(fileDescriptor: pair.near, for: []) { seen = $0 }
      // When
      pair.closeFar()
      // Then
      #expect(try loop.runAllReady() == 0)
      try watch.change(to: .readable)
      #expect(try loop.runOneTurn(waitingAtMostMilliseconds: 0))
      #expect(seen == .hangup)
      try watch.change(to: [])
      #expect(try loop.runAllReady() == 0)
    }

    @Test("a handler that stops itself keeps its captures to its end, and is then freed")
    func stopsItself() throws {
      // Given
      let loop = try EventLoop()
      let pair = Pair.pipe()
      let count = Canary.Count()
      var watch: FileWatch?
      do {
        let canary = Canary(count)
        watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
          watch?.stop()
          watch = nil
          #expect(count.alive == 1)
          canary.sing()
        }
      }
      // When
      pair.send("unread")
      // Then
      #expect(try loop.runAllReady() == 1)
      #expect(count.alive == 0)
    }

    @Test("a handler may stop another that is ready and has not run yet")
    func stopsSibling() throws {
      // Given two descriptors ready at once, each of whose handlers stops both
      let loop = try EventLoop()
      let pairs = [Pair.pipe(), Pair.pipe()]
      var watches: [FileWatch] = []
      var calls = 0
      watches = try pairs.map { pair in
        pair.send("x")
        return try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
          calls += 1
          for watch in watches { watch.stop() }
        }
      }
      // When; in a release build, unreferenced pairs are closed, and none would be ready
      let turns = try withExtendedLifetime(pairs) { try loop.runAllReady() }
      // Then
      #expect(turns == 1)
      #expect(calls == 1)
    }

    @Test("a handler may replace its own watch with a new one")
    func replacesItself() throws {
      let loop = try EventLoop()
      let pair = Pair.pipe()
      var received = ""
      var watch: FileWatch?
      func rewatch() throws {
        watch?.stop()
        watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
          received += pair.receive(upTo: 1)
          do { try rewatch() } catch { Issue.record(error) }
        }
      }
      try rewatch()
      pair.send("abc")
      #expect(try loop.runAllReady() == 3)
      #expect(received == "abc")
      watch?.stop()
    }

    @Test("stopping may free an object that stops the same token in its deinit")
    func stopsTwiceAtOnce() throws {
      final class Owner {
        var token: EventSource?
        deinit { token?.stop() }
      }
      let loop = try EventLoop()
      let pair = Pair.pipe()
      var watch: FileWatch?
      do {
        let owner = Owner()
        watch = try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in
          withExtendedLifetime(owner) {}
        }
        owner.token = watch
      }
      watch?.stop()
      watch?.stop()
      #expect(try loop.runAllReady() == 0)
    }

    @Test("a regular file cannot be watched, and the error says what to do")
    func regularFile() throws {
      let loop = try EventLoop()
      var path = Array("/tmp/reel-test-XXXXXX".utf8CString)
      let file = mkstemp(&path)
      defer {
        close(file)
        unlink(path)
      }
      do {
        _ = try loop.watch(fileDescriptor: file, for: .readable) { _ in }
        Issue.record("a regular file was taken")
      } catch {
        #expect(error.code == .notPollable)
        #expect(error.errorNumber == EPERM)
        #expect(error.description.contains("read it without watching it"))
      }
    }

    @Test("a descriptor can be watched only once at a time, and must be open")
    func refusals() throws {
      let loop = try EventLoop()
      let pair = Pair.pipe()
      let count = Canary.Count()
      let first = try loop.watch(fileDescriptor: pair.near, for: .readable) { _ in }
      do {
        let canary = Canary(count)
        let again = code {
          _ = try loop.watch(fileDescriptor: pair.near, for: .writable) { _ in canary.sing() }
        }
        #expect(again == .alreadyWatched)
      }
      #expect(count.alive == 0, "the handler of a refused watch is let go of")
      let closed: Int32 = 1_000_000
      #expect(
        code { _ = try loop.watch(fileDescriptor: closed, for: .readable) { _ in } }
          == .badDescriptor)
      withExtendedLifetime(first) {}
    }
  }
}
