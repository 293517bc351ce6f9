// Prints answers to standard output, errors and progress to standard error. In colour only on a
// terminal that can show it, and without NO_COLOR.

import Catalogue
import Console
import Glibc
import Recorder

enum Output {
  static let isTerminal = isatty(STDOUT_FILENO) == 1
  /// The language of the environment, for people; JSON is the same in each.
  static let language = Language.ofEnvironment { name in
    getenv(name).map { String(cString: $0) }
  }
  static let errorsAreTerminal = isatty(STDERR_FILENO) == 1

  /// As no-color.org defines it: no colour if NO_COLOR is set and not empty.
  static let hasColour: Bool = {
    let isUnwanted = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return isTerminal && !isUnwanted && !isDumb
  }()

  /// The width of the terminal; 100 if the output is no terminal.
  static var columns: Int {
    var size = winsize()
    if isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return isTerminal ? 80 : 100
  }

  static var rows: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0
    return isKnown ? Int(size.ws_row) : 24
  }

  static func show(_ answer: Answer) {
    // One line for each check, so that `grep` finds whole findings.
    let isCheckup = if case .checkup = answer { true } else { false }
    let columns = isCheckup && !isTerminal ? .max : columns
    for line in AnswerText.lines(of: answer, columns: columns, in: language) {
      show(line)
    }
  }

  static func show(_ line: [ScreenView.Span]) { write(text(of: line) + "\n") }

  static func text(of line: [ScreenView.Span]) -> String {
    if !hasColour { return line.map(\.text).joined() }
    return ScreenPainter.text(of: line, hasColour: true)
  }

  /// A value as a line of JSON.
  static func show(json bytes: [UInt8]) { write(bytes + [10], to: STDOUT_FILENO) }

  static func write(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

  static func logError(_ sentence: String) {
    clearProgress()
    let said = Text.printable(language.translate(sentence))
    write(Array("reelctl: \(said)\n".utf8), to: STDERR_FILENO)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // After EPIPE no process reads the output, as in `ls | head`: that is no error.
        exit(errno == EPIPE ? 0 : ExitCode.inputOutput)
      }
    }
  }

  // MARK: Progress

  // Only the main thread writes and reads it: there is no other.
  private nonisolated(unsafe) static var hasProgress = false

  /// Draws a bar on standard error, if that is a terminal.
  static func showProgress(_ what: String, permille: Int) {
    guard errorsAreTerminal else { return }
    hasProgress = true
    let filled = min(max(permille, 0), 1000) * 30 / 1000
    let bar = String(repeating: "━", count: filled) + String(repeating: "┄", count: 30 - filled)
    write(Array("\r\u{1B}[K\(what) \(bar) \(permille / 10) %".utf8), to: STDERR_FILENO)
  }

  static func clearProgress() {
    guard hasProgress else { return }
    hasProgress = false
    write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO)
  }
}
