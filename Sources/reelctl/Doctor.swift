// `reelctl doctor`: the recorder that runs is asked to look at itself. Where none answers, that is
// the first thing found, and reeld looks at the rest by itself, with the rights of whoever asks.

import Console
import Glibc
import Recorder

struct Doctor {
  let call: CommandLineCall

  /// 0 when all is well, 1 when something is wrong.
  func run() throws(Trouble) -> Int32 {
    let connection: Connection
    do throws(Trouble) { connection = try Connection.open(call.socket) } catch {
      return try lookAlone(since: error)
    }
    return try Talking(connection, call).run()
  }

  private func lookAlone(since trouble: Trouble) throws(Trouble) -> Int32 {
    let sentence = trouble.sentence.prefix(1).uppercased() + trouble.sentence.dropFirst() + "."
    let reach = CheckupView.Check("recorder", .wrong, sentence)
    let view: CheckupView
    do throws(Trouble) { view = try askReeld().preceded(by: reach) } catch {
      let help = CheckupView.Check("checks", .unknown, error.sentence)
      view = CheckupView([reach, help])
    }
    Output.clearProgress()
    try Talking.show(.checkup(view), isJSON: call.isJSON)
    return 1
  }

  /// Each line it prints is an answer; the last is the checkup.
  private func askReeld() throws(Trouble) -> CheckupView {
    let program = Self.reeld
    let words = [program, "--doctor", "--json"] + (root.map { ["--root", $0] } ?? [])
    var ends: [Int32] = [-1, -1]
    var id = pid_t()
    guard pipe(&ends) == 0 else { throw Self.missing(program, errno) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    let result = Self.spawn(words, output: ends[1], &id)
    close(ends[1])
    defer { close(ends[0]) }
    guard result == 0 else { throw Self.missing(program, result) }
    var view: CheckupView?
    read(ends[0]) { answer in
      switch answer {
      case .progress(_, let permille): Output.showProgress("doctor", permille: permille)
      case .checkup(let checkup): view = checkup
      default: break
      }
    }
    waitpid(id, nil, 0)
    if let view { return view }
    throw Trouble(ExitCode.temporary, "\(program) did not look to the end.")
  }

  private func read(_ file: Int32, _ hear: (Answer) -> Void) {
    var input: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while case let count = Glibc.read(file, &block, block.count), count != 0 {
      if count < 0, errno == EINTR { continue }
      if count < 0 { return }
      input += block[..<count]
      while let end = input.firstIndex(of: 10) {
        // What else it may print is no answer.
        if let answer = try? JSONLine.decode(Answer.self, from: input[..<end]) { hear(answer) }
        input.removeFirst(end + 1)
      }
    }
  }

  /// The recorder whose socket this would be, if it has a directory of its own.
  private var root: String? {
    let end = "/run/control.sock"
    let path = CommandLineCall.whole(call.socket)
    return path.hasSuffix(end) && path != end ? String(path.dropLast(end.count)) : nil
  }

  /// Where packages and builds put it: beside reelctl.
  private static var reeld: String {
    var name = [CChar](repeating: 0, count: 4096)
    let count = max(0, readlink("/proc/self/exe", &name, name.count))
    let own = String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let place = own.lastIndex(of: "/").map { own[...$0] } ?? ""
    return place + "reeld"
  }

  private static func missing(_ program: String, _ errno: Int32) -> Trouble {
    Trouble(
      ExitCode.unavailable,
      "Nothing else was looked at: \(program) cannot be run. Install the package reel.")
  }

  private static func spawn(_ words: [String], output: Int32, _ id: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    let copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return posix_spawn(&id, words[0], &actions, nil, copies, environ)
  }
}
