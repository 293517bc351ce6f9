// A mistake in a configuration file, with where it is and the sentence that helps; and the list
// that is filled while a file is read. Pure values.
import Recorder

public struct ConfigurationMistake: Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// Nil when it is the file itself that is wrong.
  public let place: TextPlace?
  /// Such as `panel.buttons[0].bias`; empty for the file as a whole.
  public let path: String
  public let sentence: String

  public init(file: String, place: TextPlace?, path: String, sentence: String) {
    self.file = file
    self.place = place
    // It may quote what stands in the file, whatever that is.
    self.path = Text.printable(path)
    self.sentence = Text.printable(sentence)
  }

  /// As compilers write it, so that editors find the place.
  public var description: String {
    let position = place.map { "\(file):\($0.line):\($0.column)" } ?? file
    return position + ": " + (path.isEmpty ? "" : path + ": ") + sentence
  }
}

/// What is known while a file is being read: where in it we are, and what was wrong so far.
struct Reading {
  private(set) var mistakes: [(offset: Int, path: String, sentence: String)] = []
  private var path: [String] = []

  var isClean: Bool { mistakes.isEmpty }

  /// More help nobody; a file that is no configuration at all must not keep the loop.
  static let mistakesMaximum = 50
  var isFull: Bool { mistakes.count >= Self.mistakesMaximum }

  /// Does something with the value below `key`.
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

  mutating func wrong(_ item: JSON5, expected: String, hint: String = "") {
    let ending = item.value == .null ? "; take the line out to have the default" : hint
    wrong(at: item.offset, "expected \(expected), not \(item.kind)\(ending)")
  }

  static func suggestion(for word: String, among words: [String]) -> String {
    meant(by: word, among: words).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// One that is spelt nearly so, or that begins so.
  static func meant(by word: String, among words: [String]) -> String? {
    if let nearest = Spelling.nearest(to: word, among: words) { return nearest }
    return words.first {
      $0.count > 2 && word.count > 2 && ($0.hasPrefix(word) || word.hasPrefix($0))
    }
  }
}
