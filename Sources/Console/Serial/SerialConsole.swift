// The console on a serial port. While the port exists, it offers a dashboard with a command line;
// plain lines, if the terminal supports no more; or one JSON object a line, if a program is
// connected. Runs on the loop's thread and never waits for the port: what the port does not accept
// is dropped, never queued without bound.
//
// A USB gadget is not notified when a terminal is opened at the other end of the cable. So the
// console sends a size query, which only a real terminal answers. A query sent before waits in the
// kernel and reaches the terminal that is opened later.

import Glibc
import Recorder
import Systemd

/// A console on a serial port.
public final class SerialConsole {
  public let id: Int
  private let path: String
  private let access: Recorder.Console.Access
  let loop: EventLoop
  let send: (ConsoleEvent) -> Void
  let logError: (String) -> Void

  var port: SerialPort?
  var watch: FileWatch?
  var folder: FolderWatch?
  var complained = ""

  /// How the other end is served; nil if no terminal or program is known to be there.
  var mode: Recorder.Console.Mode?
  var parser = KeyParser()
  var flood = FloodGuard(nowNanoseconds: 0)
  var held: [Key] = []
  /// What a program's lines go through.
  var program = ProgramLines()
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

  /// Delays, each with its own timer.
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

  /// The most bytes that are queued, except for one answer to a program: more than any screen, and
  /// little beside a take.
  static let unsentLimit = 1 << 16
  static let sizeQuery = Array("\u{1B}7\u{1B}[999;999H\u{1B}[6n\u{1B}8".utf8)

  /// `logError` receives the reasons why there is no console; a repeated reason only once.
  public init(
    id: Int, path: String, access: Recorder.Console.Access, on loop: EventLoop,
    send: @escaping (ConsoleEvent) -> Void, logError: @escaping (String) -> Void
  ) {
    self.id = id
    self.path = path
    self.access = access
    self.loop = loop
    self.send = send
    self.logError = logError
  }

  // MARK: The port

  /// Opens the port, or waits for it to appear.
  public func begin() {
    do {
      for delay in Delay.allCases {
        let timer = try loop.timer(
          afterMilliseconds: delay.milliseconds, slackMilliseconds: 5, priority: .idle
        ) { [unowned self] in isOver(delay) }
        timer.pause()
        timers[delay] = timer
      }
    } catch { return logError("there is no serial console: \(error)") }
    openIfPresent()
  }

  /// Opens the port if it exists, or waits for it.
  func openIfPresent() {
    watchFolder()
    do {
      let port = try SerialPort.open(path)
      watch = try loop.watch(
        fileDescriptor: port.fileDescriptor, for: [.readable, .hangup], priority: .idle
      ) { [unowned self] readiness in handle(readiness) }
      self.port = port
      complained = ""
      flood = FloodGuard(nowNanoseconds: now)
      asksLeft = 12
      requestSize()
    } catch let failure as SerialPort.OpenError {
      if !failure.isAbsence {
        report(failure.description)
        start(.retry)
      }
    } catch { report("there is no serial console: \(error)") }
  }

  /// Begins before the port is opened, so that its appearance cannot be missed.
  private func watchFolder() {
    if folder != nil { return }
    let place = path.split(separator: "/").dropLast().joined(separator: "/")
    do {
      folder = try FolderWatch(["/" + place], on: loop, priority: .idle) { [unowned self] in
        if port == nil { openIfPresent() }
      }
    } catch {
      report("it cannot be seen whether \(path) comes: \(error)")
      start(.retry)
    }
  }

  func report(_ sentence: String) {
    if sentence != complained { logError(sentence) }
    complained = sentence
  }

  /// Closes the port after the cable was pulled. The port comes back as another file.
  func lose() {
    leave()
    watch?.stop()
    watch = nil
    port = nil
    unsent = []
    for timer in timers.values { timer.pause() }
    // The device node may vanish a moment after the connection, or may be back already.
    start(.retry)
  }

  /// Closes the port, and stops the commands that run on it.
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
    case .escape: handle(parser.flush())
    case .paint: repaint()
    case .decide: if mode == nil, !held.isEmpty { enter(.plain) }
    case .ask: if mode == nil { requestSize() }
    case .stuck: leave()
    case .retry: if port == nil { openIfPresent() }
    }
  }

  /// Queries the size of the screen. Without an answer there is no screen, or no terminal at all.
  func requestSize() {
    put(Self.sizeQuery)
    guard mode == nil, asksLeft > 0 else { return }
    asksLeft -= 1
    start(.ask)
  }

  // MARK: Sessions

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
    handle(keys)
  }

  /// Ends the session: the other end is gone or reads no more. Its commands stop, nothing is drawn.
  func leave() {
    guard mode != nil else { return }
    mode = nil
    (view, prompt) = (nil, nil)
    held = []
    line = []
    unsent = []
    program = ProgramLines()
    send(.closed(id))
    wantWritable()
  }

  func change(to mode: Recorder.Console.Mode) {
    guard self.mode != mode else { return }
    self.mode = mode
    program = ProgramLines()
    painter.forget()
    plain.forget()
    send(.mode(id, mode))
  }

  func handle(_ report: KeyParser.Report) {
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

  // MARK: Input

  func handle(_ readiness: Readiness) {
    if readiness.contains(.writable) { drain() }
    guard readiness.contains(.readable) || readiness.contains(.hangup) else { return }
    switch port?.read(atMost: flood.appetiteBytes) {
    case .bytes(let bytes): handle(bytes)
    case .nothing, nil: if readiness.contains(.hangup) { lose() }
    case .gone: lose()
    }
  }

  func handle(_ bytes: [UInt8]) {
    let instant = now
    switch flood.admit(bytes.count, nowNanoseconds: instant) {
    case .passes: break
    case .forgotten: return
    case .floodBegins:
      _ = parser.flush()
      held = []
      line = []
      let sentence = "Too much came at once; it is left out until it stops."
      return warn(sentence)
    }
    let isAfterPause = instant - lastInput > 10_000_000_000
    lastInput = instant
    if mode == .json { return collect(bytes) }
    // Another terminal may be at the other end by now.
    if isAfterPause, mode == .screen { requestSize() }
    handle(parser.parse(withoutSecondHalves(of: bytes)))
    if let report = parser.nextReport() { handle(report) }
    if parser.isWaiting { start(.escape) } else { timers[.escape]?.pause() }
  }

  /// Drops the LF of a CR LF pair: some terminals send both for one Enter.
  func withoutSecondHalves(of bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    for byte in bytes {
      if !(byte == 0x0A && lastByte == 0x0D) { kept.append(byte) }
      lastByte = byte
    }
    return kept
  }

  func handle(_ keys: [Key]) {
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
        requestSize()
        repaint()
      case (.plain, .enter):
        flush()
        if prompt?.text.isEmpty == true { put(plain.newLine()) }
        typed.append(key)
      case (.screen, _), (.plain, _): typed.append(key)
      case (.json, _): break
      }
    }
    flush()
  }

  /// Keeps keys until the kind of terminal is known.
  func hold(_ key: Key) {
    if held.isEmpty {
      requestSize()
      start(.decide)
    }
    if held.count < 512 { held.append(key) }
  }
}
