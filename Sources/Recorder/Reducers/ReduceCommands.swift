// Commands from their words to their answers: parses them, looks names up, makes requests, follows
// them to their end and answers. A command that must wait for the card, the sound or another room
// stays in the state and goes on in a later step.

extension State {
  /// Runs a line as it was typed on a console.
  mutating func run(line: String, on console: Int, _ step: inout Step) {
    let origin = Origin.console(console)
    step.emit(.console(.began(console, line: line)))
    let words = Words(line)
    if words.openQuote != nil {
      let mistake = ParseError("A quote was opened and not closed.")
      return answer(origin, .failed(CommandError(mistake)), isLast: true, &step)
    }
    if words.words.isEmpty { return answer(origin, .told(""), isLast: true, &step) }
    run(words.words, from: origin, &step)
  }

  /// Runs a command given in words.
  /// - Parameter files: the numbers of open files that were passed with it.
  mutating func run(
    _ words: [String], files: [Int] = [], from origin: Origin, _ step: inout Step
  ) {
    // Commands of a console that has closed meanwhile may still arrive.
    guard let id = origin.console, console(id) != nil else { return }
    guard command(of: origin) == nil else {
      return answer(origin, .failed(.busy), isLast: true, &step)
    }
    let command = RunningCommand(words, files: files, from: origin, at: now)
    commands.append(command)
    plan(command, &step)
  }

  /// Drops the commands of a console, and cancels the long work they began.
  mutating func stopCommands(of console: Int, _ step: inout Step) {
    let stopped = commands.filter { $0.origin.console == console }
    commands.removeAll { $0.origin.console == console }
    for command in stopped {
      switch command.phase {
      case .inquiring: step.emit(.inquiry(.stop(command.origin)))
      case .requesting(let planned) where planned.isLong:
        if let ticket = command.ticket {
          handle(.item(.cancel(ticket: ticket)), from: .appliance, at: now, &step)
        }
      case .requesting, .reading, .awaiting: break
      }
    }
  }

  // MARK: Going on

  /// Lets commands go on, with the replies to their requests and with what the state shows now.
  /// Returns whether one did: the state may have to settle again.
  mutating func advanceCommands(_ step: inout Step) -> Bool {
    var isChanged = false
    while let (reply, origin) = step.nextReply() {
      guard let command = command(of: origin), case .requesting(let planned) = command.phase
      else { continue }
      isChanged = true
      handle(reply, to: command, planned, &step)
    }
    for command in commands {
      switch command.phase {
      case .reading(let folders) where !areBeingRead(folders) || library.phase != .ready:
        isChanged = true
        plan(command, &step)
      case .awaiting(let event, _):
        guard let answer = event.answer(in: self, item: command.done.last) else { continue }
        isChanged = true
        end(command, answer, &step)
      case .reading, .requesting, .inquiring: break
      }
    }
    return runWaitingLines(&step) || isChanged
  }

  /// False when all have been read, and when one will not be: the card was opened anew meanwhile.
  private func areBeingRead(_ folders: [ItemID]) -> Bool {
    let readings = folders.map { library.folders[$0]?.reading }
    return readings.contains(.reading) && !readings.contains(.unread)
  }

  /// Ends a command that has waited for too long.
  mutating func giveUpCommand(of origin: Origin, _ step: inout Step) {
    guard let command = command(of: origin), let due = command.due, due <= now else { return }
    switch command.phase {
    case .reading:
      let sentence = "The card did not read that folder in time; try again in a moment."
      end(command, .failed(CommandError("timeout", sentence)), &step)
    case .awaiting(let event, _):
      end(command, event.lateAnswer(in: self, item: command.done.last), &step)
    case .requesting, .inquiring: break
    }
  }

  // MARK: Planning

