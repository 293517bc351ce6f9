// Reads a configuration file: text in, a checked configuration out, or every mistake in the order
// of the file. Reading the file itself waits for the disk; it is done at the start and on a
// reload.
import Glibc
import Realtime
import Recorder

public enum ConfigurationReader {
  /// More than any configuration; less than what a wrong path could make us read.
  private static let bytesMaximum = 1 << 20

  public enum Result: Equatable, Sendable {
    case good(Configuration)
    case wrong([ConfigurationMistake])
  }

  /// Without a file everything has its default.
  public static func read(file: String) -> Result {
    switch contents(of: file) {
    case .text(let text): return read(text, file: file)
    case .missing: return .good(Configuration())
    case .unreadable(let why):
      return .wrong([ConfigurationMistake(file: file, place: nil, path: "", sentence: why)])
    }
  }

  public static func read(_ text: [UInt8], file: String) -> Result {
    let root: JSON5
    do throws(JSON5Error) { root = try JSON5Parser.parse(text) } catch {
      let place = TextPlace(of: error.offset, in: text)
      return .wrong([
        ConfigurationMistake(file: file, place: place, path: "", sentence: error.sentence)
      ])
    }
    var configuration = Configuration()
    var reading = Reading()
    read(root, into: &configuration, &reading)
    configuration.settle()
    if reading.isClean { return .good(configuration) }
    return .wrong(
      reading.mistakes.sorted { $0.offset < $1.offset }.map { mistake in
        ConfigurationMistake(
          file: file, place: TextPlace(of: mistake.offset, in: text), path: mistake.path,
          sentence: mistake.sentence)
      })
  }

  /// Where a key stands in a text that can be read; for mistakes that are found out later.
  public static func place(of key: String, in text: [UInt8]) -> TextPlace? {
    // A text with mistakes has none to be found out later.
    guard let root = try? JSON5Parser.parse(text), case .table(let members) = root.value else {
      return nil
    }
    return members.first { $0.key == key }.map { TextPlace(of: $0.keyOffset, in: text) }
  }

  private static func read(
    _ root: JSON5, into configuration: inout Configuration, _ reading: inout Reading
  ) {
    guard case .table(let members) = root.value else {
      return reading.wrong(root, expected: "keys between braces: { … }")
    }
    let sections = ConfigurationTable.sections
    // Those below a key of their own first; what is left is the file's own.
    var own: [JSON5.Member] = []
    for member in members {
      guard let section = sections.first(where: { $0.name == member.key }) else {
        own.append(member)
        continue
      }
      var group = section.group
      group.elsewhere = elsewhere(outside: section.name, sections)
      reading.below(member.key) { group.read(member.item, into: &configuration, &$0) }
    }
    guard var group = sections.first(where: { $0.name.isEmpty })?.group else { return }
    group.elsewhere = elsewhere(outside: "", sections)
    group.others = sections.map(\.name).filter { !$0.isEmpty }
    let rest = JSON5(value: .table(own), offset: root.offset)
    group.read(rest, into: &configuration, &reading)
  }

  private static func elsewhere(
    outside name: String, _ sections: [Section]
  ) -> (String) -> String? {
    { key in
      let home = sections.first { section in
        section.name != name && section.group.keys.contains { $0.name == key }
      }
      return home.map { $0.name.isEmpty ? "the outermost braces" : "'\($0.name)'" }
    }
  }

  // MARK: The file

  public enum Contents {
    case text([UInt8])
    case missing
    case unreadable(String)
  }

  public static func contents(of file: String) -> Contents {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT || errno == ENOTDIR { return .missing }
      return .unreadable("it cannot be read: \(systemWords(for: errno))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .unreadable("it is not a file")
    }
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while text.count <= bytesMaximum {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return .unreadable("it cannot be read: \(systemWords(for: errno))") }
      if count == 0 { return .text(text) }
      text += block[..<count]
    }
    return .unreadable("it is over a megabyte, and cannot be a configuration")
  }
}
