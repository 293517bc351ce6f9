// reeld: the recorder's daemon. This file parses the command line and starts the mode that it asks
// for; it decides nothing else.

import Glibc

@main
enum Reeld {
  static let version = "0.1.0"

  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Exit codes as in sysexits.
  private static func run(_ words: [String]) -> Int32 {
    let arguments: Arguments
    do { arguments = try Arguments(words) } catch {
      logError(error.description)
      return 64
    }
    switch arguments.mode {
    case .help:
      print(Arguments.help, terminator: "")
      return 0
    case .version:
      print("reeld \(version)")
      return 0
    case .replay(let file, let at):
      return ReplayCommand.run(file: file, at: at)
    case .travel(let file, let at):
      return TravelCommand.run(file: file, at: at)
    case .checkConfiguration:
      return RunningConfiguration.check(arguments)
    case .doctor:
      return DoctorCommand.run(arguments)
    case .lightsOff:
      return LightsOffCommand.run(arguments)
    case .run:
      return Daemon.run(arguments)
    }
  }
}
