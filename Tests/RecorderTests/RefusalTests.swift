// Proves that each refusal can occur, is sent to the client, and changes nothing: no refused
// request leaves a trace in the library or the transport.

import Loop
import Seeds
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
      request: .item(.mark(.of("A"), .rename(index: 0, to: "x")))),
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
    Case(
      refusal: .nameTaken, given: idle.withFolder("A"),
      request: .item(.makeFolder(name: " A", in: nil))),
    Case(
      refusal: .noMark, given: idle.withRecording("A"),
      request: .item(.mark(.of("A"), .remove(index: 0)))),
    Case(
      refusal: .noMark, given: idle.withRecording("A").playing(.of("A")),
      request: .deck(.nextMark)),
    Case(refusal: .nothingToUndo, given: idle, request: .item(.undo)),
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
      refusal: .tooLong, given: idle.withRecording("A"),
      request: .item(.describe(.of("A"), .place, String(repeating: "x", count: 201)))),
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

  @Test("Who asks to record hears what keeps the sound device from being opened")
  func deviceReason() {
    // Given a device with too few channels, and a program
    let program = ConsoleDescription(id: 7, kind: .socket, access: .control)
    let why = "Microphone has 2 channels, and the configuration needs 4."
    let given = Given().booted().when(.sound(.lost(why))).when(.console(.opened(program)))
    // When it asks to record
    let origin = Origin.client(7, request: 1)
    let asked = given.when(.console(.command(["record"], files: [], from: origin)))
    // Then the answer says why that is refused
    let answers = asked.commands.compactMap { command -> Answer? in
      guard case .console(.answer(let answer, origin, true)) = command else { return nil }
      return answer
    }
    let sentence = "There is no sound device to record from: \(why)"
    #expect(answers == [.failed(CommandError("noDevice", sentence))])
  }

  @Test("The deepest folder takes recordings from outside, as it takes those that are moved there")
  func deepest() {
    let given = Self.limited { $0.folderDepth = 2 }.withFolder("A").withRecording("B")
    let sound = OutsideFile("/media/usb/b.wav")
    #expect(given.request(.item(.importFile(sound, into: .of("A")))).refusal == nil)
    #expect(given.request(.item(.move(.of("B"), to: .of("A"), at: nil))).refusal == nil)
  }

  @Test(
    "In any state a request is refused if and only if that is known beforehand", arguments: 0..<4)
  func knownBeforehand(part: Int) throws {
    for seed in Seeds("refusals", count: 200, part: part, of: 4) {
      var sequence = ActionSequence(seed: seed)
      var random = SplitMix64(seed: seed)
      for _ in 0..<40 { _ = sequence.step() }
      let state = sequence.state
      let commands = Verb.allCases.compactMap(\.request)
      let others = (0..<60).map { _ in People.request(in: state, &random) }
      let origins: [Origin] =
        [.panel, .appliance] + state.consoles.map { .client($0.id, request: 9) }
      for request in commands + others {
        let origin = random.pick(origins)
        let expected = state.refusal(to: request, from: origin)
        var after = state
        let stamp = Stamp(
          monotonicNanoseconds: state.now.nanoseconds, wallMilliseconds: state.wall.milliseconds,
          freshHigh: 1, freshLow: 1)
        let step = Appliance.step(&after, Stamped(.request(request, from: origin), at: stamp))
        let first = step.replies.first { $0.origin == origin }?.reply
        var refused: Refusal?
        if case .refused(let refusal)? = first { refused = refusal }
        try #require(refused == expected, "REEL_SEED=\(seed): \(request) from \(origin)")
        // Undo answers when the card has done it.
        try #require(
          first != nil || request == .item(.undo), "REEL_SEED=\(seed): \(request) is not answered")
      }
    }
  }

  @Test("What would be refused is dim: keys, help and completion; and help says why")
  func shownBefore() throws {
    // Given a recorder with nothing to undo, nothing that plays, and a serial console
    let given = Given().booted().withDevice().withConsole(1).withConsole(2, .serial)
    func style(of text: String, in given: Given, _ console: Int = 1) -> ScreenView.Style? {
      let rows = ScreenView(console: console, in: given.state)?.rows ?? []
      return rows.flatMap(\.spans).first { $0.text.hasPrefix(text) }?.style
    }
    let help = given.key(.character("?"))
    #expect(style(of: " undo", in: help) == .dim && style(of: " record", in: help) == .plain)
    // When a recording is deleted, undo names it
    let deleted = given.withRecording("A").request(.item(.delete(.of("A"))))
      .done(.thrown(.of("A"), file: "a"))
    #expect(style(of: " undo delete", in: deleted.key(.character("?"))) == .plain)
    // And completion on the serial console shows which commands cannot be given now
    let completed = given.type("re", on: 2).key(.tab, on: 2)
    #expect(style(of: "resume", in: completed, 2) == .dim)
    #expect(style(of: "reload", in: completed, 2) == .plain)
    let told = given.when(
      .console(.command(["help", "resume"], files: [], from: .client(2, request: 1))))
    guard case .help(let help)? = told.answers.last else {
      Issue.record("\(told.answers)")
      return
    }
    #expect(help.text(in: .english).hasSuffix("Not now: Nothing is playing."))
  }

  @Test("The dialog for a new folder says at once that its name is taken")
  func takenName() {
    let typed = Given().booted().withConsole().withFolder("Box").key(.character("n")).type("Box")
    let text = { (given: Given) in ScreenView(console: 1, in: given.state)?.text ?? "" }
    #expect(text(typed).contains(Refusal.nameTaken.sentence))
    #expect(!text(typed.type("es")).contains(Refusal.nameTaken.sentence))
  }

  @Test("Limits are shown from 90 % on")
  func limits() {
    let settings = { (settings: inout Settings) in
      settings.itemsPerFolder = 10
      settings.marksPerRecording = 10
    }
    var given = Given(settings: settings).booted().withDevice().withConsole()
    func text() -> String { ScreenView(console: 1, in: given.state)?.text ?? "" }
    for number in 1...8 { given = given.withRecording("\(number)") }
    #expect(!text().contains("of 10 items"))
    given = given.recording()
    #expect(text().contains("9 of 10 items") && !text().contains("of 10 marked"))
    guard let take = given.running?.id else {
      Issue.record("nothing is recorded")
      return
    }
    for frame in 1...9 {
      given = given.when(.sound(.take(take, .marked(Mark(frame: Int64(frame))))))
    }
    #expect(text().contains("9 of 10 marked"))
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

  @Test("There is a test for every refusal; that of a page which does not answer is PairingTests'")
  func everyRefusal() {
    #expect(Set(Self.cases.map(\.refusal)).union([.locked, .noPage]) == Set(Refusal.allCases))
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
