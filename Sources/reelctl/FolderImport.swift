// `import` of directories: a directory with everything below it becomes a folder with its
// recordings, file by file over the socket. Links are not followed. Recordings that are there
// already are not imported again. Main thread.

import Catalogue
import Console
import Glibc
import Realtime
import Recorder

struct FolderImport {
  private let talking: Talking
  private let options: [String]
  private var report = ExchangeReport(.imported)
  private var total = 0
  private var seen = 0

  init(_ talking: Talking, _ options: [String]) {
    (self.talking, self.options) = (talking, options)
  }

  /// Imports files and directories into a folder; returns the exit code.
  consuming func run(_ paths: [String], into name: String?) throws(ExitError) -> Int32 {
    let folder = try target(name)
    var here = LocalFolder(name: "")
    for path in paths {
      if CommandLineCall.isDirectory(path) {
        here.folders.append(try LocalFolder(reading: path, &report))
      } else {
        here.files.append(path)
      }
    }
    total = here.count
    do throws(ExitError) { try add(here, to: folder) } catch {
      _ = try report.show("into \(folder.path)", isJSON: talking.call.isJSON)
      throw error
    }
    return try report.show("into \(folder.path)", isJSON: talking.call.isJSON)
  }

  /// Returns the folder of that name; without one, the folder that the connection is in.
  private func target(_ name: String?) throws(ExitError) -> ItemReport {
    if let name {
      let item = try talking.item(named: name)
      if item.kind == .folder { return item }
      throw ExitError(ExitCode.usage, "“\(name)” is a recording, not a folder")
    }
    guard case .listing(let listing) = try talking.ask(["ls", "--count", "1"]) else {
      throw ExitError(ExitCode.badData, "the recorder does not say which folder it is in")
    }
    return listing.folder
  }

  private mutating func add(
    _ local: LocalFolder, to folder: ItemReport
  ) throws(ExitError) {
    let items: [ItemReport]
    do throws(ExitError) { items = try talking.items(of: folder.id) } catch {
      seen += local.count
      return try report.skip(folder.path, error)
    }
    // Two files may have one title, such as a.wav and a.flac: a recording stands for one of them.
    var known: [String: [ItemReport]] = [:]
    for item in items.reversed() where item.kind == .recording {
      known[FileName.folded(item.title), default: []].append(item)
    }
    for path in local.files {
      let title = Text.title(FileName.parts(LocalFolder.lastName(of: path)).title) ?? "Untitled"
      if let item = known[FileName.folded(title)]?.popLast() {
        seen += 1
        report.addPresent(item.path, path)
      } else {
        try add(file: path, to: folder)
      }
    }
    for below in local.folders where below.count > 0 {
      let title = Text.title(below.name) ?? "Untitled"
      let known = items.first { $0.kind == .folder && $0.title == title }
      do throws(ExitError) {
        if let known {
          try add(below, to: known)
        } else {
          try add(below, to: try makeFolder(title, in: folder))
        }
      } catch {
        seen += below.count
        try report.skip(below.path, error.holding(soundFiles: below.count))
      }
    }
  }

  /// The connection enters the folder first: a title may hold what a path could not.
  private func makeFolder(
    _ title: String, in folder: ItemReport
  ) throws(ExitError) -> ItemReport {
    _ = try talking.ask(["cd", "--", "\(folder.id)"])
    guard case .done(let done) = try talking.ask(["mkdir", "--", title]),
      let made = done.items.first
    else { throw ExitError(ExitCode.badData, "the recorder made no folder “\(title)”") }
    return made
  }

  private mutating func add(file path: String, to folder: ItemReport) throws(ExitError) {
    defer { seen += 1 }
    let (seen, total) = (seen, max(total, seen + 1))
    do throws(ExitError) {
      let file = try Talking.openForReading(path, flags: O_NOFOLLOW)
      defer { close(file) }
      let words = ["import"] + options + ["--in", "\(folder.id)", "--", path]
      let answer = try talking.ask(words, files: [file]) { permille in
        Output.showProgress(
          Output.language.say("import \(seen + 1)/\(total)"),
          permille: (seen * 1000 + permille) / total)
      }
      if case .done(let done) = answer, let item = done.items.first { report.add(item.path, path) }
    } catch {
      try report.skip(path, error)
    }
  }
}

/// A directory outside the card, with the sound files in and below it.
struct LocalFolder {
  var path = ""
  var name: String
  /// Paths, in natural order.
  var files: [String] = []
  var folders: [LocalFolder] = []

  /// The sound files in and below it.
  var count: Int { folders.reduce(files.count) { $0 + $1.count } }

  init(name: String) { self.name = name }

  /// Reads what is below a directory. Adds to the report what is no sound.
  init(reading path: String, _ report: inout ExchangeReport) throws(ExitError) {
    let whole = realpath(path, nil)
    guard let whole else { throw Self.unreadable(path) }
    defer { free(whole) }
    try self.init(at: String(cString: whole), flags: 0, &report)
  }

  private init(
    at path: String, flags: Int32, _ report: inout ExchangeReport
  ) throws(ExitError) {
    self.path = path
    name = Self.lastName(of: path)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
    guard descriptor >= 0, let directory = fdopendir(descriptor) else {
      throw Self.unreadable(path)
    }
    var names: [String] = []
    while let entry = readdir(directory) {
      let (name, isValid) = directoryEntryName(entry)
      if !isValid {
        report.skip(path + "/" + name, "its name is not UTF-8")
      } else if name != ".", name != ".." {
        names.append(name)
      }
    }
    closedir(directory)
    let parent = path.hasSuffix("/") ? path : path + "/"
    for name in names.sorted(by: Text.comesBefore) { add(name, at: parent + name, &report) }
  }

  private mutating func add(
    _ name: String, at path: String, _ report: inout ExchangeReport
  ) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return report.skip(path, systemWords(for: errno)) }
    if name.hasPrefix(".") { return report.skip(path, "it is hidden") }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: report.skip(path, "it is a link")
    case S_IFDIR:
      do throws(ExitError) {
        folders.append(try LocalFolder(at: path, flags: O_NOFOLLOW, &report))
      } catch {
        report.skip(path, error.sentence)
      }
    case S_IFREG:
      if FileName.soundEndings.contains(FileName.split(name).ending.lowercased()) {
        files.append(path)
      } else {
        report.skip(path, "its ending is none of a sound file")
      }
    default: report.skip(path, "it is no file")
    }
  }

  static func lastName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func unreadable(_ path: String) -> ExitError {
    ExitError(ExitCode.noInput, "cannot read \(path): \(systemWords(for: errno))")
  }
}
