// The words of one command, sorted by the command table into values and options and checked one by
// one. An error is one sentence: what is wrong, and what to do. Pure.

struct Call {
  let spec: CommandSpec
  private var values: [[String]] = []
  private var options: [String: String] = [:]

  init(_ words: [String]) throws(ParseError) {
    let (spec, rest) = try CommandTable.spec(for: words)
    self.spec = spec
    var plain: [String] = []
    var left = rest[...]
    var takesOptions = true
    while let word = left.popFirst() {
      if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, Self.isOption(word) {
        try parseOption(word, &left)
      } else {
        plain.append(word)
      }
    }
    try share(out: plain)
  }

  // MARK: Values and options

  func words(_ index: Int) -> [String] { values[index] }

  func word(_ index: Int) -> String? { values[index].first }

  func has(_ option: String) -> Bool { options[option] != nil }

  func option(_ name: String) -> String? { options[name] }

  /// Returns the value of an option that the command needs.
  func needOption(_ name: String) throws(ParseError) -> String {
    if let value = option(name), !value.isEmpty { return value }
    throw ParseError("\(name) is missing. Usage: \(spec.usage)")
  }

  /// Returns a required value, whose presence was checked by the parser.
  func need(_ index: Int) throws(ParseError) -> String {
    if let word = word(index) { return word }
    throw missing(spec.parameters[index])
  }

  func number(_ index: Int) throws(ParseError) -> Int {
    Int(try need(index)) ?? 0  // checked to be a number
  }

  func number(_ option: String) throws(ParseError) -> Int? { options[option].flatMap { Int($0) } }

  // MARK: Sorting

  /// `-10` is a number and `-` a name, so neither is an option.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !second.isNumber
  }

  private mutating func parseOption(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(ParseError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let short = ["-y": "--yes", "-h": "--help"]
    let name = short[word] ?? String(parts[0])
    guard let option = spec.options.first(where: { $0.name == name }) else {
      let hint = suggestion(for: name, among: spec.options.map(\.name))
      throw ParseError("“\(name)” is not an option of `\(spec.name)`\(hint)")
    }
    guard let parameter = option.value else {
      if parts.count > 1 { throw ParseError("\(name) stands for itself, without a value.") }
      options[name] = ""
      return
    }
    guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
      throw ParseError("\(name) needs \(parameter.name); see `help \(spec.name)`.")
    }
    try check(value, parameter)
    options[name] = value
  }

  /// Assigns words to parameters. One that takes several leaves enough for those after it.
  private mutating func share(out plain: [String]) throws(ParseError) {
    var rest = plain[...]
    for (index, parameter) in spec.parameters.enumerated() {
      let needed = spec.parameters[(index + 1)...].count { $0.count != .optional }
      var taken: [String]
      switch (parameter.kind, parameter.count) {
      case (.text, _):
        // For completion, words stay separate; a title or a name is one text.
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
      throw ParseError(
        "“\(extra)” is one word too many; names with blanks need quotes. Usage: \(spec.usage)")
    }
  }

  private func missing(_ parameter: Parameter) -> ParseError {
    ParseError("\(parameter.name) is missing. Usage: \(spec.usage)")
  }

  // MARK: Checking

  private func check(_ word: String, _ parameter: Parameter) throws(ParseError) {
    switch parameter.kind {
    case .choice(let choices):
      if !choices.contains(word) {
        let list = choices.joined(separator: ", ")
        throw ParseError("\(parameter.name) is one of \(list), not “\(word)”.")
      }
    case .number(let range):
      guard let number = Int(word), range.contains(number) else {
        let upTo = range.upperBound == .max ? "from \(range.lowerBound)" : "\(range)"
        throw ParseError("\(parameter.name) is a number \(upTo), not “\(word)”.")
      }
    case .position: _ = try Position(word)
    case .volume: _ = try VolumeChange(word)
    case .item, .newFolder, .name, .file, .command:
      if word.isEmpty { throw missing(parameter) }
    case .text: break
    }
  }
}

extension CommandTable {
  /// Returns the command that the words begin with.
  public static func find(_ words: [String]) throws(ParseError) -> CommandSpec {
    try spec(for: words).0
  }

  /// Returns the command that the words begin with, and the words after it.
  static func spec(for words: [String]) throws(ParseError) -> (CommandSpec, [String]) {
    guard let first = words.first else { throw ParseError("Say a command; `help` lists them.") }
    let second = words.dropFirst().first.map { first + " " + $0 }
    if let verb = second.flatMap(Verb.init(rawValue:)), let spec = spec(of: verb) {
      return (spec, Array(words.dropFirst(2)))
    }
    // `trash` alone lists the trash.
    let name = first == "trash" ? Verb.trashList.rawValue : first
    if first == "trash", let word = second, !words[1].hasPrefix("-") {
      throw ParseError("“\(word)” is no command: it is `trash list` or `trash empty`.")
    }
    if let verb = Verb(rawValue: name), let spec = spec(of: verb) {
      return (spec, Array(words.dropFirst()))
    }
    let names = commands.map(\.name)
    throw ParseError(
      "“\(first)” is no command\(suggestion(for: first, among: names))", .unknownCommand)
  }
}

/// Returns the end of a sentence about an unknown word: a suggestion, or a hint to `help`.
func suggestion(for word: String, among names: [String]) -> String {
  nearest(to: word, among: names).map { "; did you mean \($0)?" } ?? "; see `help`."
}

/// Returns the name that was probably meant.
func nearest(to word: String, among names: [String]) -> String? {
  let beginning = names.filter { $0.hasPrefix(word) }
  // Comparing takes time and a folder may be large, so names of very different length are skipped.
  let length = word.utf8.count
  let near = length > 64 ? [] : names.filter { abs($0.utf8.count - length) <= length / 3 + 1 }
  return beginning.count == 1
    ? beginning[0] : Spelling.nearest(to: word, among: Array(near.prefix(500)))
}
