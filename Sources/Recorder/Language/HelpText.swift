// Help made from the command table: the overview, and what one command does. Pure.

import Catalogue

/// The answer to `help`: the overview, or what one command does.
public struct HelpReport: Equatable, Sendable {
  /// Nil for the overview.
  let verb: Verb?
  let wire: Wire
  /// Why the command would be refused now.
  let refusal: Refusal?

  /// Programs get it in English.
  public func text(in language: Language) -> String {
    guard let spec = verb.flatMap(CommandTable.spec) else {
      return HelpText.overview(on: wire, in: language)
    }
    let help = HelpText.help(for: spec, in: language)
    guard let refusal else { return help }
    return help + "\n\n" + language.say("Not now: \(.english(refusal.sentence))")
  }
}

/// The help of commands.
public enum HelpText {
  /// Returns all commands of a wire, one a line.
  public static func overview(on wire: Wire, in language: Language = .english) -> String {
    let sections = CommandTable.sections.map { section in
      let commands = section.commands.filter { $0.wires.contains(wire) && $0.verb != .complete }
      let rows = commands.map { row($0.name, language.translate($0.summary)) }
      return ([language.say("\(.english(section.title)):")] + rows).joined(separator: "\n")
    }
    return sections.joined(separator: "\n\n") + "\n\n"
      + wrapped(language.translate(naming), columns: 78)
  }

  /// Returns the usage, the description and the options of a command.
  public static func help(for spec: CommandSpec, in language: Language = .english) -> String {
    let summary = language.translate(spec.summary)
    var parts = [language.say("usage: \(spec.usage)"), sentence(summary, in: language)]
    if !spec.details.isEmpty {
      parts[1] += (language == .chinese ? "" : " ") + language.translate(spec.details)
    }
    parts[1] = wrapped(parts[1], columns: 78)
    let options = spec.options.map { option in
      row(
        option.name + (option.value.map { " \($0.name)" } ?? ""),
        language.translate(option.help))
    }
    return (parts + [options.joined(separator: "\n")]).joined(separator: "\n\n")
  }

  static let naming =
    "A folder or recording is named by its path (/Interviews/Kitchen, or from the folder one is in;"
    + " .. is the folder above, /.trash the trash), by its number (41), or by the first four or"
    + " more digits of its id. `help COMMAND` tells more of each."

  private static func row(_ name: String, _ help: String) -> String {
    let gap = String(repeating: " ", count: max(2, 18 - name.count))
    return "  \(name)\(gap)\(help)"
  }

  static func sentence(_ text: String, in language: Language = .english) -> String {
    let stop = language == .chinese ? "。" : "."
    return (text.first.map { $0.uppercased() } ?? "") + text.dropFirst() + stop
  }

  static func wrapped(_ text: String, columns: Int) -> String {
    Text.wrapped(text, columns: columns).joined(separator: "\n")
  }
}
