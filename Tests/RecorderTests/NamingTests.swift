// The question for a take's name: which consoles ask, and what becomes of the answer.

import Testing

@testable import Recorder

@Suite struct NamingTests {
  private let given = Given().booted().withDevice().withConsole(1)

  private func text(_ given: Given, _ console: Int = 1) -> String {
    ScreenView(console: console, in: given.state)?.text ?? ""
  }

  @Test("At stop each screen asks for the name, and a typed one replaces the default")
  func typed() {
    // Given a take, a dashboard, a serial screen, and one on which a line is being typed
    let recording = given.withConsole(2, .serial).withConsole(3, .serial).type("ls", on: 3)
      .recording()
    guard let take = recording.running?.id else {
      Issue.record("nothing is recorded")
      return
    }
    // When it is stopped at the panel
    let stopped = recording.press(.record)
    // Then the default name is selected where nobody types, before the last page is written
    let title = stopped.recording(of: take)?.title ?? ""
    for console in [1, 2] {
      #expect(text(stopped, console).contains("Name of the recording: \(title)  Enter keeps it"))
    }
    #expect(stopped.console(3)?.dialog == nil)
    // And a typed name renames it
    let named = stopped.takeEnds().type("Choir").key(.enter)
    #expect(named.works == [.rename(take, to: "Choir")] && named.console()?.dialog == nil)
    // And the other console does not ask any more
    #expect(named.console(2)?.dialog != nil)
    let done = named.done(.renamed(take, name: "Choir", file: "c"))
    #expect(done.console(2)?.dialog == nil)
  }

  @Test(
    "Enter, Escape and waiting keep the default",
    arguments: [Key.enter, Key.escape, nil as Key?])
  func kept(key: Key?) {
    let stopped = given.recording().press(.record).takeEnds()
    let answered = key.map { stopped.key($0) } ?? stopped.passing(30_000)
    #expect(stopped.console()?.dialog != nil && answered.console()?.dialog == nil)
    #expect(answered.works.isEmpty)
  }

  @Test("What was typed when the time is over is the name; each key begins the time anew")
  func overdue() {
    let typed = given.recording().press(.record).takeEnds().passing(29_000).type("Ann")
    let waiting = typed.passing(29_000)
    #expect(waiting.console()?.dialog != nil)
    let over = waiting.when(.alarm(.nameOverdue(console: 1)), after: 1000)
    #expect(over.works.count == 1 && over.console()?.dialog == nil)
  }

  @Test("The panel is not held up: the next take begins, and its question follows")
  func notHeldUp() {
    let again = given.recording().press(.record).takeEnds().recording()
    #expect(again.running != nil && again.console()?.dialog != nil)
    let second = again.running?.id
    let stopped = again.press(.record)
    #expect(stopped.console()?.dialog?.item == second)
    // An answer that was begun is not taken away
    let begun = given.recording().press(.record).takeEnds().type("A").recording()
    let first = begun.console()?.dialog?.item
    #expect(begun.press(.record).console()?.dialog?.item == first && first != nil)
  }

  @Test("Nothing is asked about a take with a title, where nothing may change, or if it is off")
  func unasked() {
    let titled = given.request(.take(.start(title: "Choir"))).takeBegins()
    #expect(titled.press(.record).console()?.dialog == nil)
    let watching = Given().booted().withDevice().withConsole(1, .terminal, .status)
    #expect(watching.recording().press(.record).console()?.dialog == nil)
    let once = given.request(.take(.start(asksForName: false))).takeBegins()
    #expect(once.press(.record).console()?.dialog == nil)
    var settings = Settings()
    settings.asksForName = false
    let off = given.when(.host(.configured(settings)))
    #expect(off.recording().press(.record).console()?.dialog == nil)
    let on = off.request(.take(.start(asksForName: true))).takeBegins()
    #expect(on.press(.record).console()?.dialog != nil)
  }

  @Test("A take that ends by itself is not asked about")
  func endedByItself() {
    let recording = given.recording()
    #expect(recording.request(.system(.shutDown)).console()?.dialog == nil)
    #expect(recording.when(.sound(.lost("unplugged"))).console()?.dialog == nil)
  }

  @Test("All parts of a take that was split get the name")
  func parts() {
    let recording = given.recording()
    let first = recording.running?.id
    let split = recording.press(.split)
    let second = split.running?.id
    let named = split.press(.record).type("Choir").key(.enter)
    #expect(
      named.works
        == [first, second].compactMap { $0 }.enumerated().map { index, id in
          .rename(id, to: index == 0 ? "Choir" : "Choir part 2")
        })
  }

  @Test("A console whose command stops a take asks after its answer, unless more lines follow")
  func afterCommand() {
    let serial = Given().booted().withDevice().withConsole(2, .serial).recording()
    let stopped = serial.type("stop", on: 2).key(.enter, on: 2)
    #expect(stopped.console(2)?.dialog == nil)
    #expect(stopped.takeEnds().console(2)?.dialog != nil)
    let pasted = serial.type("stop", on: 2).key(.enter, on: 2).type("ls", on: 2).key(.enter, on: 2)
    #expect(pasted.takeEnds().console(2)?.dialog == nil)
  }

  @Test("A selected text is replaced by a character, cleared by backspace, and kept by an arrow")
  func selection() {
    func line(_ key: Key) -> LineInput {
      var line = LineInput(selected: "old")
      _ = line.handle(key)
      return line
    }
    #expect(line(.character("n")).text == "n" && line(.backspace).text == "")
    #expect(line(.left).text == "old" && !line(.left).isSelected)
  }
}
