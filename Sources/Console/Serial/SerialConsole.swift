// The console on a serial port: for as long as the port is there, whoever is behind it has a
// dashboard and a line for commands; or plain lines, if their terminal can do no more; or an object
// a line, if they are a program. Runs on the loop's thread and never waits for the port: what it
// does not take is dropped, never queued without bound.
//
// Nobody tells when a terminal is opened at the other end of a gadget's cable. So the terminal is
// asked for its size: only a real one answers. What was sent before anybody came waits in the
// kernel, and asks again whoever comes.

import Glibc
import Recorder
import Systemd

public final class SerialConsole {
  public let id: Int
  private let path: String
  private let access: Recorder.Console.Access
  private let loop: EventLoop
  private let desk: CommandDesk
  private let send: (ConsoleEvent) -> Void
  private let complain: (String) -> Void

  private var port: SerialPort?
  private var watch: FileWatch?
  private var folder: PortWatch?
  private var folderWatch: FileWatch?
  private var complained = ""

  /// Who is there; nil: nobody that is known of.
  private var mode: Recorder.Console.Mode?
  private var parser = KeyParser()
  private var flood = FloodGuard(nowNanoseconds: 0)
  private var held: [Key] = []
  private var lastByte: UInt8 = 0
  private var lastInput: Int64 = 0
  private var size = KeyParser.Report(row: 24, column: 80)
  private var line: [UInt8] = []

  private var painter = ScreenPainter(hasColour: true)
  private var view: ScreenView?
  private var prompt: PromptView?
  private var plain = PlainPrompt()
  private var toldTenth = -1
  private var unsent: [UInt8] = []
  private var asksLeft = 0
  private var lastPaint: Int64 = 0

  private var timers: [Delay: Timer] = [:]

  /// What is waited for, each with its own timer.
  private enum Delay: CaseIterable {
    case escape, paint, decide, ask, stuck, retry

    var milliseconds: Int64 {
      switch self {
      case .escape, .paint: 50
      case .decide: 1000
      case .ask: 5000
      case .stuck: 10_000
      case .retry: 5000
      }
    }
  }

  /// What waits for a reader, at most: more than any screen, and little beside a take.
  private static let unsentLimit = 1 << 16
  private static let whereIsTheCorner = Array("\u{1B}7\u{1B}[999;999H\u{1B}[6n\u{1B}8".utf8)

  /// `complain` is told, once each, why there is no console.
  public init(
    id: Int, path: String, access: Recorder.Console.Access, on loop: EventLoop, desk: CommandDesk,
    send: @escaping (ConsoleEvent) -> Void, complain: @escaping (String) -> Void
  ) {
    self.id = id
    self.path = path
    self.access = access
    self.loop = loop
    self.desk = desk
    self.send = send
    self.complain = complain
  }

  // MARK: The port

  public func begin() {
    do {
      for delay in Delay.allCases {
        let timer = try loop.timer(
          afterMilliseconds: delay.milliseconds, slackMilliseconds: 5, priority: .idle
        ) { [unowned self] in isOver(delay) }
        timer.pause()
        timers[delay] = timer
      }
    } catch { return complain("there is no serial console: \(error)") }
    look()
  }

  /// Opens the port if it is there, or waits for it.
  private func look() {
    watchFolder()
    do {
      let port = try SerialPort.open(path)
      watch = try loop.watch(
        fileDescriptor: port.fileDescriptor, for: [.readable, .hangup], priority: .idle
      ) { [unowned self] readiness in hear(readiness) }
      self.port = port
      complained = ""
      flood = FloodGuard(nowNanoseconds: now)
      asksLeft = 12
      ask()
    } catch let failure as SerialPort.Failure {
      if !failure.isAbsence {
        tell(failure.description)
        start(.retry)
      }
    } catch { tell("there is no serial console: \(error)") }
  }

  private func watchFolder() {
    if let folder { return folder.drain() }
    let folder = PortWatch(path)
    self.folder = folder
    guard folder.descriptor >= 0 else { return start(.retry) }
    do {
      folderWatch = try loop.watch(
        fileDescriptor: folder.descriptor, for: .readable, priority: .idle
      ) { [unowned self] _ in
        self.folder?.drain()
        if port == nil { look() }
      }
    } catch { tell("it cannot be seen whether \(path) comes: \(error)") }
  }

  private func tell(_ sentence: String) {
    if sentence != complained { complain(sentence) }
    complained = sentence
  }

  /// The cable is out: it comes back as another file.
  private func lose() {
    leave()
    watch?.stop()
    watch = nil
    port = nil
    unsent = []
    for timer in timers.values { timer.pause() }
    // The node may go a moment after the line did; and it may be back already.
    start(.retry)
  }

  /// Lets go of the port. What is under way on it is stopped.
  public func end() {
    if mode != nil {
      unsent = []
      put(Array("\u{1B}[0m\u{1B}[?25h\r\nReel has stopped.\r\n".utf8))
    }
    lose()
    for timer in timers.values { timer.stop() }
    folderWatch?.stop()
  }

