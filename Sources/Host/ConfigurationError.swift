// An error in a configuration file, with its place and a sentence that helps; and the list of
// errors that is filled while a file is read. Pure values.
import JSON
import Recorder

/// A mistake in a configuration file.
public struct ConfigurationError: Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// Nil if the file as a whole is wrong.
  public let place: TextPlace?
  /// Such as `panel.buttons[0].bias`; empty for the file as a whole.
  public let path: String
  public let sentence: String

  public init(file: String, place: TextPlace?, path: String, sentence: String) {
    self.file = file
    self.place = place
    // The sentence may quote the file, which may contain control characters.
    self.path = Text.printable(path)
    self.sentence = Text.printable(sentence)
  }

  /// In the format of compilers, so that editors find the place.
  public var description: String {
    let position = place.map { "\(file):\($0.line):\($0.column)" } ?? file
    return position + ": " + (path.isEmpty ? "" : path + ": ") + sentence
  }
}

/// The state while a file is read: the current path, and the errors so far.
struct Reading {
  private(set) var mistakes: [(offset: Int, path: String, sentence: String)] = []
  private var path: [String] = []

  var isClean: Bool { mistakes.isEmpty }

  /// More errors do not help, and a file that is no configuration must not hold up the loop.
  static let mistakesMaximum = 50
  var isFull: Bool { mistakes.count >= Self.mistakesMaximum }

  /// Calls `body` with `key` added to the path.
  mutating func below<Result>(
    _ key: String, _ body: (inout Reading) -> Result
  ) -> Result {
    path.append(key)
    defer { path.removeLast() }
    return body(&self)
  }

  mutating func wrong(at offset: Int, _ sentence: String) {
    if isFull { return }
    var name = ""
    for part in path { name += part.hasPrefix("[") || name.isEmpty ? part : "." + part }
    mistakes.append((offset, name, sentence))
  }

  mutating func wrong(_ item: JSONValue, expected: String, hint: String = "") {
    let hint = item.value == .null ? "take the line out to have the default" : hint
    wrong(
      at: item.offset,
      hint.isEmpty
        ? "expected \(expected), not \(item.kind)"
        : "expected \(expected), not \(item.kind); \(hint)")
  }

  /// Asks whether a word was meant that is spelt nearly the same; empty if there is none.
  static func suggestion(for word: String, among words: [String]) -> String {
    meant(by: word, among: words).map { "did you mean \"\($0)\"?" } ?? ""
  }

  /// Returns a word that is spelt nearly the same, or that shares the beginning.
  static func meant(by word: String, among words: [String]) -> String? {
    if let nearest = Spelling.nearest(to: word, among: words) { return nearest }
    return words.first {
      $0.count > 2 && word.count > 2 && ($0.hasPrefix(word) || word.hasPrefix($0))
    }
  }
}
