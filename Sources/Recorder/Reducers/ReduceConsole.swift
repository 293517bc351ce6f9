// Keys and their meaning: on a terminal's dashboard they are the panel's buttons, in a dialog they
// answer it, on a console that takes commands they edit its line.

extension State {
  mutating func handle(_ event: ConsoleEvent, _ step: inout Step) {
    switch event {
    case .opened(let description):
      stopCommands(of: description.id, &step)
      consoles.removeAll { $0.id == description.id }
      let console = Console(description, at: panel.place)
      let index = consoles.firstIndex { $0.id > console.id } ?? consoles.count
      consoles.insert(console, at: index)
    case .closed(let id):
      stopCommands(of: id, &step)
      copying.forget(console: id)
      forgetCode(from: id)
      consoles.removeAll { $0.id == id }
    case .resized(let id, let columns, let rows):
      withConsole(id) { $0.resize(columns: columns, rows: rows) }
    case .mode(let id, let mode): withCommandLine(id) { $0.mode = mode }
    case .line(let id, let line): run(line: line, on: id, &step)
    case .command(let words, let files, let origin): run(words, files: files, from: origin, &step)
    case .answered(let answer, let origin, let isLast):
      handle(answer, to: origin, isLast: isLast, &step)
    case .warned(let id, let sentence): warn(sentence, on: id)
    case .key(let id, let key): handle(key, on: id, &step)
    case .keys(let id, let keys): for key in keys { handle(key, on: id, &step) }
    }
  }

  private mutating func handle(_ key: Key, on id: Int, _ step: inout Step) {
    guard let console = console(id) else { return }
    withConsole(id) { $0.message = nil }
    if let dialog = console.dialog { return answer(dialog, with: key, on: id, &step) }
    switch console.kind {
    case .dashboard where key == .character("g"), .commandLine where key == .control("o"):
      goToArrival(on: console, &step)
    case .dashboard where key == .escape: hideCode()
    case .dashboard: press(key, on: id, &step)
    case .commandLine(let line): edit(key, on: console, line, &step)
    case .program: break
    }
  }

  // MARK: What arrives elsewhere

  /// Tells each screen that does not show an item's folder that the item is there now.
  /// - Parameter origin: the sender of the request, whose console is not told; nil for a take or a
  ///   finding.
  mutating func arrived(_ id: ItemID, from origin: Origin?) {
    guard let folder = library.parent(of: id), !library.isInTrash(id) else { return }
    let until = now.adding(milliseconds: ArrivedItem.milliseconds)
    for index in consoles.indices
    where consoles[index].showsScreen && place(of: consoles[index]).folder != folder
      && origin?.console != consoles[index].id
    {
      consoles[index].arrival = ArrivedItem(item: id, until: until)
    }
  }

  private mutating func goToArrival(on console: Console, _ step: inout Step) {
    guard let item = console.arrival?.item, let folder = library.parent(of: item) else { return }
    handle(.browse(.enter(folder)), from: .console(console.id), at: now, &step)
    handle(.browse(.select(item)), from: .console(console.id), at: now, &step)
  }

  // MARK: The dashboard's keys

  private mutating func press(_ key: Key, on id: Int, _ step: inout Step) {
    if key == .character("i"), let item = console(id).map(place)?.selection {
      showDetail(of: item, on: id, &step)
    } else if let dialog = dialog(for: key, on: id) {
      withConsole(id) { $0.dialog = dialog }
    } else if let command = button(for: key) {
      let mayPress = console(id)?.access == .control
      if !mayPress { return answer(.console(id), .refused(.mayNotChange), &step) }
      step.emit(.panel(command))
    } else if let request = request(for: key) {
      handle(request, from: .console(id), at: now, &step)
    } else if key == .character("q") || key == .control("c") {
      quit(id, &step)
    }
  }

  /// Keys that stand in for buttons; a capital letter holds the button down.
  private func button(for key: Key) -> PanelCommand? {
    switch key {
    case .character("l"): .lock(!panel.isLocked, at: now)
    case .character("r"): .press(.record, at: now)
    case .character("R"): .hold(.record, at: now)
    case .character(" "), .character("p"): .press(.play, at: now)
    case .character("P"): .hold(.play, at: now)
    case .character("m"): .press(.mark, at: now)
    case .character("M"): .hold(.mark, at: now)
    case .character("x"): .press(.split, at: now)
    case .character("]"): .press(.next, at: now)
    case .character("["): .press(.previous, at: now)
    case .character("f"), .tab: .press(.folder, at: now)
    case .character("F"): .hold(.folder, at: now)
    case .character("D"): .hold(.delete, at: now)
    case .character("+"), .character("="): .press(.volumeUp, at: now)
    case .character("-"): .press(.volumeDown, at: now)
    case .character("a"): .press(.acknowledge, at: now)
    default: nil
    }
  }

