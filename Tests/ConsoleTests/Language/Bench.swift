// An appliance without rooms for the tests of the language: the real reducer, a card of a few
// folders that answers when the test says so, and a console of a program. One thread.

import Loop

@testable import Recorder

final class Bench {
  private(set) var commands: [Command] = []
  private var driver: Driver<Appliance>?
  private var milliseconds: Int64 = 100_000
  private var stamps: UInt64 = 0
  /// The card's folders.
  var card: [ItemID: Listing] = [:]
  /// Whether the card answers at once.
  var cardAnswers = true
  /// Whether a stopped take ends at once.
  var endsTakes = true
  /// The host's answer to a reload; nil while it has not read the configuration.
  var reloadAnswer: HostEvent? = .configured(Settings())
  /// Whether other rooms say at once that they know nothing.
  var answersInquiries = true
  private var listening: [Origin: [Heard]] = [:]
  /// Receives every answer.
  var onAnswer: (Answer, Origin, _ isLast: Bool) -> Void = { _, _, _ in }

  static let console = Origin.console(2)

  init(access: Console.Access = .control, opensCard: Bool = true) {
    driver = makeDriver()
    send(.host(.booted(Boot(id: ItemID(high: 7, low: 7), version: "1.0"))))
    send(.host(.clock(isSynchronised: true)))
    send(
      .console(.opened(ConsoleDescription(id: 2, kind: .serial, access: access, mode: .json))))
    send(.sound(.opened(CaptureInfo(name: "Mic", rate: 48_000, channels: 1))))
    send(.sound(.output(canPlay: true, whileRecording: true)))
    fillCard()
    if opensCard {
      send(.card(.opened(CardReport(nextSequence: 41, root: Tally(recordings: 3, unheard: 3)))))
    }
  }

  // MARK: The card

  static let interviews = ItemID(high: 0xABCD_0000_0000_0000, low: 1)
  static let may = ItemID(high: 0xABCE_0000_0000_0000, low: 2)
  static let kitchen = ItemID(high: 0x123A_5678_0000_0000, low: 3)
  static let cellar = ItemID(high: 0x123A_9999_0000_0000, low: 4)
  static let stroke = ItemID(high: 0x7777_0000_0000_0000, low: 5)

  private func fillCard() {
    let interviews = Folder(
      id: Self.interviews, parent: .root, name: "Interviews", directory: "Interviews",
      tally: Tally(recordings: 2, unheard: 2))
    let may = Folder(
      id: Self.may, parent: Self.interviews, name: "May", directory: "May", tally: Tally())
    card[.root] = Listing(
      folders: [interviews], recordings: [Self.recording(Self.stroke, 7, "Tante Käthe: 1/2")])
    card[Self.interviews] = Listing(
      folders: [may],
      recordings: [
        Self.recording(Self.kitchen, 11, "Kitchen", in: Self.interviews),
        Self.recording(Self.cellar, 12, "Cellar with a long name", in: Self.interviews),
      ])
    card[Self.may] = Listing()
    card[.trash] = Listing()
  }

  private func throwAway(_ id: ItemID) -> WorkEvent {
    let folders = [state.library.folders[id]].compactMap { $0 }
    let recordings = [state.library.recordings[id]].compactMap { $0 }
    card[.trash] = Listing(folders: folders, recordings: recordings)
    return .done(.thrown(id, file: "thrown"))
  }

  static func recording(
    _ id: ItemID, _ sequence: Int, _ title: String, in folder: ItemID = .root
  ) -> Recording {
    Recording(
      id: id, folder: folder, sequence: sequence, title: title,
      began: Moment(
        boot: .root, instant: Instant(nanoseconds: 0),
        wall: WallTime(milliseconds: 1_795_183_402_000), quality: .synchronised),
      file: title + ".opus", sound: Sound(frames: 480_000, sizeBytes: 80_000))
  }

  // MARK: The loop

  var state: State { driver?.store.state ?? State() }

  var store: Store<Appliance>? { driver?.store }

  func send(_ action: Action) {
    driver?.send(action)
  }

  /// Lets half a minute pass: commands that wait are over.
  func expire() {
    milliseconds += 30_000
    for command in state.commands { send(.alarm(.commandOverdue(command.origin))) }
  }

  private func makeDriver() -> Driver<Appliance> {
    let effects = Effects<Appliance>(
      perform: { [unowned self] command in
        commands.append(command)
        perform(command)
      }, start: { _ in }, stop: { _ in })
    let driver = Driver<Appliance>(State(), now: { [unowned self] in stamp() })
    driver.begin(with: effects)
    return driver
  }

  private func stamp() -> Stamp {
    stamps += 1
    milliseconds += 1
    return Stamp(
      monotonicNanoseconds: milliseconds * 1_000_000,
      wallMilliseconds: 1_795_183_402_000 + milliseconds, freshHigh: 0xFEED_0000_0000_0000,
      freshLow: stamps << 8)
  }

