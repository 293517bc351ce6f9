// A directory for one test, removed with it: the root of an appliance, a home and a working
// directory that must stay empty, and the programs' output. Also runs programs to their end there.

import FoundationEssentials
import Glibc
import Library
import Scratch

final class Scratch {
  private let folder = ScratchFolder(in: onDisk)
  var path: String { folder.path }

  init() {
    for folder in ["home", "here", "tmp"] { mkdir(path + "/" + folder, 0o755) }
  }

  /// On a disk: the recorder warns of recordings in memory, and Debian 13 has /tmp in memory.
  private static let onDisk = {
    let temporary = FileManager.default.temporaryDirectory.path
    return CardCheckup.isVolatile(temporary) ? "/var/tmp" : temporary
  }()

  var root: String { path + "/root" }
  var recordings: String { root + "/recordings" }
  var flightLog: String { root + "/run/flight.log" }

  /// `swift build` puts it beside these tests.
  static let reeld = {
    var name = [CChar](repeating: 0, count: 4096)
    let count = max(0, readlink("/proc/self/exe", &name, name.count))
    let own = String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/reeld"
  }()

  var environment: [String: String] {
    var all = ["HOME": path + "/home", "TMPDIR": path + "/tmp", "TERM": "xterm", "TZ": "UTC"]
    // ASAN_OPTIONS silences a leak of a system library at exit; LLVM_PROFILE_FILE puts the
    // program's coverage counts beside those of the tests.
    for name in ["ASAN_OPTIONS", "LLVM_PROFILE_FILE", "REEL_PLANTED"] {
      if let known = getenv(name) { all[name] = String(cString: known) }
    }
    return all
  }

  /// The files and directories below one of its folders.
  func everything(in folder: String) -> [String] {
    // A folder that does not exist holds nothing.
    ((try? FileManager.default.subpathsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
  }

  /// The sound files of the appliance, by their paths from its folder of recordings.
  var soundFiles: [String] {
    everything(in: "root/recordings").filter { $0.hasSuffix(".opus") }
  }

  /// The bytes written to all sound files.
  var recordedBytes: Int { soundFiles.reduce(0) { $0 + bytes(recordings + "/" + $1).count } }

  func bytes(_ file: String) -> Data { FileManager.default.contents(atPath: file) ?? Data() }

  func contents(_ name: String) -> String {
    String(decoding: bytes(path + "/" + name), as: UTF8.self)
  }

  /// Makes a file and the folders it is in; returns its whole path.
  @discardableResult
  func make(_ name: String, _ bytes: Data) throws -> String {
    let file = path + "/" + name
    let folder = String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try bytes.write(to: URL(filePath: file))
    return file
  }

  // MARK: Programs

  struct Result {
    let ending: Child.Ending
    let output: String
    let errors: String
  }

  func reeld(_ arguments: [String], environment more: [String: String] = [:]) throws -> Child {
    try Child(
      Self.reeld, arguments, environment: environment.merging(more) { $1 },
      directory: path + "/here", output: .file(path + "/output"), errors: .file(path + "/errors"))
  }

  func runReeld(_ arguments: String...) throws -> Result {
    try result(of: try reeld(arguments))
  }

  func run(_ program: String, _ arguments: String...) throws -> Result {
    try result(
      of: Child(
        program, arguments, environment: environment, directory: path,
        output: .file(path + "/output"), errors: .file(path + "/errors")))
  }

  func result(of child: Child) throws -> Result {
    try until("the end of a program") { child.hasEnded() }
    return Result(
      ending: child.ending ?? .killed(0), output: contents("output"), errors: contents("errors"))
  }
}

/// The verdict of opusinfo and opusdec on a sound file.
struct Judgement {
  let complaints: [String]
  let seconds: Double

  /// `name` is the file's path from the folder of recordings.
  init(on name: String, in scratch: Scratch) throws {
    let file = scratch.recordings + "/" + name
    let info = try scratch.run("/usr/bin/opusinfo", file)
    let wave = scratch.path + "/decoded.wav"
    let decoded = try scratch.run("/usr/bin/opusdec", "--quiet", file, wave)
    let lines = (info.output + info.errors + decoded.errors).split(separator: "\n").map(String.init)
    var complaints = lines.filter { line in
      ["warning", "error", "failed", "corrupt"].contains { line.lowercased().contains($0) }
    }
    if info.ending != .exited(0) { complaints.append("opusinfo: \(info.ending)") }
    if decoded.ending != .exited(0) { complaints.append("opusdec: \(decoded.ending)") }
    self.complaints = complaints
    // One channel of 16 bits at 48 kHz behind a header of 44 bytes.
    seconds = Double(max(0, scratch.bytes(wave).count - 44)) / 96_000
  }
}
