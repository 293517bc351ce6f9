// What the appliance remembers from one run to the next, as a small JSON file that is replaced
// whole: written beside, synced, renamed, and the directory synced. Called by the loop's thread,
// rarely.

import FoundationEssentials
import Glibc
import Realtime
import Recorder

enum Memory {
  /// Nil when there is nothing to recall. A file that cannot be understood is set aside, not lost.
  static func recall(from path: String) -> Remembered? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    do { return try JSONDecoder().decode(Remembered.self, from: data) } catch {
      let aside = path + ".damaged"
      rename(path, aside)
      complain("\(path) could not be understood; it was set aside as \(aside)")
      return nil
    }
  }

  /// Nil, or the sentence about what went wrong.
  static func keep(_ remembered: Remembered, in path: String) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let bytes: Data
    do { bytes = try encoder.encode(remembered) } catch { return "cannot write state: \(error)" }
    let beside = path + ".new"
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard file >= 0 else { return "cannot write \(beside): \(systemWords(for: errno))" }
    let isWritten = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) == $0.count }
    let isSynced = isWritten && fsync(file) == 0
    let number = errno
    close(file)
    guard isSynced, rename(beside, path) == 0 else {
      unlink(beside)
      return "cannot write \(path): \(systemWords(for: isSynced ? errno : number))"
    }
    syncDirectory(of: path)
    return nil
  }

  private static func syncDirectory(of path: String) {
    let parent = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    fsync(directory)
    close(directory)
  }
}
