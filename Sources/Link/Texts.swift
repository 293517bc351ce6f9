// What people type about a recording, as both sides have it: the recorder, and the file beside a
// copy. Plain values, for any thread.
import Digest

/// The texts of a recording.
public struct Texts: Equatable, Sendable {
  public var title = ""
  /// The path of its folder, such as `/Interviews/May`.
  public var folder = "/"
  public var notes = ""
  public var place = ""
  public var speaker = ""
  public var isHeard = false
  /// Whether it is in the trash.
  public var isDeleted = false
  /// Names of marks by their frames.
  public var marks: [Int64: String] = [:]

  public init() {}
}

/// A text that is one value. Marks are many.
public enum TextField: String, CaseIterable, Sendable {
  case title, folder, place, speaker, notes

  var path: WritableKeyPath<Texts, String> & Sendable {
    switch self {
    case .title: \.title
    case .folder: \.folder
    case .place: \.place
    case .speaker: \.speaker
    case .notes: \.notes
    }
  }
}

extension Texts {
  public subscript(field: TextField) -> String {
    get { self[keyPath: field.path] }
    set { self[keyPath: field.path] = newValue }
  }
}

/// What both sides had last, as checksums: enough to tell which side has changed a text since.
public struct TextsBase: Equatable, Sendable {
  /// Of the texts, in the order of `TextField`; no list, since there is one for each recording.
  private var sums: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
  public internal(set) var isHeard = false
  public internal(set) var isDeleted = false
  public internal(set) var marks: [Int64: UInt64] = [:]

  init() {}

  public init(_ texts: Texts) {
    for field in TextField.allCases { self[field] = Self.sum(texts[field]) }
    isHeard = texts.isHeard
    isDeleted = texts.isDeleted
    marks = texts.marks.mapValues(Self.sum)
  }

  subscript(field: TextField) -> UInt64 {
    get {
      switch field {
      case .title: sums.0
      case .folder: sums.1
      case .place: sums.2
      case .speaker: sums.3
      case .notes: sums.4
      }
    }
    set {
      switch field {
      case .title: sums.0 = newValue
      case .folder: sums.1 = newValue
      case .place: sums.2 = newValue
      case .speaker: sums.3 = newValue
      case .notes: sums.4 = newValue
      }
    }
  }

  public static func == (left: TextsBase, right: TextsBase) -> Bool {
    left.sums == right.sums && left.isHeard == right.isHeard && left.isDeleted == right.isDeleted
      && left.marks == right.marks
  }

  static func sum(_ text: String) -> UInt64 {
    var hash = SHA256()
    Array(text.utf8).withUnsafeBytes { hash.update($0) }
    return hash.sum.first
  }
}
