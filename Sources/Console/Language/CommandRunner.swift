// Performs every command, whichever wire it came by: parses it, looks names up, makes requests,
// follows them to the end and answers. Runs on the loop's thread; it never waits, and no step of it
// takes long.

import Recorder

public final class CommandRunner {
  /// Called for each part of an answer, and at last for its end.
  public typealias Reply = (Answer, _ isLast: Bool) -> Void

  /// What other rooms know or do, filled in by the program that has all rooms.
  public struct Dependencies {
    /// Calls back once, after a delay in milliseconds.
    public var later: (Int64, @escaping () -> Void) -> Void = { _, _ in }
    /// Returns nil if there is no panel.
    public var panel: () -> PanelReport? = { nil }
    /// Reports lines that move, until it is called again with nil. Returns why it cannot.
    public var identify: (_ pullsDown: Bool, ((LineReport) -> Void)?) -> CommandError? = { _, _ in
      CommandError("notHere", "This appliance has no lines to listen to.")
    }
    /// Returns the configuration in force, as text; nil if there are only defaults.
    public var configuration: () -> String? = { nil }
    /// Returns the path of the flight log.
    public var flightLog: () -> String? = { nil }
    /// Runs a checkup; replies with its progress, then its result. Returns what stops it.
    public var doctor: (_ mayMeasure: Bool, @escaping Reply) -> () -> Void = { _, reply in
      reply(.failed(CommandError("notHere", "This appliance cannot check itself.")), true)
      return {}
    }

    public init() {}
  }

  private let state: () -> State
  private let send: (Action) -> Void
  private let dependencies: Dependencies
  private var jobs: [Origin: Job] = [:]
  /// The origin of the command that listens to lines.
  private var listener: Origin?

  public init(
    state: @escaping () -> State, send: @escaping (Action) -> Void, dependencies: Dependencies
  ) {
    self.state = state
    self.send = send
    self.dependencies = dependencies
  }

  // MARK: Taking commands

  /// Runs a command given in words. The reply may be called before this returns.
  /// - Parameter files: the numbers of open files that were passed with it.
  public func run(
    _ words: [String], files: [Int] = [], from origin: Origin, reply: @escaping Reply
  ) {
    let order: ParsedCommand
    do throws(ParseError) { order = try ParsedCommand(words, on: Self.wire(of: origin)) } catch {
      return reply(.failed(CommandError(error)), true)
    }
    guard jobs[origin] == nil else { return reply(.failed(.busy), true) }
    let job = Job(order, origin, files, reply)
    jobs[origin] = job
    // Times in the answer must be current, not those of the last action.
    if order.tellsTime { send(.tick) }
    advance(job)
  }

  /// Runs a line as it was typed.
  public func run(line: String, from origin: Origin, reply: @escaping Reply) {
    let words = Words(line)
    if words.openQuote != nil {
      let mistake = ParseError("A quote was opened and not closed.")
      return reply(.failed(CommandError(mistake)), true)
    }
    if words.words.isEmpty { return reply(.told(""), true) }
    run(words.words, from: origin, reply: reply)
  }

  /// Whether a command from this origin is running.
  public func isBusy(_ origin: Origin) -> Bool { jobs[origin] != nil }

  /// Returns the completions at the cursor. If a folder has not been read yet, there are none, and
  /// the folder is read for the next call.
  public func complete(_ line: String, cursor: Int, for console: Int) -> Completions {
    let typed = String(line.prefix(cursor))
    let words = Words(typed)
    let place = state().place(of: .console(console)).folder
    let completer = Completer(library: state().library, place: place, wire: .serial)
    switch completer.complete(words.words + (words.endsInWord ? [] : [""])) {
    case .candidates(let candidates): return Completions(typed, candidates)
    case .need(let folders):
      read(folders)
      return Completions(line: typed, candidates: [])
    }
  }

  // MARK: News

