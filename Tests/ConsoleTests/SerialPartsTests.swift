// Proves the serial console's small parts: how much may be typed, how a line is changed on a
// terminal that can only print, how a terminal's answer is told from keys, and which port has a
// login.

import Glibc
import Scratch
import Testing

@testable import Console
@testable import Recorder

@Suite struct SerialPartsTests {
  private let second: Int64 = 1_000_000_000

  // MARK: Floods

  @Test("Typing and pasted scripts pass; a flood is reported once and dropped until it stops")
  func flood() {
    var guardian = FloodGuard(nowNanoseconds: 0)
    #expect(guardian.admit(4000, nowNanoseconds: second) == .passes)
    #expect(guardian.admit(4000, nowNanoseconds: second) == .floodBegins)
    for step in 1...50 {
      let instant = second + Int64(step) * second / 10
      #expect(guardian.admit(1, nowNanoseconds: instant) == .forgotten)
    }
    let later = second + 5 * second + FloodGuard.quietNanoseconds
    #expect(guardian.admit(5, nowNanoseconds: later) == .passes)
  }

  @Test("Typing as fast as a hand can, for an hour, is no flood")
  func typing() {
    var guardian = FloodGuard(nowNanoseconds: 0)
    for key in 1...(3600 * 30) {
      #expect(guardian.admit(3, nowNanoseconds: Int64(key) * second / 30) == .passes)
    }
  }

  // MARK: Plain lines

  /// A prompt, and the terminal that shows it.
  private struct Line {
    var prompt = PlainPrompt()
    var paper: [UInt8] = []

    mutating func show(_ text: String) {
      let view = PromptView(label: "reel> ", text: text, cursorColumn: 6 + text.count)
      paper += prompt.update(to: view)
    }

    /// The text of the last line. A carriage return goes to its start and erases nothing.
    var lastLine: String {
      var cells: [Character] = []
      var column = 0
      for sign in String(decoding: paper, as: UTF8.self).unicodeScalars {
        switch sign {
        case "\r": column = 0
        case "\n": cells = []
        default:
          if column < cells.count {
            cells[column] = Character(sign)
          } else {
            cells.append(Character(sign))
          }
          column += 1
        }
      }
      return String(String(cells).reversed().drop { $0 == " " }.reversed())
    }
  }

  @Test("A character at the end is just printed; any other change reprints the line")
  func plain() {
    var line = Line()
    line.show("")
    line.show("l")
    line.show("ls")
    #expect(String(decoding: line.paper, as: UTF8.self) == "reel> ls")
    line.show("l")
    #expect(line.lastLine == "reel> l")
    line.show("status")
    line.show("")
    #expect(line.lastLine == "reel>")
  }

  @Test("News in between leaves the line as it was, below")
  func plainNews() {
    var line = Line()
    line.show("rec")
    line.paper += line.prompt.lines(["! The card is full."])
    #expect(line.lastLine == "reel> rec")
    #expect(String(decoding: line.paper, as: UTF8.self).contains("! The card is full.\r\n"))
  }

  @Test("Words in columns fit the terminal, whatever they are")
  func columns() {
    let words = ["acknowledge", "cd", "日本語", "x"]
    for columns in [10, 20, 80] {
      let lines = Completions.inColumns(words, columns: columns)
      for word in words { #expect(lines.contains { $0.contains(word) }) }
      #expect(columns < 20 || lines.allSatisfy { Text.columns($0) <= columns })
    }
    #expect(Completions.inColumns([], columns: 80).isEmpty)
  }

  // MARK: Answers of terminals

  @Test("A size report among the keys, whole or in pieces, is recognised and types nothing")
  func report() {
    var parser = KeyParser()
    #expect(parser.parse(Array("a\u{1B}[24;80Rb".utf8)) == [.character("a"), .character("b")])
    #expect(parser.nextReport() == KeyParser.Report(row: 24, column: 80))
    #expect(parser.nextReport() == nil)
    for byte in Array("\u{1B}[50;132R".utf8) { #expect(parser.parse([byte]).isEmpty) }
    #expect(parser.nextReport() == KeyParser.Report(row: 50, column: 132))
    for wrong in ["\u{1B}[24R", "\u{1B}[;R", "\u{1B}[1;2;3R", "\u{1B}[99999999999999999999;1R"] {
      #expect(parser.parse(Array(wrong.utf8)).isEmpty && parser.nextReport() == nil)
    }
  }

  // MARK: Logins

  @Test("A port with a login is told from a free one")
  func login() throws {
    let scratch = ScratchFolder()
    let root = scratch.path
    #expect(LoginCheck.login(on: "/dev/ttyGS0", below: root) == nil)
    let unit =
      "/sys/fs/cgroup/system.slice/system-serial\\x2dgetty.slice/serial-getty@ttyGS0.service"
    var path = root
    for part in unit.split(separator: "/") {
      path += "/" + part
      mkdir(path, 0o755)
    }
    #expect(LoginCheck.login(on: "/dev/ttyGS0", below: root) == "serial-getty@ttyGS0.service")
    #expect(LoginCheck.login(on: "/dev/ttyGS1", below: root) == nil)
  }

  @Test("A file that is no serial port is refused in a sentence; a missing one may appear later")
  func noPort() {
    #expect(throws: SerialPort.OpenError.self) { try SerialPort.open("/dev/null") }
    do throws(SerialPort.OpenError) {
      _ = try SerialPort.open("/dev/null")
    } catch { #expect(!error.isAbsence && error.description.contains("is not a serial port")) }
    do throws(SerialPort.OpenError) {
      _ = try SerialPort.open("/dev/ttyThatIsNotThere")
    } catch { #expect(error.isAbsence) }
  }
}
