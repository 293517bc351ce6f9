// One recording on a whole screen: the selected line, the text being typed, the position from which
// it plays, and its waveform. Plain values.

/// What a console shows of one recording.
public struct Detail: Equatable, Codable, Sendable {
  public let item: ItemID
  private(set) var line = Line.title
  /// The text of the line while it is being typed.
  var input: LineInput?
  /// Where playing begins. While the recording is loaded, the player's position counts instead.
  var positionMilliseconds: Int64
  var drawing = Drawing.none

  /// A line that can be selected.
  enum Line: Equatable, Codable, Sendable {
    case title
    case text(RecordingField)
    case position
    /// Counted from 0.
    case mark(Int)
  }

  enum Drawing: Equatable, Codable, Sendable {
    case none
    /// The card's work on it.
    case waiting(ticket: Int)
    case drawn(Waveform)
  }

  init(_ item: ItemID, positionMilliseconds: Int64) {
    self.item = item
    self.positionMilliseconds = positionMilliseconds
  }

  /// Selects the line at a distance, and stops at the first and the last.
  mutating func move(_ distance: Int, in recording: Recording) {
    let lines = Self.lines(of: recording)
    let here = lines.firstIndex(of: line) ?? lines.count - 1
    line = lines[min(max(here + distance, 0), lines.count - 1)]
  }

  /// The lines of a recording, from the top down.
  static func lines(of recording: Recording) -> [Line] {
    [.title, .text(.place), .text(.speaker), .text(.notes), .position]
      + recording.marks.indices.map(Line.mark)
  }
}
