// Every configuration key that the documentation names exists, and every example in it is valid. A
// page once told users to set a key that did not exist. GeneratedTests proves that every key is
// documented.
import Glibc
import Testing

@testable import Host

private let pages = [
  "README.md", "docs/archives.md", "docs/bands.md", "docs/configuration.md", "docs/lights.md",
  "docs/offsite.md", "docs/safety.md", "man/reel.json.5", "man/reeld.8",
]

/// Words in mixed case that name something else.
private let others: Set<String> = [
  // Buttons and gestures.
  "delete", "volumeUp", "volumeDown", "press", "doublePress",
  // A unit.
  "dB",
  // A key of what `info` tells.
  "soundFrom",
  // Keys of Syncthing.
  "ignoreDelete", "markerName",
]

private func text(_ name: String) -> String {
  let project = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
  guard case .text(let text) = ConfigurationReader.contents(of: project + "/" + name) else {
    Issue.record("\(name) cannot be read")
    return ""
  }
  // The manual pages' markup, and its plain text.
  let plain = [
    ("\\(dq", "\""), ("\\(aq", "'"), ("\\-", "-"), ("\\fI", ""), ("\\fR", ""), (".EX\n", "```\n"),
    (".EE\n", "```\n"),
  ]
  return plain.reduce(String(decoding: text, as: UTF8.self)) { $0.replacing($1.0, with: $1.1) }
}

private struct Keys {
  let sections: Set<String>
  let paths: Set<String>
  let names: Set<String>

  init() {
    var paths: Set<String> = []
    func add(_ keys: [KeyDescription], below path: String) {
      for key in keys {
        let name = path.isEmpty ? key.path : path + "." + key.path
        paths.insert(name)
        add(key.inner, below: name + "[]")
      }
    }
    for chapter in ConfigurationText.chapters { add(chapter.keys, below: chapter.name) }
    self.paths = paths
    sections = Set(ConfigurationText.chapters.map(\.name)).subtracting([""])
    names = Set(paths.flatMap { $0.split(separator: ".").map(String.init) }).union(sections)
  }

  /// Returns the words in `code` that look like keys and are none.
  func unknown(in code: String) -> [String] {
    if let name = code.firstMatch(of: #/^([a-z][A-Za-z]*): /#)?.1, !names.contains(String(name)) {
      return [String(name)]
    }
    return code.matches(of: #/\b[a-z][A-Za-z]*(?:(?:\[\])?\.[a-z][A-Za-z]*)*/#).map { String($0.0) }
      .filter { word in
        let parts = word.split(separator: ".").map { String($0.replacing("[]", with: "")) }
        if parts.count > 1, let first = parts.first, sections.contains(first) {
          return !paths.contains(word)
        }
        let isMixed = word.contains(where: \.isUppercase) && !code.contains("/")
        return isMixed && !parts.allSatisfy { names.contains($0) || others.contains($0) }
      }
  }
}

@Suite struct DocumentedKeysTests {
  @Test("a key that documentation names exists", arguments: pages)
  func keys(page: String) {
    // Given the words that a page marks as code: in backticks, or in bold on a manual page.
    let code = text(page).matches(of: #/`([^`\n]+)`|\n\.(?:B|BR|I|IR) ([^\n]+)/#)
      .map { String($0.1 ?? $0.2 ?? "") }
    // Then each key among them is in the table.
    let keys = Keys()
    #expect(!code.isEmpty)
    #expect(code.flatMap(keys.unknown(in:)) == [])
  }

  @Test("an unknown key is found; other words are left alone")
  func planted() {
    let keys = Keys()
    #expect(keys.unknown(in: "stuckMilliseconds: 0") == ["stuckMilliseconds"])
    #expect(keys.unknown(in: "panel.stuckButtons") == ["panel.stuckButtons"])
    #expect(keys.unknown(in: "prerol: 2") == ["prerol"])
    for word in ["panel.stuck", "stuck: \"never\"", "panel.buttons[].line", "record.press", "jq"] {
      #expect(keys.unknown(in: word) == [], "\(word)")
    }
  }

  @Test("an example of a configuration is valid", arguments: pages)
  func examples(page: String) {
    let blocks = text(page).split(separator: "```").enumerated().filter { $0.offset % 2 == 1 }
    for block in blocks.map(\.element) where block.drop(while: \.isNewline).hasPrefix("{\n") {
      let result = ConfigurationReader.read(Array(block.utf8), file: page)
      if case .wrong(let mistakes) = result { Issue.record("\(mistakes) in\(block)") }
    }
  }

  @Test("every action of a button is documented")
  func actions() {
    let page = text("docs/configuration.md")
    for word in ActionWords.all { #expect(page.contains("`\(word)`"), "\(word)") }
  }
}
