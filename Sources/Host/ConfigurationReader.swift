// Reads a configuration: the texts of its files in, a checked configuration out, or every mistake
// in the order of the files. Reading the files themselves waits for the disk; it is done at the
// start and on a reload.
import Glibc
import JSON
import Realtime
import Recorder

/// Reads configuration files.
public enum ConfigurationReader {
  /// More than any configuration has; bounds what is read if the path is wrong.
  private static let bytesMaximum = 1 << 20
  private static let limits = JSON.Limits(depth: 64)

  public enum Result: Equatable, Sendable {
    case good(Configuration)
    case wrong([ConfigurationError])
  }

  /// Reads the main file and the files of its directory. Without any, everything has its default.
  public static func read(file: String) -> Result {
    switch files(of: file) {
    case .found(let files): return read(files)
    case .wrong(let mistakes): return .wrong(mistakes)
    }
  }

  /// Reads a configuration that is one file.
  public static func read(_ text: [UInt8], file: String) -> Result {
    read([ConfigurationFile(path: file, text: text)])
  }

  /// Reads one file after the other: a key in a later one replaces its value. If any of them has an
  /// error, none takes effect.
  public static func read(_ files: [ConfigurationFile]) -> Result {
    var configuration = Configuration()
    let mistakes = files.flatMap { add($0, to: &configuration) }
    configuration.settle()
    return mistakes.isEmpty ? .good(configuration) : .wrong(mistakes)
  }

  /// Adds the values of the file, and returns its errors in their order.
  private static func add(
    _ file: ConfigurationFile, to configuration: inout Configuration
  ) -> [ConfigurationError] {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSON.parse(file.text, dialect: .json5, limits: limits)
    } catch {
      let place = TextPlace(of: error.offset, in: file.text)
      return [
        ConfigurationError(file: file.path, place: place, path: "", sentence: error.sentence)
      ]
    }
    var reading = Reading()
    read(root, into: &configuration, &reading)
    return reading.mistakes.sorted { $0.offset < $1.offset }.map { mistake in
      ConfigurationError(
        file: file.path, place: TextPlace(of: mistake.offset, in: file.text), path: mistake.path,
        sentence: mistake.sentence)
    }
  }

  /// Returns the place of a top-level key in a valid text, for errors that are found later.
  public static func place(of key: String, in text: [UInt8]) -> TextPlace? {
    // A text with errors was rejected before: nothing is looked for in it later.
    guard let root = try? JSON.parse(text, dialect: .json5, limits: limits),
      case .table(let members) = root.value
    else {
      return nil
    }
    return members.first { $0.key == key }.map { TextPlace(of: $0.keyOffset, in: text) }
  }

  private static func read(
    _ root: JSONValue, into configuration: inout Configuration, _ reading: inout Reading
  ) {
    guard case .table(let members) = root.value else {
      return reading.wrong(root, expected: "keys between braces: { … }")
    }
    let sections = ConfigurationTable.sections
    // Sections with a name first; the remaining keys are the file's own.
    var own: [JSONValue.Member] = []
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
    let rest = JSONValue(value: .table(own), offset: root.offset)
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

  /// Reads a whole file. One that is too large, or no regular file, is unreadable.
  public static func contents(of file: String) -> Contents {
    do throws(SmallFile.ReadError) {
      let text = try SmallFile.bytes(of: file, atMost: bytesMaximum + 1)
      if text.count <= bytesMaximum { return .text(text) }
    } catch {
      switch error {
      case .missing: return .missing
      case .notAFile: return .unreadable(error.words)
      case .failed: return .unreadable("it cannot be read: \(error.words)")
      }
    }
    return .unreadable("it is over a megabyte, and cannot be a configuration")
  }
}
