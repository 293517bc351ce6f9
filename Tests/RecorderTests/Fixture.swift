// The language of these tests: a given state, an action, and the result. A `Given` is a value; each
// method returns a new one, so that a test can go on from any of them.
//
//     let pressed = Given().booted().withDevice().when(.press(.record))
//     #expect(pressed.sounds.contains(.tone(.started)))

import Loop

@testable import Recorder

struct Given {
  private(set) var state: State
  /// The commands of the last action.
  private(set) var commands: [Command] = []
  /// The replies to the requests of the last action.
  private(set) var replies: [Reply] = []
  /// The monotonic clock; the wall clock moves with it.
  private(set) var milliseconds: Int64 = 100_000
  private var stamps: UInt64 = 0

  static let mic = CaptureInfo(name: "USB Mic", rate: 48_000, channels: 1)
  static let boot = ItemID(high: 0xB007, low: 1)
  /// 2026-11-20 14:03:22 UTC, when `milliseconds` is 100,000.
  static let wall: Int64 = 1_795_183_402_000

  init(_ settings: Settings = Settings()) { state = State(settings: settings) }

  init(settings change: (inout Settings) -> Void) {
    var settings = Settings()
    change(&settings)
    self.init(settings)
  }

  var now: Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  // MARK: When

  func when(_ action: Action, after passed: Int64 = 0) -> Given {
    var next = self
    next.milliseconds += passed
    next.stamps += 1
    let stamp = Stamp(
      monotonicNanoseconds: next.now.nanoseconds,
      wallMilliseconds: Self.wall + next.milliseconds - 100_000, freshHigh: 0,
      freshLow: next.stamps << 8)
    let step = Appliance.step(&next.state, Stamped(action, at: stamp))
    (next.commands, next.replies) = (step.commands, step.replies.map(\.reply))
    return next
  }

  func when(_ actions: [Action], after passed: Int64 = 0) -> Given {
    var next = self
    next.milliseconds += passed
    return actions.reduce(next) { $0.when($1) }
  }

  func press(_ control: Control, _ gesture: Gesture = .press, ago: Int64 = 0) -> Given {
    when(.panel(.gesture(control, gesture, at: now.adding(milliseconds: -ago))))
  }

  func request(_ request: Request, from origin: Origin = .console(1)) -> Given {
    when(.request(request, from: origin))
  }

  /// Presses keys. If a key stands for a button, the panel answers at once.
  func key(_ keys: Key..., on console: Int = 1) -> Given {
    keys.reduce(self) { given, key in
      let typed = given.when(.console(.key(console, key)))
      return typed.panels.reduce(typed) { $0.when(.panel($1)) }
    }
  }

  private var panels: [PanelEvent] {
    commands.compactMap { if case .panel(let command) = $0 { command.event } else { nil } }
  }

  func type(_ text: String, on console: Int = 1) -> Given {
    text.reduce(self) { $0.when(.console(.key(console, .character(String($1))))) }
  }

  /// Lets time pass, and sends the alarms that are due.
  func passing(_ passed: Int64) -> Given {
    var next = self
    next.milliseconds += passed
    for alarm in next.alarms where alarm.at <= next.now { next = next.when(.alarm(alarm.alarm)) }
    return next.when(.tick)
  }

  /// The card reports its last work as done.
  func done(_ result: WorkResult) -> Given {
    when(.card(.work(ticket: state.library.lastTicket, .done(result))))
  }

  // MARK: Given

  /// Adds a notice of this kind, and lets the state settle.
  func noting(_ kind: Notice.Kind) -> Given {
    var next = self
    var step = Step(
      Stamp(
        monotonicNanoseconds: now.nanoseconds, wallMilliseconds: Self.wall, freshHigh: 0,
        freshLow: 0))
    next.state.note(kind, item: nil, "", &step)
    return next.when(.tick)
  }

  func booted(_ boot: Boot = Boot(id: Given.boot, version: "1.0")) -> Given {
    when([
      .host(.booted(boot)), .host(.clock(isSynchronised: true)),
      .card(.opened(CardReport(nextSequence: 41))), .card(.listed(.root, Listing())),
    ])
  }

  func withDevice(canPlay: Bool = true, whileRecording: Bool = true) -> Given {
    when([
      .sound(.opened(Self.mic)), .sound(.output(canPlay: canPlay, whileRecording: whileRecording)),
    ])
  }

  func withSpace(_ bytes: Int64) -> Given {
    when(.card(.space(freeBytes: bytes, totalBytes: 1 << 35)))
  }

  /// Adds a folder that has been read; its id is that of its name.
  func withFolder(_ name: String, in parent: ItemID = .root) -> Given {
    request(.item(.makeFolder(name: name, in: parent)), from: .appliance)
      .done(.made(Folder(id: .of(name), parent: parent, name: name, directory: name)))
  }

  /// Adds a recording; its id is that of its title.
  func withRecording(
    _ title: String, in folder: ItemID = .root, seconds: Int64 = 10, isHeard: Bool = false,
    marks: [Mark] = []
  ) -> Given {
    request(.item(.importFile(OutsideFile(title), into: folder)), from: .appliance)
      .done(.imported(recording(title, in: folder, seconds, isHeard, marks)))
  }

