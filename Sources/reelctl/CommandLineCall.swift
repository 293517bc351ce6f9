// The command line: reelctl's own options, and the words for the appliance, with file paths made
// absolute, since they are relative to the caller's directory. Pure except for the environment and
// what is at those paths.

import Console
import Glibc
import Recorder

struct CommandLineCall {
  let spec: CommandSpec
  /// The words that are sent to the appliance.
  private(set) var words: [String] = []
  private(set) var socket: String
  private(set) var isJSON = false
  private(set) var isSure = false
  private(set) var wantsHelp = false
  private(set) var wantsManual = false
  private(set) var svgFile: String?
  /// The options of `flight`: a log file, and how many actions.
  private(set) var file: String?
  private(set) var last: Int?

  static let standardSocket = "/run/reel/control.sock"

  init(_ given: [String]) throws(ExitError) {
    var rest = given[...]
    let fromEnvironment = getenv("REEL_SOCKET").map { String(cString: $0) } ?? ""
    socket = fromEnvironment.isEmpty ? Self.standardSocket : fromEnvironment
    var isJSON = false
    // Options before the command are reelctl's own.
    while let word = rest.first, word.hasPrefix("-") {
      rest.removeFirst()
      switch word {
      case "--socket": socket = try Self.value(of: word, &rest)
      case _ where word.hasPrefix("--socket="): socket = String(word.dropFirst(9))
      case "--json": isJSON = true
      case "--help", "-h": rest = ["help"]
      case "--version": rest = ["version"]
      case "--yes", "-y": isSure = true
      default:
        throw ExitError(ExitCode.usage, "“\(word)” is not an option of reelctl; see reelctl --help")
      }
    }
    guard !rest.isEmpty else {
      throw ExitError(ExitCode.usage, "say a command; reelctl --help lists them")
    }
    do throws(ParseError) { spec = try CommandTable.find(Array(rest)) } catch {
      throw ExitError(ExitCode.usage, error.sentence)
    }
    self.isJSON = isJSON
    words = spec.verb.words
    // `trash` by itself is `trash list`.
    let count = Array(rest.prefix(words.count)) == words ? words.count : 1
    try parseArguments(Array(rest.dropFirst(count)))
    do throws(ParseError) { try check() } catch { throw ExitError(ExitCode.usage, error.sentence) }
    if spec.verb == .enter { words.append("--panel") }
    if !wantsHelp { makePathsWhole() }
  }

  /// Reports an error in the words before connecting to the appliance.
  private func check() throws(ParseError) {
    if wantsHelp || [.completion, .flight, .help, .web].contains(spec.verb) { return }
    _ = try ParsedCommand(words, on: .socket)
  }

  /// The screen that `watch` is to show; nil if it shows the status.
  var watchedScreen: ScreenSource? {
    get throws(ExitError) {
      do throws(ParseError) {
        guard case .watch(let screen) = try ParsedCommand(words, on: .socket) else { return nil }
        return screen
      } catch { throw ExitError(ExitCode.usage, error.sentence) }
    }
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(ExitError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw ExitError(ExitCode.usage, "\(option) needs a value; see reelctl --help")
    }
    return value
  }

  /// Keeps reelctl's own options here; everything else goes to the words.
  private mutating func parseArguments(_ given: [String]) throws(ExitError) {
    if spec.verb == .complete {
      words += given
      return
    }
    var rest = given[...]
    while let word = rest.popFirst() {
      switch word {
      case "--":
        words += ["--"] + rest
        return
      case "--json": isJSON = true
      case "--help", "-h": wantsHelp = true
      case "--socket": socket = try Self.value(of: word, &rest)
      case "--yes", "-y": isSure = true
      case "--man" where spec.verb == .help: wantsManual = true
      case "--svg" where spec.verb == .waveform: svgFile = try Self.value(of: word, &rest)
      case "--file" where spec.verb == .flight: file = try Self.value(of: word, &rest)
      case "--last" where spec.verb == .flight:
        let text = try Self.value(of: word, &rest)
        guard let number = Int(text), number > 0 else {
          throw ExitError(ExitCode.usage, "--last needs a number from 1, not “\(text)”")
        }
        last = number
      default: words.append(word)
      }
    }
  }

  // MARK: Files

  /// Makes file paths absolute, because the appliance has another directory. Options are put first.
  private mutating func makePathsWhole() {
    guard [.export, .join, .importFile].contains(spec.verb) else { return }
    var plain: [String] = []
    var options: [String] = []
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      if word == "--" {
        plain += rest
        break
      }
      if word == "--to" {
        options += [word] + (rest.popFirst().map { [Self.target($0)] } ?? [])
      } else if word.hasPrefix("--to=") {
        options += ["--to", Self.target(String(word.dropFirst(5)))]
      } else if spec.options.contains(where: { $0.name == word && $0.value != nil }) {
        options += [word] + (rest.popFirst().map { [$0] } ?? [])
      } else if word.hasPrefix("--") {
        options.append(word)
      } else {
        plain.append(word)
      }
    }
    switch spec.verb {
    case .export: plain = plain.dropLast() + plain.suffix(1).map(Self.target)
    case .importFile:
      // `import DIR FOLDER`
      if plain.count == 2, Self.isDirectory(plain[0]), access(plain[1], F_OK) != 0 {
        options += ["--in", plain.removeLast()]
      }
      plain = plain.map(Self.whole)
    default: break
    }
    words = [words[0]] + options + ["--"] + plain
  }

  /// A file to be written, or a directory, which ends in a slash.
  private static func target(_ path: String) -> String {
    let whole = whole(path)
    return isDirectory(whole) && !whole.hasSuffix("/") ? whole + "/" : whole
  }

  static func whole(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    var rest = Substring(path)
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return String(cString: here) + "/" + rest
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
