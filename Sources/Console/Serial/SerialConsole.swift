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
  let loop: EventLoop
  let desk: CommandDesk
  let send: (ConsoleEvent) -> Void
  let complain: (String) -> Void

  var port: SerialPort?
  var watch: FileWatch?
  var folder: FolderWatch?
  var complained = ""

  /// Who is there; nil: nobody that is known of.
  var mode: Recorder.Console.Mode?
  var parser = KeyParser()
  var flood = FloodGuard(nowNanoseconds: 0)
  var held: [Key] = []
  /// Lines that came while a command was under way.
  var waiting: [String] = []
  var lastByte: UInt8 = 0
  var lastInput: Int64 = 0
  var size = KeyParser.Report(row: 24, column: 80)
  var line: [UInt8] = []

  var painter = ScreenPainter(hasColour: true)
  var view: ScreenView?
  var prompt: PromptView?
  var plain = PlainPrompt()
  var toldTenth = -1
  var unsent: [UInt8] = []
  var asksLeft = 0
  var lastPaint: Int64 = 0

  var timers: [Delay: Timer] = [:]

  /// What is waited for, each with its own timer.
  enum Delay: CaseIterable {
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
  static let unsentLimit = 1 << 16
  static let whereIsTheCorner = Array("\u{1B}7\u{1B}[999;999H\u{1B}[6n\u{1B}8".utf8)

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
  func look() {
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

  /// From before it is looked for, so that nothing is missed.
  private func watchFolder() {
    if folder != nil { return }
    let place = path.split(separator: "/").dropLast().joined(separator: "/")
    do {
      folder = try FolderWatch(["/" + place], on: loop, priority: .idle) { [unowned self] in
        if port == nil { look() }
      }
    } catch {
      tell("it cannot be seen whether \(path) comes: \(error)")
      start(.retry)
    }
  }

  func tell(_ sentence: String) {
    if sentence != complained { complain(sentence) }
    complained = sentence
  }

  /// The cable is out: it comes back as another file.
  func lose() {
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
    folder = nil
  }

  // MARK: Time

  var now: Int64 { EventLoop.monotonicNanoseconds() }

  func start(_ delay: Delay) {
    timers[delay]?.restart(afterMilliseconds: delay.milliseconds)
  }

  func isOver(_ delay: Delay) {
    switch delay {
    case .escape: take(parser.flush())
    case .paint: repaint()
    case .decide: if mode == nil, !held.isEmpty { enter(.plain) }
    case .ask: if mode == nil { ask() }
    case .stuck: leave()
    case .retry: if port == nil { look() }
    }
  }

  /// Where is the corner of your screen? No answer: there is no screen, or nobody.
  func ask() {
    put(Self.whereIsTheCorner)
    guard mode == nil, asksLeft > 0 else { return }
    asksLeft -= 1
    start(.ask)
  }

  // MARK: Coming and going

  func enter(_ mode: Recorder.Console.Mode) {
    self.mode = mode
    painter.forget()
    plain.forget()
    send(
      .opened(
        ConsoleDescription(
          id: id, kind: .serial, access: access, mode: mode, columns: size.column, rows: size.row)))
    if mode == .plain { putLines(["Reel. `help` lists the commands."]) }
    let keys = held
    held = []
    take(keys)
  }

  /// Nobody reads any more, or nobody is there. Nothing of theirs goes on, nothing is drawn.
  func leave() {
    guard mode != nil else { return }
    mode = nil
    (view, prompt) = (nil, nil)
    held = []
    line = []
    unsent = []
    waiting = []
    desk.forget(console: id)
    send(.closed(id))
    wantWritable()
  }

  func change(to mode: Recorder.Console.Mode) {
    guard self.mode != mode else { return }
    self.mode = mode
    painter.forget()
    plain.forget()
    send(.mode(id, mode))
  }

  func learn(_ report: KeyParser.Report) {
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

  func hear(_ readiness: Readiness) {
    if readiness.contains(.writable) { drain() }
    guard readiness.contains(.readable) || readiness.contains(.hangup) else { return }
    switch port?.read(atMost: flood.appetiteBytes) {
    case .bytes(let bytes): take(bytes)
    case .nothing, nil: if readiness.contains(.hangup) { lose() }
    case .gone: lose()
    }
  }

  func take(_ bytes: [UInt8]) {
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
    take(parser.take(withoutSecondHalves(of: bytes)))
    if let report = parser.takeReport() { learn(report) }
    if parser.isWaiting { start(.escape) } else { timers[.escape]?.pause() }
  }

  /// Some end a line with two characters; it is one Enter.
  func withoutSecondHalves(of bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    for byte in bytes {
      if !(byte == 0x0A && lastByte == 0x0D) { kept.append(byte) }
      lastByte = byte
    }
    return kept
  }

  func take(_ keys: [Key]) {
    var typed: [Key] = []
    func flush() {
      if !typed.isEmpty { send(.keys(id, typed)) }
      typed = []
    }
    for key in keys {
      switch (mode, key) {
      case (nil, _): hold(key)
      case (.screen, .control("l")):
        painter.forget()
        ask()
        repaint()
      case (_, .control("c")) where desk.isBusy(.console(id)): interrupt()
      case (.plain, .enter):
        flush()
        if prompt?.text.isEmpty == true { put(plain.newLine()) }
        typed.append(key)
      case (.screen, .tab), (.plain, .tab):
        // What completes the line is there before the next key.
        typed.append(key)
        flush()
      case (.screen, _), (.plain, _): typed.append(key)
      case (.json, _): break
      }
    }
    flush()
  }

  /// Until it is known what kind of terminal there is.
  func hold(_ key: Key) {
    if held.isEmpty {
      ask()
      start(.decide)
    }
    if held.count < 512 { held.append(key) }
  }

  func interrupt() {
    waiting = []
    desk.forget(console: id)
    send(.progress(id, permille: nil))
    say("Stopped.")
  }
}