  func recording(
    _ title: String, in folder: ItemID = .root, _ seconds: Int64 = 10, _ isHeard: Bool = false,
    _ marks: [Mark] = []
  ) -> Recording {
    Recording(
      id: .of(title), folder: folder, sequence: state.library.nextSequence, title: title,
      began: Moment(
        boot: Self.boot, instant: now, wall: WallTime(milliseconds: Self.wall),
        quality: .synchronised), file: title + ".opus", sound: Sound(frames: seconds * 48_000),
      isHeard: isHeard, marks: marks)
  }

  func withConsole(
    _ id: Int = 1, _ kind: ConsoleDescription.Kind = .terminal, _ access: Console.Access = .control,
    columns: Int = 80, rows: Int = 24
  ) -> Given {
    when(
      .console(
        .opened(
          ConsoleDescription(id: id, kind: kind, access: access, columns: columns, rows: rows))))
  }

  /// Begins a take, with its first frame known and its file made.
  func recording(rate: Int = 48_000) -> Given { press(.record).takeBegins(rate: rate) }

  func takeBegins(rate: Int = 48_000) -> Given {
    guard let take = running else { return self }
    return when([
      .sound(.take(take.id, .began(at: take.start.instant, rate: rate))),
      .card(.take(take.id, .made(file: "take.opus"))),
    ])
  }

  /// Ends the oldest closing take, or else the running one.
  func takeEnds(seconds: Int64 = 5, _ reason: StopReason = .pressed) -> Given {
    guard let id = state.closing.first ?? running?.id else { return self }
    let report = TakeReport(
      sound: Sound(frames: seconds * 48_000), integrity: Integrity(stopReason: reason))
    return when(.sound(.take(id, .ended(report))))
  }

  /// Plays an item; the sound path has reported its first sound.
  func playing(_ id: ItemID) -> Given {
    let asked = request(.deck(.play(id)), from: .appliance)
    guard let cue = asked.state.transport.deck.cue else { return asked }
    let anchor = Anchor(frame: cue.startFrame, instant: asked.now)
    return asked.when(.sound(.deck(cue: cue.id, .playing(anchor))))
  }

  func deck(_ event: DeckEvent) -> Given {
    when(.sound(.deck(cue: state.transport.deck.cue?.id ?? .root, event)))
  }

  // MARK: Then

  var running: RunningTake? { state.transport.take.running }
  /// The running take's entry.
  var entry: Recording? { running.flatMap { state.library.recordings[$0.id] } }
  var library: Library { state.library }
  var panel: PanelView { PanelView(state) }

  func recording(of id: ItemID) -> Recording? { state.library.recordings[id] }
  func items(in folder: ItemID) -> [ItemID] {
    Array(state.library.folders[folder]?.items ?? .init())
  }
  func tally(_ folder: ItemID) -> Tally? { state.library.folders[folder]?.tally }
  func console(_ id: Int = 1) -> Console? { state.console(id) }
  func place(_ id: Int = 1) -> Place? { console(id).map(state.place) }
  func notices(_ kind: Notice.Kind) -> Int { state.notices.kept.count { $0.kind == kind } }

  var sounds: [SoundCommand] {
    commands.compactMap { if case .sound(let command) = $0 { command } else { nil } }
  }
  /// The tags of a take that has just begun: its entry, as the card was given it.
  var label: TakeLabel? {
    let entries = cards.compactMap { if case .begin(let entry) = $0 { entry } else { nil } }
    return entries.first.map { TakeLabel(recording: $0, folder: "Recordings") }
  }
  var decks: [DeckCommand] {
    commands.compactMap { if case .deck(let command) = $0 { command } else { nil } }
  }
  var cards: [CardCommand] {
    commands.compactMap { if case .card(let command) = $0 { command } else { nil } }
  }
  var hosts: [HostCommand] {
    commands.compactMap { if case .host(let command) = $0 { command } else { nil } }
  }
  var works: [CardWork] {
    cards.compactMap { if case .work(_, let work) = $0 { work } else { nil } }
  }
  var kept: [Recording] {
    cards.compactMap { if case .keep(let recording) = $0 { recording } else { nil } }
  }
  var answers: [Answer] {
    commands.compactMap { if case .console(.answer(let answer, _, _)) = $0 { answer } else { nil } }
  }
  /// Why the last request was refused.
  var refusal: Refusal? {
    for case .refused(let refusal) in replies { return refusal }
    return nil
  }
  var alarms: [(alarm: Alarm, at: Instant)] {
    Appliance.subscriptions(state).compactMap {
      if case .alarm(let alarm, let at) = $0 { (alarm, at) } else { nil }
    }
  }
}

extension ItemID {
  /// Returns the same id for the same name, in every run.
  static func of(_ name: String) -> ItemID {
    var bits: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { bits = (bits ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return ItemID(high: 0x7E57, low: bits)
  }
}

extension PanelCommand {
  /// The event that the panel sends for it in the end.
  var event: PanelEvent {
    switch self {
    case .press(let control, let instant): .gesture(control, .press, at: instant)
    case .hold(let control, let instant): .gesture(control, .hold, at: instant)
    case .lock(let isLocked, _): .hold(isLocked)
    }
  }
}
