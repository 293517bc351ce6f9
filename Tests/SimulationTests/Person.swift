// What a user types: a command line about an existing item, chosen by a number. A pure function of
// the state as a client could see it.

@testable import Console
@testable import Recorder

struct Person {
  let state: State

  private static let names = [
    "Kitchen", "Interviews", "Tante Käthe: 1/2", "May", "a very long name indeed, as people give",
    "CON", "Noise?", "Übung", "kitchen", "...",
  ]

  func line(_ kind: Int64, _ choice: Int64) -> String {
    switch kind {
    case 0: "record \(choice % 3 == 0 ? quoted(name(choice)) : "")\(into(choice))"
    case 1: "stop"
    case 2: "play \(recording(choice))"
    case 3: "pause"
    case 4: "mkdir \(quoted(path(choice)))"
    case 5, 6: "mv \(item(choice)) \(folder(choice / 7))"
    case 7, 8: "rename \(item(choice)) \(quoted(name(choice / 5)))"
    case 9, 10: "rm \(item(choice)) --yes"
    case 11: "restore \(thrown(choice))"
    case 12: choice % 4 == 0 ? "trash empty --yes" : "trash list"
    case 13: "ls \(folder(choice))"
    case 14: "cd \(folder(choice)) --panel"
    case 15: "sort \(["name", "date", "length", "hand"][Int(choice % 4)]) \(folder(choice / 4))"
    case 16: "search \(quoted(String(name(choice).prefix(3))))"
    case 17: "heard \(recording(choice))"
    case 18: "mark \(quoted(name(choice)))"
    case 19: "split"
    case 20: "status"
    case 21: "info \(item(choice))"
    case 22: "acknowledge"
    case 23: "seek \(choice % 2 == 0 ? "+" : "")\(choice % 40)"
    default: "verify \(folder(choice))"
    }
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }

  private func name(_ choice: Int64) -> String { Self.names[Int(choice) % Self.names.count] }

  private func path(_ choice: Int64) -> String {
    let name = name(choice).split(separator: "/").joined(separator: " ")
    guard choice % 3 == 0, let above = pick(folders, choice / 3) else { return "/" + name }
    return state.library.pathName(of: above) + "/" + name
  }

  private func into(_ choice: Int64) -> String {
    choice % 2 == 0 ? " --in \(folder(choice / 2))" : ""
  }

  private var folders: [ItemID] {
    state.library.folders.keys.filter { $0 != .trash && !state.library.isInTrash($0) }.sorted()
  }

  private var recordings: [ItemID] {
    state.library.recordings.keys.filter { !state.library.isInTrash($0) }.sorted()
  }

  private func folder(_ choice: Int64) -> String {
    guard let id = pick(folders, choice), id != .root else { return "/" }
    return "\(id)"
  }

  private func recording(_ choice: Int64) -> String {
    pick(recordings, choice).map { "\($0)" } ?? ""
  }

  private func item(_ choice: Int64) -> String {
    let items = choice % 3 == 0 ? folders.filter { $0 != .root } : recordings
    return pick(items, choice / 3).map { "\($0)" } ?? "nothing"
  }

  private func thrown(_ choice: Int64) -> String {
    let items = state.library.folders[.trash]?.items
    let inside = (0..<(items?.count ?? 0)).compactMap { items?[$0] }.sorted()
    return pick(inside, choice).map { "\($0)" } ?? "nothing"
  }

  private func pick(_ ids: [ItemID], _ choice: Int64) -> ItemID? {
    ids.isEmpty ? nil : ids[Int(choice) % ids.count]
  }
}
