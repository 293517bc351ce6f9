// Proves of consoles: keys, dialogs and the line being typed; what a console that may only look can
// do; and that each console has its own place in the library.

import Testing

@testable import Recorder

@Suite struct ConsoleTests {
  let given = Given().booted().withDevice().withConsole().withFolder("Interviews")
    .withRecording("A").withRecording("B")

  @Test("Keys of the dashboard are the panel's buttons")
  func keys() {
    #expect(given.key(.character("r")).running != nil)
    #expect(given.key(.character("r"), .character("s")).state.closing.count == 1)
    #expect(given.key(.home, .down).place()?.selection == .of("A"))
    #expect(given.key(.end).place()?.selection == .of("B"))
    #expect(given.key(.home, .enter).place()?.folder == .of("Interviews"))
    #expect(given.key(.home, .enter, .backspace).place()?.selection == .of("Interviews"))
    #expect(given.key(.end, .enter).state.transport.deck.cue?.item == .of("B"))
    #expect(given.key(.character("l")).state.panel.isLocked)
    #expect(given.key(.character("t")).place()?.folder == .trash)
  }

  @Test("A key that stands for a button goes to the panel, which makes a gesture of it")
  func buttons() {
    let typed = given.when(.console(.key(1, .character("r"))))
    #expect(typed.commands == [.panel(.press(.record, at: typed.now))])
    #expect(typed.running == nil)
    let held = given.when(.console(.key(1, .character("D"))))
    #expect(held.commands == [.panel(.hold(.delete, at: held.now))])
  }

  @Test("A dashboard is where the panel is; any other console has a place of its own")
  func places() {
    let two = given.withConsole(2, .serial).key(.home, .enter)
    #expect(two.place(1)?.folder == .of("Interviews"))
    #expect(two.state.panel.place.folder == .of("Interviews"))
    #expect(two.place(2)?.folder == .root)
    let moved = two.request(.browse(.enter(.trash)), from: .console(2))
    #expect(moved.place(2)?.folder == .trash)
    #expect(moved.state.panel.place.folder == .of("Interviews"))
  }

  @Test("One button steps through the folders, and from the last to the root")
  func nextFolder() {
    let folders = given.withFolder("Zoo")
    let visited = (1...4).map {
      (0..<$0).reduce(folders) { given, _ in given.press(.folder) }.state.panel.place.folder
    }
    #expect(visited == [.of("Interviews"), .of("Zoo"), .root, .of("Interviews")])
  }

  @Test("A dialog takes the keys: a name is typed, corrected if it is invalid, and sent")
  func newFolder() {
    let asked = given.key(.character("n"))
    #expect(asked.console()?.dialog == .newFolder(LineInput()))
    let empty = asked.key(.enter)
    #expect(empty.refusal == .noName && empty.console()?.dialog != nil)
    let typed = empty.type("Rooms").key(.enter)
    #expect(typed.console()?.dialog == nil && typed.running == nil)
    guard case .makeFolder(_, "Rooms", in: .root)? = typed.works.first else {
      Issue.record("\(typed.commands)")
      return
    }
  }

  @Test("Renaming begins with the present name")
  func rename() {
    let asked = given.key(.end, .character("e"))
    #expect(asked.console()?.dialog == .rename(.of("B"), LineInput("B")))
    #expect(asked.type("2").key(.enter).works == [.rename(.of("B"), to: "B2")])
  }

  @Test(
    "Deleting asks first", arguments: [(Key.character("y"), 1), (.enter, 1), (.character("n"), 0)])
  func delete(answer: Key, works: Int) {
    let asked = given.key(.end, .character("d"))
    #expect(asked.console()?.dialog == .delete(.of("B")))
    let answered = asked.key(answer)
    #expect(answered.works.count == works && answered.console()?.dialog == nil)
  }

  @Test("In the trash, delete asks whether to restore or to empty it")
  func trash() {
    let thrown = given.key(.end, .character("d"), .enter).done(.thrown(.of("B"), file: "B"))
      .key(.character("t"), .down, .delete)
    #expect(thrown.console()?.dialog == .emptyTrash)
    #expect(thrown.key(.character("r")).works == [.restore(.of("B"))])
    #expect(thrown.key(.character("y")).works == [.purge(.everything)])
    #expect(thrown.key(.enter).works.isEmpty)
  }

  @Test("A dialog about an item that is gone meanwhile closes")
  func dialogOfGone() {
    let asked = given.key(.end, .character("d"))
    let gone = Whereabouts(id: .of("B"), path: [.root], tally: Tally())
    #expect(asked.when(.card(.found(.vanished([gone])))).console()?.dialog == nil)
  }

  @Test("Quitting asks only while it would end a take")
  func quit() {
    #expect(given.key(.character("q")).commands == [.console(.close(1))])
    let asked = given.recording().key(.character("q"))
    #expect(asked.console()?.dialog == .quit && asked.commands.isEmpty)
    #expect(asked.key(.character("y")).commands == [.console(.close(1))])
    #expect(asked.key(.escape).console()?.dialog == nil)
  }

  @Test("A console that may only look browses and searches, and changes nothing")
  func statusAccess() {
    let guest = given.withConsole(2, .terminal, .status)
    for key in ["r", "m", "x", " ", "+", "l", "a"] {
      #expect(guest.key(.character(key), on: 2).refusal == .mayNotChange)
    }
    #expect(guest.key(.end, .enter, on: 2).refusal == .mayNotChange)
    #expect(guest.key(.home, .enter, on: 2).place(2)?.folder == .of("Interviews"))
    #expect(guest.request(.item(.search("a")), from: .console(2)).works == [.search("a")])
    let named = guest.key(.character("n"), on: 2).type("X", on: 2).key(.enter, on: 2)
    #expect(named.refusal == .mayNotChange)
  }

