// How a command that is being typed may go on: commands, options, choices, and the names of folders
// and recordings. Pure; when it needs a folder that nobody has read yet it says which.

import Recorder

struct Completer {
  enum Result: Equatable {
    /// Whole words, as they are without quotes. One that ends in / may go on.
    case candidates([String])
    case need([ItemID])
  }

  let library: Library
  let place: ItemID
  let wire: Wire

  /// The last word is the one that is being typed; it may be empty.
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
    // While there may be more of the first, that is what is likelier.
    if spec.parameters[0].count == .several { index = 0 }
    if plain > index, spec.parameters[index].count != .several { return .candidates([]) }
    return values(spec.parameters[index].kind, last)
  }

  private func spec(for words: [String]) -> (CommandSpec, [String])? {
    // Not known yet is no mistake here: the word is still being typed.
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

/// How a line may go on where the cursor is.
public struct Completions: Equatable, Sendable {
  /// What stands in place of the word being typed when all candidates agree that far: with quotes
  /// where it needs them, and a blank when it is whole.
  public let line: String
  public let candidates: [String]
}

extension Completions {
  /// For what is typed up to the cursor.
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
      // It goes on: a quote that was opened stays open.
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
