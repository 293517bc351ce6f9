// How a serial console runs commands: it passes lines to the command runner and shows the answers
// as its mode requires. Runs on the loop's thread.

import JSON
import Recorder

extension SerialConsole {
  /// Runs an entered line. Lines run one after another: a script may have been pasted.
  public func run(_ line: String) {
    if !runner.isBusy(.console(id)), waiting.isEmpty, mayAnswer { return begin(line) }
    if waiting.count < Self.waitingLimit { return waiting.append(line) }
    if mode == .json { answer(.failed(.busy)) }
  }

  /// In JSON mode a command begins only after the previous answer has been sent: at most one answer
  /// is queued, however long it is.
  private var mayAnswer: Bool { mode != .json || unsent.isEmpty }

  /// Begins the next command. Called when the port has accepted everything, and when a command
  /// ends.
  func goOn() {
    guard !runner.isBusy(.console(id)), mayAnswer else { return }
    if let words = rest {
      rest = nil
      return begin(words, as: words.joined(separator: " "))
    }
    if !waiting.isEmpty { begin(waiting.removeFirst()) }
  }

  private static var waitingLimit: Int { 100 }

  private func begin(_ line: String) {
    if mode == .plain { putLines(["reel> " + line]) }
    toldTenth = -1
    let words = Words(line).words
    runner.run(line: line, from: .console(id)) { [weak self] in
      self?.show($0, to: words, line, isLast: $1)
    }
  }

  private func begin(_ words: [String], as line: String) {
    runner.run(words, from: .console(id)) { [weak self] in
      self?.show($0, to: words, line, isLast: $1)
    }
  }

  private func show(_ answer: Answer, to words: [String], _ line: String, isLast: Bool) {
    if isLast, mode == .json { rest = Self.rest(of: answer, to: words) }
    show(answer, line, isLast: isLast)
    if isLast { goOn() }
  }

  /// Returns the command for the next part of a listing; nil if it is complete or limited by
  /// `--count`.
  static func rest(of answer: Answer, to words: [String]) -> [String]? {
    guard case .listing(let listing) = answer, !words.hasOption("--count"),
      listing.from + listing.items.count < listing.total, !listing.items.isEmpty
    else { return nil }
    let from = "\(listing.from + listing.items.count)"
    return words.replacingOption("--from", with: from)
  }

  /// Completes `part` and sends the result to the heart.
  public func complete(_ part: String) {
    let completions = runner.complete(part, cursor: part.count, for: id)
    let isChoice = completions.candidates.count > 1
    let ways = isChoice ? Self.inColumns(completions.candidates, columns: size.column) : []
    send(.completed(id, part: part, to: completions.line, ways: ways.map { [.init($0, .plain)] }))
    if mode == .plain, isChoice { putLines(ways) }
  }

  private func show(_ answer: Answer, _ line: String, isLast: Bool) {
    if mode == .json {
      if case .mode(isJSON: false) = answer { return leaveJSON() }
      // Progress may be dropped; an answer may not.
      if isLast || unsent.count < Self.unsentLimit { self.answer(answer) }
      return
    }
    switch answer {
    case .progress(_, let permille): show(progress: permille)
    case .question(let text): send(.asked(id, line: line, question: text))
    case .mode(isJSON: true): change(to: .json)
    default: show(AnswerText.lines(of: answer, columns: size.column))
    }
    if isLast, mode == .screen { send(.progress(id, permille: nil)) }
  }

  func show(progress permille: Int) {
    if mode == .screen { return send(.progress(id, permille: permille)) }
    if permille / 100 == toldTenth { return }
    toldTenth = permille / 100
    putLines(["\(toldTenth * 10) %"])
  }

  func show(_ sentence: String) { show([[.init(sentence, .warning)]]) }

  func show(_ lines: [[ScreenView.Span]]) {
    switch mode {
    case .screen:
      // In pieces: a larger action would not fit into the flight log.
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

  /// Collects the lines of a program. They are not echoed.
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
    requestSize()
    // A terminal that does not report its size before `decide` is over gets plain lines.
    held = [.enter]
    start(.decide)
  }

  func answer(_ answer: Answer) {
    do { putWhole(try JSON.encode(answer) + [0x0A]) } catch { logError("\(error)") }
  }
}
