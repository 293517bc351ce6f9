// Signals as events. They are sent to the test's own thread: a signal to the process could reach a
// thread of the test runner that does not block it. The signal mask is restored after each test.
import Glibc
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct SignalTests {
    @Test("a signal becomes an event", arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
    func arrives(signal: Int32) throws {
      try keepingSignalMask {
        // Given
        let loop = try EventLoop()
        var seen: [Int32] = []
        let watch = try loop.watch(signal: signal) { seen.append(signal) }
        #expect(try loop.runAllReady() == 0)
        // When
        pthread_kill(pthread_self(), signal)
        // Then
        #expect(try loop.runAllReady() == 1)
        #expect(seen == [signal])
        withExtendedLifetime(watch) {}
      }
    }

    @Test("two signals reach their own handlers, and one may stop the other's")
    func two() throws {
      try keepingSignalMask {
        let loop = try EventLoop()
        var watches: [Int32: EventSource] = [:]
        var seen: [Int32] = []
        for signal in [SIGUSR1, SIGUSR2] {
          watches[signal] = try loop.watch(signal: signal) {
            seen.append(signal)
            watches.removeAll()
          }
        }
        pthread_kill(pthread_self(), SIGUSR1)
        pthread_kill(pthread_self(), SIGUSR2)
        #expect(try loop.runAllReady() == 1)
        #expect(seen.count == 1)
      }
    }

    @Test("a signal stays blocked when its watch has ended, so a late one does no harm")
    func staysBlocked() throws {
      try keepingSignalMask {
        let loop = try EventLoop()
        try loop.watch(signal: SIGUSR1) {}.stop()
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        #expect(sigismember(&mask, SIGUSR1) == 1)
      }
    }

    @Test("a signal can be watched only once at a time, and must exist")
    func refusals() throws {
      try keepingSignalMask {
        let loop = try EventLoop()
        let first = try loop.watch(signal: SIGUSR1) {}
        #expect(code { _ = try loop.watch(signal: SIGUSR1) {} } == .alreadyWatched)
        #expect(code { _ = try loop.watch(signal: 1000) {} } == .system)
        withExtendedLifetime(first) {}
      }
    }
  }
}

/// Begins with nothing blocked, as a daemon does (the test runner's threads block everything), and
/// restores the mask; signals still pending then are discarded, not delivered.
private func keepingSignalMask(_ body: () throws -> Void) rethrows {
  var before = sigset_t()
  var nothing = sigset_t()
  sigemptyset(&nothing)
  pthread_sigmask(SIG_SETMASK, &nothing, &before)
  defer {
    var pending = sigset_t()
    var noTime = timespec()
    sigpending(&pending)
    while sigtimedwait(&pending, nil, &noTime) > 0 {}
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  try body()
}
