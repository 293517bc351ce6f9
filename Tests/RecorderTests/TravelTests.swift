// Proves that a reader of a flight log goes where each key says, and sees the screen, the lights
// and the status of that moment. Pure: the log is planted here, and no terminal is there.

import Catalogue
import Loop
import Testing

@testable import Recorder

@Suite struct TravelTests {
  /// The flight log of a short life. The comments are the indexes of the actions.
  private static func log() -> [UInt8] {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Appliance.flightLogBytes, alignment: 16)
    defer { memory.deallocate() }
    let driver = Driver<Appliance>(
      State(), now: stampZero,
      flight: FlightRecorder<Appliance>(memory: memory, tapeBytes: Appliance.flightTapeBytes))
    driver.begin(with: Effects(perform: { _ in }, start: { _ in }, stop: { _ in }))
    for (number, action) in actions.enumerated() {
      driver.send(
        Stamped(
          action,
          at: Stamp(
            monotonicNanoseconds: Int64(number) * 250_000_000,
            wallMilliseconds: Given.wall + Int64(number) * 250, freshHigh: 0,
            freshLow: UInt64(number + 1) << 8)))
    }
    return Array(memory)
  }

  private static let actions: [Action] =
    [
      .host(.booted(Boot(id: Given.boot, version: "1.0"))),  // 0
      .host(.clock(isSynchronised: true)),  // 1
      .card(.opened(CardReport(nextSequence: 41))), .card(.listed(.root, Listing())),  // 2, 3
      .sound(.opened(Given.mic)), .sound(.output(canPlay: true, whileRecording: true)),  // 4, 5
      .console(.opened(ConsoleDescription(id: 2, kind: .serial, access: .control))),  // 6
      .console(.key(2, .character("x"))),  // 7
      .request(.take(.start(title: "Kitchen")), from: .panel),  // 8
    ] + Array(repeating: .tick, count: 140)  // 9 to 148
    + [.sound(.lost("the plug was pulled")), .tick, .tick]  // 149, 150, 151

  private func travel(at index: Int? = nil, in language: Language = .english) throws -> Travel {
    try Travel(ReplayHistory(Self.log()), at: index, in: language)
  }

  /// Types keys; returns where they lead.
  private func after(_ keys: Key..., from index: Int) throws -> Travel {
    var travel = try travel(at: index)
    for key in keys {
      let goesOn = travel.handle(key)
      #expect(goesOn)
    }
    return travel
  }

  private func letters(_ text: String) -> [Key] { text.map { .character(String($0)) } }

  @Test("Each key goes where the help says, and no further than the ends of the log")
  func steps() throws {
    let last = Self.actions.count - 1
    #expect(try travel().index == last)
    let moves: [(Key, from: Int, to: Int)] = [
      (.right, 3, 4), (.character(" "), 3, 4), (.left, 3, 2), (.down, 3, 13), (.up, 13, 3),
      (.pageDown, 3, 103), (.pageUp, 103, 3), (.home, 50, 0), (.end, 50, last), (.left, 0, 0),
      (.up, 5, 0), (.pageUp, 5, 0), (.right, last, last), (.pageDown, last - 5, last),
      (.character("y"), 9, 9),
    ]
    for (key, from, to) in moves { #expect(try after(key, from: from).index == to, "\(key)") }
    #expect(try after(.left, from: 0).screen.text.contains("This is the first action."))
    #expect(try after(.right, from: last).screen.text.contains("This is the last action."))
  }

  @Test("The reader's language is spoken around the screen, whatever the recorder spoke")
  func languages() throws {
    var travel = try travel(at: 0, in: .german)
    #expect(travel.screen.text.contains("Aktion 0 von 0 bis \(Self.actions.count - 1)"))
    #expect(travel.screen.text.contains("Leuchten Aufnahme "))
    _ = travel.handle(.left)
    #expect(travel.screen.text.contains("Dies ist die erste Aktion."))
    _ = travel.handle(.character("?"))
    #expect(travel.screen.text.contains("zehn Aktionen zurück, vor"))
    travel.resize(columns: 20, rows: 5)
    #expect(travel.screen.text.contains("Zu klein: 40 x 14"))
  }

  @Test("q and Ctrl-C end the journey; while a text is typed or the help shown, they do not")
  func quitting() throws {
    var travel = try travel(at: 5)
    let typed = [.character("/"), .character("q"), .control("c")].map { travel.handle($0) }
    #expect(typed == [true, true, true])
    let asked = travel.handle(.character("?"))
    #expect(asked && travel.screen.text.contains("ten actions back"))
    let closed = travel.handle(.character("q"))
    #expect(closed && travel.index == 5 && !travel.screen.text.contains("ten actions back"))
    for key in [Key.character("q"), .control("c")] {
      let goesOn = travel.handle(key)
      #expect(!goesOn)
    }
  }

  @Test("s and S go to the changes of the screen, f and F to notices and the status light")
  func changes() throws {
    // The take begins at 8, and a tick shows its time.
    #expect(try after(.character("s"), from: 6).index == 8)
    #expect(try after(.character("S"), from: 8).index == 4)
    let lost = try after(.character("f"), from: 9)
    #expect(lost.index == 149)
    #expect(lost.screen.text.contains("3 winks"))
    #expect(try after(.character("F"), from: 151).index == 149)
    let none = try after(.character("f"), from: 150)
    #expect(none.index == 150 && none.screen.text.contains("No later notice."))
  }

  @Test("A text is found in the actions, forward and back, whatever its case")
  func finding() throws {
    var travel = try travel(at: 0)
    for key in letters("/KITCHEN") + [.enter] { _ = travel.handle(key) }
    #expect(travel.index == 8)
    _ = travel.handle(.character("n"))
    #expect(travel.index == 8)
    #expect(travel.screen.text.contains("No later action contains “KITCHEN”."))
    for key in [Key.end, .character("N")] { _ = travel.handle(key) }
    #expect(travel.index == 8)
    for key in letters("/nowhere") + [.escape] { _ = travel.handle(key) }
    for key in [Key.home, .character("n")] { _ = travel.handle(key) }
    #expect(travel.index == 8)
  }

  @Test("g goes to an action by its number, and refuses one that the log does not have")
  func numbers() throws {
    var travel = try travel(at: 0)
    for key in letters("g77") + [.enter] { _ = travel.handle(key) }
    #expect(travel.index == 77)
    for wrong in ["152", "-1", "x", ""] {
      for key in letters("g" + wrong) + [.enter] { _ = travel.handle(key) }
      #expect(travel.index == 77)
      #expect(travel.screen.text.contains("The log has the actions 0 to 151."), "\(wrong)")
    }
  }

  @Test("c shows the panel and the consoles of the moment, and says when there is none")
  func sources() throws {
    var travel = try after(.character("c"), from: 7)
    #expect(travel.source == .console(2) && travel.screen.text.contains("reel> x"))
    _ = travel.handle(.home)
    #expect(travel.screen.text.contains("There is no console 2; a screen is there of the panel."))
    _ = travel.handle(.character("c"))
    #expect(travel.source == .panel)
    #expect(travel.screen.text.contains("No console has a screen at this moment"))
  }

  @Test("The picture has the action, its commands, the lights, the status and the screen")
  func picture() throws {
    var travel = try travel(at: 8)
    travel.resize(columns: 100, rows: 20)
    let rows = travel.screen.rows.map(\.text)
    #expect(rows.count == 20)
    #expect(rows[0].hasPrefix("action 8 of 0 to 151   2026-11-20 14:03:24   +2.000 s   the panel"))
    #expect(rows[1].hasPrefix("does     {\"request\"") && rows[1].contains("Kitchen"))
    #expect(rows[2].hasPrefix("leads to {"))
    #expect(rows[3].hasPrefix("lights   record steady, status 1 wink every 5000 ms, play off"))
    #expect(rows[4].hasPrefix("status   recording: "))
    #expect(rows.contains { $0.hasPrefix("● RECORDING") && $0.contains("Kitchen") })
    #expect(rows[19].hasPrefix("← → action  ? help  q quit"))
  }

  @Test(
    "Without a terminal a moment is text: the action in full, no keys",
    arguments: [(0, "idle"), (8, "recording"), (149, "waiting")])
  func text(index: Int, word: String) throws {
    let lines = try travel(at: index).text.split(separator: "\n")
    #expect(lines.first?.hasPrefix("action \(index) of 0 to 151   ") == true)
    #expect(lines.allSatisfy { $0.last != " " })
    #expect(lines.contains { $0.hasPrefix("Reel  ") })
    #expect(lines.contains { $0.hasPrefix("status   \(word): ") }, "\(lines)")
  }

  @Test("A picture fits any size of the terminal, and says when that is too small")
  func sizes() throws {
    var travel = try travel(at: 8)
    for (columns, rows) in [(1, 1), (10, 3), (39, 24), (40, 13), (40, 14), (80, 24), (600, 300)] {
      travel.resize(columns: columns, rows: rows)
      let screen = travel.screen
      #expect(screen.rows.count == rows)
      #expect(screen.rows.allSatisfy { Text.columns($0.text) <= columns })
      let isTooSmall = columns < 40 || rows < 14
      #expect(screen.text.contains("Reel  ") == !isTooSmall, "\(columns) by \(rows)")
      if isTooSmall, columns > 30 { #expect(screen.text.contains("Too small: 40 x 14 needed")) }
    }
  }

  @Test("An index beyond the log, and a log without actions, are refused in a sentence")
  func beyond() throws {
    #expect(throws: Travel.BeginError(description: "the log ends before action 152")) {
      try travel(at: 152)
    }
    #expect(throws: FlightLogError.notAFlightLog) { try ReplayHistory<Appliance>([]) }
  }
}

