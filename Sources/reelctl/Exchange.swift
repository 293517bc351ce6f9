// `export`, `join` and `import`: the files are opened here, with the rights of the caller, and
// passed to the appliance, which reaches nothing but its card. An exported file gets its name only
// when it is whole. Main thread.

import Console
import Glibc
import Realtime
import Recorder

extension Talking {
  // MARK: Import

  func importFiles() throws(ExitError) -> Int32 {
    guard case .importFiles(let paths, let folder, let format) = try parsed() else { return 0 }
    let formatOptions = format.map { ["--format", $0] } ?? []
    if paths.contains(where: CommandLineCall.isDirectory) {
      return try FolderImport(self, formatOptions).run(paths, into: folder)
    }
    let options = formatOptions + (folder.map { ["--in", $0] } ?? [])
    var rest = paths[...]
    while !rest.isEmpty {
      let names = rest.prefix(Wire1.fileLimit)
      rest = rest.dropFirst(names.count)
      var files: [Int32] = []
      defer { for file in files { close(file) } }
      for name in names { files.append(try Self.openForReading(name)) }
      try show(try ask(["import"] + options + ["--"] + names, files: files))
    }
    return 0
  }

  static func openForReading(_ path: String, flags: Int32 = 0) throws(ExitError) -> Int32 {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags)
    guard file >= 0 else {
      throw ExitError(ExitCode.noInput, "cannot read \(path): \(systemWords(for: errno))")
    }
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return file }
    close(file)
    throw ExitError(ExitCode.noInput, "\(path) is no file")
  }

  // MARK: Export

  func export() throws(ExitError) -> Int32 {
    guard case .export(let names, let target, let form) = try parsed() else { return 0 }
    var items: [ItemReport] = []
    for name in names { items.append(try item(named: name)) }
    if items.contains(where: { $0.kind == .folder }) {
      return try FolderExport(self, to: target, form).run(items)
    }
    if !target.hasSuffix("/"), items.count > 1 {
      throw ExitError(
        ExitCode.usage, "several recordings need a directory; there is none called \(target)")
    }
    for item in items {
      let path = target.hasSuffix("/") ? target + exportName(of: item, form) : target
      try askBeforeWritingOver(path)
      let part = try ExportPart.make(for: path)
      let answer = try export(item, as: path, form, into: part.file)
      try part.complete()
      try show(answer)
    }
    return 0
  }

  /// Has the appliance write a recording into an open file.
  func export(
    _ item: ItemReport, as path: String, _ form: ExportForm, into file: Int32,
    progress: ((Int) -> Void)? = nil
  ) throws(ExitError) -> Answer {
    try ask(
      ["export"] + form.options + ["--", "\(item.id)", path], files: [file], progress: progress)
  }

  /// Returns the file name of a recording that is exported into a directory, where the default
  /// format is WAV.
  func exportName(of item: ItemReport, _ form: ExportForm) -> String {
    CommandTable.exportName(of: item.file ?? "\(item.id)", form)
  }

  // MARK: Join

  func join() throws(ExitError) -> Int32 {
    guard case .join(let names, let target, let form) = try parsed() else { return 0 }
    let path =
      target.hasSuffix("/")
      ? target + exportName(of: try item(named: names[0]), form) : target
    try askBeforeWritingOver(path)
    let part = try ExportPart.make(for: path)
    let answer = try ask(
      ["join", "--to", path] + form.options + ["--"] + names, files: [part.file])
    try part.complete()
    try show(answer)
    return 0
  }

  private func askBeforeWritingOver(_ path: String) throws(ExitError) {
    if access(path, F_OK) != 0 || call.isSure { return }
    guard isatty(STDIN_FILENO) == 1, Output.errorsAreTerminal else {
      throw ExitError(
        ExitCode.cannotCreate, "\(path) is there already; say --yes to write over it")
    }
    try confirm("Write over \(path)?")
  }
}
