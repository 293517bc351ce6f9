// The state that is kept from one run to the next, in a small JSON file that is replaced whole:
// written beside, fsynced, renamed, and fsynced with its directory. Read by the loop's thread at
// the start; written by the thread of the small files, which may wait for the card.

import Glibc
import Host
import JSON
import Realtime
import Recorder

enum RememberedState {
  /// Returns nil if there is nothing to recall. A file that cannot be parsed is set aside, not
  /// lost, and `report` is called with a sentence.
  static func recall(from path: String, report: (String) -> Void) -> Remembered? {
    switch ConfigurationReader.contents(of: path) {
    case .missing: return nil
    case .unreadable(let why):
      report(setAside(path, because: why))
      return nil
    case .text(let text):
      // FAT writes the length of a renamed file last: a power cut before that leaves it empty.
      if text.isEmpty { return nil }
      do { return try JSON.decode(Remembered.self, from: text) } catch {
        report(setAside(path, because: "\(error)"))
        return nil
      }
    }
  }

  /// Gives a damaged file another name, so that the next one does not overwrite it. Returns the
  /// sentence to report.
  static func setAside(_ path: String, because why: String) -> String {
    let aside = path + ".damaged"
    let isAside = rename(path, aside) == 0
    let outcome =
      isAside
      ? "it was set aside as \(aside)" : "it cannot be set aside: \(systemWords(for: errno))"
    return "\(path) could not be understood (\(why)); \(outcome)"
  }

  /// Writes the state. Returns nil, or what went wrong.
  static func keep(_ remembered: Remembered, in path: String) -> String? {
    let bytes: [UInt8]
    do { bytes = try JSON.encode(remembered, .pretty) } catch {
      return "cannot write state: \(error)"
    }
    return SmallFile.replace(path, with: bytes, mode: 0o640).map {
      "cannot write \(path): \(systemWords(for: $0))"
    }
  }
}
