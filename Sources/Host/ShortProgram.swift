// Runs one of the system's own programs and reads what it prints, for a bounded time and up to a
// bounded length. Waits, so only for threads that may.
import Glibc
import Realtime

enum ShortProgram {
  private static let outputLimitBytes = 64 << 10

  /// Returns what it printed; nil if it does not exist, failed or took too long.
  static func output(of words: [String], limitMilliseconds: Int64 = 5000) -> String? {
    guard let ends = Descriptors.pipe() else { return nil }
    defer { close(ends.reading) }
    var pid: pid_t = 0
    let result = spawn(words, output: ends.writing, &pid)
    close(ends.writing)
    guard result == 0 else { return nil }
    let (text, isWhole) = read(ends.reading, until: now() + limitMilliseconds)
    if !isWhole { kill(pid, SIGKILL) }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return isWhole && status == 0 ? text : nil
  }

  private static func spawn(_ words: [String], output: Int32, _ pid: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let environment = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "SYSTEMD_PAGER="]
    return withStrings(words) { words in
      guard let program = words[0] else { return EINVAL }
      return withStrings(environment) { posix_spawnp(&pid, program, &actions, nil, words, $0) }
    }
  }

  private static func read(_ file: Int32, until deadline: Int64) -> (String, isWhole: Bool) {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while bytes.count < outputLimitBytes {
      var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let left = deadline - now()
      guard left > 0, poll(&wait, 1, Int32(left)) > 0 else { break }
      let count = Glibc.read(file, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return (String(decoding: bytes, as: UTF8.self), count == 0) }
      bytes += block[..<count]
    }
    return ("", false)
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

func withStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return body(copies)
}
