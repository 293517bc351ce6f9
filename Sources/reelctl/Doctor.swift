// `reelctl doctor`: asks the running recorder to check itself. If none answers, that is the first
// finding, and `reeld --doctor` checks the rest by itself, with the rights of the caller.

import Console
import Glibc
import JSON
import Realtime
import Recorder

struct Doctor {
  let call: CommandLineCall

  /// Returns 0 if all is well, 1 if something is wrong.
  func run() throws(ExitError) -> Int32 {
    let connection: Connection
    do throws(ExitError) { connection = try Connection.open(call.socket) } catch {
      return try checkAlone(since: error)
    }
    return try Talking(connection, call).run()
  }

  private func checkAlone(since error: ExitError) throws(ExitError) -> Int32 {
    let reach = CheckupView.Check("recorder", .wrong, error.wholeSentence)
    let view: CheckupView
    do throws(ExitError) { view = try requestCheckup().preceded(by: reach) } catch {
      let help = CheckupView.Check("checks", .unknown, error.sentence)
      view = CheckupView([reach, help])
    }
    Output.clearProgress()
    try Talking.show(.checkup(view), isJSON: call.isJSON)
    return 1
  }

  /// Runs reeld. Each line it prints is an answer; the last is the checkup.
  private func requestCheckup() throws(ExitError) -> CheckupView {
    let program = Neighbour.path(of: "reeld")
    let root = Neighbour.root(of: call.socket)
    let words = [program, "--doctor", "--json"] + (root.map { ["--root", $0] } ?? [])
    var id = pid_t()
    guard let ends = Descriptors.pipe() else { throw Self.missing(program, errno) }
    let result = Neighbour.spawn(words, output: ends.writing, &id)
    close(ends.writing)
    defer { close(ends.reading) }
    guard result == 0 else { throw Self.missing(program, result) }
    var view: CheckupView?
    read(ends.reading) { answer in
      switch answer {
      case .progress(_, let permille): Output.showProgress("doctor", permille: permille)
      case .checkup(let checkup): view = checkup
      default: break
      }
    }
    waitpid(id, nil, 0)
    if let view { return view }
    throw ExitError(ExitCode.temporary, "\(program) did not look to the end.")
  }

  private func read(_ file: Int32, _ handle: (Answer) -> Void) {
    var input: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while case let count = Glibc.read(file, &block, block.count), count != 0 {
      if count < 0, errno == EINTR { continue }
      if count < 0 { return }
      input += block[..<count]
      while let end = input.firstIndex(of: 10) {
        // Other output of reeld is no answer, and is skipped.
        if let answer = try? JSON.decode(Answer.self, from: input[..<end]) { handle(answer) }
        input.removeFirst(end + 1)
      }
    }
  }

  private static func missing(_ program: String, _ errno: Int32) -> ExitError {
    ExitError(
      ExitCode.unavailable,
      "Nothing else was looked at: \(program) cannot be run. Install the package reel.")
  }
}
