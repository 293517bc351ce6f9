// reelctl as people and scripts use it, against a real daemon with virtual sound: what it prints,
// how it ends, and what is on the card afterwards.

import Console
import FoundationEssentials
import Glibc
import Recorder
import Testing

@Suite actor ReelctlTests: Desk {
  nonisolated let chair = Chair()

  @Test("a recording from beginning to end, by commands alone")
  func recording() throws {
    let talk = try Talker()
    #expect(try talk.say("status").hasPrefix("Ready"))
    #expect(try talk.say("record", "Tante Käthe").hasPrefix("Recording 1 “Tante Käthe”"))
    #expect(try talk.say("mark", "the", "good", "part").hasPrefix("Marked"))
    #expect(try talk.say("status").hasPrefix("Recording"))
    #expect(try talk.say("stop").hasPrefix("Saved 1 “Tante Käthe”"))
    // Then it is whole, at once.
    #expect(talk.scratch.soundFiles == ["0001 Tante Käthe.opus"])
    #expect(try Judgement(on: "0001 Tante Käthe.opus", in: talk.scratch).complaints == [])

    let item = try talk.json(ItemReport.self, "info", "1")
    #expect(item.title == "Tante Käthe" && item.stage == .finished)
    #expect(item.marks?.map(\.name) == ["the good part"])
    #expect(item.integrity?.recovered == false && item.integrity?.isDoubtful == false)
  }

  @Test("folders, names, moving, the trash and back")
  func folders() throws {
    let talk = try Talker()
    try talk.record("one")
    try talk.record("two")
    #expect(try talk.say("mkdir", "Interviews").contains("“Interviews”"))
    #expect(try talk.say("mkdir", "Interviews/May").contains("in /Interviews"))
    #expect(try talk.say("mv", "one", "2", "/Interviews/May") == "Moved 2.\n")
    #expect(try talk.say("rename", "/Interviews/May/one", "The", "first").contains("“The first”"))
    let list = try talk.say("ls", "/Interviews/May")
    #expect(list.contains("The first") && list.contains("two"))
    #expect(
      talk.scratch.soundFiles == [
        "Interviews/May/0001 The first.opus", "Interviews/May/0002 two.opus",
      ])

    // Without a terminal, reelctl can't ask.
    let refused = try talk.run("rm", "1")
    #expect(refused.ending == .exited(64) && refused.errors.contains("--yes"))
    #expect(try talk.say("rm", "1", "--yes").hasPrefix("Deleted"))
    #expect(try talk.say("trash").contains("The first"))
    #expect(try talk.say("restore", "the first").contains("in /Interviews/May"))
    #expect(try talk.say("rm", "/Interviews", "-y").hasPrefix("Deleted"))
    #expect(try talk.say("ls") == "Nothing here.\n")
    #expect(try talk.say("trash", "empty", "--yes") == "The trash is empty.\n")
    #expect(talk.scratch.soundFiles == [])
  }

  @Test("playing, seeking, pausing, volume")
  func playing() throws {
    let talk = try Talker()
    try talk.record("tape")
    #expect(try talk.say("play", "1").hasPrefix("Playing 1"))
    #expect(try talk.say("pause").hasPrefix("Paused"))
    // The player reports where it paused a little later: that report may come in between.
    try until("the place that was sought") {
      guard try talk.say("seek", "0.2").hasPrefix("Moved") else { return false }
      let deck = try talk.json(StatusView.self, "status").deck
      return deck?.positionMilliseconds == 200 && deck?.isPlaying == false
    }
    #expect(try talk.say("volume", "30") == "The volume is 30 %.\n")
    #expect(try talk.say("heard", "1").hasPrefix("Marked as heard"))
    #expect(try talk.run("next").ending == .exited(75))
  }

  @Test("export and import")
  func exchange() throws {
    let talk = try Talker()
    try talk.record("tape")
    // A relative path starts at the caller's directory, not at the daemon's.
    #expect(try talk.say("export", "1", "tape.wav").hasPrefix("Exported"))
    let wave = talk.scratch.bytes(talk.scratch.path + "/here/tape.wav")
    #expect(wave.prefix(4) == Data("RIFF".utf8))
    let again = try talk.run("export", "1", "tape.wav")
    #expect(again.ending == .exited(73) && again.errors.contains("there already"))
    #expect(try talk.say("export", "1", "tape.wav", "--yes").hasPrefix("Exported"))
    #expect(try talk.say("export", "1", ".", "--format", "flac").contains("0001 tape.flac"))

    #expect(try talk.say("import", "tape.wav").hasPrefix("Imported 2 “tape”"))
    #expect(try talk.run("import", "nothing.wav").ending == .exited(66))
    #expect(try talk.say("verify").contains("2 recordings checked"))
    #expect(try talk.say("waveform", "1").split(separator: "\n").count == 9)
    _ = try talk.say("waveform", "1", "--svg", "tape.svg")
    #expect(talk.scratch.contents("here/tape.svg").hasPrefix("<svg"))
    #expect(try talk.run("export", "1", "/nowhere/at/all.wav").ending == .exited(73))
  }

  @Test(
    "the exit status says what was wrong",
    arguments: [
      (["frobnicate"], Int32(64), "is no command"), (["info"], 64, "missing"),
      (["stop"], 75, "No recording is running."), (["info", "99"], 66, "There is no"),
      (["seek", "soon"], 64, "no time"), (["ls", "--wrong"], 64, "not an option"),
      (["mode", "json"], 64, "does not work here"), ([], 64, "say a command"),
      (["cd", "/Nowhere"], 66, "There is no “Nowhere”"),
    ])
  func exitCodes(_ words: [String], _ code: Int32, _ sentence: String) throws {
    let talk = try Talker()
    let result = try talk.run(words)
    #expect(result.ending == .exited(code))
    #expect(result.output == "" && result.errors.contains(sentence), "\(result.errors)")
  }

  @Test("without a recorder it says so and what to do; --help still works")
  func nobody() throws {
    let talk = try Talker()
    talk.end()
    let result = try talk.run("status")
    #expect(result.ending == .exited(69))
    #expect(result.errors.contains("no recorder listens at") && result.errors.contains("reeld"))
    #expect(try talk.say("--version").hasPrefix("reelctl "))
    #expect(try talk.say("help").contains("trash empty"))
    #expect(try talk.say("record", "--help").contains("usage: record"))
    #expect(try talk.say("help", "--man").hasPrefix(".\\\""))
    #expect(try talk.say("completion", "bash").contains("complete -F"))
    #expect(try talk.say("flight", "--file", talk.scratch.flightLog).contains("booted"))
  }

  @Test("a daemon killed during a command gives another error than one that never ran")
  func killed() throws {
    let talk = try Talker()
    let watcher = try talk.start("watch")
    try until("the first line of watch") { talk.scratch.contents("output").contains("Ready") }
    talk.daemon.send(SIGKILL)
    let result = try talk.scratch.result(of: watcher)
    #expect(result.ending == .exited(69))
    #expect(result.errors.contains("has gone away in the middle"))
  }

  @Test("watch prints each change on a line of its own")
  func watch() throws {
    let talk = try Talker()
    let watcher = try talk.start("watch")
    try until("the first line") { talk.scratch.contents("output").contains("Ready") }
    _ = try talk.ask(["record"], into: "other")
    try until("the recording") { talk.scratch.contents("output").contains("\nRecording") }
    _ = try talk.ask(["stop"], into: "other")
    try until("the end") { talk.scratch.contents("output").hasSuffix("1 unheard\n") }
    watcher.send(SIGINT)
    #expect(try talk.scratch.result(of: watcher).ending == .killed(SIGINT))
  }

  @Test("doctor asks the recorder that runs, and leaves nothing behind")
  func doctor() throws {
    let talk = try Talker()
    let view = try talk.json(CheckupView.self, "doctor")
    #expect(view.isWell && view.checks.contains { $0.name == "speed" && $0.verdict == .well })
    #expect(view.checks.contains { $0.sentence.contains("Virtual microphone") })
    #expect(!talk.scratch.everything(in: "root/recordings").contains { $0.hasSuffix(".part") })
  }

  @Test("doctor measures little while a recording runs, and ends when its client has gone")
  func doctorInTake() throws {
    let talk = try Talker()
    _ = try talk.say("record", "tape")
    let child = try talk.start("doctor", output: "doctor")
    try until("the measuring") {
      talk.scratch.everything(in: "root/recordings").contains { $0.hasSuffix(".part") }
    }
    child.send(SIGKILL)
    try until("its end") {
      !talk.scratch.everything(in: "root/recordings").contains { $0.hasSuffix(".part") }
    }
    let result = try talk.run("doctor")
    #expect(result.ending == .exited(0) && result.output.contains("a recording runs"))
    _ = try talk.say("stop")
    #expect(try Judgement(on: "0001 tape.opus", in: talk.scratch).complaints == [])
  }

  @Test("without a recorder doctor says so, and checks the rest by itself")
  func doctorAlone() throws {
    let talk = try Talker()
    talk.end()
    _ = try talk.scratch.make("root/etc/reel.json", Data("{ preroll: 'long' }".utf8))
    let result = try talk.run("doctor")
    #expect(result.ending == .exited(1))
    let lines = result.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("✗ recorder") == true)
    #expect(lines.contains { $0.hasPrefix("✗ configuration") && $0.contains("preroll") })
    #expect(lines.contains { $0.hasPrefix("✓ card") })
    #expect(lines.contains { $0.contains("speed") })
    #expect(!talk.scratch.everything(in: "root/recordings").contains { $0.hasSuffix(".part") })
  }

  @Test("two at once are both answered, and agree in the end")
  func two() throws {
    let talk = try Talker()
    let others = try (0..<6).map { number in
      try talk.start("mkdir", "/F\(number)", output: "output\(number)")
    }
    for child in others { try until("the end of mkdir") { child.hasEnded() } }
    #expect(others.allSatisfy { $0.ending == .exited(0) })
    let list = try talk.json(FolderListing.self, "ls", "/")
    #expect(list.items.map(\.title) == (0..<6).map { "F\($0)" })
    #expect(talk.scratch.everything(in: "root/recordings").filter { $0.hasPrefix("F") }.count >= 6)
  }

  @Test("on a terminal rm asks first, and no means no")
  func question() throws {
    let talk = try Talker()
    try talk.record("precious")
    for (key, isGone) in [("n\r", false), ("y\r", true)] {
      let terminal = try PseudoTerminal(columns: 80, rows: 24)
      let child = try Child(
        Talker.reelctl, ["rm", "1"], environment: talk.environment,
        directory: talk.scratch.path + "/here", output: .terminal(terminal.name),
        errors: .terminal(terminal.name))
      var seen: [UInt8] = []
      try until("the question") {
        seen += terminal.read()
        return String(decoding: seen, as: UTF8.self).contains("y/n")
      }
      terminal.type(key)
      try until("the end") {
        seen += terminal.read()
        return child.hasEnded()
      }
      #expect(child.ending == .exited(isGone ? 0 : 75))
      #expect(try talk.say("ls").contains("precious") == !isGone)
    }
  }

  @Test("completion knows commands, options and what is on the card")
  func completion() throws {
    let talk = try Talker()
    _ = try talk.say("mkdir", "Some where")
    #expect(try talk.say("complete", "--", "stat") == "status\n")
    #expect(try talk.say("complete", "--", "ls", "S") == "Some where/\n")
    let script = """
      PATH=\(Talker.directory):$PATH
      eval "$(reelctl completion bash)"
      COMP_WORDS=(reelctl cd S) COMP_CWORD=2
      _reelctl 2>/dev/null
      echo "${COMPREPLY[@]}"
      """
    let result = try talk.scratch.result(
      of: Child(
        "/bin/bash", ["-c", script], environment: talk.environment,
        directory: talk.scratch.path, output: .file(talk.scratch.path + "/output"),
        errors: .file(talk.scratch.path + "/errors")))
    #expect(result.output == "Some\\ where/\n", "\(result.errors)")
  }

  @Test("the socket's file is protected, and removed when the daemon ends")
  func file() throws {
    let talk = try Talker()
    var status = stat()
    try #require(stat(talk.socket, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
    talk.daemon.send(SIGTERM)
    try until("the end of reeld") { talk.daemon.hasEnded() }
    #expect(talk.daemon.ending == .exited(0))
    #expect(access(talk.socket, F_OK) != 0)
  }

  @Test("a killed daemon leaves a socket file that the next replaces")
  func stale() throws {
    let talk = try Talker()
    talk.daemon.send(SIGKILL)
    try until("the end of reeld") { talk.daemon.hasEnded() }
    #expect(access(talk.socket, F_OK) == 0)
    #expect(try talk.run("status").ending == .exited(69))
    let next = try Talker(talk.scratch)
    #expect(try next.say("status").hasPrefix("Ready"))
  }
}