  // MARK: Time

  private var now: Int64 { EventLoop.monotonicNanoseconds() }

  private func start(_ delay: Delay) {
    timers[delay]?.restart(afterMilliseconds: delay.milliseconds)
  }

  private func isOver(_ delay: Delay) {
    switch delay {
    case .escape: for key in parser.flush() { take(key) }
    case .paint: repaint()
    case .decide: if mode == nil, !held.isEmpty { enter(.plain) }
    case .ask: if mode == nil { ask() }
    case .stuck: leave()
    case .retry: if port == nil { look() }
    }
  }

  /// Where is the corner of your screen? No answer: there is no screen, or nobody.
  private func ask() {
    put(Self.whereIsTheCorner)
    guard mode == nil, asksLeft > 0 else { return }
    asksLeft -= 1
    start(.ask)
  }

  // MARK: Coming and going

  private func enter(_ mode: Recorder.Console.Mode) {
    self.mode = mode
    painter.forget()
    plain.forget()
    send(
      .opened(
        ConsoleDescription(
          id: id, kind: .serial, access: access, mode: mode, columns: size.column, rows: size.row)))
    if mode == .plain { print(["Reel. `help` lists the commands."]) }
    let keys = held
    held = []
    for key in keys { take(key) }
  }

  /// Nobody reads any more, or nobody is there. Nothing of theirs goes on, nothing is drawn.
  private func leave() {
    guard mode != nil else { return }
    mode = nil
    (view, prompt) = (nil, nil)
    held = []
    line = []
    unsent = []
    desk.forget(console: id)
    send(.closed(id))
    wantWritable()
  }

  private func change(to mode: Recorder.Console.Mode) {
    guard self.mode != mode else { return }
    self.mode = mode
    painter.forget()
    plain.forget()
    send(.mode(id, mode))
  }

  private func learn(_ report: KeyParser.Report) {
    let isNew = report != size
    size = report
    switch mode {
    case nil: enter(.screen)
    case .plain:
      send(.resized(id, columns: size.column, rows: size.row))
      change(to: .screen)
    case .screen where isNew:
      painter.forget()
      send(.resized(id, columns: size.column, rows: size.row))
      repaint()
    case .screen, .json: break
    }
  }

  // MARK: Hearing

  private func hear(_ readiness: Readiness) {
    if readiness.contains(.writable) { drain() }
    guard readiness.contains(.readable) || readiness.contains(.hangup) else { return }
    // A little at a time: whatever else waits comes first.
    switch port?.read(atMost: 8192) {
    case .bytes(let bytes): take(bytes)
    case .nothing, nil: if readiness.contains(.hangup) { lose() }
    case .gone: lose()
    }
  }

  private func take(_ bytes: [UInt8]) {
    let instant = now
    switch flood.take(bytes.count, nowNanoseconds: instant) {
    case .passes: break
    case .forgotten: return
    case .floodBegins:
      _ = parser.flush()
      held = []
      line = []
      let sentence = "Too much came at once; it is left out until it stops."
      return mode == .json ? answer(.failed(Failure("flood", sentence))) : say(sentence)
    }
    let isAfterPause = instant - lastInput > 10_000_000_000
    lastInput = instant
    if mode == .json { return collect(bytes) }
    // Another terminal may be at the other end by now.
    if isAfterPause, mode == .screen { ask() }
    for key in parser.take(withoutSecondHalves(of: bytes)) { take(key) }
    if let report = parser.takeReport() { learn(report) }
    if parser.isWaiting { start(.escape) } else { timers[.escape]?.pause() }
  }

  /// Some end a line with two characters; it is one Enter.
  private func withoutSecondHalves(of bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    for byte in bytes {
      if !(byte == 0x0A && lastByte == 0x0D) { kept.append(byte) }
      lastByte = byte
    }
    return kept
  }

  private func take(_ key: Key) {
    switch mode {
    case nil:
      if held.isEmpty {
        ask()
        start(.decide)
      }
      if held.count < 512 { held.append(key) }
    case .screen where key == .control("l"):
      painter.forget()
      ask()
      repaint()
    case .screen, .plain:
      if key == .control("c"), desk.isBusy(.console(id)) { return interrupt() }
      if mode == .plain, key == .enter, prompt?.text.isEmpty == true { put(plain.newLine()) }
      send(.key(id, key))
    case .json: break
    }
  }

  private func interrupt() {
    desk.forget(console: id)
    send(.progress(id, permille: nil))
    say("Stopped.")
  }

  // MARK: Commands

  /// A line was entered.
  public func run(_ line: String) {
    if mode == .plain { print(["reel> " + line]) }
    toldTenth = -1
    desk.take(line: line, from: .console(id)) { [weak self] answer, isLast in
      self?.take(answer, to: line, isLast: isLast)
    }
  }

