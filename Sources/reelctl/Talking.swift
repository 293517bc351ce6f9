// Runs one command on the appliance: confirms its question, shows its progress, fetches its parts
// and prints its answer.

import Catalogue
import Console
import Glibc
import JSON
import Recorder

struct Talking {
  let connection: Connection
  let call: CommandLineCall

  init(_ connection: Connection, _ call: CommandLineCall) {
    self.connection = connection
    self.call = call
  }

  func run() throws(ExitError) -> Int32 {
    switch call.spec.verb {
    case .export: return try export()
    case .join: return try join()
    case .importFile: return try importFiles()
    case .waveform: if let code = try drawFolder() { return code }
    default: break
    }
    if let file = call.svgFile { try SVG.check(file, isSure: call.isSure) }
    var words = call.words
    if call.isSure, call.spec.effect == .destroys { words = words.addingOption("--yes") }
    var answer = try ask(words)
    if case .question(let question) = answer {
      try confirm(question)
      answer = try ask(call.words.addingOption("--yes"))
    }
    switch answer {
    case .listing(let listing): try show(try whole(listing))
    case .waveform(let waveform): try show(waveform)
    case .told(let path) where call.spec.verb == .flight:
      return try Flight.show(path, last: call.last, isJSON: call.isJSON)
    case .told(let text) where call.spec.verb == .version && !call.isJSON:
      Output.write("reelctl \(Reelctl.version)\n\(text)\n")
    case .checkup(let own):
      let view = PageCheck.check(of: call).map { own.followed(by: $0) } ?? own
      try show(.checkup(view))
      return view.isWell ? 0 : 1
    case .verified(let report):
      try show(answer)
      return report.isWell ? 0 : 1
    default: try show(answer)
    }
    return 0
  }

  // MARK: Asking

  /// Sends a command and returns its last answer. A failure is thrown.
  /// - Parameter progress: shows the progress; nil shows that of this command alone.
  func ask(
    _ words: [String], files: [Int32] = [], progress: ((Int) -> Void)? = nil
  ) throws(ExitError) -> Answer {
    let id = try connection.ask(.command(words), files: files)
    while true {
      switch try connection.next() {
      case .ok(id, let answer):
        if progress == nil { Output.clearProgress() }
        return answer
      case .error(let about, let failure) where about == id || about == nil:
        throw ExitError(code(of: failure), failure.sentence)
      case .part(id, .progress(_, let permille)):
        if let progress {
          progress(permille)
        } else {
          Output.showProgress(call.spec.name, permille: permille)
        }
      case .part(id, let answer): try show(answer)
      default: break
      }
    }
  }

  /// A file that could not be made or read has an exit code of its own.
  private func code(of failure: CommandError) -> Int32 {
    switch (call.spec.verb, failure.code) {
    case (.export, "failed"), (.join, "failed"): ExitCode.cannotCreate
    case (.importFile, "failed"): ExitCode.noInput
    default: ExitCode.of(failure.code)
    }
  }

  func confirm(_ question: String) throws(ExitError) {
    guard isatty(STDIN_FILENO) == 1, Output.errorsAreTerminal else {
      throw ExitError(ExitCode.usage, "\(question) Say --yes to do it without being asked.")
    }
    Output.ask(question)
    guard let line = readLine(), ["y", "yes"].contains(line.lowercased()) else {
      throw ExitError(ExitCode.temporary, "nothing was done")
    }
  }

  /// Returns a folder or recording by its name.
  func item(named name: String) throws(ExitError) -> ItemReport {
    guard case .item(let report) = try ask(["info", "--", name]) else {
      throw ExitError(ExitCode.badData, "the recorder does not say what “\(name)” is")
    }
    return report
  }

  /// Returns all items of a folder.
  func items(of folder: ItemID) throws(ExitError) -> [ItemReport] {
    var items: [ItemReport] = []
    while true {
      let answer = try ask(["ls", "--from", "\(items.count)", "--", "\(folder)"])
      guard case .listing(let part) = answer else { return items }
      items += part.items
      if part.items.isEmpty || items.count >= part.total { return items }
    }
  }

  /// The command that was given, with its arguments as values.
  func parsed() throws(ExitError) -> ParsedCommand {
    do throws(ParseError) { return try ParsedCommand(call.words, on: .socket) } catch {
      throw ExitError(ExitCode.usage, error.sentence)
    }
  }

  // MARK: Showing

  /// Fetches the rest of a long folder, which comes in parts.
  private func whole(_ first: FolderListing) throws(ExitError) -> FolderListing {
    var items = first.items
    let isLimited = call.words.hasOption("--count") || call.words.hasOption("--from")
    while !isLimited, first.from + items.count < first.total {
      let more = try ask(call.words.addingOption("--from", "\(first.from + items.count)"))
      guard case .listing(let part) = more, !part.items.isEmpty else { break }
      items += part.items
    }
    return FolderListing(
      folder: first.folder, order: first.order, total: first.total, from: first.from, items: items)
  }

  private func show(_ listing: FolderListing) throws(ExitError) { try show(.listing(listing)) }

  private func show(_ waveform: WaveformReport) throws(ExitError) {
    if let file = call.svgFile { try SVG.write(waveform, to: file) }
    if call.svgFile == nil || call.isJSON { try show(.waveform(waveform)) }
  }

  func show(_ answer: Answer) throws(ExitError) {
    try Self.show(answer, isJSON: call.isJSON)
  }

  static func show(_ answer: Answer, isJSON: Bool) throws(ExitError) {
    if !isJSON { return Output.show(answer) }
    do { Output.show(json: try answer.payload()) } catch {
      throw ExitError(ExitCode.badData, "the answer cannot be written as JSON: \(error)")
    }
  }
}

extension Output {
  static func ask(_ question: String) {
    clearProgress()
    let asked = Output.language.say("\(.english(question)) y/n")
    let text = Array((asked + " ").utf8)
    _ = text.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension Answer {
  /// Returns the answer as JSON without its kind, which follows from the command.
  func payload() throws -> [UInt8] {
    switch self {
    case .status(let value): try JSON.encode(value)
    case .listing(let value): try JSON.encode(value)
    case .item(let value): try JSON.encode(value)
    case .found(let value): try JSON.encode(value)
    case .copies(let value): try JSON.encode(value)
    case .opened(let value): try JSON.encode(value)
    case .manifest(let value): try JSON.encode(value)
    case .about(let value): try JSON.encode(value)
    case .pairing(let value): try JSON.encode(value)
    case .notices(let value): try JSON.encode(value)
    case .changes(let value): try JSON.encode(value)
    case .done(let value): try JSON.encode(value)
    case .verified(let value): try JSON.encode(value)
    case .waveform(let value): try JSON.encode(value)
    case .panel(let value): try JSON.encode(value)
    case .line(let value): try JSON.encode(value)
    case .completions(let value): try JSON.encode(value)
    case .failed(let value): try JSON.encode(value)
    case .checkup(let value): try JSON.encode(value)
    case .told(let text): try JSON.encode(["text": text])
    case .help(let help): try JSON.encode(["text": help.text(in: .english)])
    case .question(let text): try JSON.encode(["question": text])
    case .progress, .mode: try JSON.encode(self)
    }
  }
}
