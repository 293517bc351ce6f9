// reel-link: the program that copies recordings off the box. This file takes the command line and
// hands over. One thread, the loop's.

import Glibc
import Link
import Systemd

@main
enum ReelLink {
  static let version = "0.1.0"

  static func main() {
    // If a server or a reader exits, the next write fails with EPIPE.
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Exit codes as in sysexits.
  private static func run(_ words: [String]) -> Int32 {
    let arguments: LinkArguments
    do throws(LinkUsageError) { arguments = try LinkArguments(words) } catch {
      complain("\(error.sentence); see reel-link --help")
      return 64
    }
    switch arguments.mode {
    case .help:
      print(LinkArguments.help, terminator: "")
      return 0
    case .version:
      print("reel-link \(version)")
      return 0
    case .checkConfiguration: return read(arguments) == nil ? 78 : 0
    case .try:
      guard let configuration = read(arguments) else { return 78 }
      return TrialRun(configuration, state: arguments.state).run()
    case .fetch(let target, let directory):
      guard let configuration = read(arguments) else { return 78 }
      return fetch(target, of: configuration, into: directory, arguments)
    case .run:
      guard let configuration = read(arguments) else { return 78 }
      return work(configuration, arguments)
    }
  }

  private static func work(
    _ configuration: LinkConfiguration, _ arguments: LinkArguments
  ) -> Int32 {
    do {
      let runner = try LinkRunner(
        configuration, socket: arguments.socket, state: arguments.state, on: try EventLoop())
      return try runner.run()
    } catch let error as LinkError {
      complain(error.sentence)
      return error.code == .configuration ? 78 : 71
    } catch {
      complain("\(error)")
      return 71
    }
  }

  private static func fetch(
    _ name: String, of configuration: LinkConfiguration, into directory: String,
    _ arguments: LinkArguments
  ) -> Int32 {
    guard let target = configuration.targets.first(where: { $0.name == name }) else {
      let names = configuration.targets.map(\.name).joined(separator: ", ")
      complain("the configuration has no target “\(name)”; it has: \(names)")
      return 64
    }
    do {
      let factory = TargetFactory(credentials: credentials, state: arguments.state)
      return try FetchRun(target, factory, into: directory, on: try EventLoop()).run()
    } catch let error as LinkError {
      complain(error.sentence)
      return 69
    } catch {
      complain("\(error)")
      return 71
    }
  }

  /// The directory of secrets: systemd's; by hand, that from which systemd takes them.
  static var credentials: String? {
    getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) } ?? "/etc/reel/credentials"
  }

  /// Returns the configuration; nil after its mistakes have been told.
  private static func read(_ arguments: LinkArguments) -> LinkConfiguration? {
    switch LinkConfigurationReader.read(file: arguments.configurationFile) {
    case .good(let configuration): return configuration
    case .wrong(let mistakes):
      for mistake in mistakes { complain(mistake.description) }
      return nil
    }
  }

  static func complain(_ sentence: String) {
    let line = "reel-link: \(sentence)\n"
    _ = Glibc.write(2, line, line.utf8.count)
  }
}
