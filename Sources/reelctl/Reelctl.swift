// reelctl: sends one command to the recorder and prints its answer. This file parses the command
// line and hands over; the commands themselves are in Console's command table.

import Console
import Glibc
import Recorder

@main
enum Reelctl {
  static let version = "0.1.0"

  static func main() {
    // If the reader of the output exits, the next write fails with EPIPE.
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Exit codes as in sysexits.
  private static func run(_ words: [String]) -> Int32 {
    do throws(ExitError) {
      let call = try CommandLineCall(words)
      return try perform(call)
    } catch {
      Output.logError(error.sentence)
      return error.code
    }
  }

  private static func perform(_ call: CommandLineCall) throws(ExitError) -> Int32 {
    if let code = Local.perform(call) { return code }
    if call.spec.verb == .flight, let file = call.file {
      return try Flight.show(file, last: call.last, isJSON: call.isJSON)
    }
    if call.spec.verb == .web { return try WebPage(call).run() }
    if call.spec.verb == .fetch { return try Fetch(call).run() }
    if call.spec.verb == .verifyManifest { return try verifyManifest(call) }
    if call.spec.verb == .doctor { return try Doctor(call: call).run() }
    let connection: Connection
    do throws(ExitError) { connection = try Connection.open(call.socket) } catch {
      // Its own version needs no recorder.
      if call.spec.verb != .version || call.isJSON { throw error }
      Output.write("reelctl \(version)\n")
      return 0
    }
    switch call.spec.verb {
    case .watch:
      if let source = try call.watchedScreen {
        return try ScreenWatch.run(connection, source, isJSON: call.isJSON)
      }
      return try Watch(connection, isJSON: call.isJSON).run()
    case .panel where Output.isTerminal && !call.isJSON: return try PanelWatch.run(connection)
    default: return try Talking(connection, call).run()
    }
  }
}

extension Reelctl {
  private static func verifyManifest(_ call: CommandLineCall) throws(ExitError) -> Int32 {
    let command: ParsedCommand
    do throws(ParseError) { command = try ParsedCommand(call.words, on: .socket) } catch {
      throw ExitError(ExitCode.usage, error.sentence)
    }
    guard case .verifyManifest(let options) = command else { return ExitCode.usage }
    return try ManifestVerify(options, isJSON: call.isJSON).run()
  }
}

/// Why a command failed: the exit code and the sentence.
struct ExitError: Error, Equatable {
  let code: Int32
  let sentence: String

  init(_ code: Int32, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  init(_ failure: CommandError) {
    self.init(ExitCode.of(failure.code), failure.sentence)
  }
}

/// The codes of sysexits, and which failure gives which.
enum ExitCode {
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let cannotCreate: Int32 = 73
  static let inputOutput: Int32 = 74
  static let temporary: Int32 = 75
  static let notPermitted: Int32 = 77
  static let badConfiguration: Int32 = 78

  static func of(_ code: String) -> Int32 {
    switch code {
    case "usage", "unknownCommand", "notHere", "noName", "badRequest", "notAFolder",
      "notARecording", "intoItself", "rootStays", "notInTrash", "lineTooLong", "tooLong":
      usage
    case "notFound", "ambiguous": noInput
    case "configurationRefused": badConfiguration
    case "exists", "folderFull", "tooDeep", "tooManyMarks", "cardReadOnly": cannotCreate
    case "cardFailed", "unreadable", "takeFailed", "playbackFailed", "failed": inputOutput
    case "mayNotChange", "notPermitted": notPermitted
    default: temporary
    }
  }
}

extension ExitError {
  /// As a sentence of its own, for a checkup.
  var wholeSentence: String { sentence.prefix(1).uppercased() + sentence.dropFirst() + "." }

  static var mayNotTalk: ExitError {
    ExitError(
      ExitCode.notPermitted,
      "you may not talk to the recorder; join the group reel (usermod -aG reel NAME), or use sudo")
  }
}
