// The command line as a value: what each way of calling reeld means, and the sentence for each that
// means nothing.

import Testing

@testable import reeld

@Suite struct ArgumentsTests {
  private static let wishes: [([String], Arguments.Wish)] = [
    (["--help"], .help), (["-h"], .help), (["--virtual", "--help"], .help),
    (["--version"], .version),
    (["--virtual"], .run), (["--headless", "--virtual"], .run),
    (["--replay", "a"], .replay(file: "a", at: nil)),
    (["--replay", "a", "--at", "0"], .replay(file: "a", at: 0)),
    (["--at", "7", "--replay", "a"], .replay(file: "a", at: 7)),
  ]

  @Test("what is wished for is understood, in any order", arguments: wishes)
  func wish(_ words: [String], _ wish: Arguments.Wish) throws {
    #expect(try Arguments(words).wish == wish)
  }

  @Test("options are kept, and of two the last counts")
  func options() throws {
    let arguments = try Arguments(["--virtual", "--root", "a b", "--root", "-c", "--headless"])
    #expect(arguments.root == "-c")
    #expect(arguments.isVirtual && arguments.isHeadless)
    #expect(try Arguments(["--virtual"]).root == nil)
  }

  private static let mistakes: [([String], String)] = [
    ([], "this build knows only the virtual appliance: say reeld --virtual"),
    (["--headless"], "this build knows only the virtual appliance: say reeld --virtual"),
    (["--virtual", "--at", "1"], "--at goes with --replay FILE"),
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

  @Test("a mistake is told in one sentence", arguments: mistakes)
  func mistake(_ words: [String], _ sentence: String) {
    #expect(throws: Arguments.Mistake(description: sentence)) { try Arguments(words) }
  }
}
