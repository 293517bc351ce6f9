// Help made from the command table: the overview, and what one command does. Pure.

/// The help of commands.
public enum HelpText {
  /// Returns all commands of a wire, one a line.
  public static func overview(on wire: Wire) -> String {
    let sections = CommandTable.sections.map { section in
      let commands = section.commands.filter { $0.wires.contains(wire) && $0.verb != .complete }
      return ([section.title + ":"] + commands.map { row($0.name, $0.summary) })
        .joined(separator: "\n")
    }
    return sections.joined(separator: "\n\n") + "\n\n" + naming
  }

  /// Returns the usage, the description and the options of a command.
  public static func help(for spec: CommandSpec) -> String {
    var parts = ["usage: \(spec.usage)", sentence(spec.summary)]
    if !spec.details.isEmpty { parts[1] += " " + spec.details }
    parts[1] = wrapped(parts[1], columns: 78)
    let options = spec.options.map { option in
      row(option.name + (option.value.map { " \($0.name)" } ?? ""), option.help)
    }
    return (parts + [options.joined(separator: "\n")]).joined(separator: "\n\n")
  }

  static let naming = wrapped(
    "A folder or recording is named by its path (/Interviews/Kitchen, or from the folder one is in;"
      + " .. is the folder above, /.trash the trash), by its number (41), or by the first four or"
      + " more digits of its id. `help COMMAND` tells more of each.", columns: 78)

  private static func row(_ name: String, _ help: String) -> String {
    let gap = String(repeating: " ", count: max(2, 18 - name.count))
    return "  \(name)\(gap)\(help)"
  }

  static func sentence(_ text: String) -> String {
    (text.first.map { $0.uppercased() } ?? "") + text.dropFirst() + "."
  }

  static func wrapped(_ text: String, columns: Int) -> String {
    Text.wrapped(text, columns: columns).joined(separator: "\n")
  }
}
