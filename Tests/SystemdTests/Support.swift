// Shared by these tests: owners of pipes and sockets, a loop that cannot hang a test, threads, and
// a canary that shows whether a handler's captures are still alive. Runs on any thread; must never
// leave a descriptor or a changed environment behind.
import CSystemd  // if a file of a target imports it, SOCK_STREAM is found here only
import Glibc
import Synchronization
import Testing

@testable import Systemd

/// Serialized: signals, the environment and the descriptor table belong to the process.
@Suite(.serialized) struct SystemdTests {}

/// Two connected descriptors, closed when this ends.
final class Pair {
  private(set) var near: Int32
  private(set) var far: Int32

  private init(_ near: Int32, _ far: Int32) {
    self.near = near
    self.far = far
  }

  deinit {
    closeNear()
    closeFar()
  }

  /// Bytes written to `far` are read from `near`.
  static func pipe() -> Pair {
    var ends: [Int32] = [-1, -1]
    precondition(Glibc.pipe(&ends) == 0, "no pipe")
    for end in ends { precondition(fcntl(end, F_SETFL, O_NONBLOCK) == 0, "no non-blocking pipe") }
    return Pair(ends[0], ends[1])
  }

  static func sockets() -> Pair {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "no socket pair")
    return Pair(ends[0], ends[1])
  }

  func send(_ text: String) {
    let sent = write(far, text, text.utf8.count)
    precondition(sent == text.utf8.count, "the pair is full")
  }

  /// Reads at most `limit` bytes from the near end.
  func receive(upTo limit: Int = 4096) -> String {
    receiveText(near, upTo: limit)
  }

  func closeNear() { near = closed(near) }
  func closeFar() { far = closed(far) }

  private func closed(_ descriptor: Int32) -> Int32 {
    if descriptor >= 0 { close(descriptor) }
    return -1
  }
}

func receiveText(_ descriptor: Int32, upTo limit: Int = 4096) -> String {
  var bytes = [UInt8](repeating: 0, count: limit)
  let count = read(descriptor, &bytes, limit)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

extension EventLoop {
  /// Runs until the exit; fails the test after a minute.
  func runToExit() throws -> Int32 {
    let lost: Int32 = 255
    let deadline = try timer(afterMilliseconds: 60_000, slackMilliseconds: 0) { [unowned self] in
      exit(code: lost)
    }
    let code = try withExtendedLifetime(deadline) { try run() }
    #expect(code != lost, "an expected event never came")
    return code
  }

  /// Runs the handlers that are ready now; returns how many ran, 100 if there is no end.
  @discardableResult
  func runAllReady() throws -> Int {
    var turns = 0
    while turns < 100, try runOneTurn(waitingAtMostMilliseconds: 0) { turns += 1 }
    return turns
  }
}

/// Counts the living instances of its kind.
final class Canary {
  final class Count {
    var alive = 0
  }
  private let count: Count

  init(_ count: Count) {
    self.count = count
    count.alive += 1
  }

  deinit { count.alive -= 1 }
  func sing() {}
}

/// A thread, joined by `join()`.
struct TestThread {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var started = pthread_t()
    let result = pthread_create(
      &started, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(Box(body)).toOpaque())
    precondition(result == 0, "no thread")
    thread = started
  }

  func join() {
    pthread_join(thread, nil)
  }
}

/// Sets an environment variable while `body` runs; nil removes it.
func withEnvironment<Result>(
  _ name: String, _ value: String?, _ body: () throws -> Result
) rethrows -> Result {
  var before: String?
  if let present = getenv(name) { before = String(cString: present) }
  func set(_ value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
  }
  set(value)
  defer { set(before) }
  return try body()
}
