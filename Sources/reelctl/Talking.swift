// One command said to the appliance: its question answered, its progress shown, its parts fetched,
// its answer printed.

import Console
import Glibc
import Recorder

struct Talking {
  let connection: Connection
  let call: CommandLineCall

  init(_ connection: Connection, _ call: CommandLineCall) {
    self.connection = connection
    self.call = call
  }

  func run() throws(Trouble) -> Int32 {
    switch call.spec.verb {
    case .export: return try export()
    case .importFile: return try importFiles()
    default: break
    }
    if let file = call.svgFile { try SVG.check(file, isSure: call.isSure) }
    var words = call.words
    if call.isSure, call.spec.effect == .destroys { words = Self.sure(words) }
    var answer = try ask(words)
    if case .question(let question) = answer {
      try confirm(question)
      answer = try ask(Self.sure(call.words))
    }
    switch answer {
    case .listing(let listing): try show(try whole(listing))
    case .waveform(let waveform): try show(waveform)
    case .told(let path) where call.spec.verb == .flight:
      return try Flight.show(path, last: call.last, isJSON: call.isJSON)
    case .told(let text) where call.spec.verb == .version && !call.isJSON:
      Output.write("reelctl \(Reelctl.version)\n\(text)\n")
    case .checkup(let view):
      try show(answer)
      return view.isWell ? 0 : 1
    default: try show(answer)
    }
    return 0
  }

  // MARK: Asking

  /// The answer, when it is over. A failure is thrown.
  func ask(_ words: [String], files: [Int32] = []) throws(Trouble) -> Answer {
    let id = try connection.ask(.command(words), files: files)
    while true {
      switch try connection.next() {
      case .ok(id, let answer):
        Output.clearProgress()
        return answer
      case .error(let about, let failure) where about == id || about == nil:
        throw Trouble(code(of: failure), failure.sentence)
      case .part(id, .progress(_, let permille)):
        Output.showProgress(call.spec.name, permille: permille)
      case .part(id, let answer): try show(answer)
      default: break
      }
    }
  }

  /// Of a file that could not be made or read there are codes of their own.
  private func code(of failure: Failure) -> Int32 {
    switch (call.spec.verb, failure.code) {
    case (.export, "failed"): ExitCode.cannotCreate
    case (.importFile, "failed"): ExitCode.noInput
    default: ExitCode.of(failure.code)
    }
  }

  private static func sure(_ words: [String]) -> [String] {
    // Behind `--` it would be a name.
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return Array(words[..<end]) + ["--yes"] + words[end...]
  }

  func confirm(_ question: String) throws(Trouble) {
    guard isatty(STDIN_FILENO) == 1, Output.errorsAreTerminal else {
      throw Trouble(ExitCode.usage, "\(question) Say --yes to do it without being asked.")
    }
    Output.ask(question)
    guard let line = readLine(), ["y", "yes"].contains(line.lowercased()) else {
      throw Trouble(ExitCode.temporary, "nothing was done")
    }
  }

  // MARK: Showing

  /// A long folder comes in parts.
  private func whole(_ first: FolderListing) throws(Trouble) -> FolderListing {
    var items = first.items
    let isLimited = call.words.contains { $0.hasPrefix("--count") }
    while !isLimited, first.from + items.count < first.total {
      let more = try ask(call.words + ["--from", "\(first.from + items.count)"])
      guard case .listing(let part) = more, !part.items.isEmpty else { break }
      items += part.items
    }
    return FolderListing(
      folder: first.folder, order: first.order, total: first.total, from: first.from, items: items)
  }

  private func show(_ listing: FolderListing) throws(Trouble) { try show(.listing(listing)) }

  private func show(_ waveform: WaveformReport) throws(Trouble) {
    if let file = call.svgFile { try SVG.write(waveform, to: file) }
    if call.svgFile == nil || call.isJSON { try show(.waveform(waveform)) }
  }

  func show(_ answer: Answer) throws(Trouble) {
    try Self.show(answer, isJSON: call.isJSON)
  }

  static func show(_ answer: Answer, isJSON: Bool) throws(Trouble) {
    if !isJSON { return Output.show(answer) }
    do { Output.show(json: try answer.payload()) } catch {
      throw Trouble(ExitCode.badData, "the answer cannot be written as JSON: \(error)")
    }
  }
}

extension Output {
  static func ask(_ question: String) {
    clearProgress()
    let text = Array("\(question) y/n ".utf8)
    _ = text.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension Answer {
  /// What is in it, without the word that says what it is: the command says that already.
  func payload() throws -> [UInt8] {
    switch self {
    case .status(let value): try JSONLine.encode(value)
    case .listing(let value): try JSONLine.encode(value)
    case .item(let value): try JSONLine.encode(value)
    case .found(let value): try JSONLine.encode(value)
    case .notices(let value): try JSONLine.encode(value)
    case .done(let value): try JSONLine.encode(value)
    case .waveform(let value): try JSONLine.encode(value)
    case .panel(let value): try JSONLine.encode(value)
    case .line(let value): try JSONLine.encode(value)
    case .completions(let value): try JSONLine.encode(value)
    case .failed(let value): try JSONLine.encode(value)
    case .checkup(let value): try JSONLine.encode(value)
    case .told(let text): try JSONLine.encode(["text": text])
    case .question(let text): try JSONLine.encode(["question": text])
    case .progress, .mode: try JSONLine.encode(self)
    }
  }
}
