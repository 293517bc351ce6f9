// Joins the heart to the rooms: gives each command to its room, runs the subscriptions that the
// state asks for, sends what a start needs in its order, and reloads and ends the process. `reeld`
// and the simulation run this same code. Used by the loop's thread; must never wait, and knows no
// room but by its values.

import Loop
import Recorder

/// The heart, joined to its rooms.
public final class Runtime {
  /// The recorder's actions, commands and state.
  public typealias Heart = Driver<Appliance>

  public let heart: Heart
  private let rooms: Rooms
  private let inquiries: RunningInquiries
  private let subscriptions: RunningSubscriptions
  private var consoles: [Int: AttachedConsole] = [:]
  private var answerClient: AnswerClient = { _, _, _, _ in }
  private var tokens: [Token] = []

  /// Created after the rooms, which send actions to the heart. No command is performed before
  /// `begin`.
  public init(
    _ heart: Heart, _ rooms: Rooms, _ time: Timekeeping,
    _ inquiries: Inquiries = Inquiries()
  ) {
    (self.heart, self.rooms) = (heart, rooms)
    self.inquiries = RunningInquiries(inquiries) { [unowned heart] in heart.send(.console($0)) }
    subscriptions = RunningSubscriptions(time, rooms) { [unowned heart] in heart.send($0) }
  }

  // MARK: Consoles

  /// Sends a client a part of an answer, or its end.
  public typealias AnswerClient = (
    _ client: Int, _ request: Int, Answer, _ isLast: Bool
  ) -> Void

  /// Adds the clients on the socket.
  public func attachClients(_ answer: @escaping AnswerClient) { answerClient = answer }

  /// Adds a console. Must be called before `begin`.
  public func attach(_ console: AttachedConsole) {
    precondition(consoles[console.id] == nil, "two consoles have one number")
    consoles[console.id] = console
    if let show = console.show { rooms.sound.metering.add(show, of: console.id) }
  }

  // MARK: Start, reload, end

  /// The order matters: a take that continues after a crash needs the settings, the zone and the
  /// time first, and no button may be handled before it continues.
  public func begin(_ start: Start) {
    heart.begin(
      with: Effects(
        perform: { [unowned self] in perform($0) },
        start: { [subscriptions] in subscriptions.start($0) },
        stop: { [subscriptions] in subscriptions.stop($0) }))
    if start.settings != Settings() { heart.send(.host(.configured(start.settings))) }
    heart.send(.host(.zone(start.zone)))
    heart.send(.host(.clock(isSynchronised: start.isClockSet)))
    heart.send(.host(.booted(start.boot)))
    for damage in start.damages { heart.send(.host(.setAside(damage))) }
    if let remembered = start.remembered { heart.send(.host(.recalled(remembered))) }
    // Not before: until the take continues, the mark of the last run is the only record of it.
    tokens.append(heart.store.show({ $0.continuation }) { [rooms] in rooms.host.mark($0) })
    rooms.panel.begin()
    rooms.sound.poll()
    for console in consoles.values.sorted(by: { $0.id < $1.id }) {
      if let opened = console.opened { heart.send(.console(.opened(opened))) }
    }
  }

  /// Requests a reload, as SIGHUP does.
  public func reload() { heart.send(.request(.system(.reload), from: .appliance)) }

  /// Sends the heart what a reload has read, or why it is refused.
  public func reloaded(_ event: HostEvent) { heart.send(.host(event)) }

  /// Requests a shutdown, as SIGTERM does.
  public func shutDown() { heart.send(.request(.system(.shutDown), from: .appliance)) }

  // MARK: Commands

  private func perform(_ command: Command) {
    switch command {
    case .sound(let command): rooms.sound.record(command)
    case .deck(let command): rooms.sound.play(command)
    case .card(let command): rooms.card.perform(command)
    case .panel(let command): rooms.panel.perform(command)
    case .console(let command): perform(command)
    case .host(let command): perform(command)
    case .inquiry(let command): inquiries.perform(command)
    case .announce(.noticed(let notice), at: .notices): rooms.host.notice(notice)
    case .announce: break  // The store notifies observers.
    }
  }

  private func perform(_ command: ConsoleCommand) {
    switch command {
    case .answer(let answer, .console(let id), let isLast): consoles[id]?.answer?(answer, isLast)
    case .answer(let answer, .client(let id, let request), let isLast):
      answerClient(id, request, answer, isLast)
    case .answer(_, .panel, _), .answer(_, .appliance, _): break  // They run no commands.
    case .began(let id, let line): consoles[id]?.began?(line)
    case .close(let id): consoles[id]?.close?()
    }
  }

  private func perform(_ command: HostCommand) {
    switch command {
    case .reload: rooms.host.reload()
    case .remember(let remembered): rooms.host.remember(remembered)
    case .finish: rooms.host.end(.finished)
    case .giveUp: rooms.host.end(.gaveUp)
    }
  }
}
