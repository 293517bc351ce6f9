// What the tests of reel-link beside a recorder share: a recorder, a directory that stands for a
// stick, and the program that copies to it.

import FoundationEssentials
import Glibc
import Recorder
import Testing

/// A recorder, a directory for copies, and the program that copies.
struct OffloadRig {
  let talk: Talker
  let copies: String
  let configuration: String

  /// A recorder with an empty card, and the copies of another.
  init(copiesOf other: OffloadRig) throws { try self.init(sharing: other.copies) }

  /// - Parameter other: a recorder whose library this one begins with, and whose copies it shares.
  init(tracks: String = "", like other: OffloadRig? = nil, sharing place: String? = nil) throws {
    let scratch = Scratch()
    if !tracks.isEmpty { try scratch.make("root/etc/reel.json", Data(tracks.utf8)) }
    if let other {
      try FileManager.default.createDirectory(
        atPath: scratch.root, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: other.talk.scratch.recordings, toPath: scratch.recordings)
    }
    talk = try Talker(scratch)
    copies = place ?? other?.copies ?? scratch.path + "/copies"
    try FileManager.default.createDirectory(
      atPath: copies, withIntermediateDirectories: true)
    configuration = scratch.path + "/link.json"
    let text = """
      {
        // A directory that stands for a stick.
        targets: [{ name: "stick", kind: "directory", path: "\(copies)", mounted: false }],
      }
      """
    try Data(text.utf8).write(to: URL(filePath: configuration))
  }

  func link() throws -> Child {
    try Child(
      Talker.directory + "/reel-link",
      [
        "--socket", talk.socket, "--config", configuration, "--state",
        talk.scratch.path + "/link",
      ],
      environment: talk.environment, directory: talk.scratch.path + "/here",
      output: .file(talk.scratch.path + "/link-output"),
      errors: .file(talk.scratch.path + "/link-errors"))
  }

  var files: [String] { talk.scratch.everything(in: "copies") }

  /// Runs the program that copies until something is so.
  func link(until what: String, isSo: () throws -> Bool) throws {
    let link = try link()
    defer { link.send(SIGKILL) }
    try until(what) { try isSo() }
    link.send(SIGTERM)
    try until("its end") { link.hasEnded() }
  }

  /// Whether the target has all recordings, under their names and with their texts.
  func isUpToDate() throws -> Bool {
    let stale = try talk.json(CopiesReport.self, "copies", "--target", "stick", "--of", "stale")
    return stale.count == 0
  }

  /// Whether the program has told of its target, and has nothing left to bring there.
  func isDone() throws -> Bool {
    try report().targets.first?.isRunning == true && isUpToDate()
  }

  /// The file of a recording's texts.
  func texts(_ number: Int) throws -> String {
    let digits = String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
    return "texts/\(digits)-\("\(try info("\(number)").id)".prefix(8)).json"
  }

  func text(_ name: String) -> String {
    String(decoding: talk.scratch.bytes(copies + "/" + name), as: UTF8.self)
  }

  /// As a person with an editor.
  func edit(_ name: String, _ old: String, _ new: String) throws {
    let text = text(name)
    try #require(text.contains(old), "\(text)")
    try Data(text.replacing(old, with: new).utf8).write(to: URL(filePath: copies + "/" + name))
  }

  func report() throws -> CopiesReport { try talk.json(CopiesReport.self, "copies") }

  func info(_ item: String) throws -> ItemReport { try talk.json(ItemReport.self, "info", item) }
}
