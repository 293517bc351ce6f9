// The command line as a value: the meaning of each way to call reeld, and the sentence for each
// invalid one.

import Testing

@testable import reeld

@Suite struct ArgumentsTests {
  private static let requests: [([String], Arguments.Mode)] = [
    (["--help"], .help), (["-h"], .help), (["--virtual", "--help"], .help),
    (["--version"], .version),
    ([], .run), (["--headless"], .run), (["--device", "Mic", "--output", "auto"], .run),
    (["--virtual"], .run), (["--headless", "--virtual"], .run),
    (["--replay", "a"], .replay(file: "a", at: nil)),
    (["--replay", "a", "--at", "0"], .replay(file: "a", at: 0)),
    (["--at", "7", "--replay", "a"], .replay(file: "a", at: 7)),
    (["--replay", "a", "--screens"], .travel(file: "a", at: nil)),
    (["--screens", "--at", "7", "--replay", "a"], .travel(file: "a", at: 7)),
    (["--check-config"], .checkConfiguration), (["--check-config", "a"], .checkConfiguration),
    (["--check-config", "--virtual"], .checkConfiguration), (["--config", "a"], .run),
    (["--lights-off"], .lightsOff), (["--lights-off", "--config", "a"], .lightsOff),
  ]

  @Test("arguments are understood in any order", arguments: requests)
  func mode(_ words: [String], _ mode: Arguments.Mode) throws {
    #expect(try Arguments(words).mode == mode)
  }

  @Test("options keep their values, and the last of two counts")
  func options() throws {
    let arguments = try Arguments(["--virtual", "--root", "a b", "--root", "-c", "--headless"])
    #expect(arguments.root == "-c")
    #expect(arguments.isVirtual && arguments.isHeadless)
    #expect(try Arguments(["--virtual"]).root == nil)
    #expect(try Arguments(["--config", "a"]).configurationFile == "a")
    #expect(try Arguments(["--check-config", "a", "--root", "b"]).configurationFile == "a")
    #expect(try Arguments(["--check-config", "--root", "b"]).configurationFile == nil)
  }

  @Test("virtual devices have a pace, and faults at their times")
  func virtual() throws {
    let arguments = try Arguments([
      "--virtual", "--pace", "max", "--fault", "overrun:4800@10", "--fault", "unplug@2.5",
      "--fault", "plug@3", "--fault", "drift:-100@0", "--fault", "stall:1@1",
    ])
    #expect(arguments.pace == .max)
    #expect(
      arguments.faults == [
        VirtualFaultOption(what: .fault(.overrun(frames: 4800)), afterMilliseconds: 10_000),
        VirtualFaultOption(what: .fault(.unplug), afterMilliseconds: 2500),
        VirtualFaultOption(what: .plugIn, afterMilliseconds: 3000),
        VirtualFaultOption(what: .fault(.drift(partsPerMillion: -100)), afterMilliseconds: 0),
        VirtualFaultOption(what: .fault(.stall(frames: 1)), afterMilliseconds: 1000),
      ])
    for wrong in ["unplug", "unplug:1@1", "overrun@1", "overrun:x@1", "overrun:0@1", "plug@-1"] {
      #expect(throws: Arguments.UsageError.self) { try Arguments(["--virtual", "--fault", wrong]) }
    }
  }

  private static let mistakes: [([String], String)] = [
    (["--mic", "tone"], "--mic goes with --virtual; see reeld --help"),
    (["--fault", "unplug@1"], "--fault goes with --virtual; see reeld --help"),
    (
      ["--virtual", "--device", "Mic"],
      "--device does not go with --virtual; see reeld --help"
    ),
    (["--virtual", "--pace", "fast"], "--pace is real or max, not “fast”"),
    (["--virtual", "--device"], "--device needs a value; see reeld --help"),
    (["--virtual", "--at", "1"], "--at goes with --replay FILE"),
    (["--virtual", "--screens"], "--screens goes with --replay FILE"),
    (["--nonsense"], "“--nonsense” is not an option of reeld; see reeld --help"),
    (["--virtual", "x"], "“x” is not an option of reeld; see reeld --help"),
    ([""], "“” is not an option of reeld; see reeld --help"),
    (["--virtual", "--root"], "--root needs a value; see reeld --help"),
    (["--virtual", "--root", ""], "--root needs a value; see reeld --help"),
    (["--root", "--virtual"], "--root needs a value; see reeld --help"),
    (["--replay"], "--replay needs a value; see reeld --help"),
    (["--replay", "a", "--at", "x"], "--at needs a number from 0, not “x”"),
    (["--replay", "a", "--at", "-1"], "--at needs a number from 0, not “-1”"),
    (
      ["--replay", "a", "--at", "99999999999999999999"],
      "--at needs a number from 0, not “99999999999999999999”"
    ),
  ]

  @Test("a mistake is reported in one sentence", arguments: mistakes)
  func mistake(_ words: [String], _ sentence: String) {
    #expect(throws: Arguments.UsageError(description: sentence)) { try Arguments(words) }
  }
}
