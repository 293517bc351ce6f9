// Proves of refusals that each can come about, is told to whoever asked, and changes nothing: no
// wish that is turned down leaves a trace in the library or the transport.

import Testing

@testable import Recorder

@Suite struct RefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let refusal: Refusal
    let given: Given
    let wish: Request
    var testDescription: String { refusal.rawValue }
  }

  private static let idle = Given().booted().withDevice().withConsole()
  private static let opening = Given().when(.host(.booted(Boot(id: Given.boot, version: "1"))))
    .withConsole()

  private static func limited(_ change: (inout Settings) -> Void) -> Given {
    Given(settings: change).booted().withDevice().withConsole()
  }

  static let cases: [Case] = [
    Case(refusal: .alreadyRecording, given: idle.recording(), wish: .take(.start(title: nil))),
    Case(
      refusal: .busy, given: idle.withFolder("A").wish(.item(.delete(.of("A")))),
      wish: .item(.rename(.of("A"), to: "B"))),
    Case(refusal: .busy, given: idle.recording(), wish: .system(.exportMode(true))),
    Case(
      refusal: .busy,
      given: (0..<64).reduce(idle) { given, _ in given.wish(.item(.search("a"))) },
      wish: .item(.search("a"))),
    Case(
      refusal: .cardExported, given: idle.wish(.system(.exportMode(true))), wish: .take(.toggle)),
    Case(
      refusal: .cardExported,
      given: idle.withRecording("A").wish(.system(.exportMode(true))),
      wish: .item(.setHeard(.of("A"), true))),
    Case(
      refusal: .cardFailed, given: idle.when(.card(.failed("gone"))),
      wish: .take(.start(title: nil))),
    Case(refusal: .cardFull, given: idle.withSpace(0), wish: .take(.start(title: nil))),
    Case(
      refusal: .cardFull, given: limited { $0.whenFull = .recycleOldestHeard }.withSpace(0),
      wish: .take(.start(title: nil))),
    Case(
      refusal: .cardReadOnly, given: idle.when(.card(.condition(.readOnly))),
      wish: .take(.start(title: nil))),
    Case(
      refusal: .cardReadOnly, given: idle.withRecording("A").when(.card(.condition(.readOnly))),
      wish: .item(.nameMark(.of("A"), index: 0, name: "x"))),
    Case(
      refusal: .folderFull, given: limited { $0.itemsPerFolder = 1 }.withFolder("A"),
      wish: .take(.start(title: nil))),
    Case(
      refusal: .intoItself, given: idle.withFolder("A").withFolder("B", in: .of("A")),
      wish: .item(.move(.of("A"), to: .of("B"), at: nil))),
    Case(
      refusal: .mayNotChange, given: Given().booted().withDevice().withConsole(1, .serial, .status),
      wish: .take(.toggle)),
    Case(
      refusal: .noDevice, given: idle.when(.sound(.lost(nil))), wish: .take(.start(title: nil))),
    Case(refusal: .noName, given: idle, wish: .item(.makeFolder(name: " \u{202E} ", in: nil))),
    Case(
      refusal: .noName, given: idle,
      wish: .take(.start(title: String(repeating: "x", count: 1001)))),
    Case(
      refusal: .noSpeaker, given: idle.withRecording("A").withDevice(canPlay: false),
      wish: .deck(.play(.of("A")))),
    Case(
      refusal: .noSpeaker,
      given: idle.withRecording("A").withDevice(whileRecording: false).recording(),
      wish: .deck(.play(.of("A")))),
    Case(refusal: .notFound, given: idle, wish: .browse(.enter(.of("nowhere")))),
    Case(refusal: .notFound, given: idle, wish: .item(.work(.cancel(ticket: 9)))),
    Case(refusal: .nothingPlaying, given: idle, wish: .deck(.pause)),
    Case(refusal: .nothingPlaying, given: idle, wish: .deck(.seek(.to(milliseconds: 0)))),
    Case(refusal: .nothingToPlay, given: idle, wish: .deck(.play(nil))),
    Case(
      refusal: .notInTrash, given: idle.withRecording("A"), wish: .item(.restore(.of("A")))),
    Case(
      refusal: .notInTrash, given: idle.withRecording("A"),
      wish: .item(.move(.of("A"), to: .trash, at: nil))),
    Case(refusal: .notReady, given: opening, wish: .item(.makeFolder(name: "A", in: nil))),
    Case(refusal: .notReady, given: opening, wish: .system(.exportMode(true))),
    Case(refusal: .notRecording, given: idle, wish: .take(.split)),
    Case(refusal: .notRecording, given: idle, wish: .take(.mark(name: ""))),
    Case(refusal: .rootStays, given: idle, wish: .item(.delete(.root))),
    Case(refusal: .rootStays, given: idle, wish: .item(.rename(.trash, to: "A"))),
    Case(
      refusal: .shuttingDown, given: idle.recording().wish(.system(.shutDown)),
      wish: .take(.start(title: nil))),
    Case(
      refusal: .shuttingDown, given: idle.recording().wish(.system(.shutDown)),
      wish: .item(.search("a"))),
    Case(
      refusal: .stillInUse,
      given: idle.withFolder("A").wish(.browse(.enter(.of("A"))), from: .panel).recording(),
      wish: .item(.delete(.of("A")))),
    Case(
      refusal: .tooDeep, given: limited { $0.folderDepth = 2 }.withFolder("A"),
      wish: .item(.makeFolder(name: "B", in: .of("A")))),
    Case(
      refusal: .tooManyMarks, given: limited { $0.marksPerRecording = 0 }.recording(),
      wish: .take(.mark(name: ""))),
  ]

  @Test("Each wish that cannot be granted is turned down with its reason", arguments: cases)
  func refused(refused: Case) {
    let after = refused.given.wish(refused.wish)
    #expect(after.refusal == refused.refusal)
    #expect(after.library == refused.given.library)
    #expect(after.state.transport.take == refused.given.state.transport.take)
    let isTold = after.console()?.kind == .terminal
    #expect(after.console()?.message?.text == (isTold ? refused.refusal.sentence : nil))
  }

  @Test("A locked panel is turned down, and says so by light and tone")
  func locked() {
    let locked = Self.idle.when(.panel(.hold(true))).press(.record)
    #expect(locked.state.transport.refusal?.refusal == .locked)
    #expect(locked.sounds == [.tone(.refused)] && locked.panel.record == .fastBlink)
    #expect(locked.passing(2000).panel.record == .off)
    #expect(locked.when(.panel(.hold(false))).press(.record).running != nil)
  }

  @Test("There is a test for every refusal")
  func everyRefusal() {
    #expect(Set(Self.cases.map(\.refusal)).union([.locked]) == Set(Refusal.allCases))
  }

  @Test("A client is answered by the number of its request, and shows nothing on the panel")
  func clients() {
    let origin = Origin.client(2, request: 77)
    let asked = Self.idle.withConsole(2, .socket).wish(.deck(.pause), from: origin)
    #expect(asked.commands == [.console(.reply(.refused(.nothingPlaying), to: origin))])
  }

  @Test("Who has hung up may not change anything any more")
  func hungUp() {
    let gone = Self.idle.when(.console(.closed(1))).wish(.take(.toggle))
    #expect(gone.refusal == .mayNotChange && gone.running == nil)
  }
}