  @Test("A command line is run, added to the history once, and emptied")
  func commandLine() {
    let serial = given.withConsole(2, .serial).type("ls", on: 2)
    #expect(serial.running == nil)
    let entered = serial.key(.enter, on: 2)
    #expect(entered.commands == [.console(.began(2, line: "ls"))])
    #expect(entered.console(2)?.commandLine?.output.lines.count == 3)
    #expect(entered.console(2)?.commandLine?.prompt.input == LineInput())
    let again = entered.type("ls", on: 2).key(.enter, .enter, on: 2)
    #expect(again.console(2)?.commandLine?.prompt.history == ["ls"] && again.commands.isEmpty)
    let completed = again.type("pau", on: 2).key(.tab, on: 2)
    #expect(completed.console(2)?.commandLine?.prompt.input.text == "pause ")
    #expect(completed.key(.control("c"), on: 2).console(2)?.commandLine?.prompt.input.text == "")
  }

  @Test("What arrives in a folder that is not on show is told, and a key goes there")
  func arrivals() {
    // Given a dashboard and a serial console in a folder of its own
    let given = Given().booted().withDevice().withConsole(1).withFolder("Box").withConsole(
      2, .serial
    )
    .request(.browse(.enter(.of("Box"))), from: .console(2))
    // When a take ends in the folder that the dashboard shows
    let recording = given.recording()
    guard let take = recording.running?.id else {
      Issue.record("nothing is recorded")
      return
    }
    let ended = recording.press(.record).takeEnds()
    // Then only the serial console is told, and goes there
    #expect(ended.console(1)?.arrival == nil && ended.console(2)?.arrival?.item == take)
    let shown = ScreenView(console: 2, in: ended.state)?.text ?? ""
    #expect(shown.contains("New in /: “2026-11-20 14.03.20”  Ctrl-O goes there"))
    let there = ended.key(.escape, .control("o"), on: 2)
    #expect(there.place(2)?.folder == .root && there.place(2)?.selection == take)
    #expect(there.console(2)?.arrival == nil)
    // And it is told for a minute
    #expect(ended.passing(59_000).console(2)?.arrival != nil)
    #expect(ended.passing(60_000).console(2)?.arrival == nil)
  }

  @Test("An import and a move are told to all consoles except the one that asked for them")
  func arrivalsFromElsewhere() {
    let given = Given().booted().withConsole(1).withFolder("Box").withRecording("A")
    let moved = given.request(.item(.move(.of("A"), to: .of("Box"), at: nil)), from: .appliance)
      .done(.moved(.of("A"), path: [.root, .of("Box")], at: nil, name: "A", file: "a"))
    #expect(moved.console()?.arrival?.item == .of("A"))
    #expect(moved.key(.character("g")).place()?.folder == .of("Box"))
    let own = given.request(.item(.move(.of("A"), to: .of("Box"), at: nil)))
      .done(.moved(.of("A"), path: [.root, .of("Box")], at: nil, name: "A", file: "a"))
    #expect(own.console()?.arrival == nil)
    let imported = given.withRecording("B", in: .of("Box"))
    #expect(imported.console()?.arrival?.item == .of("B"))
  }

  @Test("A message goes after 5 s, or with the next key")
  func message() {
    let told = given.key(.character("s"))
    #expect(told.console()?.message?.text == Refusal.nothingPlaying.sentence)
    #expect(told.passing(5000).console()?.message == nil)
    #expect(told.key(.down).console()?.message == nil)
  }

  @Test("An impossible size of a console is clamped")
  func sizes() {
    let tiny = given.withConsole(2, columns: -4, rows: .min)
    #expect(tiny.console(2)?.columns == 20 && tiny.console(2)?.rows == 5)
    let huge = tiny.when(.console(.resized(2, columns: .max, rows: .max)))
    #expect(huge.console(2)?.columns == 500 && huge.console(2)?.rows == 200)
  }
}

@Suite struct LineInputTests {
  private func line(_ text: String, _ keys: Key...) -> LineInput {
    var line = LineInput(text)
    for key in keys { _ = line.handle(key) }
    return line
  }

  @Test("A line is edited by characters, whatever they are made of")
  func editing() {
    #expect(line("ab", .left, .character("x")).text == "axb")
    #expect(line("a👩‍👩‍👧b", .left, .backspace).text == "ab")
    #expect(line("日本語", .home, .delete).text == "本語")
    #expect(line("one two  ", .control("w")).text == "one ")
    #expect(line("one two", .left, .left, .control("u")).text == "wo")
    #expect(line("one two", .home, .right, .control("k")).text == "o")
  }

  @Test("A combining mark joins the character before it, and the cursor stays behind that")
  func combining() {
    let typed = line("", .character("e"), .character("\u{301}"))
    #expect(typed.text == "e\u{301}" && typed.cursor == 1)
    #expect(line("e\u{301}", .backspace).text.isEmpty)
    let between = line("xy", .left, .character("\u{301}"), .character("z"))
    #expect(between.text == "x\u{301}zy" && between.cursor == 2)
  }

  @Test("The cursor stays on the line")
  func bounds() {
    #expect(line("ab", .right, .right).cursor == 2)
    #expect(line("ab", .home, .left, .backspace) == line("ab", .home))
    #expect(line("ab", .end, .delete).text == "ab")
    let full = line(String(repeating: "x", count: LineInput.limitBytes), .character("y"))
    #expect(full.text.utf8.count == LineInput.limitBytes)
  }

  @Test("Keys that do not edit are not consumed")
  func otherKeys() {
    var line = LineInput()
    let taken = [Key.up, .enter, .tab, .escape, .control("z")].map { line.handle($0) }
    #expect(!taken.contains(true))
  }
}
