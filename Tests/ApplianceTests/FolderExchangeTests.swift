// Folders as a whole, by reelctl against a real daemon: exported, imported, verified, drawn; and
// the parts of a split take, joined.

import FoundationEssentials
import Glibc
import Recorder
import Tape
import Testing

@Suite actor FolderExchangeTests: Desk {
  nonisolated let chair = Chair()

  private struct Exported: Decodable {
    struct Done: Decodable { let path: String, file: String }
    struct Skipped: Decodable { let what: String, why: String }
    let exported: [Done]?
    let imported: [Done]?
    let present: [Done]
    let skipped: [Skipped]
  }

  @Test("a folder is exported as a tree, nothing is written over, and a second run goes on")
  func export() throws {
    let talk = try Talker()
    try talk.fill()
    #expect(try talk.say("export", "/Box", "out") == "Exported 2, into \(talk.here)/out/.\n")
    #expect(
      talk.files("out") == ["Box", "Box/0001 one.wav", "Box/Inner", "Box/Inner/0002 two.wav"])
    let wave = talk.here + "/out/Box/0001 one.wav"
    #expect(try SoundReader.open(wave).frames ?? 0 > 4_800)

    // A file that exists stays, even if it is no recording.
    _ = try talk.scratch.make("here/out/Box/0001 one.wav", Data("mine".utf8))
    unlink(talk.here + "/out/Box/Inner/0002 two.wav")
    #expect(
      try talk.say("export", "/Box", "out")
        == "Exported 1, 1 was there already, into \(talk.here)/out/.\n")
    #expect(talk.scratch.contents("here/out/Box/0001 one.wav") == "mine")
    #expect(try SoundReader.open(talk.here + "/out/Box/Inner/0002 two.wav").frames ?? 0 > 4_800)

    // The root goes into the directory itself, in the format that is named.
    let report = try talk.json(Exported.self, "export", "/", "all", "--format", "opus")
    #expect(report.exported?.map(\.path).sorted() == ["/Box/Inner/two", "/Box/one"])
    #expect(report.skipped.isEmpty && report.present.isEmpty)
    #expect(talk.files("all").contains("Box/Inner/0002 two.opus"))
    #expect(talk.files("").allSatisfy { !$0.contains(".part") })
    // Only the last directory is made.
    #expect(try talk.run("export", "/Box", "no/such/place").ending == .exited(73))
    #expect(!talk.files("").contains("no"))
  }

  @Test("a recording that cannot be exported is named, and the others are exported")
  func exportGoesOn() throws {
    let talk = try Talker()
    try talk.fill()
    _ = try talk.scratch.make("root/recordings/Box/0001 one.opus", Data("no sound".utf8))
    let result = try talk.run("export", "/Box", "out")
    #expect(result.ending == .exited(73))
    #expect(result.output.contains("skipped /Box/one: "), "\(result.output)")
    #expect(result.output.hasSuffix("Exported 1, 1 skipped, into \(talk.here)/out/.\n"))
    #expect(talk.files("out") == ["Box", "Box/Inner", "Box/Inner/0002 two.wav"])
  }

  @Test("an export that is ended leaves whole files only", arguments: [SIGINT, SIGKILL])
  func exportEnded(by number: Int32) throws {
    let talk = try Talker()
    // Long enough to be caught in the middle
    let source = try talk.longWave("long", minutes: 10)
    _ = try talk.say("mkdir", "/Box")
    _ = try talk.say("import", source, "--in", "/Box")
    let child = try talk.start("export", "/Box", "out", "--format", "flac24")
    try until("sound outside") {
      talk.files("out/Box").contains { talk.scratch.bytes(talk.here + "/out/Box/" + $0).count > 0 }
    }
    child.send(number)
    try until("its end") { child.hasEnded() }
    #expect(child.ending == (number == SIGINT ? .exited(130) : .killed(number)))
    let left = talk.files("out/Box")
    #expect(left.allSatisfy { $0.hasPrefix(".reel-export-") } && (number != SIGINT || left.isEmpty))
    if number == SIGINT {
      #expect(talk.scratch.contents("errors").contains("Ended after 0 of 1 recordings"))
    }
    // The recorder writes on until it notices, and the next export leaves what is written.
    let folder = talk.here + "/out/Box/"
    try until("the recorder lets go of it") { left.allSatisfy { isUnlocked(folder + $0) } }
    #expect(try talk.say("export", "/Box", "out", "--format", "opus").hasPrefix("Exported 1,"))
    #expect(talk.files("out/Box") == ["0001 long.opus"])
  }

  @Test("a directory becomes a folder; what is no sound is named; a second run imports nothing")
  func importing() throws {
    let talk = try Talker()
    try talk.record("tape")
    for name in ["src/10 b.wav", "src/2 a.wav", "src/Deep/Deeper/c.flac"] {
      _ = try talk.scratch.make("here/" + name, Data())
      unlink(talk.here + "/" + name)
      _ = try talk.say("export", "1", name)
    }
    _ = try talk.scratch.make("here/src/notes.txt", Data("words".utf8))
    _ = try talk.scratch.make("here/src/broken.wav", Data("words".utf8))
    _ = try talk.scratch.make("here/src/Empty/picture.png", Data("dots".utf8))
    _ = try talk.scratch.make("here/src/.hidden.wav", Data("words".utf8))
    symlink("/etc", talk.here + "/src/Etc")
    symlink(talk.here + "/src/2 a.wav", talk.here + "/src/link.wav")
    _ = try talk.say("mkdir", "/Archive")

    let result = try talk.run("import", "src", "/Archive", "--json")
    #expect(result.ending == .exited(66))
    let report = try JSONDecoder().decode(Exported.self, from: Data(result.output.utf8))
    #expect(
      report.imported?.map(\.path)
        == ["/Archive/src/2 a", "/Archive/src/10 b", "/Archive/src/Deep/Deeper/c"])
    let skipped = Dictionary(
      uniqueKeysWithValues: report.skipped.map {
        (String($0.what.dropFirst(talk.here.count + 5)), $0.why)
      })
    #expect(
      skipped.keys.sorted() == [
        ".hidden.wav", "Empty/picture.png", "Etc", "broken.wav", "link.wav", "notes.txt",
      ])
    #expect(skipped["Etc"] == "it is a link" && skipped["link.wav"] == "it is a link")
    let list = try talk.json(FolderListing.self, "ls", "/Archive/src", "--by-date")
    #expect(Set(list.items.map(\.title)) == ["Deep", "2 a", "10 b"])
    let numbers = list.items.compactMap { item in item.sequence.map { (item.title, $0) } }
    let byNumber = numbers.sorted { $0.1 < $1.1 }.map(\.0)
    #expect(byNumber == ["2 a", "10 b"])

    unlink(talk.here + "/src/broken.wav")
    #expect(
      try talk.say("import", "src", "--in", "/Archive")
        .hasSuffix("Imported 0, 3 with titles that were there already, 5 skipped, into /Archive.\n")
    )
    #expect(talk.scratch.soundFiles.count == 4)
  }

  @Test("verify and waveform take a folder with everything below it")
  func sheets() throws {
    let talk = try Talker()
    try talk.fill()
    #expect(
      try talk.say("verify", "/Box") == "2 recordings checked: everything is as it should be.\n")
    let sheet = try talk.say("waveform", "/Box").split(separator: "\n")
    #expect(sheet.count == 4 && sheet[0] == "/Box" && sheet[2] == "/Box/Inner")
    #expect(sheet[1].hasPrefix("1 one") && sheet[3].hasPrefix("2 two"))
    let lines = try talk.say("waveform", "/Box", "--json", "--points", "7").split(separator: "\n")
    let drawn = try lines.map {
      try JSONDecoder().decode(WaveformReport.self, from: Data($0.utf8))
    }
    #expect(drawn.map(\.title) == ["one", "two"] && drawn.allSatisfy { $0.peaks.count == 7 })
    #expect(try talk.run("waveform", "/Box", "--svg", "a.svg").ending == .exited(64))

    unlink(talk.scratch.recordings + "/Box/Inner/0002 two.opus")
    let result = try talk.run("verify", "/", "--json")
    #expect(result.ending == .exited(1))
    let report = try JSONDecoder().decode(VerifyReport.self, from: Data(result.output.utf8))
    #expect(report.checked == 2 && report.faults.map(\.file) == ["Box/Inner/0002 two.opus"])
  }

  @Test("the parts of a split take are joined without a frame lost or repeated")
  func join() throws {
    let talk = try Talker()
    let before = talk.scratch.recordedBytes
    _ = try talk.say("record", "concert")
    for number in 1...2 {
      try until("sound on the card") { talk.scratch.recordedBytes > before + number * 9_000 }
      _ = try talk.say("split")
    }
    try until("sound on the card") { talk.scratch.recordedBytes > before + 27_000 }
    _ = try talk.say("stop")
    let items = try talk.json(FolderListing.self, "ls", "/", "--by-name").items
      .sorted { $0.part ?? 0 < $1.part ?? 0 }
    try #require(items.count == 3)
    let frames = items.reduce(0) { $0 + ($1.frames ?? 0) }

    #expect(try talk.say("join", "2", "--to", "a.opus").contains("without encoding again"))
    _ = try talk.say("join", "3", "1", "2", "--to", "b.wav")
    #expect(try SoundReader.open(talk.here + "/a.opus").frames == frames)
    #expect(try SoundReader.open(talk.here + "/b.wav").frames == frames)
    #expect(try talk.run("join", "1", "--to", "a.opus").ending == .exited(73))
    #expect(try talk.run("join", "1").errors.contains("--to is missing"))
    let refused = try talk.run("join", "1", "3", "--to", "c.wav")
    #expect(refused.ending == .exited(73) && refused.errors.contains("A part is missing"))
    #expect(talk.files("").sorted() == ["a.opus", "b.wav"])
  }
}

