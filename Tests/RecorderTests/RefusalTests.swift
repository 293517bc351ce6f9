// Proves that each refusal can occur, is sent to the client, and changes nothing: no refused
// request leaves a trace in the library or the transport.

import Testing

@testable import Recorder

@Suite struct RefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let refusal: Refusal
    let given: Given
    let request: Request
    var testDescription: String { refusal.rawValue }
  }

  private static let idle = Given().booted().withDevice().withConsole()
  private static let opening = Given().when(.host(.booted(Boot(id: Given.boot, version: "1"))))
    .withConsole()

  private static func limited(_ change: (inout Settings) -> Void) -> Given {
    Given(settings: change).booted().withDevice().withConsole()
  }

  static let cases: [Case] = [
    Case(refusal: .alreadyRecording, given: idle.recording(), request: .take(.start(title: nil))),
    Case(
      refusal: .busy, given: idle.withFolder("A").request(.item(.delete(.of("A")))),
      request: .item(.rename(.of("A"), to: "B"))),
    Case(refusal: .busy, given: idle.recording(), request: .system(.exportMode(true))),
    Case(
      refusal: .busy,
      given: (0..<64).reduce(idle) { given, _ in given.request(.item(.search("a"))) },
      request: .item(.search("a"))),
    Case(
      refusal: .cardExported, given: idle.request(.system(.exportMode(true))),
      request: .take(.toggle)),
    Case(
      refusal: .cardExported,
      given: idle.withRecording("A").request(.system(.exportMode(true))),
      request: .item(.setHeard(.of("A"), true))),
    Case(
      refusal: .cardFailed, given: idle.when(.card(.failed("gone"))),
      request: .take(.start(title: nil))),
    Case(refusal: .cardFull, given: idle.withSpace(0), request: .take(.start(title: nil))),
    Case(
      refusal: .cardFull, given: limited { $0.whenFull = .recycleOldestHeard }.withSpace(0),
      request: .take(.start(title: nil))),
    Case(
      refusal: .cardReadOnly, given: idle.when(.card(.condition(.readOnly))),
      request: .take(.start(title: nil))),
    Case(
      refusal: .cardReadOnly, given: idle.withRecording("A").when(.card(.condition(.readOnly))),
      request: .item(.nameMark(.of("A"), index: 0, name: "x"))),
    Case(
      refusal: .folderFull, given: limited { $0.itemsPerFolder = 1 }.withFolder("A"),
      request: .item(.makeFolder(name: "B", in: nil))),
    Case(
      refusal: .intoItself, given: idle.withFolder("A").withFolder("B", in: .of("A")),
      request: .item(.move(.of("A"), to: .of("B"), at: nil))),
    Case(
      refusal: .mayNotChange, given: Given().booted().withDevice().withConsole(1, .serial, .status),
      request: .take(.toggle)),
    Case(
      refusal: .noDevice, given: idle.when(.sound(.lost(nil))), request: .take(.start(title: nil))),
    Case(
      refusal: .deviceSilent, given: idle.when(.sound(.delivers(false))),
      request: .take(.start(title: nil))),
    Case(refusal: .noName, given: idle, request: .item(.makeFolder(name: " \u{202E} ", in: nil))),
    Case(
      refusal: .noName, given: idle,
      request: .take(.start(title: String(repeating: "x", count: 1001)))),
    Case(
      refusal: .noSpeaker, given: idle.withRecording("A").withDevice(canPlay: false),
      request: .deck(.play(.of("A")))),
    Case(
      refusal: .noSpeaker,
      given: idle.withRecording("A").withDevice(whileRecording: false).recording(),
      request: .deck(.play(.of("A")))),
    Case(refusal: .notFound, given: idle, request: .browse(.enter(.of("nowhere")))),
    Case(refusal: .notFound, given: idle, request: .item(.cancel(ticket: 9))),
    Case(refusal: .notFound, given: idle, request: .take(.start(in: .of("nowhere")))),
    Case(refusal: .nothingPlaying, given: idle, request: .deck(.pause)),
    Case(refusal: .nothingPlaying, given: idle, request: .deck(.seek(.to(milliseconds: 0)))),
    Case(refusal: .nothingToPlay, given: idle, request: .deck(.play(nil))),
    Case(
      refusal: .notInTrash, given: idle.withRecording("A"), request: .item(.restore(.of("A")))),
    Case(
      refusal: .notInTrash, given: idle.withRecording("A"),
      request: .item(.move(.of("A"), to: .trash, at: nil))),
    Case(refusal: .notReady, given: opening, request: .item(.makeFolder(name: "A", in: nil))),
    Case(refusal: .notReady, given: opening, request: .system(.exportMode(true))),
    Case(refusal: .notRecording, given: idle, request: .take(.split)),
    Case(refusal: .notRecording, given: idle, request: .take(.mark(name: ""))),
    Case(refusal: .rootStays, given: idle, request: .item(.delete(.root))),
    Case(refusal: .rootStays, given: idle, request: .item(.rename(.trash, to: "A"))),
    Case(
      refusal: .shuttingDown, given: idle.recording().request(.system(.shutDown)),
      request: .take(.start(title: nil))),
    Case(
      refusal: .shuttingDown, given: idle.recording().request(.system(.shutDown)),
      request: .item(.search("a"))),
    Case(
      refusal: .stillInUse,
      given: idle.withFolder("A").request(.browse(.enter(.of("A"))), from: .panel).recording(),
      request: .item(.delete(.of("A")))),
    Case(
      refusal: .tooDeep, given: limited { $0.folderDepth = 2 }.withFolder("A"),
      request: .item(.makeFolder(name: "B", in: .of("A")))),
    Case(
      refusal: .tooManyMarks, given: limited { $0.marksPerRecording = 0 }.recording(),
      request: .take(.mark(name: ""))),
  ]

  @Test("Each request that cannot be granted is refused with its reason", arguments: cases)
  func refused(refused: Case) {
    let after = refused.given.request(refused.request)
    #expect(after.refusal == refused.refusal)
    #expect(after.library == refused.given.library)
    #expect(after.state.transport.take == refused.given.state.transport.take)
    let isTold = after.console()?.kind == .dashboard
    #expect(after.console()?.message?.text == (isTold ? refused.refusal.sentence : nil))
  }

  @Test("A press on a locked panel is refused, by light and tone")
  func locked() {
    let locked = Self.idle.when(.panel(.hold(true))).press(.record)
    #expect(locked.state.transport.refusal?.refusal == .locked)
    #expect(locked.sounds == [.tone(.refused)] && locked.panel.record == .fastBlink)
    #expect(locked.passing(2000).panel.record == .off)
    #expect(locked.when(.panel(.hold(false))).press(.record).running != nil)
  }

  @Test("During a take only the light shows it: a tone would be in the recording")
  func lockedInATake() {
    let locked = Self.idle.recording().when(.panel(.hold(true))).press(.record)
    #expect(locked.running != nil && locked.sounds == [] && locked.panel.record == .fastBlink)
  }

  @Test("There is a test for every refusal")
  func everyRefusal() {
    #expect(Set(Self.cases.map(\.refusal)).union([.locked]) == Set(Refusal.allCases))
  }

  @Test("A client's refusal has the number of its request, and does not show on the panel")
  func clients() {
    let origin = Origin.client(2, request: 77)
    let asked = Self.idle.withConsole(2, .socket).request(.deck(.pause), from: origin)
    #expect(asked.commands.isEmpty && asked.replies == [.refused(.nothingPlaying)])
  }

  @Test("A console that was closed may not change anything any more")
  func hungUp() {
    let gone = Self.idle.when(.console(.closed(1))).request(.take(.toggle))
    #expect(gone.refusal == .mayNotChange && gone.running == nil)
  }
}
