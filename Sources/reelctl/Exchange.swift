// `export` and `import`: the files are opened here, with the rights of the caller, and passed to
// the appliance, which reaches nothing but its card. An exported file gets its name only when it is
// whole.

import Console
import Glibc
import Realtime
import Recorder

extension Talking {
  // MARK: Import

  func importFiles() throws(ExitError) -> Int32 {
    var rest = call.files[...]
    let options = call.words[(1 + call.files.count)...]
    while !rest.isEmpty {
      let names = rest.prefix(Wire1.fileLimit)
      rest = rest.dropFirst(names.count)
      var files: [Int32] = []
      defer { for file in files { close(file) } }
      for name in names { files.append(try Self.openForReading(name)) }
      try show(try ask(["import"] + names + options, files: files))
    }
    return 0
  }

  private static func openForReading(_ path: String) throws(ExitError) -> Int32 {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
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
    let target = call.files[0]
    let items = call.words.dropFirst().prefix(call.words.count - 1 - call.optionCount - 1)
    let options = Array(call.words.suffix(call.optionCount))
    if !target.hasSuffix("/"), items.count > 1 {
      throw ExitError(
        ExitCode.usage, "several recordings need a directory; there is none called \(target)")
    }
    for item in items {
      let path = target.hasSuffix("/") ? target + (try name(of: item, options)) : target
      try export(item, to: path, options)
    }
    return 0
  }

  /// Returns the file name of a recording that is exported into a directory.
  private func name(of item: String, _ options: [String]) throws(ExitError) -> String {
    guard case .item(let report) = try ask(["info", "--", item]), let file = report.file else {
      throw ExitError(ExitCode.usage, "“\(item)” is no recording that could be exported")
    }
    let format = options.firstIndex(of: "--format").map { options[$0 + 1] }
    let joined = options.first { $0.hasPrefix("--format=") }.map { String($0.dropFirst(9)) }
    return CommandTable.exportName(of: file, format: format ?? joined ?? "wav")
  }

  private func export(_ item: String, to path: String, _ options: [String]) throws(ExitError) {
    try askBeforeWritingOver(path)
    let part = try ExportPart.make(for: path)
    // Into a directory the default format is WAV, as the ending of the name says.
    let answer = try ask(["export"] + options + ["--", item, path], files: [part.file])
    try part.complete()
    try show(answer)
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

/// A file written beside its destination; deleted if it is not finished, also on Ctrl-C.
private struct ExportPart: ~Copyable {
  let file: Int32
  private let path: String
  private let destination: String

  static func make(for destination: String) throws(ExitError) -> ExportPart {
    let slash = destination.lastIndex(of: "/").map { destination.index(after: $0) }
    let folder = String(destination[..<(slash ?? destination.startIndex)])
    let path = folder + ".reel-export-\(getpid()).part"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      throw ExitError(
        ExitCode.cannotCreate, "cannot write \(destination): \(systemWords(for: errno))")
    }
    return ExportPart(file, path, destination)
  }

  private init(_ file: Int32, _ path: String, _ destination: String) {
    self.file = file
    self.path = path
    self.destination = destination
    unfinished = strdup(path)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        if let unfinished { unlink(unfinished) }
        _exit(128 + number)
      }
    }
  }

  deinit {
    close(file)
    if let name = unfinished {
      unlink(name)
      unfinished = nil
      free(name)
    }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// Syncs the file and gives it its name.
  func complete() throws(ExitError) {
    guard fsync(file) == 0, rename(path, destination) == 0 else {
      throw ExitError(
        ExitCode.cannotCreate, "cannot write \(destination): \(systemWords(for: errno))")
    }
  }
}

/// The file that a signal handler deletes. Written by the main thread, which is the only one; read
/// by a handler that interrupts it.
private nonisolated(unsafe) var unfinished: UnsafeMutablePointer<CChar>?