extension Talker {
  var here: String { scratch.path + "/here" }

  func files(_ folder: String) -> [String] { scratch.everything(in: "here/" + folder) }

  /// Makes /Box/one and /Box/Inner/two.
  func fill() throws {
    _ = try say("mkdir", "/Box")
    _ = try say("mkdir", "/Box/Inner")
    for (title, folder) in [("one", "/Box"), ("two", "/Box/Inner")] {
      try record(title)
      _ = try say("mv", title, folder)
    }
  }

  /// Makes a WAV file of silence; returns its path.
  func longWave(_ name: String, minutes: Int, seconds: Int = 0) throws -> String {
    let byteCount = UInt32((minutes * 60 + seconds) * 16_000)
    func bytes(_ number: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
    }
    var header = Array("RIFF".utf8) + bytes(36 + byteCount, 4) + Array("WAVEfmt ".utf8)
    header += bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(8_000, 4) + bytes(16_000, 4)
    header += bytes(2, 2) + bytes(16, 2) + Array("data".utf8) + bytes(byteCount, 4)
    return try scratch.make(
      "here/\(name).wav", Data(header) + Data(repeating: 0, count: Int(byteCount)))
  }
}

private func isUnlocked(_ path: String) -> Bool {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  let isFree = flock(file, LOCK_EX | LOCK_NB) == 0
  close(file)
  return isFree
}
