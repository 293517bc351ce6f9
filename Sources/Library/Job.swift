// Work of the store that takes a while, as values that are advanced step by step: what is left, and
// what was found. Each has the ticket it is answered under.

import Recorder

enum Job {
  case purge(Int, Purging)
  case search(Int, Search)
  case verify(Int, Verification)
  case waveform(Int, Drawing)
  case carry(Int, Carrying)
  case export(Int, Exporting)
  case importFile(Int, Importing)
  case recycle(Recycling)

  var ticket: Int? {
    switch self {
    case .purge(let ticket, _), .search(let ticket, _), .verify(let ticket, _),
      .waveform(let ticket, _), .carry(let ticket, _), .export(let ticket, _),
      .importFile(let ticket, _):
      ticket
    case .recycle: nil
    }
  }
}

/// Titles with a text in them, over the whole card.
struct Search {
  let text: String
  var left: [ItemID] = [.trash, .root]
  var hits: [Hit] = []

  /// More are of no use to anybody.
  static let limit = 1000

  init(for text: String) { self.text = FileName.folded(text) }
}

struct Exporting {
  let id: ItemID
  let format: String
  let destination: OutsideFile
}

struct Importing {
  let id: ItemID
  let sequence: Int
  let source: OutsideFile
  let folder: ItemID
}

/// Recordings compared with what the index says of them.
struct Verification {
  /// Folders to be listed.
  var folders: [ItemID] = []
  /// Recordings to be looked at, with the folder each is in.
  var recordings: [(folder: ItemID, id: ItemID)] = []
  /// As far as it can be told beforehand.
  var expected: Int64
  var checked: Int64 = 0
  var faults: [String] = []

  static let faultsTold = 20

  var report: String {
    let what = checked == 1 ? "1 recording checked" : "\(checked) recordings checked"
    if faults.isEmpty { return "\(what): everything is as it should be." }
    let told = faults.prefix(Self.faultsTold).joined(separator: " ")
    let rest = faults.count - Self.faultsTold
    return "\(what), \(faults.count) with something wrong. \(told)"
      + (rest > 0 ? " And \(rest) more." : "")
  }
}