  private mutating func plan(_ command: RunningCommand, _ step: inout Step) {
    let order: ParsedCommand
    do throws(ParseError) {
      order = try ParsedCommand(command.words, on: command.origin.wire)
    } catch {
      return end(command, .failed(CommandError(error)), &step)
    }
    // The planner holds a copy of the state: it is gone before the state changes.
    let plan = Planner(state: self, origin: command.origin, files: command.files).plan(order)
    switch plan {
    case .answer(let answer): end(command, answer, &step)
    case .need(let folders): wait(for: folders, command, &step)
    case .request(let planned): makeNext(of: planned, for: command, &step)
    case .detail(let id): showDetail(of: id, for: command, &step)
    case .inquiry(let inquiry): begin(inquiry, for: command, &step)
    }
  }

  /// A console without a screen is told of the recording instead.
  private mutating func showDetail(
    of id: ItemID, for command: RunningCommand, _ step: inout Step
  ) {
    guard case .console(let console) = command.origin, self.console(console)?.showsScreen == true
    else {
      return end(
        command, ItemReport(id, in: self).map(Answer.item) ?? .failed(.notFound), &step)
    }
    commands.removeAll { $0.origin == command.origin }
    showDetail(of: id, on: console, &step)
  }

  private mutating func wait(
    for folders: [ItemID], _ command: RunningCommand, _ step: inout Step
  ) {
    switch library.phase {
    case .ready: break
    case .exported: return end(command, .failed(.cardExported), &step)
    case .failed: return end(command, .failed(.cardFailed), &step)
    case .closed, .opening: return end(command, .failed(.notReady), &step)
    }
    let some = Array(folders.prefix(64))
    read(some, &step)
    // Otherwise it would be planned again and again in one step.
    if !areBeingRead(some) { return end(command, .failed(.notReady), &step) }
    withCommand(of: command.origin) { $0.phase = .reading(some) }
  }

  // MARK: Requesting

  /// Makes the next request, or finishes if all are granted.
  private mutating func makeNext(
    of planned: PlannedRequests, for command: RunningCommand, _ step: inout Step
  ) {
    guard let next = planned.requests.first else { return finish(command, planned, &step) }
    var planned = planned
    planned.requests.removeFirst()
    withCommand(of: command.origin) {
      $0.ticket = nil
      $0.phase = .requesting(planned)
    }
    if planned.isOfPanel {
      handle(next, from: .appliance, at: now, &step)
      return finish(command, planned, &step)
    }
    handle(next, from: command.origin, at: now, &step)
  }

  private mutating func handle(
    _ reply: Reply, to command: RunningCommand, _ planned: PlannedRequests, _ step: inout Step
  ) {
    var command = command
    switch reply {
    case .working(let ticket, let permille):
      withCommand(of: command.origin) { $0.ticket = ticket }
      guard planned.isLong else { return }
      return answer(
        command.origin, .progress(ticket: ticket, permille: permille), isLast: false, &step)
    case .refused(let refusal): return fail(command, error(for: refusal), &step)
    case .failed(let why):
      let sentence = [why, planned.remark].compactMap { $0 }.joined(separator: " ")
      return fail(command, CommandError("failed", sentence), &step)
    case .found(let hits):
      return end(command, .found(hits.map { FoundReport($0, in: self) }), &step)
    case .uncopied(let page):
      return end(command, .copies(CopiesReport(page, in: self)), &step)
    case .opened(let file): return end(command, .opened(file), &step)
    case .manifest(.about, let facts):
      return end(command, .about(AboutReport(facts, in: self)), &step)
    case .manifest(_, let facts): return end(command, .manifest(facts), &step)
    case .verified(let report): return end(command, .verified(report), &step)
    case .waveform(let waveform):
      let id = planned.item ?? .root
      let title = library.title(of: id) ?? ""
      return end(command, .waveform(WaveformReport(id: id, title: title, waveform)), &step)
    case .told(let text): command.texts.append(text)
    case .done(let id): if let id { command.done.append(id) }
    }
    withCommand(of: command.origin) { $0 = command }
    makeNext(of: planned, for: command, &step)
  }

