// What people type about a recording besides its title: notes, the place and the speaker. Each text
// is cleaned and bounded before it is kept. Plain values; any thread.

/// A text about a recording that a person types.
public enum RecordingField: String, CaseIterable, Codable, Sendable {
  /// May have several lines.
  case notes
  case place, speaker

  /// A longer text is refused.
  public var limitBytes: Int { self == .notes ? 4000 : 200 }

  /// Returns the text as it is kept: without control characters, and without blanks at either end.
  /// An empty text removes what was there. Nil if the text is longer than `limitBytes`.
  public func cleaned(_ typed: String) -> String? {
    let text = Text.cleaned(typed, keepingLines: self == .notes)
    return text.utf8.count > limitBytes ? nil : text
  }
}

extension Recording {
  /// The texts about a recording; an empty one was not typed.
  public struct Details: Equatable, Codable, Sendable {
    public var notes: String
    public var place: String
    public var speaker: String

    public init(notes: String = "", place: String = "", speaker: String = "") {
      self.notes = notes
      self.place = place
      self.speaker = speaker
    }

    public subscript(field: RecordingField) -> String {
      get {
        switch field {
        case .notes: notes
        case .place: place
        case .speaker: speaker
        }
      }
      set {
        switch field {
        case .notes: notes = newValue
        case .place: place = newValue
        case .speaker: speaker = newValue
        }
      }
    }
  }
}
