// The recorder and reel-link beside it, as a person starts them: what is recorded arrives at a
// mounted directory, is read back, and counts as safe; names follow; a kill in the middle loses and
// doubles nothing.

import FoundationEssentials
import Glibc
import Recorder
import Testing

@Suite actor OffloadTests: Desk {
  nonisolated let chair = Chair()

  @Test("what is recorded arrives, is compared, and is safe; a rename is one there, too")
  func life() throws {
    // given two recordings, one in a folder, and no program that copies
    let rig = try OffloadRig()
    try rig.talk.record("Kitchen")
    _ = try rig.talk.say("mkdir", "Inner")
    try rig.talk.record("Garden")
    _ = try rig.talk.say("mv", "2", "/Inner")
    #expect(try rig.report().onlyHere == 2 && rig.report().targets.isEmpty)
    // when it is started
    let link = try rig.link()
    try until("copies of both") { try rig.report().onlyHere == 0 }
    // then the files are there, byte for byte, under readable names
    #expect(rig.files.filter { $0.hasSuffix(".opus") }.count == 2)
    for name in ["0001 Kitchen.opus", "Inner/0002 Garden.opus"] {
      let (copy, own) = (
        rig.talk.scratch.bytes("\(rig.copies)/\(name)"),
        rig.talk.scratch.bytes("\(rig.talk.scratch.recordings)/\(name)")
      )
      #expect(copy == own && !copy.isEmpty, "\(name)")
    }
    let copy = try #require(try rig.info("1").copies?.first)
    #expect(copy.state == .verified && copy.remote == "0001 Kitchen.opus")
    #expect(try rig.talk.say("status").contains("every recording has a copy elsewhere"))
    // and when a recording is renamed, its copy is renamed, not sent again
    let before = node(of: "\(rig.copies)/0001 Kitchen.opus")
    _ = try rig.talk.say("rename", "1", "Cellar")
    try until("the new name") {
      try rig.info("1").copies?.first?.remote == "0001 Cellar.opus"
    }
    #expect(node(of: "\(rig.copies)/0001 Cellar.opus") == before)
    #expect(!rig.files.contains { $0.hasSuffix("Kitchen.opus") })
    // and it ends when it is told to; the copies stay known
    link.send(SIGTERM)
    try until("its end") { link.hasEnded() }
    #expect(link.ending == .exited(0))
    try until("its silence to show") { try rig.report().targets.first?.isRunning == false }
    #expect(try rig.report().onlyHere == 0)
  }

  @Test("killed again and again, all tracks of all takes arrive once")
  func killed() throws {
    let rig = try OffloadRig(
      tracks: #"{ tracks: [{ channels: [1] }, { name: "m", channels: [1], format: "flac" }] }"#)
    for title in ["One", "Two", "Three"] { try rig.talk.record(title) }
    // when the program is killed a moment after each start
    for moment in 1...6 as ClosedRange<UInt32> {
      let link = try rig.link()
      usleep(moment * 12_000)  // Each time at another moment of its work.
      link.send(SIGKILL)
      try until("its end") { link.hasEnded() }
    }
    let link = try rig.link()
    // then what was begun is finished, also the manifest
    try until("copies of all, and their texts: \(rig.files)") {
      try rig.isDone() && !rig.files.contains { $0.hasSuffix(".part") }
    }
    link.send(SIGTERM)
    try until("its end") { link.hasEnded() }
    // and each file is there once, whole, and nothing else is
    let own = rig.talk.scratch.everything(in: "root/recordings")
      .filter { $0.hasSuffix(".opus") || $0.hasSuffix(".flac") }.sorted()
    let names = rig.files.filter { $0.hasSuffix(".opus") || $0.hasSuffix(".flac") }
    #expect(own.count == 6 && names.count == 6, "\(rig.files)")
  }

  private func node(of path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }
}
