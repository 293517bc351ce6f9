// Completes a command that is being typed: commands, options, choices, and the names of folders and
// recordings. Pure; if it needs a folder that has not been read yet, it returns which.

struct Completer {
  enum Result: Equatable {
    /// Whole words, without quotes. One that ends in / may be continued.
    case candidates([String])
    case need([ItemID])
  }

  let library: Library
  let place: ItemID
  let wire: Wire

  /// Returns candidates for the word at the end of a line.
  func complete(line: String) -> Result {
    let words = Words(line)
    return complete(words.words + (words.endsInWord ? [] : [""]))
  }

  /// Returns candidates for the last word, which may be empty.
  func complete(_ words: [String]) -> Result {
    let last = words.last ?? ""
    let before = Array(words.dropLast())
    if case .candidates(let more) = commands(before, last), !more.isEmpty || before.isEmpty {
      return .candidates(more)
    }
    guard let (spec, given) = spec(for: before) else { return .candidates([]) }
    var plain = 0
    var option: CommandOption?
    for word in given {
      if option?.value != nil {
        option = nil
      } else if word.hasPrefix("--") {
        option = spec.options.first { $0.name == word }
      } else {
        plain += 1
        option = nil
      }
    }
    if let value = option?.value { return values(value.kind, last) }
    if last.hasPrefix("-") { return fitting(spec.options.map(\.name), last) }
    guard !spec.parameters.isEmpty else { return .candidates([]) }
    var index = min(plain, spec.parameters.count - 1)
    // If the first parameter takes several, another of them is likelier than the next parameter.
    if spec.parameters[0].count == .several { index = 0 }
    if plain > index, spec.parameters[index].count != .several { return .candidates([]) }
    return values(spec.parameters[index].kind, last)
  }

  private func spec(for words: [String]) -> (CommandSpec, [String])? {
    // An unknown command is no error here: the word is still being typed.
    guard let found = try? CommandTable.spec(for: words) else { return nil }
    return found.0.wires.contains(wire) ? found : nil
  }

  private func commands(_ before: [String], _ last: String) -> Result {
    let names = CommandTable.commands.filter { $0.wires.contains(wire) }.map(\.verb.words)
    let next = names.filter { $0.count > before.count && Array($0.prefix(before.count)) == before }
    return fitting(Array(Set(next.map { $0[before.count] })).sorted(), last)
  }

  private func fitting(_ words: [String], _ beginning: String) -> Result {
    .candidates(words.filter { $0.hasPrefix(beginning) })
  }

  private func values(_ kind: ValueKind, _ last: String) -> Result {
    switch kind {
    case .choice(let choices): fitting(choices, last)
    case .command: fitting(CommandTable.commands.map(\.name), last)
    case .item(let kind): items(kind, last)
    case .newFolder: items(.folder, last)
    case .name, .text, .position, .number, .volume, .file: .candidates([])
    }
  }

  private func items(_ kind: ItemKind, _ last: String) -> Result {
    let slash = last.lastIndex(of: "/")
    let above = slash.map { String(last[...$0]) } ?? ""
    let beginning = slash.map { String(last[last.index(after: $0)...]) } ?? last
    let resolver = Resolver(library: library, place: place)
    let start: Finding =
      above.isEmpty ? .found(kind == .trashed ? .trash : place) : resolver.find(above, .folder)
    let folder: ItemID
    switch start {
    case .found(let id): folder = id
    case .need(let folders): return .need(folders)
    case .failed: return .candidates([])
    }
    guard let listed = library.folders[folder] else { return .candidates([]) }
    if listed.reading == .unread || listed.reading == .reading { return .need([folder]) }
    let small = beginning.lowercased()
    var names = listed.items.compactMap { id -> String? in
      if let folder = library.folders[id] { return folder.name + "/" }
      return kind == .folder ? nil : library.recordings[id]?.title
    }
    if folder == .root, beginning.hasPrefix(".") { names.append(Resolver.trashName + "/") }
    return .candidates(names.filter { $0.lowercased().hasPrefix(small) }.map { above + $0 })
  }
}

/// The completions of a line at the cursor.
public struct Completions: Equatable, Sendable {
  /// The line with its last word completed as far as all candidates agree: quoted if needed, and
  /// with a blank after a word that is complete.
  public let line: String
  public let candidates: [String]
}

extension Completions {
  /// Returns words side by side, as many as fit across.
  public static func inColumns(_ words: [String], columns: Int) -> [String] {
    rows(of: words, columns: columns).map { $0.joined() }
  }

  /// Returns words side by side, as many as fit across, each padded to the width of its column.
  static func rows(of words: [String], columns: Int) -> [[String]] {
    let width = (words.map(Text.columns).max() ?? 0) + 2
    let across = max(1, columns / width)
    return stride(from: 0, to: min(words.count, 400), by: across).map { start in
      words[start..<min(start + across, words.count)].map {
        $0 + String(repeating: " ", count: width - Text.columns($0))
      }
    }
  }

  /// Completes `typed`, the line up to the cursor.
  init(_ typed: String, _ candidates: [String]) {
    let words = Words(typed)
    self.candidates = candidates
    guard let first = candidates.first else {
      line = typed
      return
    }
    let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    let start = String(typed[..<words.lastStart])
    let given = words.endsInWord ? words.words.last ?? "" : ""
    if common.count < given.count || (common == given && candidates.count > 1) {
      line = typed
      return
    }
    var word = Words.quoted(common)
    if candidates.count > 1 || common.hasSuffix("/") {
      // The word is not complete: a quote that was opened stays open.
      if word.hasSuffix("\"") { word.removeLast() }
      line = start + word
    } else {
      line = start + word + " "
    }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
  }
}
