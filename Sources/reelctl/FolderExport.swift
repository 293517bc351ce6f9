// `export` of folders: walks them over the socket and exports one recording after another, so the
// appliance reaches no path of the caller. A file gets its name when it is whole, and none is ever
// written over. Main thread.

import Catalogue
import Console
import Glibc
import Realtime
import Recorder

struct FolderExport {
  private let talking: Talking
  /// Ends in a slash.
  private let target: String
  private let form: ExportForm
  private var report = ExchangeReport(.exported)
  private var total = 0
  private var seen = 0

  init(_ talking: Talking, to target: String, _ form: ExportForm) {
    self.talking = talking
    self.target = target.hasSuffix("/") ? target : target + "/"
    self.form = form
  }

  /// Exports folders and recordings into the directory; returns the exit code.
  consuming func run(_ items: [ItemReport]) throws(ExitError) -> Int32 {
    try Self.makeDirectory(target)
    total = items.reduce(0) { $0 + ($1.recordings ?? 1) }
    do throws(ExitError) {
      var names = TakenNames()
      for item in items {
        // The root has no name: what is in it goes into the target itself.
        if item.folderID == nil, item.directory?.isEmpty ?? true {
          try export(folder: item, into: target)
        } else {
          try export(item, into: target, &names)
        }
      }
    } catch {
      _ = try report.show("into \(target)", isJSON: talking.call.isJSON)
      throw error
    }
    return try report.show("into \(target)", isJSON: talking.call.isJSON)
  }

  private mutating func export(
    _ item: ItemReport, into directory: String, _ names: inout TakenNames
  ) throws(ExitError) {
    switch item.kind {
    case .recording:
      try export(recording: item, to: directory + names.free(talking.exportName(of: item, form)))
    case .folder:
      let name = item.directory?.split(separator: "/").last.map(String.init) ?? item.title
      let below = directory + names.free(name) + "/"
      do throws(ExitError) { try Self.makeDirectory(below) } catch {
        seen += item.recordings ?? 0
        return try report.skip(
          item.path, error.holding(recordings: item.recordings ?? 0))
      }
      try export(folder: item, into: below)
    }
  }

  private mutating func export(
    folder: ItemReport, into directory: String
  ) throws(ExitError) {
    let items: [ItemReport]
    do throws(ExitError) { items = try talking.items(of: folder.id) } catch {
      return try report.skip(folder.path, error)
    }
    var names = TakenNames()
    // By their names on the card, so that names which had to change do so alike each time.
    let sorted = items.sorted { $0.file ?? $0.directory ?? "" < $1.file ?? $1.directory ?? "" }
    for item in sorted { try export(item, into: directory, &names) }
  }

  private mutating func export(recording: ItemReport, to path: String) throws(ExitError) {
    defer { seen += 1 }
    let (seen, total) = (seen, max(total, seen + 1))
    switch Self.occupant(of: path) {
    case .nothing: break
    case .file: return report.addPresent(recording.path, path)
    case .other:
      let error = ExitError(
        ExitCode.cannotCreate, "\(path) is there already, and is no file with something in it")
      return try report.skip(recording.path, error)
    }
    guard recording.isSettled else {
      let error = ExitError(ExitCode.temporary, "it is still being recorded")
      return try report.skip(recording.path, error)
    }
    var isFull = false
    do throws(ExitError) {
      let part = try ExportPart.make(
        for: path,
        farewell: Output.language.say(
          "Ended after \(seen) of \(total) recordings; all files are whole."))
      do throws(ExitError) {
        _ = try talking.export(recording, as: path, form, into: part.file) { permille in
          Output.showProgress(
            Output.language.say("export \(seen + 1)/\(total)"),
            permille: (seen * 1000 + permille) / total)
        }
      } catch {
        // Asked while the part is there: afterwards there is room again.
        isFull = Self.isFull(part.file)
        throw error
      }
      if try part.completeIfFree() {
        report.add(recording.path, path)
      } else {
        report.addPresent(recording.path, path)
      }
    } catch {
      try report.skip(recording.path, error)
      if isFull {
        throw ExitError(
          ExitCode.cannotCreate,
          "there is no room left in \(target); the same command goes on when there is")
      }
    }
  }

  /// Whether the file system of a file has no room for another recording.
  private static func isFull(_ file: Int32) -> Bool {
    var status = statvfs()
    guard fstatvfs(file, &status) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 64 << 10
  }

  private enum Occupant { case nothing, file, other }

  /// An empty file is no recording that was exported before.
  private static func occupant(of path: String) -> Occupant {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .nothing }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size > 0 ? .file : .other
  }

  /// Makes a directory in one that is there: a mistyped path makes no others. In one that an export
  /// made before, unfinished files are deleted.
  private static func makeDirectory(_ path: String) throws(ExitError) {
    if mkdir(path, 0o777) == 0 { return }
    let reason = errno
    if CommandLineCall.isDirectory(path) { return ExportPart.removeAbandoned(in: path) }
    throw ExitError(
      ExitCode.cannotCreate, "cannot make the directory \(path): \(systemWords(for: reason))")
  }
}

/// The names in a directory that is written, so that two items never get the same one, also where
/// case makes no difference.
struct TakenNames {
  private var taken: Set<String> = []

  /// Returns a name that any computer accepts, with a number if the name is taken.
  mutating func free(_ name: String) -> String {
    var number = 1
    while true {
      let safe = FileName.safe(name, number: number)
      if taken.insert(FileName.folded(safe)).inserted { return safe }
      number += 1
    }
  }
}
