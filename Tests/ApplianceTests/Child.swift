// A process started for a test: without a shell, with default signal handlers and none of the
// test's descriptors, and killed at the end. Waits have a deadline and block the calling thread.

import FoundationEssentials
import Glibc

final class Child {
  enum Ending: Equatable {
    case exited(Int32)
    case killed(Int32)
  }

  struct CannotStart: Error { let program: String, errorNumber: Int32 }

  /// Where a program's output goes.
  enum Place {
    case file(String)
    /// A terminal, which becomes the program's controlling terminal.
    case terminal(String)
    case descriptor(Int32)
  }

  let id: pid_t
  private(set) var ending: Ending?

  /// `errors` is never the terminal: error lines would be taken for part of the picture.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], directory: String,
    output: Place, errors: Place
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if case .terminal(let name) = output {
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    for (number, place) in [(Int32(1), output), (2, errors)] {
      switch place {
      case .terminal: posix_spawn_file_actions_adddup2(&actions, 0, number)
      case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
      case .file(let path):
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o644)
      }
    }
    // `env` changes the directory and becomes the program: the same process all along.
    id = try Self.spawn(
      ["/usr/bin/env", "-C", directory, program] + arguments,
      environment.map { "\($0)=\($1)" }, &actions)
  }

  private static func spawn(
    _ arguments: [String], _ environment: [String],
    _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let setSession: Int32 = 0x80  // POSIX_SPAWN_SETSID is not imported into Swift
    let flags = setSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let words = arguments.map { strdup($0) } + [nil]
    let settings = environment.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var id = pid_t()
    let result = posix_spawn(&id, arguments[0], &actions, &attributes, words, settings)
    if result != 0 { throw CannotStart(program: arguments[0], errorNumber: result) }
    return id
  }

  deinit { end() }

  /// Kills the process with SIGKILL if it still runs.
  func end() {
    if hasEnded() { return }
    kill(id, SIGKILL)
    var status: Int32 = 0
    waitpid(id, &status, 0)
    ending = .killed(SIGKILL)
  }

  func send(_ signal: Int32) { if !hasEnded() { kill(id, signal) } }

  func hasEnded() -> Bool {
    if ending != nil { return true }
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return false }
    let signal = status & 0x7F
    ending = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
    return true
  }
}

/// Thrown by `until` at its deadline.
struct NeverHappened: Error, CustomStringConvertible { let description: String }

/// Polls every 5 ms until `isSo` returns true. The deadline is only for what never happens: 30 s
/// were too few beside other builds.
func until(
  _ what: @autoclosure () -> String, within seconds: Int64 = 120, _ isSo: () throws -> Bool
) throws {
  let deadline = now() + seconds * 1_000_000_000
  while try !isSo() {
    if now() > deadline { throw NeverHappened(description: "never happened: \(what())") }
    usleep(5000)  // Between two polls.
  }
}

/// The monotonic clock, in nanoseconds.
func now() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
