// The state while `link.json` is read: the path of the present key, and the mistakes so far. The
// sentences are those of `reel.json`. Pure; the text is a stranger's, so that all is bounded.
import JSON

/// A mistake in the link's configuration.
public struct LinkConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// Nil if the file as a whole is wrong.
  public let place: TextPlace?
  /// Such as `targets[0].url`; empty for the file as a whole.
  public let path: String
  public let sentence: String

  init(file: String, place: TextPlace?, path: String, sentence: String) {
    self.file = file
    self.place = place
    self.path = printable(path)
    self.sentence = printable(sentence)
  }

  /// In the format of compilers, so that editors find the place.
  public var description: String {
    let position = place.map { "\(file):\($0.line):\($0.column)" } ?? file
    return position + ": " + (path.isEmpty ? "" : path + ": ") + sentence
  }
}

/// The mistakes of a text, in the order in which they are found.
struct LinkReading {
  private(set) var mistakes: [(offset: Int, path: String, sentence: String)] = []
  private var path = ""

  /// More of them do not help.
  static let mistakesMaximum = 50
  var isFull: Bool { mistakes.count >= Self.mistakesMaximum }

  /// Calls `body` with a key or an index added to the path.
  mutating func below<Result>(
    _ part: String, _ body: (inout LinkReading) -> Result
  ) -> Result {
    let before = path
    path += part.hasPrefix("[") || path.isEmpty ? part : "." + part
    defer { path = before }
    return body(&self)
  }

  mutating func wrong(at offset: Int, _ sentence: String) {
    if !isFull { mistakes.append((offset, path, sentence)) }
  }

  /// A value that may be a secret is not quoted.
  mutating func wrong(_ item: JSONValue, expected: String, isSecret: Bool = false) {
    let given = isSecret ? "what is there" : item.kind
    wrong(at: item.offset, "expected \(expected), not \(given)")
  }
}

/// A key of a group: what it accepts, and where its value goes.
struct LinkKey<Group> {
  let name: String
  let expected: String
  var isSecret = false
  /// Returns false if the value is not what is expected.
  let set: (JSONValue.Kind, inout Group) -> Bool

  /// A key with a text that is turned into a value.
  static func text(
    _ name: String, _ expected: String, isSecret: Bool = false,
    _ set: @escaping (String, inout Group) -> Bool
  ) -> LinkKey {
    LinkKey(name: name, expected: expected, isSecret: isSecret) { value, group in
      guard case .string(let text) = value, isLine(text) else { return false }
      return set(text, &group)
    }
  }

  /// A key with a list of texts, each turned into a value.
  static func list<Item>(
    _ name: String, _ expected: String, _ place: WritableKeyPath<Group, [Item]>,
    _ item: @escaping (String) -> Item?
  ) -> LinkKey {
    LinkKey(name: name, expected: expected) { value, group in
      guard case .list(let values) = value, values.count <= 100 else { return false }
      var items: [Item] = []
      for value in values {
        guard case .string(let text) = value.value, isLine(text), let made = item(text) else {
          return false
        }
        items.append(made)
      }
      group[keyPath: place] = items
      return true
    }
  }

  static func word<Word: CaseIterable & RawRepresentable>(
    _ name: String, _ place: WritableKeyPath<Group, Word>
  ) -> LinkKey where Word.RawValue == String {
    let words = Word.allCases.map { "\"\($0.rawValue)\"" }
    let expected = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return .text(name, expected) { text, group in
      guard let word = Word(rawValue: text) else { return false }
      group[keyPath: place] = word
      return true
    }
  }

  static func flag(_ name: String, _ place: WritableKeyPath<Group, Bool>) -> LinkKey {
    LinkKey(name: name, expected: "true or false") { value, group in
      guard case .bool(let flag) = value else { return false }
      group[keyPath: place] = flag
      return true
    }
  }
}

/// Whether a text is a line without control characters, and not too long.
private func isLine(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.count <= 1000 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
}

extension LinkReading {
  /// Reads a group of keys. Returns the offsets of those that were there.
  mutating func read<Group>(
    _ item: JSONValue, _ keys: [LinkKey<Group>], others: [String] = [], into group: inout Group
  ) -> [String: Int] {
    guard case .table(let members) = item.value else {
      wrong(item, expected: "keys between braces: { … }")
      return [:]
    }
    var found: [String: Int] = [:]
    for member in members where !isFull && !others.contains(member.key) {
      found[member.key] = member.keyOffset
      below(member.key) { reading in
        guard let key = keys.first(where: { $0.name == member.key }) else {
          let near = nearest(to: member.key, among: keys.map(\.name) + others)
          return reading.wrong(
            at: member.keyOffset,
            near.map { "there is no such key; did you mean '\($0)'?" } ?? "there is no such key")
        }
        if !key.set(member.item.value, &group) {
          reading.wrong(member.item, expected: key.expected, isSecret: key.isSecret)
        }
      }
    }
    return found
  }
}

/// Returns the word that is spelt nearly the same, if there is one.
private func nearest(to word: String, among words: [String]) -> String? {
  let given = Array(word.lowercased().prefix(64))
  let ranked = words.map { (distance(given, Array($0.lowercased())), $0) }
  guard let best = ranked.min(by: { $0.0 < $1.0 }) else { return nil }
  return best.0 <= max(1, given.count / 3) ? best.1 : nil
}

/// The edit distance: letters to insert, remove or change.
private func distance(_ one: [Character], _ other: [Character]) -> Int {
  var row = Array(0...other.count)
  for (index, letter) in one.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for (place, counterpart) in other.enumerated() {
      let changed = diagonal + (letter == counterpart ? 0 : 1)
      diagonal = row[place + 1]
      row[place + 1] = min(changed, row[place] + 1, row[place + 1] + 1)
    }
  }
  return row[other.count]
}