/// A running appliance, and a client that sends it commands.
final class Talker {
  let scratch: Scratch
  let daemon: Child

  static let directory = String(Scratch.reeld.dropLast("/reeld".count))
  static let reelctl = directory + "/reelctl"

  init(_ old: Scratch? = nil, _ arguments: [String] = []) throws {
    let scratch = old ?? Scratch()
    self.scratch = scratch
    daemon = try Child(
      Scratch.reeld, ["--virtual", "--headless", "--root", scratch.root] + arguments,
      environment: scratch.environment, directory: scratch.path + "/here",
      output: .file(scratch.path + "/daemon"), errors: .file(scratch.path + "/complaints"))
    try until("a card and a microphone") {
      let result = try run("status")
      return result.output.contains("card        ready") && result.output.contains("Virtual")
    }
  }

  deinit { end() }

  func end() { daemon.end() }

  var socket: String { scratch.root + "/run/control.sock" }
  /// That of reel-web; as if there were none at first.
  var webSocket: String { scratch.path + "/admin.sock" }

  var environment: [String: String] {
    scratch.environment.merging(["REEL_SOCKET": socket, "REEL_WEB_SOCKET": webSocket]) { $1 }
  }

  func start(_ words: String..., output: String = "output") throws -> Child {
    try start(words, output)
  }

