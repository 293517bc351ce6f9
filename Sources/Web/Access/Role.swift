// What a session may do: the roles, and which command needs which. Commands that are not in the
// table are refused to all, such as those that end, configure or read files of the recorder. Pure.

/// What a session may do; each role includes those before it.
public enum Role: String, CaseIterable, Comparable, Sendable {
  case look, listen, control

  public static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .look: 0
    case .listen: 1
    case .control: 2
    }
  }
}

/// The commands that a browser may send.
enum AllowedCommands {
  private static let looking: Set<String> = [
    "status", "ls", "info", "search", "notices", "trash list", "trash", "copies", "waveform",
  ]
  private static let controlling: Set<String> = [
    "record", "stop", "mark", "mark next", "mark previous", "mark add", "mark rename", "mark move",
    "mark remove", "split", "play", "pause", "resume", "seek", "next", "previous", "volume",
    "mkdir", "mv", "rename", "note", "place", "speaker", "rm", "restore", "trash empty", "sort",
    "heard", "undo", "acknowledge", "lock", "unlock", "verify", "cancel", "config",
  ]
  private static let options: Set<String> = [
    "--in", "--from", "--count", "--at", "--by-name", "--by-date", "--by-length", "--unheard",
    "--points", "--all", "--list", "--ask-name", "--target", "--after", "--older-than", "--not",
  ]

  static let wordsMaximum = 600

  /// Returns the role that a command needs; nil if no browser may send it.
  static func role(for words: [String]) -> Role? {
    guard let first = words.first, words.count <= wordsMaximum else { return nil }
    let given = words.dropFirst().prefix { $0 != "--" }
    for word in given where isOption(word) {
      let name = word.split(separator: "=", maxSplits: 1)[0]
      if !options.contains(String(name)) { return nil }
    }
    let two = words.count > 1 ? "\(first) \(words[1])" : first
    for name in [two, first] {
      if looking.contains(name) { return .look }
      if controlling.contains(name) { return .control }
    }
    return nil
  }

  /// As the recorder sees it: "-10" is a number and "-" a name.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !second.isNumber
  }
}