  private mutating func finish(
    _ command: RunningCommand, _ planned: PlannedRequests, _ step: inout Step
  ) {
    let answer = planned.ending.answer(in: self, done: command.done, texts: command.texts)
    if let answer { return end(command, answer, &step) }
    guard case .after(let event) = planned.ending else {
      preconditionFailure("only an awaited event leaves a command without an answer")
    }
    let until = now.adding(milliseconds: event.limitMilliseconds)
    withCommand(of: command.origin) { $0.phase = .awaiting(event, until: until) }
  }

  /// Ends a command with a failure. Requests granted before it stay done, and are counted.
  private mutating func fail(
    _ command: RunningCommand, _ failure: CommandError, _ step: inout Step
  ) {
    var failure = failure
    let done = max(command.done.count, command.texts.count)
    if done > 0 {
      failure = CommandError(failure.code, "\(done) done, then: \(failure.sentence)")
    }
    end(command, .failed(failure), &step)
  }

  private mutating func end(_ command: RunningCommand, _ answer: Answer, _ step: inout Step) {
    commands.removeAll { $0.origin == command.origin }
    // At once: lines that wait already are a program's.
    if case .mode(isJSON: true) = answer, case .console(let id) = command.origin {
      withConsole(id) { $0.withCommandLine { $0.mode = .json } }
    }
    if case .question(let question) = answer, case .console(let id) = command.origin,
      let line = console(id)?.commandLine, line.mode != .json
    {
      return withConsole(id) { $0.dialog = .confirm(words: command.words, question: question) }
    }
    self.answer(command.origin, answer, isLast: true, &step)
    if case .console(let id) = command.origin { askForNameAfterCommand(on: id) }
  }

  // MARK: Other rooms

  private mutating func begin(
    _ inquiry: Inquiry, for command: RunningCommand, _ step: inout Step
  ) {
    if case .lines = inquiry, commands.contains(where: \.listensToLines) {
      return end(command, .failed(.busy), &step)
    }
    withCommand(of: command.origin) { $0.phase = .inquiring(inquiry) }
    step.emit(.inquiry(.begin(inquiry, from: command.origin)))
  }

  /// Handles a room's answer to an inquiry.
  mutating func handle(
    _ answer: Answer, to origin: Origin, isLast: Bool, _ step: inout Step
  ) {
    guard let command = command(of: origin), case .inquiring = command.phase else { return }
    if isLast { return end(command, answer, &step) }
    self.answer(origin, answer, isLast: false, &step)
  }

  // MARK: Answering

  /// Shows an answer on a console's screen, or has its room send it.
  mutating func answer(
    _ origin: Origin, _ answer: Answer, isLast: Bool, _ step: inout Step
  ) {
    guard case .console(let id) = origin, let console = console(id),
      let line = console.commandLine, line.mode != .json
    else { return step.emit(.console(.answer(answer, to: origin, isLast: isLast))) }
    switch (answer, line.mode) {
    case (_, .plain), (_, .json):
      step.emit(.console(.answer(answer, to: origin, isLast: isLast)))
    case (.progress(_, let permille), .screen):
      withConsole(id) { $0.withCommandLine { $0.output.progress = permille } }
    case (_, .screen):
      let lines = AnswerText.lines(
        of: answer, columns: console.columns, in: settings.language)
      withConsole(id) { $0.withCommandLine { $0.output.append(lines) } }
    }
    if isLast { withConsole(id) { $0.withCommandLine { $0.output.progress = nil } } }
  }
}

extension RunningCommand {
  fileprivate var listensToLines: Bool {
    if case .inquiring(.lines) = phase { true } else { false }
  }
}

extension Origin {
  /// Which commands it offers.
  var wire: Wire {
    if case .client = self { .socket } else { .serial }
  }
}
