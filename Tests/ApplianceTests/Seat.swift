// Somebody in front of a running appliance: types keys, looks at the screen, and waits for what
// should appear there. What was typed is not believed until it is seen.

import Emulator
import Glibc

final class Seat {
  let scratch: Scratch
  let terminal: PseudoTerminal
  let child: Child
  private(set) var screen = Emulator()
  private let settingsBefore: [UInt8]

  init(
    _ scratch: Scratch? = nil, _ arguments: [String] = ["--virtual"],
    environment: [String: String] = [:]
  ) throws {
    self.scratch = try scratch ?? Scratch()
    terminal = try PseudoTerminal(columns: screen.columns, rows: screen.rows)
    settingsBefore = terminal.settings
    child = try Child(
      Scratch.reeld, arguments + ["--root", self.scratch.root],
      environment: self.scratch.environment.merging(environment) { $1 },
      directory: self.scratch.path + "/here", output: .terminal(terminal.name),
      errors: .file(self.scratch.path + "/complaints"))
  }

  /// First of all: it must not write to a directory that is being removed.
  deinit { child.end() }

  var complaints: String { scratch.contents("complaints") }

  /// One whose microphone has been running for longer than a recording begins before the press.
  static func armed(_ scratch: Scratch? = nil) throws -> Seat {
    let seat = try Seat(scratch)
    try seat.see(" dB")
    try seat.pass(milliseconds: 2200)
    return seat
  }

  static func ready(_ scratch: Scratch? = nil) throws -> Seat {
    let seat = try Seat(scratch)
    try seat.see("■ Ready", " dB")
    return seat
  }

  // MARK: Typing

  static let down = "\u{1B}[B"
  static let right = "\u{1B}[C"
  static let left = "\u{1B}[D"
  static let enter = "\r"
  static let eraseLine = "\u{15}"

  func type(_ keys: String...) { for key in keys { terminal.type(key) } }

  func resize(columns: Int, rows: Int) {
    look()
    screen.resize(columns: columns, rows: rows)
    screen.fill(with: "#")
    terminal.resize(columns: columns, rows: rows)
  }

  // MARK: Looking

  private var picture: String { screen.text.joined(separator: "\n") }

  func look() { screen.feed(terminal.read()) }

  /// Waits until all of it is on the screen.
  func see(_ texts: String..., line: Int = #line) throws {
    try see(texts.joined(separator: ", "), line: line) { rows in
      texts.allSatisfy { text in rows.contains { $0.contains(text) } }
    }
  }

  func see(
    _ what: String, line: Int = #line, where isSo: ([String]) throws -> Bool
  ) throws {
    try until("\(what), wanted in line \(line), seen:\n\(picture)") {
      look()
      return try isSo(screen.text)
    }
  }

  /// The first row that begins with this; nothing when there is none.
  func row(_ start: String) -> String { screen.text.first { $0.hasPrefix(start) } ?? "" }

  func pass(milliseconds: Int64) throws {
    let end = now() + milliseconds * 1_000_000
    try until("some time") {
      look()
      return now() >= end
    }
  }

  // MARK: Doing

  /// Records for a while; gives how long the recording may be at least and at most, in seconds,
  /// from what was known outside about when the keys were understood.
  @discardableResult
  func record(milliseconds: Int64) throws -> ClosedRange<Double> {
    let press = try presses("r", "● RECORDING")
    try pass(milliseconds: milliseconds)
    let release = try presses("r", "■ Ready")
    let preroll = 2.0
    let shortest = seconds(press.upperBound, release.lowerBound) + preroll
    return shortest...seconds(press.lowerBound, release.upperBound) + preroll
  }

  private func presses(_ key: String, _ sign: String) throws -> ClosedRange<Int64> {
    let before = now()
    type(key)
    try see(sign)
    return before...now()
  }

  private func seconds(_ from: Int64, _ to: Int64) -> Double {
    Double(to - from) / 1_000_000_000
  }

  func ending() throws -> Child.Ending {
    try until("the end of reeld") {
      look()
      return child.hasEnded()
    }
    look()
    return child.ending ?? .killed(0)
  }

  var hasOldSettings: Bool { terminal.settings == settingsBefore }

  var hasGivenBackTerminal: Bool {
    hasOldSettings && !screen.isAlternate && screen.showsCursor
  }
}