  /// What the card opens for a client.
  var opened: ClientFile?

  private func perform(_ command: Command) {
    switch command {
    case .console(.answer(let answer, let origin, let isLast)):
      deliver(answer, origin, isLast: isLast)
    case .inquiry(.begin(_, let origin)) where answersInquiries:
      let none = CommandError("notHere", "This appliance has none.")
      send(.console(.answered(.failed(none), to: origin, isLast: true)))
    case .card(let command) where cardAnswers: perform(command)
    case .host(.reload): if let answer = reloadAnswer { send(.host(answer)) }
    case .deck(.load(let cue, _, _)):
      let now = Instant(nanoseconds: milliseconds * 1_000_000)
      send(.sound(.deck(cue: cue.id, .playing(Anchor(frame: 0, instant: now)))))
    case .sound(.end(let id, _, let reason)) where endsTakes:
      let report = TakeReport(
        sound: Sound(frames: 240_000), integrity: Integrity(stopReason: reason))
      send(.sound(.take(id, .ended(report))))
    default: break
    }
  }

  private func perform(_ command: CardCommand) {
    switch command {
    case .read(let id): send(.card(.listed(id, card[id] ?? Listing())))
    case .work(let ticket, let work): send(.card(.work(ticket: ticket, result(of: work))))
    default: break
    }
  }

  private func result(of work: CardWork) -> WorkEvent {
    switch work {
    case .makeFolder(let id, let name, let parent):
      .done(.made(Folder(id: id, parent: parent, name: name, directory: name)))
    case .rename(let id, let name): .done(.renamed(id, name: name, file: name + ".opus"))
    case .move(let id, let folder, let index):
      .done(
        .moved(
          id, path: state.library.path(to: folder).map(\.id), at: index,
          name: state.library.title(of: id) ?? "", file: "moved"))
    case .throwAway(let id): throwAway(id)
    case .restore(let id): .done(.moved(id, path: [.root], at: nil, name: "back", file: "back"))
    case .sort(let id, let order): .done(.sorted(id, order))
    case .search:
      .done(.searched([Hit(id: Self.kitchen, folder: Self.interviews, title: "Kitchen")]))
    case .purge: .done(.purged([], left: Tally()))
    case .copies: .done(.uncopied(CopyPage([], next: nil, count: 0)))
    case .noteCopy: .failed("There is no such recording.")
    case .openFile: opened.map { .done(.opened($0)) } ?? .failed("There is no such file.")
    case .manifest(let query):
      .done(.manifest(query, manifest(query)))
    case .exportMode(let isOn): .done(.exportMode(isOn))
    case .long, .importFile: .done(.told("done"))
    }
  }

  private func manifest(_ query: ManifestQuery) -> ManifestFacts {
    var facts = ManifestFacts(keyID: "0123456789ABCDEF", publicKey: "RWkey", lines: 1, hash: "ab")
    if query == .open { facts.file = opened }
    return facts
  }

  // MARK: Running lines

  /// The answers to a line, in order. Only `isOver` marks the last one as final.
  final class Heard {
    var answers: [Answer] = []
    var isOver = false
  }

  @discardableResult
  func say(_ line: String, from origin: Origin = Bench.console) -> Heard {
    let heard = Heard()
    listening[origin, default: []].append(heard)
    if case .console(let id) = origin {
      send(.console(.line(id, line)))
    } else {
      send(.console(.command(Words(line).words, files: [], from: origin)))
    }
    return heard
  }

  /// A command that is refused because another runs is answered first.
  private func deliver(_ answer: Answer, _ origin: Origin, isLast: Bool) {
    onAnswer(answer, origin, isLast)
    listening[origin]?.last?.answers.append(answer)
    listening[origin]?.last?.isOver = isLast
    if isLast { _ = listening[origin]?.popLast() }
  }

  /// Completes a line as the console does; reads folders for the next call.
  func complete(_ line: String) -> Completions {
    let place = state.place(of: Bench.console).folder
    let completer = Completer(library: state.library, place: place, wire: .serial)
    switch completer.complete(line: line) {
    case .candidates(let candidates): return Completions(line, candidates)
    case .need(let folders):
      for id in folders { send(.request(.browse(.read(id)), from: .appliance)) }
      return Completions(line, [])
    }
  }

  /// Runs a line; returns its final answer, or nil while it is not over.
  func answer(_ line: String, from origin: Origin = Bench.console) -> Answer? {
    let heard = say(line, from: origin)
    return heard.isOver ? heard.answers.last : nil
  }

  /// Runs a line; returns its answer as text.
  func text(_ line: String, columns: Int = 80) -> String {
    guard let answer = answer(line) else { return "(nothing yet)" }
    return AnswerText.lines(of: answer, columns: columns)
      .map { $0.map(\.text).joined() }.joined(separator: "\n")
  }

  func failure(_ line: String) -> CommandError? {
    if case .failed(let failure) = answer(line) { failure } else { nil }
  }
}
