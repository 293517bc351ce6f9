// The configuration file of a running appliance: it applies from the start, a reload applies its
// valid parts and refuses the rest, and nothing starts on a file with mistakes.

import FoundationEssentials
import Glibc
import Testing

@Suite actor ConfigurationTests: Desk {
  nonisolated let chair = Chair()

  private func write(_ text: String, in scratch: Scratch) throws {
    try scratch.make("root/etc/reel.json", Data(text.utf8))
  }

  @Test("nothing starts on a file with mistakes: each is reported in a line, nothing is touched")
  func refused() throws {
    let scratch = Scratch()
    try write(
      """
      { prerol: "2 s",
        panel: { buttons: [{ control: "record", line: "gpiochip0", bias: "up" }] } }
      """, in: scratch)
    let result = try scratch.runReeld("--virtual", "--headless", "--root", scratch.root)
    #expect(result.ending == .exited(78))
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("reeld: \(scratch.root)/etc/reel.json:1:3: prerol: ") == true)
    #expect(scratch.everything(in: "root") == ["etc", "etc/reel.json"])
  }

  @Test("an impossible panel is reported with its file and line")
  func panel() throws {
    let scratch = Scratch()
    try write(
      """
      {
        panel: { lights: [{ light: "record", led: "A" }, { light: "play", led: "A" }] } }
      """, in: scratch)
    let result = try scratch.runReeld("--check-config", "--root", scratch.root)
    #expect(result.ending == .exited(78))
    #expect(
      result.errors == "\(scratch.root)/etc/reel.json:2:3: panel: The lights record and play "
        + "both use the led A; give each its own.\n")
  }

  @Test("a file can be checked without starting anything")
  func check() throws {
    let scratch = Scratch()
    let file = try scratch.make("one.json", Data("{ preroll: '5 s' }".utf8))
    let good = try scratch.runReeld("--check-config", file)
    #expect(good.ending == .exited(0) && good.output == "\(file): understood\n")
    let missing = try scratch.runReeld("--check-config", file + "5")
    #expect(missing.ending == .exited(78))
    #expect(missing.errors == "\(file)5: there is no such file\n")
    let unnamed = try scratch.runReeld("--check-config", "--root", scratch.root)
    #expect(unnamed.ending == .exited(0))
    #expect(scratch.everything(in: "root") == [])
  }

  @Test("mistakes in the directory beside the file are reported with their own file and place")
  func directory() throws {
    let scratch = Scratch()
    try write("{ warn: '20 min', seek: '5 s' }", in: scratch)
    let folder = scratch.root + "/etc/reel.d"
    try scratch.make("root/etc/reel.d/20-warn.json", Data("{ warn: '30 min' }".utf8))
    let good = try scratch.runReeld("--check-config", "--root", scratch.root)
    #expect(good.ending == .exited(0))
    #expect(
      good.output
        == "\(scratch.root)/etc/reel.json: understood\n\(folder)/20-warn.json: understood\n")
    try scratch.make("root/etc/reel.d/30-wrong.json", Data("{\n  warn: 'x' }".utf8))
    let wrong = try scratch.runReeld("--check-config", "--root", scratch.root)
    #expect(wrong.ending == .exited(78))
    #expect(wrong.errors.hasPrefix("\(folder)/30-wrong.json:2:9: warn: expected a time"))
  }

  @Test("--lights-off turns the lights off, but is refused beside a running recorder")
  func lightsOff() throws {
    // Given a light that is not there
    let scratch = Scratch()
    try write("{ panel: { lights: [{ light: 'record', led: 'reel-none' }] } }", in: scratch)
    let off = ["--lights-off", "--root", scratch.root]
    // Then the command says so, and does nothing else
    let alone = try scratch.result(of: scratch.reeld(off))
    #expect(alone.ending == .exited(1))
    #expect(alone.errors.contains("The light record cannot use the led reel-none"))
    // When a recorder runs there
    let child = try scratch.reeld(["--virtual", "--headless", "--root", scratch.root])
    try until("the start") { scratch.contents("errors").contains("runs in") }
    // Then it is refused, unless systemd says that the main process has ended
    #expect(try scratch.result(of: scratch.reeld(off)).ending == .exited(75))
    let afterwards = try scratch.reeld(off, environment: ["SERVICE_RESULT": "signal"])
    #expect(try scratch.result(of: afterwards).ending == .exited(1))
    child.send(SIGKILL)
    #expect(try scratch.result(of: child).ending == .killed(SIGKILL))
    // When the configuration has become invalid since the start, --lights-off still uses the lights
    // of the last valid one
    try write("{ panel: nonsense }", in: scratch)
    let dead = try scratch.result(of: scratch.reeld(off))
    #expect(dead.ending == .exited(1))
    #expect(dead.errors.contains("The light record cannot use the led reel-none"))
  }

  @Test("a reload applies what can change, names what needs a restart, and refuses what is wrong")
  func reload() throws {
    let scratch = Scratch()
    try write(#"{ preroll: "1 s", warn: "20 min" }"#, in: scratch)
    let child = try scratch.reeld(["--virtual", "--headless", "--root", scratch.root])
    try until("the start") { scratch.contents("errors").contains("runs in") }
    try write(#"{ preroll: "3 s", warn: "30 min" }"#, in: scratch)
    child.send(SIGHUP)
    try until("what waits") {
      scratch.contents("errors").contains("a restart is needed for what has changed in preroll")
    }
    try write(#"{ warn: "30" }"#, in: scratch)
    child.send(SIGHUP)
    try until("the mistake") { scratch.contents("errors").contains(":1:9: warn: expected a time") }
    child.send(SIGTERM)
    #expect(try scratch.result(of: child).ending == .exited(0))
    let replay = try scratch.runReeld("--replay", scratch.flightLog).output
    #expect(replay.contains(#""prerollMilliseconds":1000"#))
    #expect(!replay.contains(#""prerollMilliseconds":3000"#))
    #expect(replay.contains(#""warnMilliseconds":1800000"#))
    #expect(replay.contains("configurationRefused"))
  }
}