  private func start(_ words: [String], _ output: String) throws -> Child {
    try Child(
      Self.reelctl, words, environment: environment, directory: scratch.path + "/here",
      output: .file(scratch.path + "/" + output), errors: .file(scratch.path + "/errors"))
  }

  func run(_ words: String...) throws -> Scratch.Result { try run(words) }

  func run(_ words: [String]) throws -> Scratch.Result {
    try scratch.result(of: try start(words, "output"))
  }

  /// Runs a command with its output in a file of its own, so that several can run at once.
  func ask(_ words: [String], into file: String) throws -> String {
    let child = try start(words, file)
    try until("the end of reelctl") { child.hasEnded() }
    return scratch.contents(file)
  }

  struct Refused: Error, CustomStringConvertible { let description: String }

  /// Returns what the command prints; throws if it fails or prints errors.
  func say(_ words: String...) throws -> String {
    let result = try run(words)
    if result.ending == .exited(0), result.errors.isEmpty { return result.output }
    throw Refused(description: "\(words): \(result.ending) \(result.errors)")
  }

  /// Returns what the command prints as JSON.
  func json<Value: Decodable>(_ type: Value.Type, _ words: String...) throws -> Value {
    try JSONDecoder().decode(type, from: Data(try run(words + ["--json"]).output.utf8))
  }

  func record(_ title: String) throws {
    let before = scratch.recordedBytes
    _ = try say("record", title)
    try until("sound on the card") { scratch.recordedBytes > before + 8_000 }
    _ = try say("stop")
  }
}
