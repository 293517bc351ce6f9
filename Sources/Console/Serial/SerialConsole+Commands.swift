// What a serial console does for commands: it passes a program's lines to the heart, and writes
// answers as its mode requires. On a screen the heart shows answers itself. Runs on the loop's
// thread and never waits for the port.

import Catalogue
import JSON
import Recorder

extension SerialConsole {
  /// As the prompt has it, which comes from the settings.
  var language: Language { prompt?.language ?? .english }

  /// Writes a part of an answer, or its end.
  public func write(_ answer: Answer, isLast: Bool) {
    switch (answer, mode) {
    case (.mode(isJSON: true), .screen), (.mode(isJSON: true), .plain): change(to: .json)
    case (.mode(isJSON: false), .json): return leaveJSON()
    case (_, .json):
      // Progress may be dropped; an answer may not.
      if isLast || unsent.count < Self.unsentLimit { self.answer(answer) }
    case (.progress(_, let permille), .plain): write(progress: permille)
    case (.completions(let words), .plain):
      putLines(Completions.inColumns(words, columns: size.column))
    case (_, .plain):
      let lines = AnswerText.lines(of: answer, columns: size.column, in: language)
      putLines(lines.map { $0.map(\.text).joined() })
    case (_, .screen), (_, nil): break
    }
    guard isLast, mode == .json else { return }
    program.finish(answer)
    goOn()
  }

  /// The command on this line begins: without a screen, the line stays above its answer.
  public func begin(_ line: String) {
    if mode == .plain { putLines(["reel> " + line]) }
    toldTenth = -1
  }

  func write(progress permille: Int) {
    if permille / 100 == toldTenth { return }
    toldTenth = permille / 100
    putLines(["\(toldTenth * 10) %"])
  }

  func warn(_ sentence: String) {
    switch mode {
    case .screen: send(.warned(id, sentence))
    case .plain: putLines([language.translate(sentence)])
    case .json: answer(.failed(CommandError("flood", sentence)))
    case nil: break
    }
  }

  // MARK: For programs

  /// Collects the lines of a program. They are not echoed.
  func collect(_ bytes: [UInt8]) {
    for byte in bytes {
      guard byte == 0x0A || byte == 0x0D else {
        if line.count < Self.unsentLimit { line.append(byte) }
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      line = []
      if text.isEmpty { continue }
      if !program.add(text) { answer(.failed(.busy)) }
      goOn()
    }
  }

  /// Begins the next command of a program, if the port has accepted the last answer.
  func goOn() {
    guard mode == .json, unsent.isEmpty else { return }
    switch program.next() {
    case .line(let line): send(.line(id, line))
    case .words(let words): send(.command(words, files: [], from: .console(id)))
    case nil: break
    }
  }

  private func leaveJSON() {
    mode = nil
    program = ProgramLines()
    send(.closed(id))
    asksLeft = 1
    requestSize()
    // A terminal that does not report its size before `decide` is over gets plain lines.
    held = [.enter]
    start(.decide)
  }

  func answer(_ answer: Answer) {
    do { putWhole(try JSON.encode(answer) + [0x0A]) } catch { logError("\(error)") }
  }
}
