// `reelctl fetch`: has reel-link bring the recordings of a target back onto the card. Meanwhile the
// recorder hands the card over; afterwards it reads the card anew, and takes in what came.

import Console
import Glibc
import Recorder

struct Fetch {
  private let call: CommandLineCall
  private let target: String
  private let directory: String?
  private let configuration: String?

  init(_ call: CommandLineCall) throws(ExitError) {
    self.call = call
    let command: ParsedCommand
    do throws(ParseError) { command = try ParsedCommand(call.words, on: .socket) } catch {
      throw ExitError(ExitCode.usage, error.sentence)
    }
    guard case .fetch(let target, let directory, let configuration) = command else {
      throw ExitError(ExitCode.usage, "say a target; see reelctl help fetch")
    }
    (self.target, self.directory, self.configuration) = (target, directory, configuration)
  }

  func run() throws(ExitError) -> Int32 {
    if let directory { return try fetch(into: directory) }
    let card = (Neighbour.root(of: call.socket) ?? "/var/lib/reel") + "/recordings"
    guard access(card, W_OK) == 0 else {
      throw ExitError(
        ExitCode.notPermitted,
        "\(card) cannot be written; use sudo, or say a directory with --to")
    }
    try handOver("on")
    let code: Int32
    do throws(ExitError) { code = try fetch(into: card) } catch {
      try handOver("off")
      throw error
    }
    try handOver("off")
    return code
  }

  /// Returns the exit code of reel-link.
  private func fetch(into directory: String) throws(ExitError) -> Int32 {
    let program = Neighbour.path(of: "reel-link")
    var words = [program, "fetch", target, "--to", directory]
    if let configuration { words += ["--config", configuration] }
    if let root = Neighbour.root(of: call.socket) { words += ["--state", root + "/link"] }
    guard let code = Neighbour.run(words) else {
      throw ExitError(
        ExitCode.unavailable, "\(program) cannot be run; install the package reel-link")
    }
    return code
  }

  private func handOver(_ state: String) throws(ExitError) {
    let connection = try Connection.open(call.socket)
    let id = try connection.ask(.command(["hand-over", state]))
    while true {
      switch try connection.next() {
      case .ok(id, .failed(let failure)): throw ExitError(failure)
      case .ok(id, _): return
      case .error(_, let failure): throw ExitError(failure)
      default: continue
      }
    }
  }
}
