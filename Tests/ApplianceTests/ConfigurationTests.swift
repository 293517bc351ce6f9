// The configuration file of a running appliance: it holds from the start, a reload takes what is
// good and refuses what is not, and nothing starts on a file with mistakes.

import FoundationEssentials
import Glibc
import Testing

@Desk @Suite struct ConfigurationTests {
  private func write(_ text: String, in scratch: Scratch) throws {
    try scratch.make("root/etc/reel.json", Data(text.utf8))
  }

  @Test("nothing starts on a file with mistakes: each is told in a line, and nothing is touched")
  func refused() throws {
    let scratch = try Scratch()
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

  @Test("a panel that cannot be is told of where it is written")
  func panel() throws {
    let scratch = try Scratch()
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
    let scratch = try Scratch()
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

  @Test("a reload takes what can change, names what waits, and refuses what is wrong")
  func reload() throws {
    let scratch = try Scratch()
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
