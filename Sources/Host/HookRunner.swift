// Runs the programs of the hook directory, one after the other, each with a time limit. The queue
// is bounded: a program that hangs costs other programs their turn, and the recorder nothing. Used
// by the host room's thread.
import Glibc
import Realtime

/// An event for hook programs.
public struct HookEvent: Equatable, Sendable {
  /// Their first argument, such as `recording-ended`.
  public let name: String
  /// Details, which they find as `REEL_…` in their environment.
  public let details: [String: String]

  public init(_ name: String, _ details: [String: String] = [:]) {
    self.name = name
    self.details = details
  }
}

struct HookRunner {
  private static let waitingMaximum = 100

  var plan = HookConfiguration()
  private var waiting: [HookEvent] = []
  /// Programs that are still to be run for the first of `waiting`.
  private var programs: [String] = []
  private var running: (pid: pid_t, program: String, deadline: Int64, isKilled: Bool)?

  var isBusy: Bool { running != nil || !waiting.isEmpty }

  /// Enqueues an event. If the queue is full, returns false and drops the event.
  mutating func add(_ event: HookEvent) -> Bool {
    guard plan.directory != nil else { return true }
    guard waiting.count < Self.waitingMaximum else { return false }
    waiting.append(event)
    if waiting.count == 1 { programs = Self.programs(in: plan.directory) }
    return true
  }

  /// Reaps and starts programs without waiting. Returns sentences about failures.
  mutating func step(nowMilliseconds now: Int64) -> [String] {
    var complaints = reap(now).map { [$0] } ?? []
    while running == nil, let event = waiting.first {
      guard let program = programs.first else {
        waiting.removeFirst()
        programs = waiting.isEmpty ? [] : Self.programs(in: plan.directory)
        continue
      }
      programs.removeFirst()
      var pid: pid_t = 0
      let result = Self.spawn(program, event, &pid)
      if result == 0 {
        running = (pid, program, now + plan.limitMilliseconds, false)
      } else {
        complaints.append("The hook \(program) could not be run: \(systemWords(for: result))")
      }
    }
    return complaints
  }

  private mutating func reap(_ now: Int64) -> String? {
    guard let (pid, program, deadline, isKilled) = running else { return nil }
    var status: Int32 = 0
    if waitpid(pid, &status, WNOHANG) == pid {
      running = nil
      // Ends the processes it has left behind.
      kill(-pid, SIGKILL)
      if isKilled || status == 0 { return nil }
      let code = (status >> 8) & 0xFF
      let how = status & 0x7F == 0 ? "exit status \(code)" : "signal \(status & 0x7F)"
      return "The hook \(program) ended with \(how)"
    }
    guard now >= deadline, !isKilled else { return nil }
    kill(-pid, SIGKILL)
    running = (pid, program, deadline, true)
    return "The hook \(program) took longer than "
      + "\(Quantity.time(milliseconds: plan.limitMilliseconds)) and was ended"
  }

  /// Kills the running program, at the end.
  mutating func end() {
    guard let pid = running?.pid else { return }
    kill(-pid, SIGKILL)
    waitpid(pid, nil, 0)
    running = nil
  }

  // MARK: Programs

  /// Returns the executable files with plain names, sorted: leftovers of editors and package
  /// managers have a dot or a tilde in their names.
  static func programs(in directory: String?) -> [String] {
    guard let directory, let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let isPlain = name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
      let path = directory + "/" + name
      var status = stat()
      if isPlain, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        access(path, X_OK) == 0
      {
        names.append(path)
      }
    }
    return names.sorted()
  }

  /// Spawns a program in its own process group, with only our standard error. Returns 0 or errno.
  private static func spawn(_ program: String, _ event: HookEvent, _ pid: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Our signals are blocked or ignored; the program must not inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]
    environment.append("REEL_EVENT=\(event.name)")
    environment += event.details.sorted { $0.key < $1.key }.map { "REEL_\($0.key)=\($0.value)" }
    let result = withStrings([program, event.name]) { words in
      withStrings(environment) { posix_spawn(&pid, program, &actions, &attributes, words, $0) }
    }
    if result == 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), UInt32(pid), 10) }
    return result
  }
}
