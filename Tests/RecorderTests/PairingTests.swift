// A code for a browser, in the heart: who may ask for it, how it is shown, and when no longer.

import Testing

@testable import Recorder

@Suite struct PairingTests {
  private static let page = ConsoleDescription(id: 1001, kind: .socket, access: .control)
  private static let origin = Origin.client(1001, request: 1)
  private static let report = "pairing 352614 --address http://reel.local/ --seconds 300"

  private func given() -> Given {
    Given().booted().withDevice().withConsole().when(.console(.opened(Self.page)))
  }

  private func say(_ words: String, _ given: Given, as origin: Origin = Self.origin) -> Given {
    let words = words.split(separator: " ").map(String.init)
    return given.when(.console(.command(words, files: [], from: origin)))
  }

  private func answer(_ given: Given, to asked: Origin) -> Answer? {
    given.commands.lazy.compactMap { command -> Answer? in
      guard case .console(.answer(let answer, let origin, true)) = command else { return nil }
      return origin == asked ? answer : nil
    }
    .first
  }

  private func text(_ given: Given) -> String {
    ScreenView(console: 1, in: given.state)?.text ?? ""
  }

  @Test("a button asks for a code; the status light winks it, and a dashboard shows it")
  func button() throws {
    let well = PanelView(given().state).status
    // when it is asked for, then the status says so, for the program that makes it
    let asked = given().request(.system(.askForCode), from: .panel)
    #expect(StatusView(asked.state).codeWish != nil && PanelView(asked.state).status == well)
    // when the code comes, then it is shown
    let shown = say(Self.report, asked)
    #expect(StatusView(shown.state).codeWish == nil)
    #expect(PanelView(shown.state).status == .digits([3, 5, 2, 6, 1, 4]))
    #expect(text(shown).contains("Open http://reel.local/ and type 352 614 there."))
    // and not to a spectator
    let spectator = ScreenView(of: .console(1), columns: 80, rows: 24, in: shown.state)
    #expect(spectator?.text.contains("352") == false)
    // until it was used, two minutes have passed, it is hidden, or the program has gone
    let ended = [
      say("pairing", shown), shown.passing(121_000), shown.key(.escape),
      shown.when(.console(.closed(1001))),
    ]
    for given in ended {
      #expect(given.state.pairing == .none && PanelView(given.state).status == well)
      #expect(!text(given).contains("352 614"))
    }
    #expect(shown.passing(119_000).state.pairing.code?.digits == "352614")
  }

  @Test("if no page answers, the panel refuses, and a command says what to do")
  func noPage() throws {
    let asked = given().request(.system(.askForCode), from: .panel)
    #expect(asked.passing(2_900).state.transport.refusal == nil)
    let late = asked.passing(3_000)
    #expect(late.state.transport.refusal?.refusal == .noPage && late.state.pairing == .none)
    #expect(StatusView(late.state).codeWish == nil)
    // and a code that comes later is shown all the same
    #expect(say(Self.report, late).state.pairing.code != nil)
    let client = Origin.client(1001, request: 2)
    let told = say("pair", given(), as: client).when(.alarm(.pairingOver), after: 3_000)
    #expect(answer(told, to: client) == .failed(.noPage))
  }

  @Test("a command answers with the code as soon as it is there")
  func command() throws {
    let client = Origin.client(1001, request: 2)
    let asked = say("pair", given(), as: client)
    #expect(answer(asked, to: client) == nil)
    let code = try #require(PairingCode(digits: "352614", address: "http://reel.local/"))
    #expect(answer(say(Self.report, asked), to: client) == .pairing(code))
  }

  @Test("w on a dashboard asks for one, and a locked panel refuses the button")
  func keys() {
    let once = given().key(.character("w"))
    let twice = once.passing(10).key(.character("w"))
    #expect(StatusView(once.state).codeWish != nil)
    #expect(StatusView(once.state).codeWish != StatusView(twice.state).codeWish)
    let locked = given().request(.system(.lock(true)), from: .appliance)
      .request(.system(.askForCode), from: .panel)
    #expect(locked.state.pairing == .none && locked.state.transport.refusal?.refusal == .locked)
  }

  @Test(
    "what cannot be winked or drawn is refused",
    arguments: [
      "pairing 352604 --address http://reel.local/", "pairing 123 --address http://reel.local/",
      "pairing 1234567891234 --address http://reel.local/", "pairing 352614",
      "pairing 352614 --address a --picture ##/##/##", "pairing 352614 --address a --picture #x/##",
      "pairing 352614 --address a --seconds 0", "pairing 35a614 --address a",
    ])
  func refused(words: String) {
    let told = say(words, given().request(.system(.askForCode), from: .panel))
    #expect(answer(told, to: Self.origin)?.isFailure == true && told.state.pairing.code == nil)
  }

  @Test("a round of the light: long, then as many winks for each digit, with pauses")
  func winks() {
    let round = Pattern.digits([2, 1]).round
    #expect(round.first == .on(1500))
    #expect(round.filter(\.isOn).map(\.milliseconds) == [1500, 150, 150, 150])
    // the pause after a digit is more than three times that between its winks
    let dark = round.reduce(into: [0]) { dark, phase in
      if phase.isOn { dark.append(0) } else { dark[dark.count - 1] += phase.milliseconds }
    }
    #expect(dark == [0, 1500, 350, 1650, 1650])
  }

  @Test("a QR code is drawn light on dark, two rows a line, with a border")
  func drawn() {
    let lines = PairingCode.lines(of: ["#.#", ".#.", "#.#"])
    #expect(lines == ["███████", "██▄▀▄██", "██▄█▄██", "▀▀▀▀▀▀▀"])
    #expect(PairingCode.lines(of: []).isEmpty)
  }

  @Test("the QR code is on a dashboard if there is room, beside the words")
  func picture() {
    let rows = Array(repeating: String(repeating: "#", count: 21), count: 21)
    let report = Self.report + " --picture " + rows.joined(separator: "/")
    let shown = say(report, given())
    #expect(!text(shown.when(.console(.resized(1, columns: 80, rows: 20)))).contains("█"))
    let large = text(shown.when(.console(.resized(1, columns: 100, rows: 40))))
    #expect(large.contains("██") && large.contains("type 352 614"))
  }
}