  /// Handles the heart's reply to a request.
  public func handle(_ reply: Recorder.Reply, to origin: Origin) {
    guard let job = jobs[origin], case .requesting(var planned) = job.phase else { return }
    switch reply {
    case .working(let ticket, let permille):
      job.ticket = ticket
      if planned.isLong { job.reply(.progress(ticket: ticket, permille: permille), false) }
    case .refused(let refusal): fail(job, CommandError(refusal))
    case .failed(let why):
      fail(
        job, CommandError("failed", [why, planned.remark].compactMap { $0 }.joined(separator: " ")))
    case .found(let hits): end(job, .found(hits.map { FoundReport($0, in: state()) }))
    case .waveform(let waveform):
      let id = planned.item ?? .root
      let title = state().library.title(of: id) ?? ""
      end(job, .waveform(WaveformReport(id: id, title: title, waveform)))
    case .told(let text):
      job.texts.append(text)
      goOn(job, &planned)
    case .done(let id):
      if let id { job.done.append(id) }
      goOn(job, &planned)
    }
  }

  /// Continues commands that wait for the state. Called after each step of the heart.
  public func stateChanged() {
    if jobs.isEmpty { return }
    for job in jobs.values {
      switch job.phase {
      case .reading(let folders):
        let isRead = folders.allSatisfy { id in
          switch state().library.folders[id]?.reading {
          case .unread, .reading: false
          case .read, .failed, nil: true
          }
        }
        if isRead || state().library.phase != .ready { advance(job) }
      case .awaiting(let event):
        if let answer = event.answer(in: state(), item: job.done.last) { end(job, answer) }
      case .planning, .requesting, .listening, .consulting: break
      }
    }
  }

  /// Drops the commands of a console that is gone, and cancels the long work they began.
  public func forget(console: Int) {
    for (origin, job) in jobs where origin.console == console {
      jobs[origin] = nil
      if case .consulting(let stop) = job.phase { stop() }
      if case .requesting(let planned) = job.phase, planned.isLong, let ticket = job.ticket {
        send(.request(.item(.cancel(ticket: ticket)), from: .appliance))
      }
      stopListening(origin)
    }
  }

  // MARK: Going on

  private func advance(_ job: Job) {
    switch Planner(state: state(), origin: job.origin, files: job.files).plan(job.order) {
    case .answer(let answer): end(job, answer)
    case .need(let folders): wait(for: folders, job)
    case .request(let planned): begin(job, planned)
    case .dependency(let order): ask(order, job)
    }
  }

  private func wait(for folders: [ItemID], _ job: Job) {
    switch state().library.phase {
    case .ready: break
    case .exported: return end(job, .failed(.cardExported))
    case .failed: return end(job, .failed(.cardFailed))
    case .closed, .opening: return end(job, .failed(.notReady))
    }
    let some = Array(folders.prefix(64))
    let isFirst = job.phase.isPlanning
    job.phase = .reading(some)
    if isFirst { limit(job, milliseconds: 15_000) }
    read(some)
  }

  /// Ends a command that still waits after this long.
  private func limit(_ job: Job, milliseconds: Int64) {
    dependencies.later(milliseconds) { [weak self, weak job] in
      guard let self, let job, jobs[job.origin] === job else { return }
      switch job.phase {
      case .reading:
        end(
          job,
          .failed(
            CommandError(
              "timeout", "The card did not read that folder in time; try again in a moment.")))
      case .awaiting(let event): end(job, event.lateAnswer(in: state(), item: job.done.last))
      case .planning, .requesting, .listening, .consulting: break
      }
    }
  }

  private func read(_ folders: [ItemID]) {
    for id in folders { send(.request(.browse(.read(id)), from: .appliance)) }
  }

  // MARK: Requesting

  private func begin(_ job: Job, _ planned: PlannedRequests) {
    var planned = planned
    goOn(job, &planned)
  }

  /// Makes the next request, or finishes if all are granted.
  private func goOn(_ job: Job, _ planned: inout PlannedRequests) {
    job.ticket = nil
    guard !planned.requests.isEmpty else { return finish(job, planned) }
    let next = planned.requests.removeFirst()
    job.phase = .requesting(planned)
    if planned.isOfPanel {
      send(.request(next, from: .appliance))
      return finish(job, planned)
    }
    send(.request(next, from: job.origin))
  }