  private func request(for key: Key) -> Request? {
    switch key {
    case .character("s"): transport.take == .none ? .deck(.stop) : .take(.stop)
    case .left: .deck(.seek(.by(milliseconds: -settings.seekMilliseconds)))
    case .right: .deck(.seek(.by(milliseconds: settings.seekMilliseconds)))
    case .up: .browse(.selectBy(-1))
    case .down: .browse(.selectBy(1))
    case .pageUp: .browse(.selectBy(-10))
    case .pageDown: .browse(.selectBy(10))
    case .home: .browse(.selectBy(-1_000_000))
    case .end: .browse(.selectBy(1_000_000))
    case .enter: .browse(.open)
    case .backspace, .character("u"): .browse(.up)
    case .character("t"): .browse(.enter(.trash))
    case .character("z"): .item(.undo)
    case .character("w"): .system(.askForCode)
    case .character(","): .deck(.previousMark)
    case .character("."): .deck(.nextMark)
    default: nil
    }
  }

  private func dialog(for key: Key, on id: Int) -> Dialog? {
    guard let console = console(id) else { return nil }
    switch (key, place(of: console).selection) {
    case (.character("n"), _): return .newFolder(LineInput())
    case (.character("e"), let item?):
      return library.title(of: item).map { .rename(item, LineInput($0)) }
    case (.character("d"), let item?):
      return library.isInTrash(item) ? .emptyTrash : .delete(item)
    case (.delete, let item?): return library.isInTrash(item) ? .emptyTrash : .delete(item)
    case (.character("?"), _), (.character("h"), _): return .help
    default: return nil
    }
  }

  /// Quitting the virtual appliance would end a running take: it asks first.
  private mutating func quit(_ id: Int, _ step: inout Step) {
    if transport.take == .none {
      step.emit(.console(.close(id)))
    } else {
      withConsole(id) { $0.dialog = .quit }
    }
  }

  // MARK: Dialogs

  private mutating func answer(
    _ dialog: Dialog, with key: Key, on id: Int, _ step: inout Step
  ) {
    switch (dialog, key) {
    case (.detail(let detail), _): answer(detail, with: key, on: id, &step)
    case (_, .escape), (_, .control("c")), (.help, _):
      withConsole(id) { $0.dialog = nil }
    case (.newFolder(var input), _):
      if key == .enter {
        finish(.item(.makeFolder(name: input.text, in: nil)), on: id, &step)
      } else if input.handle(key) {
        withConsole(id) { $0.dialog = .newFolder(input) }
      }
    case (.rename(let item, var input), _):
      if key == .enter {
        finish(.item(.rename(item, to: input.text)), on: id, &step)
      } else if input.handle(key) {
        withConsole(id) { $0.dialog = .rename(item, input) }
      }
    case (.nameTake(let take, var input, _), _):
      if key == .enter {
        nameTake(take, input.text, on: id, &step)
      } else if input.handle(key) {
        let dialog = Dialog.nameTake(take, input, until: nameDue)
        withConsole(id) { $0.dialog = dialog }
      }
    case (.delete(let item), .character("y")), (.delete(let item), .enter):
      finish(.item(.delete(item)), on: id, &step)
    case (.emptyTrash, .character("y")):
      finish(.item(.purge(.everything)), on: id, &step)
    case (.emptyTrash, .character("r")):
      let item = console(id).map(place)?.selection
      withConsole(id) { $0.dialog = nil }
      if let item { handle(.item(.restore(item)), from: .console(id), at: now, &step) }
    case (.quit, .character("y")):
      withConsole(id) { $0.dialog = nil }
      step.emit(.console(.close(id)))
    case (.confirm(let words, _), .character("y")):
      withConsole(id) { $0.dialog = nil }
      run(words.addingOption("--yes"), from: .console(id), &step)
    case (.delete, _), (.emptyTrash, _), (.quit, _), (.confirm, _):
      withConsole(id) { $0.dialog = nil }
    }
  }

