// The words for the actions of gestures, the same as on a console; and the configuration's
// `bindings`, which assign an action to each gesture of each button. Pure.
import JSON
import Recorder

enum ActionWords {
  /// In the order of the documentation.
  static let words: [(word: String, request: Request)] = [
    ("toggle", .take(.toggle)), ("record", .take(.start(title: nil))), ("stop", .take(.stop)),
    ("mark", .take(.mark(name: ""))), ("split", .take(.split)),
    ("play", .deck(.play(nil))), ("play-pause", .deck(.toggle)), ("pause", .deck(.pause)),
    ("resume", .deck(.resume)), ("stop-playing", .deck(.stop)), ("next", .deck(.next)),
    ("previous", .deck(.previous)), ("volume-up", .deck(.volumeBy(steps: 1))),
    ("volume-down", .deck(.volumeBy(steps: -1))), ("folder", .browse(.nextFolder)),
    ("open", .browse(.open)), ("up", .browse(.up)),
    ("select-next", .browse(.selectBy(1))), ("select-previous", .browse(.selectBy(-1))),
    ("next-mark", .deck(.nextMark)), ("previous-mark", .deck(.previousMark)),
    ("delete", .item(.delete(nil))), ("restore", .item(.restore(nil))), ("undo", .item(.undo)),
    ("trash", .browse(.enter(.trash))), ("acknowledge", .system(.acknowledge)),
    ("pair", .system(.askForCode)),
    ("lock", .system(.lock(true))), ("unlock", .system(.lock(false))),
    ("reload", .system(.reload)), ("shut-down", .system(.shutDown)),
  ]

  static let nothing = "nothing"

  static let seeks = ["forward", "back"]

  static var all: [String] { words.map(\.word) + seeks + [nothing] }

  /// "forward" and "back" seek as far as a console's keys do.
  static func request(_ word: String, seekMilliseconds: Int64) -> Request? {
    switch word {
    case "forward": .deck(.seek(.by(milliseconds: seekMilliseconds)))
    case "back": .deck(.seek(.by(milliseconds: -seekMilliseconds)))
    default: words.first { $0.word == word }?.request
    }
  }
}

/// One line of `bindings`: a word for the gesture's action.
struct BindingLine: Equatable {
  let control: Control
  let gesture: Gesture
  let word: String

  var key: String { "\(control.name).\(gesture.rawValue)" }

  /// The bindings of every panel without configuration, in these words.
  static var defaults: [BindingLine] {
    Binding.defaults.compactMap { binding in
      let word = ActionWords.words.first { $0.request == binding.request }?.word
      return word.map { BindingLine(control: binding.control, gesture: binding.gesture, word: $0) }
    }
  }

  /// Returns the defaults with the file's lines, which replace defaults or follow them.
  static func bindings(_ lines: [BindingLine], seekMilliseconds: Int64) -> [Binding] {
    var all = defaults
    for line in lines {
      if let index = all.firstIndex(where: { $0.key == line.key }) {
        all[index] = line
      } else {
        all.append(line)
      }
    }
    return all.compactMap { line in
      ActionWords.request(line.word, seekMilliseconds: seekMilliseconds)
        .map { Binding(line.control, line.gesture, $0) }
    }
  }
}

extension Kind where Value == [BindingLine] {
  static var bindings: Kind {
    let expected = "gestures with an action each: { \"mark.hold\": \"delete\", … }"
    return Kind(
      expected: expected,
      read: { item, reading in
        guard case .table(let members) = item.value else {
          reading.wrong(item, expected: expected)
          return nil
        }
        return members.compactMap { member in
          reading.below(member.key) { line(member, &$0) }
        }
      },
      write: { lines in
        let written = lines.map { "\(quoted($0.key)): \(quoted($0.word))" }
        return written.isEmpty ? "{}" : "{ \(written.joined(separator: ", ")) }"
      })
  }

  private static func line(_ member: JSONValue.Member, _ reading: inout Reading) -> BindingLine? {
    let parts = member.key.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let control = parts.first, !control.isEmpty else {
      reading.wrong(
        at: member.keyOffset,
        "expected a button and a gesture with a dot between them, such as \"record.hold\"")
      return nil
    }
    let gestures = Gesture.allCases.map(\.rawValue)
    guard let gesture = Gesture(rawValue: camelCase(String(parts[1]))) else {
      let hint = Reading.suggestion(for: String(parts[1]), among: gestures)
      let sentence = "'\(parts[1])' is no gesture; there are \(gestures.joined(separator: ", "))"
      reading.wrong(at: member.keyOffset, hint.isEmpty ? sentence : "\(sentence); \(hint)")
      return nil
    }
    guard case .string(let word) = member.item.value else {
      reading.wrong(member.item, expected: "an action, such as \"mark\"")
      return nil
    }
    guard ActionWords.all.contains(word) else {
      let hint = Reading.suggestion(for: word, among: ActionWords.all)
      let all = ActionWords.all.joined(separator: ", ")
      reading.wrong(
        at: member.item.offset,
        hint.isEmpty
          ? "'\(word)' is no action; there are \(all)" : "'\(word)' is no action; \(hint)")
      return nil
    }
    let name = Control(named: camelCase(String(control)))
    return BindingLine(control: name, gesture: gesture, word: word)
  }
}

/// Turns "volume-up" into volumeUp, the spelling of the other keys; "hold-switch" stays.
func camelCase(_ text: String) -> String {
  let parts = text.split(separator: "-")
  guard parts.count > 1, text != "hold-switch" else { return text }
  return parts[0] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}