  private func finish(_ job: Job, _ planned: PlannedRequests) {
    let answer = planned.ending.answer(in: state(), done: job.done, texts: job.texts)
    if let answer { return end(job, answer) }
    guard case .after(let event) = planned.ending else {
      preconditionFailure("only an awaited event leaves a command without an answer")
    }
    job.phase = .awaiting(event)
    limit(job, milliseconds: event.limitMilliseconds)
  }

  /// Ends a command with a failure. Requests granted before it stay done, and are counted.
  private func fail(_ job: Job, _ failure: CommandError) {
    var failure = failure
    let done = max(job.done.count, job.texts.count)
    if done > 0 {
      failure = CommandError(failure.code, "\(done) done, then: \(failure.sentence)")
    }
    end(job, .failed(failure))
  }

  private func end(_ job: Job, _ answer: Answer) {
    jobs[job.origin] = nil
    job.reply(answer, true)
  }

  // MARK: Other rooms

  private func ask(_ order: ParsedCommand, _ job: Job) {
    switch order {
    case .panel:
      let none = CommandError("notHere", "This appliance has no panel.")
      end(job, dependencies.panel().map { .panel($0) } ?? .failed(none))
    case .config: end(job, .told(dependencies.configuration() ?? "Nothing is configured."))
    case .flight:
      let none = CommandError("notHere", "This appliance keeps no flight log.")
      end(job, dependencies.flightLog().map { .told($0) } ?? .failed(none))
    case .doctor: consult(job)
    case .identify(let pullsDown): listen(pullsDown, job)
    default: end(job, .failed(CommandError("notHere", "This appliance cannot do that.")))
    }
  }

  private func consult(_ job: Job) {
    let mayMeasure = Planner(state: state(), origin: job.origin).mayChange
    let stop = dependencies.doctor(mayMeasure) { [weak self, weak job] answer, isLast in
      guard let self, let job, jobs[job.origin] === job else { return }
      if isLast { end(job, answer) } else { job.reply(answer, false) }
    }
    // The reply may have ended the job already.
    if jobs[job.origin] === job { job.phase = .consulting(stop: stop) }
  }

  private func listen(_ pullsDown: Bool, _ job: Job) {
    guard Planner(state: state(), origin: job.origin).mayChange else {
      return end(job, .failed(.mayNotChange))
    }
    guard listener == nil else { return end(job, .failed(.busy)) }
    let failure = dependencies.identify(pullsDown) { [weak job] line in
      job?.reply(.line(line), false)
    }
    if let failure { return end(job, .failed(failure)) }
    job.phase = .listening
    listener = job.origin
  }

  private func stopListening(_ origin: Origin) {
    guard listener == origin else { return }
    listener = nil
    _ = dependencies.identify(false, nil)
  }

  private static func wire(of origin: Origin) -> Wire {
    if case .client = origin { .socket } else { .serial }
  }
}

/// One running command.
private final class Job {
  enum Phase {
    case planning
    case reading([ItemID])
    case requesting(PlannedRequests)
    case awaiting(AwaitedEvent)
    case listening
    case consulting(stop: () -> Void)

    var isPlanning: Bool { if case .planning = self { true } else { false } }
  }

  let order: ParsedCommand
  let origin: Origin
  let files: [Int]
  let reply: CommandRunner.Reply
  var phase = Phase.planning
  var ticket: Int?
  var done: [ItemID] = []
  var texts: [String] = []

  init(
    _ order: ParsedCommand, _ origin: Origin, _ files: [Int], _ reply: @escaping CommandRunner.Reply
  ) {
    self.order = order
    self.origin = origin
    self.files = files
    self.reply = reply
  }
}

extension ParsedCommand {
  fileprivate var tellsTime: Bool {
    switch self {
    case .status, .info, .list: true
    default: false
    }
  }
}