  /// Makes the request. If the name is not valid, the dialog stays open.
  private mutating func finish(_ request: Request, on id: Int, _ step: inout Step) {
    let origin = Origin.console(id)
    if case .item(let request) = request, let refusal = refusal(to: request, from: origin),
      refusal == .noName
    {
      return answer(origin, .refused(refusal), &step)
    }
    withConsole(id) { $0.dialog = nil }
    handle(request, from: origin, at: now, &step)
  }

  // MARK: A line for commands

  private mutating func edit(
    _ key: Key, on console: Console, _ line: CommandConsole, _ step: inout Step
  ) {
    let page = max(1, console.rows / 2)
    switch key {
    case .control("c") where command(of: .console(console.id)) != nil:
      return interrupt(console.id, &step)
    case .pageUp: return withCommandLine(console.id) { $0.output.scroll(by: -page) }
    case .pageDown: return withCommandLine(console.id) { $0.output.scroll(by: page) }
    default: break
    }
    var prompt = line.prompt
    let outcome = prompt.handle(key)
    withCommandLine(console.id) { $0.prompt = prompt }
    switch outcome {
    case .edited: break
    case .entered(let line):
      withCommandLine(console.id) {
        $0.output = Output()
        // Lines run one after another: a script may have been pasted.
        let hasRoom = $0.waiting.count < CommandConsole.waitingLimit
        if !line.isEmpty, hasRoom { $0.waiting.append(line) }
      }
    case .completes(let part): complete(part, on: console, &step)
    case .unused: withCommandLine(console.id) { $0.output = Output() }
    }
  }

  /// Runs the next line of each console that is free; returns whether there was one.
  mutating func runWaitingLines(_ step: inout Step) -> Bool {
    var isChanged = false
    for console in consoles {
      guard let line = console.commandLine?.waiting.first, console.dialog == nil,
        command(of: .console(console.id)) == nil
      else { continue }
      isChanged = true
      withConsole(console.id) { $0.withCommandLine { $0.waiting.removeFirst() } }
      run(line: line, on: console.id, &step)
    }
    return isChanged
  }

  private mutating func interrupt(_ id: Int, _ step: inout Step) {
    stopCommands(of: id, &step)
    withCommandLine(id) {
      $0.waiting = []
      $0.output.progress = nil
    }
    warn("Stopped.", on: id)
    if console(id)?.commandLine?.mode == .plain {
      step.emit(.console(.answer(.told("Stopped."), to: .console(id), isLast: true)))
    }
  }

  /// Shows a warning on a screen.
  private mutating func warn(_ sentence: String, on id: Int) {
    let text = translated(sentence)
    withCommandLine(id) { $0.output.append([[.init(text, .warning)]]) }
  }

  /// Completes the part of the line before the cursor. If a folder has not been read yet, nothing
  /// is completed, and the folder is read for the next time.
  private mutating func complete(_ part: String, on console: Console, _ step: inout Step) {
    let completer = Completer(library: library, place: place(of: console).folder, wire: .serial)
    switch completer.complete(line: part) {
    case .need(let folders): read(folders, &step)
    case .candidates(let candidates):
      let ways = candidates.count > 1 ? candidates : []
      let lines = spans(of: ways, for: part, on: console)
      withCommandLine(console.id) {
        $0.prompt.complete(to: Completions(part, candidates).line)
        if !ways.isEmpty { $0.output = Output(lines) }
      }
      if ways.isEmpty || console.commandLine?.mode != .plain { return }
      step.emit(
        .console(.answer(.completions(ways), to: .console(console.id), isLast: false)))
    }
  }

  /// Commands that would be refused now are dim.
  private func spans(
    of candidates: [String], for part: String, on console: Console
  ) -> [[ScreenView.Span]] {
    let isCommand = Words(part).words.count <= 1
    return Completions.rows(of: candidates, columns: console.columns).map { row in
      row.map { word in
        let verb = isCommand ? Verb(rawValue: Text.title(word) ?? "") : nil
        let refusal = verb.flatMap { self.refusal(to: $0, from: .console(console.id)) }
        return .init(word, refusal == nil ? .plain : .dim)
      }
    }
  }

  private mutating func withCommandLine(_ id: Int, _ change: (inout CommandConsole) -> Void) {
    withConsole(id) { $0.withCommandLine(change) }
  }
}
