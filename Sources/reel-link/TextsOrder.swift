// The commands that make the recorder's texts those of a merge, one for each text. Pure.

import Link
import Recorder

/// A change of a recording's texts.
enum TextsOrder: Hashable {
  case restore, delete
  case set(TextField, String)
  case hear(Bool)
  /// The number of a mark, from 1, and its frame.
  case removeMark(Int, frame: Int64)
  case renameMark(Int, frame: Int64, String)
  case addMark(frame: Int64, String)

  /// Marks are removed from the last one on, so that the numbers of the others stay.
  static func orders(from here: Texts, to there: Texts, marks: [MarkReport]) -> [TextsOrder] {
    var orders: [TextsOrder] = []
    if here.isDeleted, !there.isDeleted { orders.append(.restore) }
    for field in TextField.allCases where here[field] != there[field] {
      // What is in the trash is in no other folder.
      if field == .folder, there.isDeleted { continue }
      orders.append(.set(field, there[field]))
    }
    if here.isHeard != there.isHeard { orders.append(.hear(there.isHeard)) }
    for (index, mark) in marks.enumerated().reversed() {
      if let name = there.marks[mark.frame] {
        if name != here.marks[mark.frame] {
          orders.append(.renameMark(index + 1, frame: mark.frame, name))
        }
      } else {
        orders.append(.removeMark(index + 1, frame: mark.frame))
      }
    }
    for (frame, name) in there.marks.sorted(by: { $0.key < $1.key })
    where here.marks[frame] == nil {
      orders.append(.addMark(frame: frame, name))
    }
    if there.isDeleted, !here.isDeleted { orders.append(.delete) }
    return orders
  }

  /// Behind `--` nothing is an option, whatever a person typed.
  func words(for id: String) -> [String] {
    switch self {
    case .restore: ["restore", id]
    case .delete: ["rm", id, "--yes"]
    case .set(.title, let text): ["rename", id, "--", text]
    case .set(.folder, let text): ["mv", id, "--", text]
    case .set(.place, let text): ["place", id, "--", text]
    case .set(.speaker, let text): ["speaker", id, "--", text]
    case .set(.notes, let text): ["note", id, "--", text]
    case .hear(let isHeard): ["heard", id] + (isHeard ? [] : ["--not"])
    case .removeMark(let number, _): ["mark", "remove", id, "\(number)"]
    case .renameMark(let number, _, let name): ["mark", "rename", id, "\(number)", "--", name]
    case .addMark(let frame, let name): ["mark", "add", id, "0", "--frame", "\(frame)", "--", name]
    }
  }

  var field: TextField? {
    if case .set(let field, _) = self { field } else { nil }
  }

  var isAboutMarks: Bool {
    switch self {
    case .removeMark, .renameMark, .addMark: true
    default: false
    }
  }

  /// Takes the text it is about from one side to the other.
  func copy(from there: Texts, to texts: inout Texts) {
    switch self {
    case .restore, .delete: texts.isDeleted = there.isDeleted
    case .set(let field, _): texts[field] = there[field]
    case .hear: texts.isHeard = there.isHeard
    case .removeMark(_, let frame), .renameMark(_, let frame, _), .addMark(let frame, _):
      texts.marks[frame] = there.marks[frame]
    }
  }
}
