// Finds out which phrase an English sentence is. Sentences travel as English text through JSON and
// the flight log, so that those are the same in each language; a screen that shows one in another
// language needs its key and its arguments again. Pure; a text that fits no template stays English.

/// The English text of a phrase, cut at its placeholders.
struct Template: Sendable {
  let key: String
  /// The text before, between and behind the placeholders.
  private let pieces: [[UInt8]]
  private let kinds: [Kind]
  /// The bytes that are not placeholders. The template with the most fits best.
  let weight: Int

  /// What may stand in the place of a placeholder.
  private enum Kind {
    case text, number
    /// An English sentence of its own.
    case sentence
  }

  /// - Parameter english: the text of an entry; {1*} is a placeholder for a sentence, {1#} for a
  ///   number.
  init(_ english: String) {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    var kinds: [Kind] = []
    var key = ""
    var rest = english[...]
    while let character = rest.first {
      if character == "{", let close = rest.firstIndex(of: "}") {
        let inside = rest[rest.index(after: rest.startIndex)..<close]
        kinds.append(
          inside.hasSuffix("*") ? .sentence : inside.hasSuffix("#") ? .number : .text)
        key += "{\(inside.filter(\.isNumber))}"
        pieces.append(piece)
        piece = []
        rest = rest[rest.index(after: close)...]
      } else {
        piece += Array(String(character).utf8)
        key.append(character)
        rest.removeFirst()
      }
    }
    self.key = key
    self.pieces = pieces + [piece]
    self.kinds = kinds
    weight = self.pieces.reduce(0) { $0 + $1.count }
  }

  var hasPlaceholders: Bool { !kinds.isEmpty }

  /// Whether a sentence can be told by it: a few letters are too little, and placeholders side by
  /// side have no border.
  var isTelling: Bool {
    weight >= 5 && !pieces.dropFirst().dropLast().contains { $0.isEmpty }
  }

  /// Returns the arguments if the sentence has this form.
  func arguments(of sentence: [UInt8]) -> [Phrase.Argument]? {
    guard let first = pieces.first, let last = pieces.last, sentence.count >= weight,
      sentence.starts(with: first), sentence.suffix(last.count).elementsEqual(last)
    else { return nil }
    let end = sentence.count - last.count
    var start = first.count
    var found: [Phrase.Argument] = []
    for (index, piece) in pieces.dropFirst().enumerated() {
      let isLast = index == pieces.count - 2
      guard let place = isLast ? end : Self.place(of: piece, in: sentence[start..<end]) else {
        return nil
      }
      let text = String(decoding: sentence[start..<place], as: UTF8.self)
      switch kinds[index] {
      case .text: found.append(.text(text))
      case .sentence: found.append(.english(text))
      case .number:
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
          return nil
        }
        found.append(.text(text))
      }
      start = place + piece.count
    }
    return found
  }

  private static func place(of piece: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= piece.count else { return nil }
    return (bytes.startIndex...bytes.endIndex - piece.count).first {
      bytes[$0...].starts(with: piece)
    }
  }
}
