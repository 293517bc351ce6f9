// Compares the files that are generated from the table of keys with the table. With REEL_GENERATE=1
// in the environment they are written first.
import Glibc
import Testing

@testable import Host

private let project = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

private func contents(_ name: String) -> String {
  guard case .text(let text) = ConfigurationReader.contents(of: project + "/" + name) else {
    return ""
  }
  return String(decoding: text, as: UTF8.self)
}

private func write(_ text: String, to name: String) {
  guard let file = fopen(project + "/" + name, "w") else { return }
  fputs(text, file)
  fclose(file)
}

/// Replaces the text between two marker lines.
private func filled(_ text: String, from start: String, to end: String, _ part: String) -> String {
  guard let head = text.ranges(of: start).first?.upperBound,
    let tail = text.ranges(of: end).first?.lowerBound
  else { return "" }
  return text[..<head] + "\n" + part + text[tail...]
}

@Suite struct GeneratedTests {
  private func check(_ name: String, _ text: String) {
    if getenv("REEL_GENERATE") != nil { write(text, to: name) }
    #expect(!text.isEmpty)
    #expect(contents(name) == text, "run REEL_GENERATE=1 swift test --filter GeneratedTests")
  }

  @Test("the journal's catalog is that of its table")
  func catalog() { check("systemd/reel.catalog", JournalEntry.catalog) }

  @Test("the example of every key is that of the table")
  func example() { check("docs/examples/reel.json", ConfigurationText.example) }

  @Test("the file that the package installs is short, and changes nothing")
  func installed() {
    let text = contents("debian/reel.json")
    #expect(
      ConfigurationReader.read(Array(text.utf8), file: "f") == .good(Configuration()))
    #expect((5...30).contains(text.split(separator: "\n").count))
  }

  @Test("the manual page has every key of the table")
  func manual() {
    let name = "man/reel.json.5"
    check(
      name,
      filled(
        contents(name), from: ".\\\" KEYS BEGIN", to: ".\\\" KEYS END", ConfigurationText.manual))
  }

  @Test("the documentation has every key of the table")
  func documentation() {
    let name = "docs/configuration.md"
    check(
      name,
      filled(
        contents(name), from: "<!-- keys begin -->", to: "<!-- keys end -->",
        ConfigurationText.markdown))
  }

  @Test("the example changes nothing, and with every key uncommented it is valid")
  func readable() {
    let text = ConfigurationText.example
    #expect(
      ConfigurationReader.read(Array(text.utf8), file: "f") == .good(Configuration()))
    // A commented-out setting follows its slashes directly, the words of a comment do not; further
    // lines of an example are indented more.
    let open = text.split(separator: "\n").map { line in
      let isKey = line.contains("//") && !line.contains("// ")
      return isKey || line.contains("//  {") ? line.replacing("//", with: "  ") : line[...]
    }
    let result = ConfigurationReader.read(Array(open.joined(separator: "\n").utf8), file: "f")
    guard case .good(let configuration) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(configuration.panel.buttons.count == 2 && configuration.panel.lights.count == 2)
    #expect(configuration.settings.sound.levels.count == 1)
    #expect(configuration.opus == Configuration().opus)
  }
}
