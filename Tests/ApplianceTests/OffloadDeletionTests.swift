// Deletions that are mirrored: when a person deletes a recording for good, its copies go, and
// nothing else does. The recorder, and reel-link beside it, as a person starts them.

import FoundationEssentials
import Glibc
import Recorder
import Testing

@Suite actor OffloadDeletionTests: Desk {
  nonisolated let chair = Chair()

  @Test("a recording that is deleted for good goes with all its tracks; in the trash it stays")
  func gone() throws {
    let rig = try OffloadRig(mirrors: true)
    for title in ["Kitchen", "Garden"] { try rig.talk.record(title) }
    let link = try rig.link()
    try until("copies of both") { try rig.isDone() && rig.hasManifest }
    #expect(rig.names(of: "Kitchen").count == 2 && rig.names(of: "0001-").count == 1)
    // when one is in the trash, then its copies stay
    _ = try rig.talk.say("rm", "Kitchen", "--yes")
    try until("the texts to say so") { try rig.isDone() }
    #expect(rig.names(of: "Kitchen").count == 2)
    // when the trash is emptied, then they go, and the other's stay
    _ = try rig.talk.say("trash", "empty", "--yes")
    try until("the copies to be gone") { rig.names(of: "Kitchen").isEmpty }
    try until("the texts to be gone") { rig.names(of: "0001-").isEmpty }
    #expect(rig.names(of: "Garden").count == 2 && rig.names(of: "0002-").count == 1)
    link.send(SIGTERM)
    try until("its end") { link.hasEnded() }
  }

  @Test("what is deleted while it does not run follows later; another file of that name stays")
  func later() throws {
    let rig = try OffloadRig(mirrors: true)
    for title in ["Kitchen", "Garden"] { try rig.talk.record(title) }
    try rig.link(until: "copies of both") { try rig.isDone() }
    // then it is remembered from where deletions follow, before the target has a manifest
    #expect(access(rig.mark, F_OK) == 0)
    // given one file that a person has put there under the same name
    let other = try #require(rig.names(of: "Garden").first { $0.hasSuffix(".flac") })
    try Data("another".utf8).write(to: URL(filePath: rig.copies + "/" + other))
    // when both are deleted, and then it runs
    for title in ["Kitchen", "Garden"] { try rig.delete(title) }
    try rig.link(until: "the copies to be gone") { rig.names == [other] }
    #expect(rig.text(other) == "another")
  }

  @Test("unless it is asked for, nothing is deleted; nor what was deleted before that")
  func asked() throws {
    let quiet = try OffloadRig(mirrors: false)
    try quiet.talk.record("Kitchen")
    try quiet.link(until: "the copy") { try quiet.isDone() && quiet.hasManifest }
    let before = quiet.names
    try quiet.delete("Kitchen")
    try quiet.talk.record("Garden")
    try quiet.link(until: "the next copy") {
      try quiet.isDone() && !quiet.names(of: "Garden").isEmpty
    }
    // when it is asked for from now on
    let text = String(
      decoding: quiet.talk.scratch.bytes(quiet.configuration), as: UTF8.self)
    try Data(text.replacing("mirrorDeletions: false", with: "mirrorDeletions: true").utf8)
      .write(to: URL(filePath: quiet.configuration))
    try quiet.link(until: "its beginning") { access(quiet.mark, F_OK) == 0 }
    let names = quiet.names
    #expect(before.allSatisfy { names.contains($0) })
    // then what is deleted from then on follows
    try quiet.delete("Garden")
    try quiet.link(until: "the copy and its texts to be gone") { quiet.names == before }
  }
}

extension OffloadRig {
  /// A recorder with takes of two tracks, and a target below a prefix.
  fileprivate init(mirrors: Bool) throws {
    try self.init(
      tracks: #"{ tracks: [{ channels: [1] }, { name: "m", channels: [1], format: "flac" }] }"#)
    let text = """
      { targets: [{ name: "stick", kind: "directory", path: "\(copies)", mounted: false,
        prefix: "box", mirrorDeletions: \(mirrors) }] }
      """
    try Data(text.utf8).write(to: URL(filePath: configuration))
  }

  fileprivate var hasManifest: Bool {
    files.contains { $0.hasPrefix("box/.manifest/") && $0.hasSuffix(".minisig") }
  }

  /// From where deletions follow.
  fileprivate var mark: String { talk.scratch.path + "/link/deletions/stick.json" }

  fileprivate func delete(_ name: String) throws {
    _ = try talk.say("rm", name, "--yes")
    _ = try talk.say("trash", "empty", "--yes")
  }

  /// The files at the target, without the manifest's.
  fileprivate var names: [String] {
    files.filter { name in [".opus", ".flac", ".json"].contains { name.hasSuffix($0) } }
  }

  fileprivate func names(of name: String) -> [String] { names.filter { $0.contains(name) } }
}
