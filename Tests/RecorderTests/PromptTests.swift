// Proves of the command line: history, search, completion and the visible part of a long line; and
// of answers as a screen shows them.

import Testing

@testable import Recorder

@Suite struct PromptTests {
  /// A prompt with some history.
  private func prompt(_ lines: String...) -> Prompt {
    var prompt = Prompt()
    for line in lines {
      for sign in line { _ = prompt.handle(.character(String(sign))) }
      _ = prompt.handle(.enter)
    }
    return prompt
  }

  private func after(_ prompt: Prompt, _ keys: Key...) -> Prompt {
    var prompt = prompt
    for key in keys { _ = prompt.handle(key) }
    return prompt
  }

  @Test("Up and down walk the history, and the line being typed comes after the newest")
  func history() {
    let typed = after(prompt("ls", "status", "ls"), .character("x"))
    #expect(after(typed, .up).input.text == "ls")
    #expect(after(typed, .up, .up).input.text == "status")
    #expect(after(typed, .up, .up, .up, .up, .up).input.text == "ls")
    #expect(after(typed, .up, .up, .down, .down).input.text == "x")
    #expect(after(typed, .down).input.text == "x")
  }

  @Test("A line entered twice is kept once, a blank one never, and the oldest are dropped")
  func kept() {
    #expect(prompt("ls", "ls", "  ", "").history == ["ls"])
    var long = Prompt()
    for number in 0..<150 {
      for sign in "\(number)" { _ = long.handle(.character(String(sign))) }
      _ = long.handle(.enter)
    }
    #expect(long.history.count == 100 && long.history.first == "50")
  }

  @Test("A changed line of the history runs as changed, and the history stays")
  func changed() {
    var recalled = after(prompt("ls a"), .up, .backspace, .character("b"))
    #expect(recalled.handle(.enter) == .entered("ls b"))
    #expect(recalled.history == ["ls a", "ls b"])
  }

  @Test("Searching finds the newest match, then older ones, and runs or leaves it")
  func search() {
    let given = prompt("mark one", "stop", "mark two", "ls")
    let found = after(given, .control("r"), .character("m"), .character("a"))
    #expect(found.search == "ma" && found.input.text == "mark two")
    #expect(after(found, .control("r")).input.text == "mark one")
    #expect(after(found, .control("r"), .control("r")).input.text == "mark one")
    #expect(after(found, .backspace, .backspace).input.text == "")
    #expect(after(found, .escape).input.text == "" && after(found, .escape).search == nil)
    #expect(after(found, .left).search == nil && after(found, .left).input.text == "mark two")
    var run = found
    #expect(run.handle(.enter) == .entered("mark two"))
    #expect(after(given, .control("r"), .character("z")).input.text == "")
  }

  @Test("A completion is inserted before the cursor")
  func complete() {
    var typed = after(prompt(), .character("l"), .character(" "), .character("x"), .left)
    typed.complete(to: "ls Interviews/ ")
    #expect(typed.input.text == "ls Interviews/ x" && typed.input.cursor == 15)
  }

  @Test("Of a long line the part around the cursor is visible")
  func window() throws {
    let given = Given().booted().withConsole(2, .serial, columns: 30, rows: 10)
    let line = "rename 1 " + String(repeating: "ab", count: 40)
    let typed = given.type(line, on: 2)
    let view = try #require(PromptView(console: 2, in: typed.state))
    #expect(view.text.hasSuffix("abab") && view.cursorColumn < 30)
    let home = try #require(PromptView(console: 2, in: typed.key(.home, on: 2).state))
    #expect(home.text.hasPrefix("rename 1") && home.cursorColumn == 6)
  }

  // MARK: Answers

  private func screen(_ given: Given) throws -> String {
    try #require(ScreenView(console: 2, in: given.state)).text
  }

  /// A console whose room answers an inquiry with so many lines.
  private func told(_ given: Given, _ count: Int) -> Given {
    let lines = (0..<count).map { "line \($0)" }.joined(separator: "\n")
    return given.type("config", on: 2).key(.enter, on: 2)
      .when(.console(.answered(.told(lines), to: .console(2), isLast: true)))
  }

  @Test("An answer replaces the folder until the next command or an empty line")
  func answer() throws {
    let given = Given().booted().withDevice().withRecording("Kitchen").withConsole(2, .serial)
    #expect(try screen(given).contains("Kitchen"))
    let answered = told(given, 3)
    #expect(try screen(answered).contains("line 2") && !screen(answered).contains("Kitchen"))
    #expect(try screen(answered.key(.enter, on: 2)).contains("Kitchen"))
    #expect(try screen(answered.key(.escape, on: 2)).contains("Kitchen"))
    let next = told(answered, 1)
    #expect(try !screen(next).contains("line 2"))
  }

  @Test("A long answer is shown from its beginning, paged, and bounded")
  func pages() throws {
    let given = told(Given().booted().withConsole(2, .serial), 100)
    #expect(try screen(given).contains("line 0") && screen(given).contains("more below"))
    let paged = given.key(.pageDown, on: 2)
    #expect(try screen(paged).contains("line 12\n") && !screen(paged).contains("line 0"))
    let end = (0..<30).reduce(paged) { given, _ in given.key(.pageDown, on: 2) }
    #expect(try screen(end).contains("line 99"))
    let endless = told(given, 5000)
    #expect(endless.console(2)?.commandLine?.output.lines.count == Output.limit)
  }

  @Test("Long work shows its progress")
  func progress() throws {
    let given = Given().booted().withConsole(2, .serial).type("verify", on: 2).key(.enter, on: 2)
    let ticket = given.state.library.lastTicket
    let half = given.when(.card(.work(ticket: ticket, .progress(permille: 500))))
    #expect(try screen(half).contains(" 50 %"))
    #expect(try !screen(half.done(.told("All are whole."))).contains(" 50 %"))
  }

  @Test("Progress below an answer leaves the command line on the smallest screen")
  func smallProgress() throws {
    let small = Given().booted().withConsole(2, .serial, columns: 20, rows: 5)
    let working = told(small, 3).when(.console(.line(2, "verify")))
    let ticket = working.state.library.lastTicket
    let half = working.when(.card(.work(ticket: ticket, .progress(permille: 500))))
    let view = try #require(ScreenView(console: 2, in: half.state))
    #expect(view.rows.count == 5 && view.cursor?.row == 4 && view.text.contains(" 50 %"))
  }

  @Test("A command that deletes asks first, and runs only after a yes")
  func confirm() throws {
    let asked = Given().booted().withRecording("Kitchen").withConsole(2, .serial)
      .type("rm -- Kitchen", on: 2).key(.enter, on: 2)
    #expect(try screen(asked).contains("Move “Kitchen” to the trash? y/n"))
    #expect(asked.works.isEmpty)
    #expect(asked.key(.character("y"), on: 2).works == [.throwAway(.of("Kitchen"))])
    let left = asked.key(.character("n"), on: 2)
    #expect(left.commands.isEmpty && left.console(2)?.dialog == nil)
  }

  @Test("A console without a screen has no view, and needs no levels")
  func plain() {
    let given = Given().booted().withDevice().withConsole(2, .serial)
      .when(.console(.mode(2, .plain)))
    #expect(ScreenView(console: 2, in: given.state) == nil)
    #expect(!Appliance.subscriptions(given.state).contains(.levels(console: 2)))
    #expect(PromptView(console: 2, in: given.state)?.label == "reel> ")
  }
}
