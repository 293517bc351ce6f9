// The recorder, reel-link beside it, and people who edit on both sides: texts go both ways, of
// two edits of one text none is lost, and what cannot be taken over is said. Copies that vanish
// are made again.

import FoundationEssentials
import Glibc
import Recorder
import Testing

@Suite actor OffloadTextsTests: Desk {
  nonisolated let chair = Chair()

  private static func notices(_ rig: OffloadRig) throws -> [String] {
    try rig.talk.json([NoticeReport].self, "notices").map(\.sentence)
  }

  @Test("what is typed at the recorder lies at the target, and what is typed there comes here")
  func bothWays() throws {
    let rig = try OffloadRig()
    try rig.talk.record("Kitchen")
    _ = try rig.talk.say("mkdir", "Inner")
    let link = try rig.link()
    let file = try rig.texts(1)
    try until("the texts") { rig.text(file).contains("\"title\": \"Kitchen\"") }
    // when people type here
    _ = try rig.talk.say("note", "1", "Two lines,\nof notes.")
    _ = try rig.talk.say("mark", "add", "1", "0.1", "the answer")
    _ = try rig.talk.say("rename", "1", "Cellar")
    _ = try rig.talk.say("mv", "Cellar", "/Inner")
    // then it is there
    try until("the new texts") {
      try rig.isUpToDate() && rig.text(file).contains("Two lines,\\nof notes.")
        && rig.text(file).contains("\"folder\": \"/Inner\"")
        && rig.text(file).contains("\"frame\":4800,\"name\":\"the answer\"")
        && rig.text(file).contains("\"file\":\"Inner/0001 Cellar.opus\"")
    }
    link.send(SIGTERM)
    try until("its end") { link.hasEnded() }
    // and when people type there
    try rig.edit(file, "\"Cellar\"", "\"Küche\"")
    try rig.edit(file, "\"place\": \"\"", "\"place\": \"--at Ulm\"")
    try rig.edit(file, "the answer", "die Antwort")
    try rig.edit(file, "\"folder\": \"/Inner\"", "\"folder\": \"/\"")
    try rig.link(until: "the texts from there") {
      let item = try rig.info("1")
      return item.title == "Küche" && item.place == "--at Ulm" && item.folder == "/"
        && item.marks?.map(\.name) == ["die Antwort"] && rig.files.contains("0001 Küche.opus")
    }
    // then it can be undone like anything that was typed here
    #expect(try rig.talk.say("undo", "--list").contains("rename"))
    #expect(try Self.notices(rig).isEmpty)
  }

  @Test("edited here and there while neither knew: the later counts, the other is in the notes")
  func conflict() throws {
    let rig = try OffloadRig()
    try rig.talk.record("Kitchen")
    let file = try rig.texts(1)
    try rig.link(until: "the texts") { try rig.isUpToDate() }
    // given both were edited while no program copied
    try rig.edit(file, "\"speaker\": \"\"", "\"speaker\": \"Käthe\"")
    _ = try rig.talk.say("speaker", "1", "Karl")
    try rig.link(until: "the merge") {
      try rig.info("1").notes != nil && rig.text(file).contains("Käthe")
        && rig.text(file).contains("Karl")
    }
    // then both are there, here as at the target, and a notice says so
    let item = try rig.info("1")
    let both = (item.speaker ?? "") + (item.notes ?? "")
    #expect(both.contains("Käthe") && both.contains("Karl"), "\(item)")
    #expect(item.notes?.contains("] speaker: ") == true)
    #expect(rig.text(file).contains("\"speaker\": \"\(item.speaker ?? "?")\""))
    let told = try Self.notices(rig).joined()
    #expect(told.contains("“Kitchen” (stick): the later speaker counts"), "\(told)")
  }

  @Test("what cannot be read or taken over stays as it is there, and is said with its reason")
  func refused() throws {
    let rig = try OffloadRig()
    try rig.talk.record("Kitchen")
    try rig.talk.record("Garden")
    let (broken, lost) = (try rig.texts(1), try rig.texts(2))
    try rig.link(until: "the texts") { try rig.isUpToDate() }
    try rig.edit(broken, "\"heard\": false", "\"heard\": maybe")
    try rig.edit(lost, "\"folder\": \"/\"", "\"folder\": \"/Nowhere\"")
    try rig.edit(lost, "\"notes\": \"\"", "\"notes\": \"Kept.\"")
    let link = try rig.link()
    // What can be taken over is, and the rest waits
    try until("the notes") { try rig.info("2").notes == "Kept." }
    try until("the reasons") {
      let why = try ["1", "2"].map { try rig.info($0).copies?.first?.why ?? "" }
      return why[0].contains(".json” cannot be read, line 7: ")
        && why[1].contains("What was edited at stick waits: There is no “Nowhere” in /")
    }
    #expect(rig.text(broken).contains("maybe") && rig.text(lost).contains("/Nowhere"))
    // Both are safe all the same
    #expect(try rig.report().onlyHere == 0)
    link.end()
  }

  @Test("deleted here is marked there, and one that is edited there comes back")
  func deleted() throws {
    let rig = try OffloadRig()
    try rig.talk.record("Kitchen")
    let file = try rig.texts(1)
    try rig.link(until: "the texts") { try rig.isUpToDate() }
    _ = try rig.talk.say("rm", "1", "--yes")
    try rig.link(until: "its mark") {
      try rig.text(file).contains("\"deleted\": true") && rig.isUpToDate()
    }
    #expect(rig.files.contains("0001 Kitchen.opus"))
    // when it is edited there
    try rig.edit(file, "\"deleted\": true", "\"deleted\": false")
    try rig.link(until: "its return") { try rig.talk.say("ls").contains("Kitchen") }
  }

  @Test("a copy that vanished is found missing, said so, and made again")
  func vanished() throws {
    let rig = try OffloadRig()
    try rig.talk.record("Kitchen")
    try rig.link(until: "the copy") { try rig.report().onlyHere == 0 }
    try FileManager.default.removeItem(atPath: rig.copies + "/0001 Kitchen.opus")
    try rig.link(until: "another copy") {
      try rig.files.contains("0001 Kitchen.opus") && rig.report().onlyHere == 0
    }
    #expect(try Self.notices(rig).joined().contains("A copy is gone from its target"))
  }

  @Test("the manifest leaves with the copies: there, too, it names what is missing and changed")
  func manifest() throws {
    let rig = try OffloadRig()
    for title in ["Kitchen", "Garden"] { try rig.talk.record(title) }
    try rig.link(until: "the manifest") {
      try rig.isUpToDate() && rig.files.contains { $0.hasSuffix(".txt.minisig") }
    }
    let head = try rig.talk.json(ManifestFacts.self, "manifest")
    let key = head.publicKey ?? ""
    #expect(head.lines == 2)
    let well = try Self.verify(rig, key)
    #expect(well.ending == .exited(0), "\(well)")
    // When one is recorded more, then the target has its line, too
    try rig.talk.record("Attic")
    try rig.link(until: "three lines") {
      try rig.isUpToDate()
        && rig.text(".manifest/\(head.keyID ?? "").txt.minisig").contains(" 3 ")
    }
    #expect(try Self.verify(rig, key).ending == .exited(0))
    // and what is taken away there is named
    try FileManager.default.removeItem(atPath: rig.copies + "/0002 Garden.opus")
    let lacking = try Self.verify(rig, key)
    #expect(lacking.ending == .exited(1) && "\(lacking)".contains("2"), "\(lacking)")
  }

  @Test("a library comes back onto a new card, sound compared, with all that was typed")
  func fetched() throws {
    // given a library with a target, texts that are only in the index, and one in the trash
    let rig = try OffloadRig(
      tracks: #"{ tracks: [{ channels: [1] }, { name: "m", channels: [1], format: "flac" }] }"#)
    for title in ["Kitchen", "Garden", "Lost"] { try rig.talk.record(title) }
    _ = try rig.talk.say("mkdir", "Inner")
    _ = try rig.talk.say("mv", "1", "/Inner")
    _ = try rig.talk.say("note", "1", "Two lines,\nof notes.")
    _ = try rig.talk.say("speaker", "2", "Käthe")
    _ = try rig.talk.say("mark", "add", "2", "0.1", "here")
    _ = try rig.talk.say("heard", "2")
    try rig.link(until: "the copies") { try rig.isUpToDate() && rig.report().onlyHere == 0 }
    _ = try rig.talk.say("rm", "3", "--yes")
    try rig.link(until: "its mark") { try rig.isUpToDate() }
    // when another recorder with an empty card fetches it
    let new = try OffloadRig(copiesOf: rig)
    let said = try new.talk.run(["fetch", "stick", "--config", new.configuration])
    #expect(said.ending == .exited(0), "\(said)")
    #expect(said.output.contains("2 recordings: 4 files fetched and compared"), "\(said)")
    // The folder is not there until the card has been read anew.
    try until("the recordings") {
      try new.talk.run("ls", "/Inner").output.contains("Kitchen")
    }
    // then all is there, to the byte of its sound, and once reel-link has run, all that was typed
    try new.link(until: "the texts") {
      let (one, two) = (try new.info("1"), try new.info("2"))
      return try one.notes == "Two lines,\nof notes." && two.speaker == "Käthe"
        && two.marks?.map(\.name) == ["here"] && two.heard == true && new.isUpToDate()
    }
    for number in ["1", "2"] {
      let (old, now) = (try rig.info(number), try new.info(number))
      #expect(now.id == old.id && now.title == old.title && now.path == old.path)
      #expect(now.tracks?.map(\.sha256) == old.tracks?.map(\.sha256))
    }
    // A second time there is nothing to do; and what was damaged there is not taken
    let again = try new.talk.run(["fetch", "stick", "--config", new.configuration])
    #expect(again.output.contains("0 files fetched and compared (0 MB), 4 were there, 0 failed"))
    let name = rig.copies + "/Inner/0001 Kitchen.opus"
    var bytes = Array(rig.talk.scratch.bytes(name))
    bytes[bytes.count - 5] ^= 1
    try Data(bytes).write(to: URL(filePath: name))
    let third = try OffloadRig(copiesOf: rig)
    let damaged = try third.talk.run(["fetch", "stick", "--config", third.configuration])
    #expect(damaged.ending == .exited(69))
    #expect(damaged.output.contains("Its sound is not what was recorded; it is not kept."))
  }

  @Test(
    "two recorders with one library and a person at the target all edit: all agree, all is kept")
  func three() throws {
    let one = try OffloadRig()
    for title in ["Kitchen", "Garden"] { try one.talk.record(title) }
    try one.link(until: "the texts") { try one.isUpToDate() }
    let two = try OffloadRig(like: one)
    let file = try one.texts(1)
    // given an edit of the same texts on three sides, and of others on each
    _ = try one.talk.say("place", "1", "Place One")
    _ = try two.talk.say("place", "1", "Place Two")
    try one.edit(file, "\"place\": \"\"", "\"place\": \"Place Three\"")
    _ = try one.talk.say("mark", "add", "1", "0.1", "first")
    _ = try two.talk.say("speaker", "1", "Käthe")
    _ = try two.talk.say("rename", "2", "Yard")
    // when both copy at the same time, again and again: each start looks at all copies
    var round = 0
    while try !Self.agree(one, two, file) {
      round += 1
      let (here, there) = (try Self.texts(one), try Self.texts(two))
      try #require(round < 20, "\(here) \(there) \(one.text(file))")
      let first = try one.link()
      let second = try two.link()
      // One that met the other's edits too often tries again in a minute, or when started anew.
      let patience = now() + 10_000_000_000
      try until("both to be done") { try now() > patience || (one.isDone() && two.isDone()) }
      first.send(SIGTERM)
      second.send(SIGTERM)
      try until("their ends") { first.hasEnded() && second.hasEnded() }
    }
  }

  private static func verify(_ rig: OffloadRig, _ key: String) throws -> Scratch.Result {
    try rig.talk.run(["manifest", "verify", rig.copies, "--key", key])
  }

  private static func texts(_ rig: OffloadRig) throws -> [String] {
    var texts: [String] = []
    for number in ["1", "2"] {
      let item = try rig.info(number)
      texts += [item.title, item.place ?? "", item.speaker ?? "", item.notes ?? ""]
      texts.append("\(item.marks?.map(\.name) ?? [])")
    }
    return texts
  }

  private static func hasAll(_ texts: [String]) -> Bool {
    let all = texts.joined(separator: "|")
    return ["Place One", "Place Two", "Place Three", "first", "Käthe", "Yard"]
      .allSatisfy(all.contains)
  }

  private static func agree(
    _ one: OffloadRig, _ two: OffloadRig, _ file: String
  ) throws -> Bool {
    let (here, there) = (try texts(one), try texts(two))
    return here == there && hasAll(here) && hasAll([one.text(file), here.joined()])
  }
}
