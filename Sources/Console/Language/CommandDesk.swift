// The one place where a command is carried out, whichever wire it came by: understood, looked up,
// wished for, followed to its end and answered. Runs on the loop's thread; it never waits, and
// nothing it does takes long.

import Recorder

public final class CommandDesk {
  public typealias Reply = (Answer, _ isLast: Bool) -> Void

  /// What other rooms know or do, filled in by whoever sees them all.
  public struct Outside {
    /// Calls back once, after so many milliseconds.
    public var later: (Int64, @escaping () -> Void) -> Void = { _, _ in }
    /// Nil: there is no panel.
    public var panel: () -> PanelReport? = { nil }
    /// Tells of lines that move until it is called without anybody to tell; nil: it cannot listen.
    public var identify: (_ pullsDown: Bool, ((LineReport) -> Void)?) -> Failure? = { _, _ in
      Failure("notHere", "This appliance has no lines to listen to.")
    }
    /// The configuration in force, as text; nil: there is none but the defaults.
    public var configuration: () -> String? = { nil }
    /// Where the flight log is.
    public var flightLog: () -> String? = { nil }
    /// Looks at everything, tells how far it is, and at last what it found. Gives what stops it.
    public var doctor: (_ mayMeasure: Bool, @escaping Reply) -> () -> Void = { _, reply in
      reply(.failed(Failure("notHere", "This appliance cannot check itself.")), true)
      return {}
    }

    public init() {}
  }

  private let state: () -> State
  private let send: (Action) -> Void
  private let outside: Outside
  private var jobs: [Origin: Job] = [:]
  /// Whose lines are listened to.
  private var listener: Origin?
  /// Answers that are still to come to what was wished when a command was over.
  private var overdue: [Origin: Int] = [:]

  public init(
    state: @escaping () -> State, send: @escaping (Action) -> Void, outside: Outside
  ) {
    self.state = state
    self.send = send
    self.outside = outside
  }

  // MARK: Taking commands

  /// A command in words. The reply may be called before this returns.
  /// - Parameter files: the numbers of open files that were passed with it.
  public func take(
    _ words: [String], files: [Int] = [], from origin: Origin, reply: @escaping Reply
  ) {
    let order: Order
    do throws(Mistake) { order = try Order(words, on: Self.wire(of: origin)) } catch {
      return reply(.failed(Failure(error)), true)
    }
    guard jobs[origin] == nil else { return reply(.failed(.busy), true) }
    let job = Job(order, origin, files, reply)
    jobs[origin] = job
    // What is told of time is to be true now, not when something last happened.
    if order.tellsTime { send(.tick) }
    advance(job)
  }

  /// A line as it was typed.
  public func take(line: String, from origin: Origin, reply: @escaping Reply) {
    let words = Words(line)
    if words.openQuote != nil {
      let mistake = Mistake("A quote was opened and not closed.")
      return reply(.failed(Failure(mistake)), true)
    }
    if words.words.isEmpty { return reply(.told(""), true) }
    take(words.words, from: origin, reply: reply)
  }

  public func isBusy(_ origin: Origin) -> Bool { jobs[origin] != nil }

  /// How the line may go on at the cursor, as far as is known now. A folder that was not read yet
  /// is read for the next time.
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

  /// What the heart answered.
  public func hear(_ reply: Recorder.Reply, to origin: Origin) {
    if let count = overdue[origin] {
      overdue[origin] = count > 1 ? count - 1 : nil
      return
    }
    guard let job = jobs[origin], case .wishing(var wishes) = job.phase else { return }
    switch reply {
    case .working(let ticket, let permille):
      job.ticket = ticket
      if wishes.isLong { job.reply(.progress(ticket: ticket, permille: permille), false) }
    case .refused(let refusal): fail(job, Failure(refusal))
    case .failed(let why):
      fail(job, Failure("failed", [why, wishes.remark].compactMap { $0 }.joined(separator: " ")))
    case .found(let hits): end(job, .found(hits.map { FoundReport($0, in: state()) }))
    case .waveform(let waveform):
      let id = wishes.item ?? .root
      let title = state().library.title(of: id) ?? ""
      end(job, .waveform(WaveformReport(id: id, title: title, waveform)))
    case .told(let text):
      job.texts.append(text)
      goOn(job, &wishes)
    case .done(let id):
      if wishes.preparing > 0 { wishes.preparing -= 1 } else { id.map { job.done.append($0) } }
      goOn(job, &wishes)
    }
  }

