// `manifest verify`: compares the recordings of a directory with its manifests, without a recorder.
// Reads every file below the directory once, follows no link, and changes nothing. Everything it
// reads is hostile until checked. Main thread.

import Catalogue
import Digest
import Glibc
import JSON
import Realtime
import Recorder
import Tape

struct ManifestVerify {
  private let options: ManifestOptions
  private let isJSON: Bool
  private var report = ManifestReport()

  init(_ options: ManifestOptions, isJSON: Bool) { (self.options, self.isJSON) = (options, isJSON) }

  /// Returns 0 if all is well, else 1.
  consuming func run() throws(ExitError) -> Int32 {
    guard CommandLineCall.isDirectory(options.directory) else {
      throw ExitError(ExitCode.noInput, "\(options.directory) is not a directory")
    }
    var manifests = ManifestSet(directory: options.directory, key: try key())
    let head = try head()
    try manifests.read(options.manifest, head: head, &report)
    var ledger = manifests.ledger
    report.kept = ledger.keptCount
    let files = FileWalk.files(below: options.directory, &report)
    try compare(files, with: &ledger)
    let missing = ledger.missing
    report.missing = missing.count
    if !options.isPartial { for finding in missing { report.add(finding) } }
    try report.show(isJSON: isJSON)
    return report.isWell ? 0 : 1
  }

  private func key() throws(ExitError) -> PublicKey? {
    if let text = options.key {
      if let key = PublicKey(text) { return key }
      throw ExitError(ExitCode.usage, "“\(text)” is no public key: it begins with RW")
    }
    guard let path = options.publicFile else { return nil }
    let text = String(decoding: try ManifestSet.contents(of: path), as: UTF8.self)
    if let key = PublicKey(text) { return key }
    throw ExitError(ExitCode.badData, "there is no public key in \(path)")
  }

  private func head() throws(ExitError) -> ManifestHead? {
    guard let path = options.head else { return nil }
    let text = String(decoding: try ManifestSet.contents(of: path), as: UTF8.self)
    if let head = ManifestHead(text) { return head }
    throw ExitError(ExitCode.badData, "there is no head of a manifest in \(path)")
  }

  private mutating func compare(
    _ files: [FileWalk.File], with ledger: inout ManifestLedger
  ) throws(ExitError) {
    let total = max(1, files.reduce(0) { $0 + $1.byteCount })
    var done: Int64 = 0
    for file in files {
      let path = options.directory + "/" + file.path
      do throws(TapeError) {
        let sound = try PosixFile.open(path, .read)
        let hasher = try SoundHasher.reading(sound) { progress in
          let permille = Int(min(1000, (done + progress.done) * 1000 / total))
          Output.showProgress("manifest verify", permille: permille)
          return .goOn
        }
        try judge(file.path, sound, hasher, &ledger)
      } catch {
        report.add("\(file.path) cannot be read: \(error.sentence)", file: file.path)
      }
      done += file.byteCount
    }
    Output.clearProgress()
  }

  private mutating func judge(
    _ path: String, _ file: borrowing PosixFile, _ hasher: SoundHasher,
    _ ledger: inout ManifestLedger
  ) throws(TapeError) {
    let (sum, name) = (hasher.sum, FileName.parts(LocalFolder.lastName(of: path)))
    let isSound =
      sum.soundFrom > 0 || FileName.soundEndings.contains(name.ending.lowercased())
    // Files that are no sound have no tags; those whose tags are damaged are known by their sound.
    let tags = sum.soundFrom > 0 ? try? Tags.read(from: file) : nil
    let finding = ledger.find(
      path, sum.sha256, tagged: tags.flatMap(\.id).flatMap { RecordingID($0.lowercased()) },
      numbered: name.sequence)
    report.checked += isSound ? 1 : 0
    if case .unknown = finding, !isSound { return }
    if let finding { report.add(finding) }
  }
}

/// The files below a directory.
enum FileWalk {
  struct File {
    /// Below the directory.
    let path: String
    let byteCount: Int64
  }

  private static let mostDepth = 64

  /// Returns all files but hidden ones, sorted by their paths. The trash of a card is hidden, and
  /// counts all the same.
  static func files(below directory: String, _ report: inout ManifestReport) -> [File] {
    var files: [File] = []
    var left = [(path: "", depth: 0)]
    while let (path, depth) = left.popLast() {
      let here = path.isEmpty ? directory : directory + "/" + path
      for name in names(in: here, path, &report) {
        if name.hasPrefix("."), !(path.isEmpty && name == ".trash") { continue }
        let below = path.isEmpty ? name : path + "/" + name
        var status = stat()
        guard lstat(directory + "/" + below, &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFREG: files.append(File(path: below, byteCount: Int64(status.st_size)))
        case S_IFDIR where depth < mostDepth: left.append((below, depth + 1))
        default: break
        }
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  private static func names(
    in directory: String, _ path: String, _ report: inout ManifestReport
  ) -> [String] {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, let stream = fdopendir(descriptor) else {
      let shown = path.isEmpty ? directory : path
      report.add("\(shown) cannot be read: \(systemWords(for: errno))", file: shown)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let (name, isValid) = directoryEntryName(entry)
      if !isValid {
        report.add("\(name) has a name that is not UTF-8, and was not read.", file: name)
      } else if name != ".", name != ".." {
        names.append(name)
      }
    }
    return names
  }
}
