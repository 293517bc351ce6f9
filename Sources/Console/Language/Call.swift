// The words of one command, sorted by the table into values and options and checked one by one.
// What is wrong is said in one sentence with what to do about it. Pure.

import Recorder

struct Call {
  let spec: CommandSpec
  private var values: [[String]] = []
  private var options: [String: String] = [:]

  init(_ words: [String]) throws(Mistake) {
    let (spec, rest) = try CommandTable.spec(for: words)
    self.spec = spec
    var plain: [String] = []
    var left = rest[...]
    var takesOptions = true
    while let word = left.popFirst() {
      if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, Self.isOption(word) {
        try takeOption(word, &left)
      } else {
        plain.append(word)
      }
    }
    try share(out: plain)
  }

  // MARK: What it was given

  func words(_ index: Int) -> [String] { values[index] }

  func word(_ index: Int) -> String? { values[index].first }

  func has(_ option: String) -> Bool { options[option] != nil }

  func option(_ name: String) -> String? { options[name] }

  /// What cannot be missing, since that was looked at.
  func need(_ index: Int) throws(Mistake) -> String {
    if let word = word(index) { return word }
    throw missing(spec.parameters[index])
  }

  func number(_ index: Int) throws(Mistake) -> Int {
    Int(try need(index)) ?? 0  // it was checked to be one
  }

  func number(_ option: String) throws(Mistake) -> Int? { options[option].flatMap { Int($0) } }

  // MARK: Sorting

  /// -10 is a number, and - a name.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !second.isNumber
  }

  private mutating func takeOption(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(Mistake) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let short = ["-y": "--yes", "-h": "--help"]
    let name = short[word] ?? String(parts[0])
    guard let option = spec.options.first(where: { $0.name == name }) else {
      let hint = suggestion(for: name, among: spec.options.map(\.name))
      throw Mistake("“\(name)” is not an option of `\(spec.name)`\(hint)")
    }
    guard let parameter = option.value else {
      if parts.count > 1 { throw Mistake("\(name) stands for itself, without a value.") }
      options[name] = ""
      return
    }
    guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
      throw Mistake("\(name) needs \(parameter.name); see `help \(spec.name)`.")
    }
    try check(value, parameter)
    options[name] = value
  }

  /// To each parameter its words; one that takes several leaves what the others need.
  private mutating func share(out plain: [String]) throws(Mistake) {
    var rest = plain[...]
    for (index, parameter) in spec.parameters.enumerated() {
      let needed = spec.parameters[(index + 1)...].count { $0.count != .optional }
      var taken: [String]
      switch (parameter.kind, parameter.count) {
      case (.text, _):
        // For completion the words stay as they are; a title or a name is one.
        taken = spec.verb == .complete ? Array(rest) : [rest.joined(separator: " ")]
        if rest.isEmpty { taken = [] }
        rest = []
      case (_, .several):
        taken = Array(rest.prefix(max(0, rest.count - needed)))
        rest = rest.dropFirst(taken.count)
      case (_, .one), (_, .optional):
        taken = Array(rest.prefix(1))
        rest = rest.dropFirst(taken.count)
      }
      if taken.isEmpty, parameter.count != .optional, !has("--help") { throw missing(parameter) }
      for word in taken { try check(word, parameter) }
      values.append(taken)
    }
    if let extra = rest.first {
      throw Mistake(
        "“\(extra)” is one word too many; names with blanks need quotes. Usage: \(spec.usage)")
    }
  }

  private func missing(_ parameter: Parameter) -> Mistake {
    Mistake("\(parameter.name) is missing. Usage: \(spec.usage)")
  }

  // MARK: Checking

  private func check(_ word: String, _ parameter: Parameter) throws(Mistake) {
    switch parameter.kind {
    case .choice(let choices):
      if !choices.contains(word) {
        let list = choices.joined(separator: ", ")
        throw Mistake("\(parameter.name) is one of \(list), not “\(word)”.")
      }
    case .number(let range):
      guard let number = Int(word), range.contains(number) else {
        let upTo = range.upperBound == .max ? "from \(range.lowerBound)" : "\(range)"
        throw Mistake("\(parameter.name) is a number \(upTo), not “\(word)”.")
      }
    case .position: _ = try Position(word)
    case .volume: _ = try VolumeOrder(word)
    case .item, .newFolder, .name, .file, .command:
      if word.isEmpty { throw missing(parameter) }
    case .text: break
    }
  }
}

extension CommandTable {
  /// The command that the words begin with.
  public static func find(_ words: [String]) throws(Mistake) -> CommandSpec {
    try spec(for: words).0
  }

  /// The command that the words begin with, and what comes behind it.
  static func spec(for words: [String]) throws(Mistake) -> (CommandSpec, [String]) {
    guard let first = words.first else { throw Mistake("Say a command; `help` lists them.") }
    let second = words.dropFirst().first.map { first + " " + $0 }
    if let verb = second.flatMap(Verb.init(rawValue:)), let spec = spec(of: verb) {
      return (spec, Array(words.dropFirst(2)))
    }
    // The trash by itself is looked into.
    let name = first == "trash" ? Verb.trashList.rawValue : first
    if first == "trash", let word = second, !words[1].hasPrefix("-") {
      throw Mistake("“\(word)” is no command: it is `trash list` or `trash empty`.")
    }
    if let verb = Verb(rawValue: name), let spec = spec(of: verb) {
      return (spec, Array(words.dropFirst()))
    }
    let names = commands.map(\.name)
    throw Mistake(
      "“\(first)” is no command\(suggestion(for: first, among: names))", .unknownCommand)
  }
}

/// How a sentence about a wrong word ends.
func suggestion(for word: String, among names: [String]) -> String {
  let beginning = names.filter { $0.hasPrefix(word) }
  // Comparing takes time, and a folder may be large: whatever differs much in length is not meant.
  let length = word.utf8.count
  let near = length > 64 ? [] : names.filter { abs($0.utf8.count - length) <= length / 3 + 1 }
  let meant =
    beginning.count == 1
    ? beginning[0] : Spelling.nearest(to: word, among: Array(near.prefix(500)))
  return meant.map { "; did you mean \($0)?" } ?? "; see `help`."
}
