// The configuration's values for mixer controls of the sound card and for the tones. Pure.
import JSON
import Recorder

extension Kind where Value == ToneSettings.Choice {
  static var tone: Kind {
    Kind(
      "\"built-in\", \"off\", or the path of a sound file, which begins with \"/\"",
      write: { choice in
        switch choice {
        case .builtIn: "\"built-in\""
        case .off: "\"off\""
        case .file(let path): quoted(path)
        }
      },
      hint: { item in
        guard case .string(let word) = item.value else { return "" }
        return Reading.suggestion(for: word, among: ["built-in", "off"])
      },
      read: { item in
        switch item.value {
        case .string("built-in"): .builtIn
        case .string("off"): .off
        case .string(let text) where isPath(text): .file(text)
        default: nil
        }
      })
  }
}

extension ConfigurationTable {
  /// One of `levels`.
  static var level: Group<MixerLevel> {
    Group(keys: [
      Key(
        "control", \.control, .text("the name of a control, such as \"Mic\""), isRequired: true,
        "The control's name."),
      Key("index", \.index, .number(0...1000), "Which one, when several have the name."),
      Key(
        "direction", \.direction,
        .choice([("\"capture\"", .capture), ("\"playback\"", .playback)]),
        "The microphone's side of it or the speaker's."),
      Key("value", \.values, .levels, "How loud. A list of two is left and right."),
      Key("on", \.isOn, .switchPosition, "Switches it on or off."),
    ])
  }
}

extension Kind where Value == [MixerLevel.Value] {
  static var levels: Kind {
    Kind(
      "percents from 0 to 100, or decibels such as \"-6 dB\", one or a list of two",
      write: { values in
        let written = values.map { value in
          switch value {
          case .percent(let percent): quoted("\(plain(percent)) %")
          case .decibels(let decibels): quoted("\(plain(decibels)) dB")
          }
        }
        return written.count == 1 ? written[0] : "[\(written.joined(separator: ", "))]"
      },
      read: { item in
        guard case .list(let items) = item.value else { return value(item).map { [$0] } }
        let values = items.compactMap(value)
        return values.count == items.count && values.count <= 2 ? values : nil
      })
  }

  private static func value(_ item: JSONValue) -> MixerLevel.Value? {
    switch item.value {
    case .integer(let number): percent(Double(number))
    case .real(let number): percent(number)
    case .string(let text):
      if text.hasSuffix("%") {
        Double(trimmed(text.dropLast())).flatMap(percent)
      } else if text.hasSuffix("dB") {
        Double(trimmed(text.dropLast(2))).flatMap { -200...200 ~= $0 ? .decibels($0) : nil }
      } else {
        nil
      }
    case .null, .bool, .natural, .list, .table: nil
    }
  }

  private static func percent(_ number: Double) -> MixerLevel.Value? {
    0...100 ~= number ? .percent(number) : nil
  }
}

/// Without blanks at its end.
func trimmed(_ text: Substring) -> Substring {
  var text = text
  while text.last == " " { text.removeLast() }
  return text
}

/// As people write it, for a number that is not large.
func plain(_ number: Double) -> String {
  number == number.rounded() ? "\(Int64(number))" : "\(number)"
}

extension Kind where Value == Bool? {
  static var switchPosition: Kind {
    Kind(
      "true or false", write: { $0.map { "\($0)" } ?? "as it is" },
      read: { item in
        if case .bool(let value) = item.value { .some(value) } else { nil }
      })
  }
}
