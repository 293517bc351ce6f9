// What the heart says to people in the language of its settings. Pure. Programs and logs get the
// English text, which does not pass through here.

import Catalogue

extension State {
  /// Returns a phrase in the language of the settings.
  func say(_ phrase: Phrase) -> String { settings.language.say(phrase) }

  /// Returns an English sentence that was made elsewhere in the language of the settings.
  func translated(_ sentence: String) -> String { settings.language.translate(sentence) }
}

extension Notice {
  /// The sentence for people; `sentence` is the same in English.
  public var phrase: Phrase { Self.phrase(kind, sentence: sentence) }

  /// - Parameter sentence: the heading and its detail, in English.
  static func phrase(_ kind: Kind, sentence: String) -> Phrase {
    let heading = kind.heading
    guard sentence.hasPrefix(heading + ": ") else { return .english(sentence) }
    let detail = sentence.dropFirst(heading.count + 2)
    return "\(.english(heading)): \(.english(String(detail)))"
  }
}

extension Duration {
  /// The words for people; `words(seconds:)` are the same in English.
  static func phrase(seconds: Int64) -> Phrase {
    switch max(0, seconds) {
    case let few where few < 90: "\(few) s"
    case let some where some < 5400: "\(some / 60) min"
    case let many where many < 172_800: "\(many / 3600) h \(many / 60 % 60) min"
    case let more: "\(more / 86_400) days"
    }
  }

  /// The words for people; `words(milliseconds:)` are the same in English.
  static func phrase(milliseconds: Int64) -> Phrase {
    milliseconds < 2000 ? "\(milliseconds) ms" : phrase(seconds: milliseconds / 1000)
  }
}

extension UndoStep.Kind {
  /// What would be undone, as in "undo move".
  var word: Phrase {
    switch self {
    case .move: "move"
    case .rename: "rename"
    case .describe: "describe"
    case .delete: "delete"
    case .restore: "restore"
    case .mark: "mark"
    case .sort: "sort"
    }
  }
}