  public func complete(_ part: String) {
    let completions = desk.complete(part, cursor: part.count, for: id)
    let isChoice = completions.candidates.count > 1
    let ways = isChoice ? Self.inColumns(completions.candidates, columns: size.column) : []
    send(.completed(id, part: part, to: completions.line, ways: ways.map { [.init($0, .plain)] }))
    if mode == .plain, isChoice { print(ways) }
  }

  private func take(_ answer: Answer, to line: String, isLast: Bool) {
    if mode == .json { return self.answer(answer) }
    switch answer {
    case .progress(_, let permille): show(progress: permille)
    case .question(let text): send(.asked(id, line: line, question: text))
    case .mode(isJSON: true): change(to: .json)
    default: say(AnswerText.lines(of: answer, columns: size.column))
    }
    if isLast, mode == .screen { send(.progress(id, permille: nil)) }
  }

  private func show(progress permille: Int) {
    if mode == .screen { return send(.progress(id, permille: permille)) }
    if permille / 100 == toldTenth { return }
    toldTenth = permille / 100
    print(["\(toldTenth * 10) %"])
  }

  private func say(_ sentence: String) { say([[.init(sentence, .warning)]]) }

  private func say(_ lines: [[ScreenView.Span]]) {
    switch mode {
    case .screen:
      // In pieces: one action is never larger than what remembers it.
      for start in stride(from: 0, to: lines.count, by: 50) {
        send(.said(id, Array(lines[start..<min(start + 50, lines.count)])))
      }
    case .plain: print(lines.map { $0.map(\.text).joined() })
    case .json, nil: break
    }
  }

  static func inColumns(_ words: [String], columns: Int) -> [String] {
    let width = (words.map(Text.columns).max() ?? 0) + 2
    let across = max(1, columns / width)
    return stride(from: 0, to: min(words.count, 400), by: across).map { start in
      words[start..<min(start + across, words.count)].map {
        $0 + String(repeating: " ", count: width - Text.columns($0))
      }.joined()
    }
  }

  // MARK: For programs

  /// Commands of programs come as lines too, and are not echoed.
  private func collect(_ bytes: [UInt8]) {
    for byte in bytes {
      guard byte == 0x0A || byte == 0x0D else {
        if line.count < Self.unsentLimit { line.append(byte) }
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      line = []
      if !text.isEmpty { runForProgram(text) }
      if mode != .json { return }
    }
  }

  private func runForProgram(_ text: String) {
    desk.take(line: text, from: .console(id)) { [weak self] answer, _ in
      guard let self else { return }
      if case .mode(isJSON: false) = answer { return leaveJSON() }
      self.answer(answer)
    }
  }

  private func leaveJSON() {
    mode = nil
    send(.closed(id))
    asksLeft = 1
    ask()
    // Whoever does not say that they have a screen by then has none.
    held = [.enter]
    start(.decide)
  }

  private func answer(_ answer: Answer) {
    do { put(try JSONLine.encode(answer) + [0x0A]) } catch { complain("\(error)") }
  }

  // MARK: Showing

  public func show(_ view: ScreenView?) {
    self.view = view
    guard mode == .screen, view != nil else { return }
    if now - lastPaint >= 50_000_000 { repaint() } else { start(.paint) }
  }

  public func show(_ meter: Meter) {
    if mode == .screen, unsent.isEmpty { put(painter.paint(meter)) }
  }

  public func show(_ prompt: PromptView?) {
    self.prompt = prompt
    if mode == .plain, let prompt { put(plain.update(to: prompt)) }
  }

  /// To those that see no screen, notices come as they happen.
  public func show(_ notice: Notice?) {
    if mode == .plain, let notice { print(["! " + notice.sentence]) }
  }

  /// A terminal that does not take its bytes misses pictures, and is sent the newest when it does.
  private func repaint() {
    guard mode == .screen, let view else { return }
    if unsent.isEmpty {
      lastPaint = now
      put(painter.paint(view))
    } else {
      painter.forget()
    }
  }

  private func print(_ lines: [String]) { put(plain.print(lines.map(Text.printable))) }

  private func put(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, unsent.count + bytes.count <= Self.unsentLimit else { return }
    let wasEmpty = unsent.isEmpty
    unsent += bytes
    send(isFirst: wasEmpty)
  }

  private func drain() {
    send(isFirst: false)
    if unsent.isEmpty { repaint() }
  }

  private func send(isFirst: Bool) {
    guard let port else { return unsent = [] }
    let count = port.write(unsent[...])
    unsent.removeFirst(count)
    if unsent.isEmpty { timers[.stuck]?.pause() } else if isFirst || count > 0 { start(.stuck) }
    wantWritable()
  }

  private func wantWritable() {
    do {
      try watch?.change(to: unsent.isEmpty ? [.readable, .hangup] : [.readable, .writable, .hangup])
    } catch { complain(error.description) }
  }
}
