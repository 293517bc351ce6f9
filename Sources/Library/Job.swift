// The store's long jobs, as values that are advanced step by step: what remains and what was found.
// A job has the ticket under which its result is sent. Used on the card's thread.

import Recorder
import Tape

enum Job {
  case purge(Int, Purging)
  case search(Int, Search)
  case verify(Int, Verification)
  case waveform(Int, Drawing)
  case carry(Int, Carrying)
  case copies(Int, CopySearch)
  case export(Int, Exporting)
  case join(Int, Joining)
  case importFile(Int, Importing)
  case recycle(Recycling)

  var ticket: Int? {
    switch self {
    case .purge(let ticket, _), .search(let ticket, _), .verify(let ticket, _),
      .waveform(let ticket, _), .carry(let ticket, _), .export(let ticket, _),
      .join(let ticket, _), .importFile(let ticket, _), .copies(let ticket, _):
      ticket
    case .recycle: nil
    }
  }
}

/// A search of the whole card for titles that contain a text.
struct Search {
  let text: String
  var left: [ItemID] = [.trash, .root]
  var hits: [Hit] = []

  /// The search ends at this many hits.
  static let limit = 1000

  init(for text: String) { self.text = FileName.folded(text) }
}

struct Exporting {
  let id: ItemID
  let format: String
  /// The name of a track; nil: the first.
  let track: String?
  let repairsClipping: Bool
  let destination: OutsideFile
}

struct Importing {
  let id: ItemID
  let sequence: Int
  let source: OutsideFile
  let folder: ItemID
  let format: TapeFormat
}

/// A check of recordings against their index entries.
struct Verification {
  /// Folders to be listed.
  var folders: [ItemID] = []
  /// Recordings still to be checked, with their folders.
  var recordings: [(folder: ItemID, id: ItemID)] = []
  /// Estimated number of recordings, for progress.
  var expected: Int64
  var checked: Int64 = 0
  private(set) var faults: [VerifyReport.Fault] = []
  private(set) var faultCount = 0
  /// Files whose hash was missing.
  var hashed = 0

  /// Keeps the first faults, and counts all.
  mutating func add(_ sentence: String, file: String? = nil) {
    faultCount += 1
    guard faults.count < VerifyReport.faultLimit else { return }
    faults.append(VerifyReport.Fault(file: file, sentence: sentence))
  }

  var report: VerifyReport {
    VerifyReport(
      checked: Int(clamping: checked), faultCount: faultCount, faults: faults, hashed: hashed)
  }
}
