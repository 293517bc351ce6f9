// Exports and imports of folders that meet what they should not: a full disk, names that are none,
// trees that are too deep, files that an export left when it was killed.

import FoundationEssentials
import Glibc
import Recorder
import Testing

@Suite actor FolderAbuseTests: Desk {
  nonisolated let chair = Chair()

  @Test("an export changes nothing on the card, and its files tell what the entries do")
  func unchanged() throws {
    let talk = try Talker()
    try talk.fill()
    _ = try talk.say("note", "1", "Behind", "the", "door")
    _ = try talk.say("undo", "--list")
    // The manifest is signed some moments after its last line.
    try until("the manifest is signed") {
      try talk.run("manifest", "verify", talk.scratch.recordings).ending == .exited(0)
    }
    let before = talk.card
    let status = try talk.json(FolderListing.self, "ls", "/Box")
    _ = try talk.say("export", "/Box", "out", "--format", "opus")
    _ = try talk.say("export", "/Box", "waves")
    #expect(talk.card == before)
    #expect(try talk.json(FolderListing.self, "ls", "/Box") == status)

    let item = try talk.json(ItemReport.self, "info", "1")
    for (file, start) in [("out/Box/0001 one.opus", 0), ("waves/Box/0001 one.wav", 0)] {
      let bytes = talk.scratch.bytes(talk.here + "/" + file)
      for words in [
        "REEL_STOP=pressed", "REEL_ID=\(item.id)", "REEL_LOUDNESS_LUFS=", "Behind the door",
      ] {
        #expect(bytes[start...].firstRange(of: Data(words.utf8)) != nil, "\(file) lacks \(words)")
      }
    }
  }

  /// The kernel refuses namespaces inside a chroot, such as the one of `scripts/fresh`.
  private static let mayMount: Bool = {
    let scratch = Scratch()
    // Without the program there is no namespace either.
    return (try? scratch.run("/usr/bin/unshare", "--map-root-user", "--mount", "/bin/true"))?.ending
      == .exited(0)
  }()

  @Test(
    "an export ends where there is no room left, says so, and goes on when there is",
    .enabled(if: mayMount, "a disk of the test's own needs a namespace"))
  func full() throws {
    let talk = try Talker()
    try talk.fill()
    _ = try talk.say("export", "1", "one.wav")
    let byteCount = talk.scratch.bytes(talk.here + "/one.wav").count
    mkdir(talk.here + "/stick", 0o755)
    // The disk is there for this shell and its children only.
    let script = """
      set -e
      mount -t tmpfs -o size=\(byteCount + 20_000) none stick
      \(Talker.reelctl) export /Box stick && exit 99 || echo "ended with $?"
      find stick | sort
      mount -o remount,size=100m stick
      \(Talker.reelctl) export /Box stick
      find stick -name '*.wav' | wc -l
      """
    let child = try Child(
      "/usr/bin/unshare", ["--map-root-user", "--mount", "/bin/sh", "-c", script],
      environment: talk.environment, directory: talk.here,
      output: .file(talk.scratch.path + "/output"), errors: .file(talk.scratch.path + "/errors"))
    let result = try talk.scratch.result(of: child)
    let lines = result.output.split(separator: "\n")
    #expect(result.ending == .exited(0), "\(result.output) \(result.errors)")
    try #require(lines.count == 9)
    #expect(lines[0].hasPrefix("skipped /Box/Inner/two: ") && lines[0].hasSuffix("full."))
    #expect(lines[1].hasPrefix("Exported 1, 1 skipped, into "))
    #expect(lines[2] == "ended with 73")
    #expect(
      lines[3...6] == ["stick", "stick/Box", "stick/Box/0001 one.wav", "stick/Box/Inner"])
    #expect(result.errors.contains("there is no room left in \(talk.here)/stick/; the same"))
    #expect(lines[7].hasPrefix("Exported 1, 1 was there already") && lines[8] == "2")
  }

  @Test("what a killed export left is deleted by the next one, unless an export still writes it")
  func abandoned() throws {
    let talk = try Talker()
    try talk.fill()
    let old = try talk.scratch.make("here/out/Box/.reel-export-1.part", Data("half".utf8))
    let busy = try talk.scratch.make("here/out/Box/.reel-export-2.part", Data("half".utf8))
    _ = try talk.scratch.make("here/out/Box/.reel-export-3.txt", Data("mine".utf8))
    symlink(talk.here + "/out", talk.here + "/out/Box/.reel-export-4.part")
    let file = open(busy, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(flock(file, LOCK_EX) == 0)
    _ = try talk.say("export", "/Box", "out")
    #expect(access(old, F_OK) != 0 && access(busy, F_OK) == 0)
    #expect(
      talk.files("out/Box").filter { $0.hasPrefix(".") } == [
        ".reel-export-2.part", ".reel-export-3.txt", ".reel-export-4.part",
      ])
  }

  @Test("a name that an empty file, a link or a directory has is not taken for an exported file")
  func occupied() throws {
    let talk = try Talker()
    try talk.fill()
    let place = talk.here + "/out/Box/0001 one.wav"
    func refuse() throws {
      let result = try talk.run("export", "/Box", "out")
      #expect(result.ending == .exited(73))
      #expect(result.output.contains("skipped /Box/one: \(place) is there already, and is no file"))
      #expect(unlink(place) == 0 || rmdir(place) == 0)
    }
    _ = try talk.scratch.make("here/out/Box/0001 one.wav", Data())
    try refuse()
    symlink("/etc/passwd", place)
    try refuse()
    mkdir(place, 0o755)
    try refuse()
    // A directory is not made in place of a file either.
    _ = try talk.scratch.make("here/other/Box", Data("mine".utf8))
    let result = try talk.run("export", "/Box", "other")
    #expect(result.ending == .exited(73) && talk.files("other") == ["Box"])
    #expect(result.output.contains("skipped /Box: cannot make the directory"))
    #expect(try talk.say("export", "/Box", "out").hasPrefix("Exported 1, 1 was there already"))
  }

  @Test("names that collide get numbers, the same ones each time")
  func collisions() throws {
    let talk = try Talker()
    try talk.fill()
    _ = try talk.say("mkdir", "/Other")
    _ = try talk.say("mkdir", "/Other/box")
    _ = try talk.say("mv", "2", "/Other/box")
    for summary in ["Exported 2, into", "Exported 0, 2 were there already, into"] {
      #expect(try talk.say("export", "/Box", "/Other/box", "out").hasPrefix(summary))
      #expect(
        talk.files("out") == [
          "Box", "Box/0001 one.wav", "Box/Inner", "box 2", "box 2/0002 two.wav",
        ])
    }
  }

  @Test("hostile names and pipes are named and left, and nothing of them reaches the card")
  func hostile() throws {
    let talk = try Talker()
    let wave = try talk.wave("src/good")
    func copy(_ name: [UInt8]) throws {
      let path = Array((talk.here + "/src/").utf8) + name + [0]
      let made = path.withUnsafeBytes { path in
        path.withMemoryRebound(to: CChar.self) { path in
          path.baseAddress.map { link(wave, $0) } ?? -1
        }
      }
      #expect(made == 0)
    }
    try copy(Array("b\u{fc}".utf8) + [0xFF] + Array(".wav".utf8))
    try copy(Array("\u{1B}[31m red\nline.wav".utf8))
    try copy(Array("-- --yes.wav".utf8))
    try copy(Array("folder.0.json.wav".utf8))
    try copy(Array("CON.wav".utf8))
    mkfifo(talk.here + "/src/pipe.wav", 0o644)
    _ = try talk.scratch.make("here/src/empty.wav", Data())

    let result = try talk.run("import", "src")
    #expect(result.ending == .exited(66))
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4, "\(result.output)")
    #expect(lines.contains { $0.hasSuffix(".wav: its name is not UTF-8") })
    #expect(lines.contains { $0.hasSuffix("pipe.wav: it is no file") })
    #expect(lines.contains { $0.contains("empty.wav is not sound") })
    #expect(lines.last?.hasPrefix("Imported 5, 3 skipped, into /") == true)
    #expect(!result.output.contains("\u{1B}"))
    #expect(talk.scratch.soundFiles.allSatisfy { $0.hasPrefix("src/000") })
    #expect(talk.scratch.soundFiles.count == 5)
    #expect(try talk.say("verify").contains("everything is as it should be"))
  }

  @Test("a tree that is too deep is imported as far as folders may go, and the rest is named")
  func deep() throws {
    let talk = try Talker()
    // The root, "src" and fourteen more are the sixteen that may lie below each other.
    let steps = (1...17).map { "\($0)" }
    for depth in [14, 15, 16, 17] {
      _ = try talk.wave("src/" + steps[..<depth].joined(separator: "/") + "/at \(depth)")
    }
    let result = try talk.run("import", "src")
    #expect(result.ending != .exited(0))
    #expect(talk.scratch.soundFiles.count == 1, "\(result.output)")
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 2)
    let place = talk.here + "/src/" + steps[..<15].joined(separator: "/")
    #expect(lines[0].hasPrefix("skipped \(place): "))
    #expect(lines[0].hasSuffix(" It holds 3 sound files."))
    #expect(lines[1].hasPrefix("Imported 1, 1 skipped, into /"))
  }

  @Test("an import that is ended leaves no half recording, and is done by the same command again")
  func importEnded() throws {
    let talk = try Talker()
    _ = try talk.wave("src/1 short")
    _ = try talk.longWave("src/2 long", minutes: 60)
    let child = try talk.start("import", "src")
    try until("the second file on its way to the card") {
      talk.scratch.soundFiles.count == 1
        && talk.scratch.everything(in: "root/recordings").contains { $0.hasSuffix(".part") }
    }
    child.send(SIGINT)
    try until("its end") { child.hasEnded() }
    try until("the end of the work") {
      !talk.scratch.everything(in: "root/recordings").contains { $0.hasSuffix(".part") }
    }
    #expect(talk.scratch.soundFiles == ["src/0001 1 short.opus"])
    _ = try talk.longWave("src/2 long", minutes: 0, seconds: 2)
    #expect(try talk.say("import", "src").hasPrefix("Imported 1, 1 with a title"))
    #expect(try talk.say("verify") == "2 recordings checked: everything is as it should be.\n")
  }

  @Test("two files of one title are two recordings, also if the import ended between them")
  func twins() throws {
    let talk = try Talker()
    let wave = try talk.wave("src/a")
    _ = try talk.say("import", "src")
    link(wave, talk.here + "/src/a.wave")
    #expect(
      try talk.say("import", "src")
        .hasPrefix("Imported 1, 1 with a title that was there already, into /"))
    #expect(
      try talk.say("import", "src")
        .hasPrefix("Imported 0, 2 with titles that were there already, into /"))
  }

  @Test("an imported folder goes to the trash and comes back; one in the trash is no obstacle")
  func trash() throws {
    let talk = try Talker()
    _ = try talk.wave("src/Deep/a")
    _ = try talk.say("import", "src")
    _ = try talk.say("rm", "/src", "--yes")
    #expect(try talk.say("undo").contains("src"))
    #expect(try talk.say("import", "src").hasPrefix("Imported 0, 1 with a title"))
    _ = try talk.say("rm", "/src", "--yes")
    #expect(try talk.say("import", "src").hasPrefix("Imported 1, into /"))
    #expect(try talk.say("ls", "/src/Deep").contains("a"))
    #expect(try talk.say("verify").contains("everything is as it should be"))
  }
}

extension Talker {
  /// Everything on the card: names, and the bytes of files.
  fileprivate var card: [String: Data] {
    let names = scratch.everything(in: "root/recordings")
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, scratch.bytes(scratch.recordings + "/" + $0)) })
  }

  /// Makes a second of silence as a WAV file; returns its path.
  fileprivate func wave(_ name: String) throws -> String {
    try longWave(name, minutes: 0, seconds: 1)
  }
}
