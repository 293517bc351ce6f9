// Which parts of the state each reducer may touch, in one table: it shows what a change to a part
// can break. A reducer that is not in the table touches none. Pure functions over one file each.

/// The parts of `State`, as its properties are called.
private let parts = [
  "settings", "library", "transport", "device", "card", "clock", "host", "panel", "consoles",
  "notices", "commands", "undo",
]

/// What each file of `Sources/Recorder/Reducers` touches, to read it or to change it. What else it
/// needs, it has another reducer do.
private let touched: [String: Set<String>] = [
  "ReduceAlarms": ["settings", "transport", "device", "host", "consoles", "commands"],
  "ReduceBrowse": ["library", "panel", "consoles"],
  "ReduceCard": ["settings", "library", "transport", "card", "clock", "panel"],
  "ReduceCommands": ["settings", "library", "commands"],
  "ReduceConsole": ["settings", "library", "transport", "panel", "consoles"],
  "ReduceContinuation": ["settings", "library", "transport"],
  "ReduceDeck": ["settings", "library", "transport", "device"],
  "ReduceDetail": ["settings", "library", "transport"],
  "ReduceFindings": ["library", "transport"],
  "ReduceHost": ["settings", "library", "transport", "device", "clock", "host"],
  "ReduceItems": ["settings", "library", "card"],
  "ReduceKeeping": ["library", "card"],
  "ReduceMarks": ["settings", "library"],
  "ReduceNaming": ["library", "consoles"],
  "ReduceNotices": ["settings", "notices"],
  "ReduceOverflow": ["settings", "library"],
  "ReducePanel": ["settings", "panel"],
  "ReduceRemembered": ["library", "transport", "device", "host", "panel", "notices"],
  "ReduceSound": ["settings", "library", "transport", "device", "card", "host", "notices"],
  "ReduceTake": ["settings", "library", "transport", "device", "card", "clock", "host"],
  "ReduceUndo": ["library", "undo"],
  "Refusals": ["settings", "library", "transport", "device", "card", "host", "panel"],
  "Requests": ["settings", "transport", "host", "panel", "consoles"],
  "Settle": ["settings", "library", "transport", "device", "card", "host", "panel", "consoles"],
]

func checkReducer(_ file: SourceFile) -> [Violation] {
  let folder = "Sources/Recorder/Reducers/"
  guard file.path.hasPrefix(folder), file.isSwift else { return [] }
  let name = String(file.path.dropFirst(folder.count).dropLast(".swift".count))
  let allowed = touched[name] ?? []
  return parts.filter { !allowed.contains($0) }.flatMap { part in
    offsets(ofWord: part, in: file.code).filter { isPart(at: $0, part, in: file.code) }.map {
      let sentence = "let the reducer of '\(part)' do this, or add it to the table of reducers"
      return file.violation(at: $0, sentence)
    }
  }
}

/// Every reducer in the table is a file.
func checkReducerTable(_ files: [SourceFile]) -> [Violation] {
  let paths = Set(files.map(\.path))
  return touched.keys.sorted().filter { !paths.contains("Sources/Recorder/Reducers/\($0).swift") }
    .map { name in
      let sentence = "take out \(name): there is no such reducer"
      return Violation(path: "Tests/TidyTests/ReducerRules.swift", line: 1, sentence: sentence)
    }
}

/// Whether a word is the state's property: neither a member of something else nor a label.
private func isPart(at offset: Int, _ part: String, in code: [UInt8]) -> Bool {
  let before = String(decoding: code[max(0, offset - 5)..<offset], as: UTF8.self)
  if before.hasSuffix("."), before != "self." { return false }
  let end = offset + part.utf8.count
  return !(end < code.count && code[end] == UInt8(ascii: ":"))
}
