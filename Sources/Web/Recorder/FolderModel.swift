// A watched folder as its rows, kept up to date by what the recorder sends, once for all browsers
// that show it. Pure. It trusts no place that the recorder names: what does not fit makes the model
// unusable, and the folder is watched anew.
import JSON

/// The rows of one folder.
struct FolderModel {
  /// What a change did, for a reader that has some of the rows.
  enum Change {
    case added(at: Int)
    case removed(at: Int)
    case changed(from: Int, to: Int)
    /// The folder itself: its name, its place, its counts.
    case head
  }

  private(set) var head: [UInt8] = []
  private(set) var rows: [ItemRow] = []
  /// How many items the folder has; more than there are rows while it is being read.
  private(set) var total = 0
  private var folder: JSONValue?
  private var order: JSONValue?

  var isComplete: Bool { !head.isEmpty && rows.count >= total }

  /// Takes a page; one from 0 replaces all. Returns false if it does not fit.
  mutating func apply(page listing: JSONValue) -> Bool {
    guard let from = listing["from"]?.integer, let total = listing["total"]?.integer,
      let items = listing["items"]?.items, let folder = listing["folder"]
    else { return false }
    if from == 0 { rows = [] }
    guard from == rows.count else { return false }
    self.folder = folder
    order = listing["order"]
    head = FolderHead.bytes(folder, order: order)
    let new = items.compactMap { ItemRow($0) }
    guard new.count == items.count else { return false }
    rows += new
    self.total = max(total, rows.count)
    return true
  }

  /// Applies a change. Returns nil if it does not fit; an empty list if no reader need know.
  mutating func apply(_ change: JSONValue) -> [Change]? {
    switch change["what"]?.text {
    case "added":
      // An item that is gone by now is removed by a later change, so a place is kept for it.
      guard let at = change["at"]?.integer, (0...rows.count).contains(at),
        let row = row(of: change)
      else { return nil }
      rows.insert(row, at: at)
      total += 1
      return [.added(at: at)]
    case "removed":
      guard let at = change["at"]?.integer, rows.indices.contains(at) else { return nil }
      rows.remove(at: at)
      total = max(rows.count, total - 1)
      return [.removed(at: at)]
    case "changed": return replace(change)
    case "counted", "renamed", "moved":
      update(change)
      return [.head]
    default: return []
    }
  }

  private mutating func replace(_ change: JSONValue) -> [Change]? {
    guard let at = change["at"]?.integer, let was = change["was"]?.integer,
      rows.indices.contains(was), rows.indices.contains(at)
    else { return nil }
    let row = row(of: change) ?? rows[was]
    rows.remove(at: was)
    rows.insert(row, at: at)
    return [.changed(from: was, to: at)]
  }

  private func row(of change: JSONValue) -> ItemRow? {
    if let item = change["item"] { return ItemRow(item) }
    return change["id"].flatMap { id in
      ItemRow(JSONValue(value: .table([.init(key: "id", keyOffset: 0, item: id)]), offset: 0))
    }
  }

  private mutating func update(_ change: JSONValue) {
    var members: [JSONValue.Member] = []
    if case .table(let known) = (change["item"] ?? folder)?.value { members = known }
    for key in ["recordings", "unheard", "copied"] {
      guard let value = change[key] else { continue }
      members.removeAll { $0.key == key }
      members.append(.init(key: key, keyOffset: 0, item: value))
    }
    let updated = JSONValue(value: .table(members), offset: 0)
    folder = updated
    head = FolderHead.bytes(updated, order: order)
  }
}
