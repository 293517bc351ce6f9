// The table of keys as text: the example with every key commented out, the configuration in force,
// and the reference for the manual page and the documentation. Pure.

import Recorder

/// The configuration's keys with their texts.
public enum ConfigurationText {
  public struct Chapter: Equatable, Sendable {
    /// Empty for the file's own keys.
    public let name: String
    public let help: String
    public let keys: [KeyDescription]
  }

  public static var chapters: [Chapter] {
    let standard = Configuration()
    return ConfigurationTable.sections.map {
      Chapter(name: $0.name, help: $0.help, keys: $0.group.descriptions(of: standard))
    }
  }

  /// Returns the configuration in force as a file; values that differ from the default are marked.
  public static func file(_ configuration: Configuration) -> String {
    let standard = Configuration()
    let parts = ConfigurationTable.sections.map { section in
      let margin = section.name.isEmpty ? "  " : "    "
      let lines = section.group.keys.map { key in
        let mark = key.isSame(configuration, standard) ? "" : "  // set"
        return "\(margin)\(key.name): \(key.write(configuration)),\(mark)\n"
      }
      let text = lines.joined()
      return section.name.isEmpty ? text : "  \(section.name): {\n\(text)  },\n"
    }
    return "{\n\(parts.joined())}\n"
  }

  // MARK: The example of every key

  /// The default file, with every key commented out.
  public static var example: String {
    var text = """
      // Every key of Reel's configuration with its default. Nothing reads this file: copy what is
      // to be otherwise into /etc/reel/reel.json, without the slashes in front of the key. Every
      // key is explained in reel.json(5).
      {

      """
    for chapter in chapters {
      let margin = chapter.name.isEmpty ? "  " : "    "
      if !chapter.name.isEmpty { text += "  // \(chapter.help)\n  \(chapter.name): {\n" }
      text += chapter.keys.map { entry($0, margin) }.joined(separator: "\n")
      text += chapter.name.isEmpty ? "\n" : "  },\n\n"
    }
    return text.dropLast() + "}\n"
  }

  private static func entry(_ key: KeyDescription, _ margin: String) -> String {
    var text = Text.wrapped(key.help, columns: 90 - margin.count)
      .map { "\(margin)// \($0)\n" }.joined()
    let lines = (key.example ?? key.standard ?? "").split(separator: "\n")
    for (index, line) in lines.enumerated() {
      let start = index == 0 ? "\(key.path): " : ""
      text += "\(margin)//\(start)\(line)\(index == lines.count - 1 ? "," : "")\n"
    }
    return text
  }

  // MARK: The reference

  /// The reference for the documentation.
  public static var markdown: String {
    chapters.map { chapter in
      let title = chapter.name.isEmpty ? "### The file's own keys" : "### `\(chapter.name)`"
      let help = chapter.help.isEmpty ? "" : "\n\(chapter.help)\n"
      return "\(title)\n\(help)\n" + table(chapter.keys, path: chapter.name)
    }.joined(separator: "\n")
  }

  private static func table(_ keys: [KeyDescription], path: String) -> String {
    var text = "| key | expects | default | |\n| --- | --- | --- | --- |\n"
    for key in keys {
      let restart = key.change == .restart ? " *" : ""
      let standard = key.standard.map { "`\($0)`" } ?? "must be given"
      text += "| `\(key.path)`\(restart) | \(cell(key.expected)) | \(standard) | \(key.help) |\n"
    }
    for key in keys where !key.inner.isEmpty {
      let name = path.isEmpty ? key.path : path + "." + key.path
      text += "\nEach of `\(name)`:\n\n" + table(key.inner, path: name)
    }
    return text
  }

  private static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  /// The reference for the manual page, in the markup of man(7).
  public static var manual: String {
    chapters.map { chapter in
      let title = chapter.name.isEmpty ? "" : ".SS \(chapter.name)\n\(Text.roff(chapter.help))\n"
      return title + chapter.keys.map { manual($0, path: chapter.name) }.joined()
    }.joined()
  }

  private static func manual(_ key: KeyDescription, path: String) -> String {
    let name = path.isEmpty ? key.path : path + "." + key.path
    var text = ".TP\n.B \(Text.roff(name))\n\(Text.roff(key.help))\n"
    text += "Expected is \(Text.roff(key.expected)).\n"
    text += key.standard.map { "The default is \(Text.roff($0)).\n" } ?? "It must be given.\n"
    if key.change == .restart { text += "A change needs a restart.\n" }
    if let example = key.example {
      text += ".IP\n.EX\n" + example.split(separator: "\n").map { Text.roff($0) + "\n" }.joined()
      text += ".EE\n"
    }
    return text + key.inner.map { manual($0, path: name + "[]") }.joined()
  }
}
