// What a serial console makes of commands: they go to the desk, and what the desk answers goes
// where the console shows things. Runs on the loop's thread.

import Recorder

extension SerialConsole {
  /// A line was entered. One after another: a script may have been pasted.
  public func run(_ line: String) {
    guard desk.isBusy(.console(id)) else { return begin(line) }
    if waiting.count < Self.waitingLimit { waiting.append(line) }
  }

  private static var waitingLimit: Int { 100 }

  private func begin(_ line: String) {
    if mode == .plain { putLines(["reel> " + line]) }
    toldTenth = -1
    desk.take(line: line, from: .console(id)) { [weak self] answer, isLast in
      guard let self else { return }
      take(answer, to: line, isLast: isLast)
      if isLast, !waiting.isEmpty { begin(waiting.removeFirst()) }
    }
  }

  public func complete(_ part: String) {
    let completions = desk.complete(part, cursor: part.count, for: id)
    let isChoice = completions.candidates.count > 1
    let ways = isChoice ? Self.inColumns(completions.candidates, columns: size.column) : []
    send(.completed(id, part: part, to: completions.line, ways: ways.map { [.init($0, .plain)] }))
    if mode == .plain, isChoice { putLines(ways) }
  }

  func take(_ answer: Answer, to line: String, isLast: Bool) {
    if mode == .json {
      if case .mode(isJSON: false) = answer { return leaveJSON() }
      return self.answer(answer)
    }
    switch answer {
    case .progress(_, let permille): show(progress: permille)
    case .question(let text): send(.asked(id, line: line, question: text))
    case .mode(isJSON: true): change(to: .json)
    default: say(AnswerText.lines(of: answer, columns: size.column))
    }
    if isLast, mode == .screen { send(.progress(id, permille: nil)) }
  }

  func show(progress permille: Int) {
    if mode == .screen { return send(.progress(id, permille: permille)) }
    if permille / 100 == toldTenth { return }
    toldTenth = permille / 100
    putLines(["\(toldTenth * 10) %"])
  }

  func say(_ sentence: String) { say([[.init(sentence, .warning)]]) }

  func say(_ lines: [[ScreenView.Span]]) {
    switch mode {
    case .screen:
      // In pieces: one action is never larger than what remembers it.
      for start in stride(from: 0, to: lines.count, by: 50) {
        send(.said(id, Array(lines[start..<min(start + 50, lines.count)])))
      }
    case .plain: putLines(lines.map { $0.map(\.text).joined() })
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
  func collect(_ bytes: [UInt8]) {
    for byte in bytes {
      guard byte == 0x0A || byte == 0x0D else {
        if line.count < Self.unsentLimit { line.append(byte) }
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      line = []
      if !text.isEmpty { run(text) }
    }
  }

  func leaveJSON() {
    mode = nil
    send(.closed(id))
    asksLeft = 1
    ask()
    // Whoever does not say that they have a screen by then has none.
    held = [.enter]
    start(.decide)
  }

  func answer(_ answer: Answer) {
    do { put(try JSONLine.encode(answer) + [0x0A]) } catch { complain("\(error)") }
  }
}
