// The configuration file: any bytes are either parsed, and mean the same after being written and
// read again; or refused with sentences that point into the file.

import JSON

@testable import Host

extension FuzzTarget {
  static let configuration = FuzzTarget(
    name: "configuration", limitBytes: 8192,
    seeds: {
      let standard = ConfigurationText.example.split(separator: "\n")
      let open = standard.map { line in
        line.contains("//") && !line.contains("// ") ? line.replacing("//", with: "  ") : line[...]
      }
      // Single keys are better seeds than the whole file.
      let keys = open.filter { $0.contains(": ") && !$0.contains("//") && !$0.hasSuffix("{") }
      return keys.map { Array("{\($0)}".utf8) } + [
        Array("// nothing\n{}".utf8),
        Array(#"{panel: {buttons: [{name: "record", line: "GPIO17", bias: "up"}]}}"#.utf8),
        Array(#"{levels: [{control: "Mic", value: ["80 %", "-6 dB"], on: true}]}"#.utf8),
        Array(ConfigurationText.file(Configuration()).utf8),
      ]
    }, run: check)

  private static func check(_ text: [UInt8]) throws {
    switch ConfigurationReader.read(text, file: "reel.json") {
    case .good(let configuration):
      let written = Array(ConfigurationText.file(configuration).utf8)
      guard case .good(let again) = ConfigurationReader.read(written, file: "reel.json") else {
        throw Broken("what holds cannot be read: \(String(decoding: written, as: UTF8.self))")
      }
      try prove(again == configuration, "what holds reads as something else")
    case .wrong(let mistakes):
      try prove(!mistakes.isEmpty, "refused without a word")
      let lines = 1 + text.count { $0 == 10 }
      for mistake in mistakes {
        try proveReadable(mistake.description)
        let place = mistake.place ?? TextPlace(of: 0, in: text)
        try prove(
          (1...lines).contains(place.line) && (1...text.count + 1).contains(place.column),
          "\(mistake) is not in the file")
      }
    }
  }
}
