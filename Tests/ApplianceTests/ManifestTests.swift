// The manifest, from the recorder to minisign and `reelctl manifest verify`: both accept what the
// recorder wrote, and name what was done to a copy of its card.

import FoundationEssentials
import Glibc
import Recorder
import Testing

@Suite actor ManifestTests: Desk {
  nonisolated let chair = Chair()

  private struct Report: Decodable {
    struct Fault: Decodable { let sentence: String, file: String? }
    struct Manifest: Decodable { let keyID: String, publicKey: String, lines: Int }
    let isWell: Bool, manifests: [Manifest], checked: Int, kept: Int, missing: Int
    let faults: [Fault]
  }

  /// A recorder with three recordings, one of them in a folder, which all have their lines.
  private func talker() throws -> Talker {
    let talk = try Talker()
    for title in ["one", "two", "three"] { try talk.record(title) }
    _ = try talk.say("mkdir", "Box")
    _ = try talk.say("mv", "2", "/Box")
    try until("three lines, and their signature") {
      let facts = try talk.json(ManifestFacts.self, "manifest")
      let signature = talk.scratch.contents(
        "root/recordings/.manifest/\(facts.keyID ?? "").txt.minisig")
      return facts.lines == 3 && signature.contains(" 3 \(facts.hash ?? "")")
    }
    return talk
  }

  /// A copy of the card, as rsync makes it.
  private static func copy(_ talk: Talker) throws -> String {
    let copy = talk.here + "/copy"
    unlink(copy)
    _ = try talk.scratch.run("/bin/rm", "-rf", copy)
    _ = try talk.scratch.run("/bin/cp", "-a", talk.scratch.recordings, copy)
    return copy
  }

  private static func verify(_ talk: Talker, _ words: String...) throws -> (
    code: Int32, report: Report
  ) {
    let result = try talk.run(["manifest", "verify", "copy", "--json"] + words)
    guard case .exited(let code) = result.ending else {
      throw Talker.Refused(description: "killed")
    }
    return (code, try JSONDecoder().decode(Report.self, from: Data(result.output.utf8)))
  }

  /// Expects these sentences, and the code of a check that failed.
  private func expect(
    _ sentences: [String], _ talk: Talker, at place: SourceLocation = #_sourceLocation
  ) throws {
    let (code, report) = try Self.verify(talk)
    #expect(report.faults.map(\.sentence) == sentences, sourceLocation: place)
    #expect(code == (sentences.isEmpty ? 0 : 1), sourceLocation: place)
    #expect(report.isWell == sentences.isEmpty, sourceLocation: place)
  }

  @Test("minisign and reelctl accept the manifest, by the key that `about` shows")
  func accepted() throws {
    let talk = try talker()
    let key = try #require(try talk.json(ManifestFacts.self, "manifest").publicKey)
    #expect(try talk.say("about").contains("public key  \(key)\n"))
    let copy = try Self.copy(talk)
    let names = try FileManager.default.contentsOfDirectory(atPath: copy + "/.manifest").sorted()
    let text = try #require(names.first { $0.hasSuffix(".txt") })
    #expect(names.count == 3)
    let path = copy + "/.manifest/" + text
    let checked = try talk.scratch.run("/usr/bin/minisign", "-Vm", path, "-P", key)
    #expect(
      checked.ending == .exited(0) && checked.output.contains("comment signature verified"))
    let (code, report) = try Self.verify(talk, "--key", key)
    #expect(code == 0 && report.isWell && report.faults.isEmpty)
    #expect(report.checked == 3 && report.kept == 3 && report.missing == 0)
    // What a program that copies gets is the same
    let open = try talk.json(ManifestFacts.self, "manifest", "open")
    #expect(Int(open.file?.sizeBytes ?? 0) == talk.scratch.bytes(path).count)
    #expect(Data((open.signature ?? "").utf8) == talk.scratch.bytes(path + ".minisig"))
    // A changed byte is refused by both
    var bytes = talk.scratch.bytes(path)
    bytes[20] ^= 1
    try bytes.write(to: URL(filePath: path))
    #expect(
      try talk.scratch.run("/usr/bin/minisign", "-Vm", path, "-P", key).ending != .exited(0))
    #expect(try Self.verify(talk, "--key", key).code == 1)
  }

  @Test("a manifest that minisign signed is accepted")
  func minisign() throws {
    let talk = try talker()
    let copy = try Self.copy(talk)
    let id = try #require(try talk.json(ManifestFacts.self, "manifest").keyID)
    let path = "\(copy)/.manifest/\(id).txt"
    let made = try talk.scratch.run(
      "/usr/bin/minisign", "-G", "-W", "-f", "-p", talk.here + "/other.pub", "-s",
      talk.here + "/other.key")
    #expect(made.ending == .exited(0), "\(made.errors)")
    unlink(path + ".minisig")
    let signed = try talk.scratch.run(
      "/usr/bin/minisign", "-S", "-s", talk.here + "/other.key", "-m", path)
    #expect(signed.ending == .exited(0), "\(signed.errors)")
    let (code, report) = try Self.verify(talk, "--public", "other.pub", "--manifest", path)
    #expect(code == 0 && report.isWell, "\(report.faults)")
    // The recorder's own key did not make this signature
    #expect(
      try Self.verify(talk).report.faults.map(\.sentence)
        == ["The signature of the manifest is not one of the key \(id)."])
  }

  @Test("what is removed, changed, exchanged or unknown is named, and other names are no fault")
  func files() throws {
    let talk = try talker()
    var copy = try Self.copy(talk)
    try expect([], talk)
    // Other names and folders
    _ = try talk.scratch.run("/bin/mv", copy + "/0001 one.opus", copy + "/Box/x.opus")
    _ = try talk.scratch.run("/bin/mv", copy + "/0003 three.opus", copy + "/2026 Summer.opus")
    try expect([], talk)
    // Removed
    unlink(copy + "/Box/x.opus")
    try expect(["Recording 1 is missing."], talk)
    #expect(try Self.verify(talk, "--partial").code == 0)
    #expect(try Self.verify(talk, "--partial").report.missing == 1)
    // Changed: the last byte
    copy = try Self.copy(talk)
    let path = copy + "/0001 one.opus"
    var bytes = talk.scratch.bytes(path)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(filePath: path))
    try expect(["The sound of recording 1 has changed: 0001 one.opus"], talk)
    // Unknown: no recorder made this
    copy = try Self.copy(talk)
    let strange = Data("RIFF    WAVE".utf8)
    try strange.write(to: URL(filePath: copy + "/strange.wav"))
    try Data("{}".utf8).write(to: URL(filePath: copy + "/0001 one.json"))
    try expect(["This is not in the manifest: strange.wav"], talk)
    // Exchanged names
    copy = try Self.copy(talk)
    let (first, third) = (copy + "/0001 one.opus", copy + "/0003 three.opus")
    _ = try talk.scratch.run("/bin/mv", first, copy + "/x")
    _ = try talk.scratch.run("/bin/mv", third, first)
    _ = try talk.scratch.run("/bin/mv", copy + "/x", third)
    try expect(
      [
        "This is named as recording 1, and is recording 3: 0001 one.opus",
        "This is named as recording 3, and is recording 1: 0003 three.opus",
      ], talk)
  }

  @Test("the sound of one recording under the tags of another is named")
  func exchanged() throws {
    let talk = try talker()
    let copy = try Self.copy(talk)
    let item = try talk.json(ItemReport.self, "info", "1")
    let other = try talk.json(ItemReport.self, "info", "3")
    let (from, otherFrom) = (
      Int(try #require(item.tracks?.first?.soundFrom)),
      Int(try #require(other.tracks?.first?.soundFrom))
    )
    let (first, third) = (copy + "/0001 one.opus", copy + "/0003 three.opus")
    let mixed = talk.scratch.bytes(first).prefix(from) + talk.scratch.bytes(third)[otherFrom...]
    try Data(mixed).write(to: URL(filePath: copy + "/mixed.opus"))
    try expect(["This says it is recording 1, and has the sound of 3: mixed.opus"], talk)
  }

  /// A copy whose lines were changed.
  private static func with(
    _ talk: Talker, _ id: String, _ change: (inout [Substring]) -> Void
  ) throws -> String {
    let path = "\(try Self.copy(talk))/.manifest/\(id).txt"
    var lines = String(decoding: talk.scratch.bytes(path), as: UTF8.self).split(separator: "\n")
    change(&lines)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    return path
  }

  @Test("lines that were removed, changed or moved are named, and so is a head that is not there")
  func lines() throws {
    let talk = try talker()
    let facts = try talk.json(ManifestFacts.self, "manifest")
    let id = try #require(facts.keyID)
    let head = try talk.say("manifest")
    try Data(head.utf8).write(to: URL(filePath: talk.here + "/head"))
    let cut = "The manifest \(id) had 3 lines when it was signed, and has 2."
    let changed = "The manifest \(id) was changed since it was signed."
    _ = try Self.with(talk, id) { $0.remove(at: 1) }
    try expect(
      [
        "Line 2 of the manifest is missing.", cut,
        "This is not in the manifest: Box/0002 two.opus",
      ],
      talk)
    _ = try Self.with(talk, id) { $0.swapAt(0, 1) }
    try expect(
      ["Line 1 of the manifest is not in its place.", changed], talk)
    _ = try Self.with(talk, id) { $0[0] = Substring($0[0].replacing(" 1 20", with: " 9 20")) }
    try expect(["Line 1 of the manifest was changed.", changed], talk)
    // Cut short, together with its signature: only a head that was kept tells
    let path = try Self.with(talk, id) { $0.removeLast() }
    unlink(path + ".minisig")
    #expect(
      try Self.verify(talk, "--head", "head").report.faults.map(\.sentence).contains(
        "The manifest \(id) does not have line 3 as the head that was kept."))
    _ = try Self.copy(talk)
    #expect(try Self.verify(talk, "--head", "head").code == 0)
    #expect(try Self.verify(talk, "--head", "copy/.manifest/\(id).txt.minisig").code == 0)
  }

  @Test("a recording that was deleted for good may be missing, and one in the trash counts")
  func deleted() throws {
    let talk = try talker()
    _ = try Self.copy(talk)
    _ = try talk.say("rm", "1", "3", "--yes")
    _ = try Self.copy(talk)
    try expect([], talk)
    _ = try talk.say("trash", "empty", "one", "--yes")
    try until("a fourth line") { try talk.json(ManifestFacts.self, "manifest").lines == 4 }
    try until("its signature") {
      _ = try Self.copy(talk)
      return try Self.verify(talk).report.manifests.first?.lines == 4
        && Self.verify(talk).code == 0
    }
    #expect(try Self.verify(talk).report.kept == 2)
  }

  @Test(
    "the key stays over a restart, and one that is damaged begins a new manifest, and is told")
  func keys() throws {
    let talk = try talker()
    let first = try #require(try talk.json(ManifestFacts.self, "manifest").keyID)
    talk.end()
    let again = try Talker(talk.scratch)
    #expect(try again.json(ManifestFacts.self, "manifest").keyID == first)
    again.end()
    try Data("short".utf8).write(to: URL(filePath: talk.scratch.root + "/manifest.key"))
    let third = try Talker(talk.scratch)
    #expect(try third.say("notices").contains("manifest.key was damaged"))
    try until("a manifest of the new key") {
      try third.json(ManifestFacts.self, "manifest").lines == 3
    }
    let second = try #require(try third.json(ManifestFacts.self, "manifest").keyID)
    #expect(second != first)
    try until("its signature") {
      _ = try Self.copy(third)
      return try Self.verify(third).code == 0
    }
    #expect(Set(try Self.verify(third).report.manifests.map(\.keyID)) == [first, second])
  }

  @Test("a directory without a manifest, and a bad key, are errors and not findings")
  func errors() throws {
    let talk = try Talker()
    #expect(try talk.run("manifest", "verify", "none").ending == .exited(66))
    mkdir(talk.here + "/empty", 0o755)
    let empty = try talk.run("manifest", "verify", "empty")
    #expect(empty.ending == .exited(66) && empty.errors.contains("there is no manifest in empty"))
    #expect(try talk.run("manifest", "verify", "empty", "--key", "x").ending == .exited(64))
    #expect(try talk.run("manifest", "open").ending == .exited(74))
  }
}
