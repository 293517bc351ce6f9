// The other programs, which packages and builds put beside reelctl, and how reelctl runs one.

import Glibc

enum Neighbour {
  /// The path of a program.
  static func path(of program: String) -> String {
    var name = [CChar](repeating: 0, count: 4096)
    let count = max(0, readlink("/proc/self/exe", &name, name.count))
    let own = String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let place = own.lastIndex(of: "/").map { own[...$0] } ?? ""
    return place + program
  }

  /// The root of the recorder with this socket, if it has a directory of its own.
  static func root(of socket: String) -> String? {
    let end = "/run/control.sock"
    let path = CommandLineCall.whole(socket)
    return path.hasSuffix(end) && path != end ? String(path.dropLast(end.count)) : nil
  }

  /// Starts a program. Returns an errno if that fails.
  static func spawn(_ words: [String], output: Int32, _ id: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    let copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return posix_spawn(&id, words[0], &actions, nil, copies, environ)
  }

  /// Runs a program to its end, and returns its exit code; nil if it cannot be run.
  static func run(_ words: [String]) -> Int32? {
    var id = pid_t()
    guard spawn(words, output: STDOUT_FILENO, &id) == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : ExitCode.temporary
  }
}
