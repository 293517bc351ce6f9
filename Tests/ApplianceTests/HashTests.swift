// The hash of a recording's sound, told by `reelctl info --json`, against what `tail` and
// `sha256sum` compute from the file on the card: as it was recorded, renamed, noted, moved, and cut
// short by a kill.

import FoundationEssentials
import Glibc
import Recorder
import Testing

@Suite actor HashTests: Desk {
  nonisolated let chair = Chair()

  private static let configuration = """
    { tracks: [{ channels: [1] }, { name: "master", channels: [1], format: "flac" }] }
    """

  private func talker() throws -> Talker {
    let scratch = Scratch()
    try scratch.make("root/etc/reel.json", Data(Self.configuration.utf8))
    return try Talker(scratch)
  }

  /// The hashes of an item's files, after a comparison with `sha256sum`.
  private func hashes(_ item: String, on talk: Talker) throws -> [String] {
    let tracks = try #require(try talk.json(ItemReport.self, "info", item).tracks)
    return try tracks.map { track in
      let (hash, from) = (try #require(track.sha256), try #require(track.soundFrom))
      let file = "\(talk.scratch.recordings)/\(track.file)"
      let sum = try talk.scratch.run(
        "/bin/sh", "-c", "tail -c +$(($1 + 1)) \"$2\" | sha256sum", "sh", "\(from)", file)
      #expect(sum.output.prefix(64) == hash)
      return hash
    }
  }

  @Test("the hash is what sha256sum computes, and stays whatever happens to the recording")
  func life() throws {
    let talk = try talker()
    try talk.record("Kitchen")
    let hashes = try hashes("1", on: talk)
    #expect(hashes.count == 2 && hashes[0] != hashes[1])
    _ = try talk.say("note", "1", "Long", "ago")
    _ = try talk.say("rename", "1", "Küche")
    #expect(try self.hashes("1", on: talk) == hashes)
    _ = try talk.say("mkdir", "Inner")
    _ = try talk.say("mv", "1", "/Inner")
    #expect(try self.hashes("/Inner/Küche", on: talk) == hashes)
    let tracks = try #require(try talk.json(ItemReport.self, "info", "1").tracks)
    #expect(tracks.map(\.file) == ["Inner/0001 Küche.opus", "Inner/0001 Küche (1).flac"])
    #expect(try talk.json(VerifyReport.self, "verify", "/").isWell)
  }

  @Test("a byte of the sound that changes is found, in Opus and in FLAC")
  func changed() throws {
    let talk = try talker()
    try talk.record("Kitchen")
    let tracks = try #require(try talk.json(ItemReport.self, "info", "1").tracks)
    #expect(try talk.run("verify", "/").ending == .exited(0))
    for track in tracks {
      let path = "\(talk.scratch.recordings)/\(track.file)"
      var bytes = talk.scratch.bytes(path)
      // The last byte belongs to a packet or a checksum of a frame
      bytes[bytes.count - 1] ^= 1
      try bytes.write(to: URL(filePath: path))
    }
    let found = try talk.run("verify", "/")
    #expect(found.ending == .exited(1))
    let report = try JSONDecoder().decode(
      VerifyReport.self, from: Data(try talk.run("verify", "/", "--json").output.utf8))
    #expect(report.faults.map(\.file) == tracks.map(\.file))
  }

  @Test("a take that is killed has the hash of what was repaired")
  func killed() throws {
    let talk = try talker()
    let before = talk.scratch.recordedBytes
    _ = try talk.say("record", "Kitchen")
    try until("sound on the card") { talk.scratch.recordedBytes > before + 100_000 }
    talk.daemon.send(SIGKILL)
    talk.end()
    let again = try Talker(talk.scratch)
    try until("the hash of the repaired take") {
      try again.json(ItemReport.self, "info", "1").tracks?.allSatisfy { $0.sha256 != nil } ?? false
    }
    #expect(try hashes("1", on: again).count == 2)
  }
}