  /// To be called after each step of the loop.
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
      case .watching(let answer, _):
        if let answer = answer(state(), job.done.last) { end(job, answer) }
      case .planning, .wishing, .listening, .consulting: break
      }
    }
  }

  /// A console has gone: what it waits for is nobody's, and long work it began is stopped.
  public func forget(console: Int) {
    for (origin, job) in jobs where origin.console == console {
      jobs[origin] = nil
      if case .consulting(let stop) = job.phase { stop() }
      if case .wishing(let wishes) = job.phase, wishes.isLong, let ticket = job.ticket {
        send(.wish(.item(.work(.cancel(ticket: ticket))), from: .appliance))
      }
      stopListening(origin)
    }
    for origin in overdue.keys where origin.console == console { overdue[origin] = nil }
  }

  // MARK: Going on

  private func advance(_ job: Job) {
    switch Planner(state: state(), origin: job.origin, files: job.files).plan(job.order) {
    case .answer(let answer): end(job, answer)
    case .need(let folders): wait(for: folders, job)
    case .wish(let wishes): begin(job, wishes)
    case .outside(let order): ask(order, job)
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

  /// Nothing is waited for without end.
  private func limit(_ job: Job, milliseconds: Int64) {
    outside.later(milliseconds) { [weak self, weak job] in
      guard let self, let job, jobs[job.origin] === job else { return }
      switch job.phase {
      case .reading:
        end(
          job,
          .failed(
            Failure(
              "timeout", "The card did not read that folder in time; try again in a moment.")))
      case .watching(_, let otherwise): end(job, otherwise(state(), job.done.last))
      case .planning, .wishing, .listening, .consulting: break
      }
    }
  }

  private func read(_ folders: [ItemID]) {
    for id in folders { send(.wish(.browse(.read(id)), from: .appliance)) }
  }

  // MARK: Wishing

  private func begin(_ job: Job, _ wishes: Wishes) {
    var wishes = wishes
    goOn(job, &wishes)
  }

  /// Makes the next wish, or says that all are granted.
  private func goOn(_ job: Job, _ wishes: inout Wishes) {
    job.ticket = nil
    guard !wishes.requests.isEmpty else { return finish(job, wishes) }
    let next = wishes.requests.removeFirst()
    job.phase = .wishing(wishes)
    if wishes.isOfPanel {
      send(.wish(next, from: .appliance))
      return finish(job, wishes)
    }
    send(.wish(next, from: job.origin))
  }

  private func finish(_ job: Job, _ wishes: Wishes) {
    switch wishes.ending {
    case .said(let answer): end(job, answer(state(), job.done), afterwards: wishes)
    case .told: end(job, .told(job.texts.joined(separator: "\n")), afterwards: wishes)
    case .until(let milliseconds, let answer, let otherwise):
      wishAfterwards(wishes, job.origin)
      if let answer = answer(state(), job.done.last) { return end(job, answer) }
      job.phase = .watching(answer, otherwise: otherwise)
      limit(job, milliseconds: milliseconds)
    }
  }

  /// Several were asked for: what was done before stays done, and is told.
  private func fail(_ job: Job, _ failure: Failure) {
    var failure = failure
    let done = max(job.done.count, job.texts.count)
    if done > 0 {
      failure = Failure(failure.code, "\(done) done, then: \(failure.sentence)")
    }
    var wishes: Wishes?
    if case .wishing(let left) = job.phase { wishes = left }
    end(job, .failed(failure), afterwards: wishes)
  }

  private func end(_ job: Job, _ answer: Answer, afterwards wishes: Wishes? = nil) {
    jobs[job.origin] = nil
    if let wishes { wishAfterwards(wishes, job.origin) }
    job.reply(answer, true)
  }

  private func wishAfterwards(_ wishes: Wishes, _ origin: Origin) {
    if wishes.afterwards.isEmpty { return }
    overdue[origin, default: 0] += wishes.afterwards.count
    for request in wishes.afterwards { send(.wish(request, from: origin)) }
  }

  // MARK: Other rooms

  private func ask(_ order: Order, _ job: Job) {
    switch order {
    case .panel:
      let none = Failure("notHere", "This appliance has no panel.")
      end(job, outside.panel().map { .panel($0) } ?? .failed(none))
    case .config: end(job, .told(outside.configuration() ?? "Nothing is configured."))
    case .flight:
      let none = Failure("notHere", "This appliance keeps no flight log.")
      end(job, outside.flightLog().map { .told($0) } ?? .failed(none))
    case .doctor: consult(job)
    case .identify(let pullsDown): listen(pullsDown, job)
    default: end(job, .failed(Failure("notHere", "That is not to be had here.")))
    }
  }

  private func consult(_ job: Job) {
    let mayMeasure = Planner(state: state(), origin: job.origin).mayChange
    let stop = outside.doctor(mayMeasure) { [weak self, weak job] answer, isLast in
      guard let self, let job, jobs[job.origin] === job else { return }
      if isLast { end(job, answer) } else { job.reply(answer, false) }
    }
    // It may have been answered already.
    if jobs[job.origin] === job { job.phase = .consulting(stop: stop) }
  }

  private func listen(_ pullsDown: Bool, _ job: Job) {
    guard Planner(state: state(), origin: job.origin).mayChange else {
      return end(job, .failed(.mayNotChange))
    }
    guard listener == nil else { return end(job, .failed(.busy)) }
    let failure = outside.identify(pullsDown) { [weak job] line in job?.reply(.line(line), false) }
    if let failure { return end(job, .failed(failure)) }
    job.phase = .listening
    listener = job.origin
  }

  private func stopListening(_ origin: Origin) {
    guard listener == origin else { return }
    listener = nil
    _ = outside.identify(false, nil)
  }

  private static func wire(of origin: Origin) -> Wire {
    if case .client = origin { .socket } else { .serial }
  }
}

/// One command under way. Used by the desk.
private final class Job {
  enum Phase {
    case planning
    case reading([ItemID])
    case wishing(Wishes)
    case watching(
      @Sendable (State, ItemID?) -> Answer?, otherwise: @Sendable (State, ItemID?) -> Answer)
    case listening
    case consulting(stop: () -> Void)

    var isPlanning: Bool { if case .planning = self { true } else { false } }
  }

  let order: Order
  let origin: Origin
  let files: [Int]
  let reply: CommandDesk.Reply
  var phase = Phase.planning
  var ticket: Int?
  var done: [ItemID] = []
  var texts: [String] = []

  init(
    _ order: Order, _ origin: Origin, _ files: [Int], _ reply: @escaping CommandDesk.Reply
  ) {
    self.order = order
    self.origin = origin
    self.files = files
    self.reply = reply
  }
}

extension Order {
  fileprivate var tellsTime: Bool {
    switch self {
    case .status, .info, .list: true
    default: false
    }
  }
}