@Suite struct ScreenSourceTests {
  private let given = ScreenViewTests.filled

  @Test("The panel is seen in any size, with lights as signs and its keys as they are")
  func panel() throws {
    let wide = try #require(ScreenView(of: .panel, columns: 100, rows: 30, in: given.state))
    #expect(wide.rows.count == 30 && wide.lamps.isEmpty)
    let record = try #require(wide.rows.last?.spans.first)
    #expect(record.text == "r" && record.style == .key)
    let signs = wide.rows[1].spans.first { $0.text == "◐" }
    #expect(signs?.style == .playing)
    let small = try #require(ScreenView(of: .panel, columns: 1, rows: 1, in: given.state))
    #expect(small.rows.count == Console.rowLimits.lowerBound)
  }

  @Test("A console is seen with its dialog, in the size of the spectator, and stays as it is")
  func console() throws {
    let asked = given.withConsole(columns: 40, rows: 10).key(.character("n"))
    let seen = try #require(ScreenView(of: .console(1), columns: 90, rows: 20, in: asked.state))
    #expect(seen.rows.count == 20 && seen.text.contains("Name of the new folder:"))
    #expect(try #require(ScreenView(console: 1, in: asked.state)).rows.count == 10)
  }

  @Test("A console that is not there, or shows no screen, is named in a sentence")
  func none() {
    let state = given.withConsole().when(
      .console(.opened(ConsoleDescription(id: 1001, kind: .socket, access: .control)))
    ).state
    #expect(ScreenView(of: .console(7), columns: 80, rows: 24, in: state) == nil)
    #expect(ScreenView(of: .console(1001), columns: 80, rows: 24, in: state) == nil)
    #expect(
      state.sentence(without: .console(7))
        == "There is no console 7; a screen is there of the panel, console 1.")
    #expect(
      state.sentence(without: .console(1001))
        == "Console 1001 shows no screen; a screen is there of the panel, console 1.")
    #expect(
      Language.german.translate(state.sentence(without: .console(7)))
        == "Konsole 7 gibt es nicht; einen Bildschirm haben: das Bedienfeld, Konsole 1.")
    #expect(
      Language.chinese.translate(state.sentence(without: .console(1001)))
        == "控制台 1001不显示屏幕；有屏幕的是：面板、控制台 1。")
  }
}
