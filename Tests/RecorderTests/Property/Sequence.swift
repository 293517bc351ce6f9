// One random sequence of actions: the heart, models of the rooms that answer its commands, users, a
// clock, and now and then nonsense. The same seed gives the same sequence.

import Loop

@testable import Recorder

struct ActionSequence {
  private(set) var state: State
  let start: State
  private(set) var actions: [Stamped<Action>] = []
  private var random: SplitMix64
  private var card: CardModel
  private var sound = SoundModel()
  /// Actions that the models have not delivered to the heart yet.
  private var mail: [Action] = []
  private var now = Instant(nanoseconds: 1_000_000_000)
  private var wall: Int64 = 1_700_000_000_000
  private let nonsensePercent: Int

  /// - Parameter nonsense: how many of a hundred actions are nonsense; random if it is not given.
  init(seed: UInt64, nonsense: Int? = nil) {
    random = SplitMix64(seed: seed)
    card = CardModel(&random)
    let percent = random.pick([0, 0, 2, 10, 30])
    nonsensePercent = nonsense ?? percent
    var settings = nonsensePercent < 10 ? Settings() : Nonsense.settings(&random)
    settings.sound.greeting = random.chance(30) ? "/etc/reel/hello.wav" : nil
    start = State(settings: settings)
    state = start
    let boot = Boot(
      id: ItemID(high: 1, low: 1), version: "1",
      continuation: random.chance(10) ? Nonsense.continuation(in: start, &random) : nil)
    mail = [
      .host(.booted(boot)), .sound(.found(CaptureInfo(name: "Mic", rate: 48_000, channels: 1))),
    ]
    if random.chance(50) {
      mail.append(.host(.recalled(Remembered(path: [.root, ItemID(high: 0xF0, low: 1)]))))
    }
    mail.append(.sound(.output(canPlay: true, whileRecording: random.chance(50))))
  }

  /// Reduces one more action; the models perform its commands, and their answers are queued.
  mutating func step() -> Step {
    let action = stamped(next())
    actions.append(action)
    let step = Appliance.step(&state, action)
    for command in step.commands { perform(command) }
    return step
  }

  /// Delivers everything that is under way, until nothing is; the card does not fail from now on.
  mutating func settle() {
    card.isReliable = true
    for _ in 0..<500 where !mail.isEmpty { deliver(mail.removeFirst()) }
  }

  /// Opens the card anew and reads all its folders: what the card refused while it was pulled out
  /// is not in doubt any more.
  mutating func readAll() {
    act(.card(.opened(card.report)))
    for _ in 0..<16 {
      for id in state.library.folders.keys.sorted() {
        act(.request(.browse(.read(id)), from: .appliance))
      }
    }
  }

  /// Reduces an action at once, and delivers what follows from it.
  mutating func act(_ action: Action) {
    deliver(action)
    settle()
  }

  private mutating func deliver(_ action: Action) {
    let stamped = stamped(action)
    actions.append(stamped)
    for command in Appliance.step(&state, stamped).commands { perform(command) }
  }

  private mutating func next() -> Action {
    passTime()
    if let alarm = dueAlarm(), random.chance(70) { return .alarm(alarm) }
    switch random.below(100) {
    case ..<nonsensePercent: return Nonsense.action(in: state, &random)
    case ..<60: return takeMail() ?? People.act(in: state, &random)
    case ..<72: return happen()
    default: return People.act(in: state, &random)
    }
  }

  private func dueAlarm() -> Alarm? {
    var due: [Alarm] = []
    for case .alarm(let alarm, let at) in Appliance.subscriptions(state) where at <= now {
      due.append(alarm)
    }
    return due.min { "\($0)" < "\($1)" }
  }

  private mutating func passTime() {
    let milliseconds: Int64 = random.pick([0, 1, 5, 40, 300, 2000, 2000, 70_000])
    now = now.adding(milliseconds: milliseconds)
    wall = wall.clampedAdding(milliseconds)
    guard random.chance(nonsensePercent / 4) else { return }
    wall = Nonsense.number(&random)
    if random.chance(20) { now = Nonsense.instant(&random) }
  }

  /// Usually the oldest action; sometimes another, sometimes twice, sometimes never.
  private mutating func takeMail() -> Action? {
    guard !mail.isEmpty else { return nil }
    let isOdd = random.chance(nonsensePercent)
    let index = isOdd ? random.below(mail.count) : 0
    if isOdd, random.chance(30) { return mail[index] }
    let action = mail.remove(at: index)
    if isOdd, random.chance(20) { return takeMail() }
    return action
  }

  private mutating func happen() -> Action {
    switch random.below(6) {
    case 0:
      let free = random.pick([0, 40 << 20, 100 << 20, 1 << 33, 1 << 33] as [Int64])
      return .card(.space(freeBytes: free, totalBytes: 1 << 35))
    case 1:
      return .host(.clock(isSynchronised: random.chance(60)))
    case 2 where random.chance(20):
      return .card(.condition(random.pick([.writable, .writable, .readOnly, .volatile(false)])))
    case 3 where random.chance(10): return .card(.failed("pulled out"))
    case 3 where random.chance(20): return .card(.opened(card.report))
    default:
      mail += sound.ownNews(at: now, &random).map(Action.sound)
      return takeMail() ?? .tick
    }
  }

  private mutating func perform(_ command: Command) {
    switch command {
    case .sound(let command):
      mail += sound.perform(command, at: now, &random).map(Action.sound)
    case .deck(let command):
      mail += sound.perform(command, at: now, &random).map(Action.sound)
    case .card(let command): mail += card.perform(command, &random).map(Action.card)
    case .panel(let command): mail.append(.panel(command.event))
    case .console(.close(let id)): mail.append(.console(.closed(id)))
    case .host(.reload): mail.append(.host(.configured(state.settings)))
    case .console, .host, .inquiry, .announce: break
    }
  }

  private mutating func stamped(_ action: Action) -> Stamped<Action> {
    Stamped(
      action,
      at: Stamp(
        monotonicNanoseconds: now.nanoseconds, wallMilliseconds: wall, freshHigh: random.next(),
        freshLow: random.next()))
  }
}
