// What an export of folders or an import of directories did, in one report at its end. Main thread.

import Catalogue
import Console
import Glibc
import JSON
import Recorder

struct ExchangeReport {
  enum Direction: String { case exported, imported }

  /// A recording and its file outside the card.
  struct Done: Encodable {
    let path: String
    let file: String
  }

  struct Skipped: Encodable {
    /// What was skipped: a recording's path, or a file.
    let what: String
    let why: String
  }

  let direction: Direction
  private(set) var done: [Done] = []
  private(set) var present: [Done] = []
  private(set) var skipped: [Skipped] = []
  /// The code of the first failure; 0 if nothing failed.
  private(set) var code: Int32 = 0

  init(_ direction: Direction) { self.direction = direction }

  mutating func add(_ path: String, _ file: String) { done.append(Done(path: path, file: file)) }

  /// It was done before, and is left as it is.
  mutating func addPresent(_ path: String, _ file: String) {
    present.append(Done(path: path, file: file))
  }

  /// Skips something that is not meant for it, such as a text among sound files.
  mutating func skip(_ what: String, _ why: String) {
    skipped.append(Skipped(what: what, why: why))
  }

  /// Skips what failed. Throws if nothing else could be done either.
  mutating func skip(_ what: String, _ error: ExitError) throws(ExitError) {
    skip(what, error.sentence)
    if code == 0 { code = error.code }
    if error.code == ExitCode.unavailable { throw error }
  }

  /// An import knows titles only: the sound of that title may be another.
  private var presence: Phrase {
    let count = present.count
    return switch (direction, count == 1) {
    case (.exported, true): "\(count) was there already"
    case (.exported, false): "\(count) were there already"
    case (.imported, true): "\(count) with a title that was there already"
    case (.imported, false): "\(count) with titles that were there already"
    }
  }

  /// Prints the report; returns the exit code.
  func show(_ place: Phrase, isJSON: Bool) throws(ExitError) -> Int32 {
    Output.clearProgress()
    if isJSON {
      do { Output.show(json: try JSON.encode(self)) } catch {
        throw ExitError(ExitCode.badData, "the report cannot be written as JSON: \(error)")
      }
      return code
    }
    for item in skipped {
      let why = Phrase.english(item.why)
      write(item.why.hasPrefix(item.what) ? "skipped \(why)" : "skipped \(item.what): \(why)")
    }
    var sentence: Phrase =
      direction == .exported ? "Exported \(done.count)" : "Imported \(done.count)"
    if !present.isEmpty { sentence = "\(sentence), \(presence)" }
    let rest: Phrase = "\(skipped.count) skipped"
    if !skipped.isEmpty { sentence = "\(sentence), \(rest)" }
    write("\(sentence), \(place).")
    return code
  }

  private func write(_ line: Phrase) {
    Output.write(Text.printable(Output.language.say(line)) + "\n")
  }
}

extension ExchangeReport: Encodable {
  private enum Key: String, CodingKey { case exported, imported, present, skipped }

  func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    try json.encode(done, forKey: direction == .exported ? .exported : .imported)
    try json.encode(present, forKey: .present)
    try json.encode(skipped, forKey: .skipped)
  }
}

extension ExitError {
  /// Says how much is skipped with a folder.
  func holding(recordings count: Int) -> ExitError {
    adding(count == 1 ? "It holds 1 recording." : "It holds \(count) recordings.")
  }

  /// Says how much is skipped with a directory.
  func holding(soundFiles count: Int) -> ExitError {
    adding(count == 1 ? "It holds 1 sound file." : "It holds \(count) sound files.")
  }

  private func adding(_ more: String) -> ExitError {
    let stop = sentence.hasSuffix(".") ? "" : "."
    return ExitError(code, "\(sentence)\(stop) \(more)")
  }
}
