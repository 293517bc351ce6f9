// A user in front of a running appliance: types keys, reads the screen, and waits for what should
// appear there. A key counts as handled only when its effect is on the screen.

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
    self.scratch = scratch ?? Scratch()
    terminal = try PseudoTerminal(columns: screen.columns, rows: screen.rows)
    settingsBefore = terminal.settings
    child = try Child(
      Scratch.reeld, arguments + ["--root", self.scratch.root],
      environment: self.scratch.environment.merging(environment) { $1 },
      directory: self.scratch.path + "/here", output: .terminal(terminal.name),
      errors: .file(self.scratch.path + "/complaints"))
  }

  /// The program ends first: it must not write to a directory that is being removed.
  deinit { child.end() }

  var complaints: String { scratch.contents("complaints") }

  /// Returns a seat whose microphone has been running for longer than the pre-roll.
  static func armed(_ scratch: Scratch? = nil) throws -> Seat {
    let seat = try Seat(scratch)
    try seat.see(" dB")
    // The pre-roll of two seconds fills.
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

  /// Waits until all texts are on the screen.
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

  /// The first row that begins with `start`, or an empty string.
  func row(_ start: String) -> String { screen.text.first { $0.hasPrefix(start) } ?? "" }

  /// Waits until the clock of the running take shows at least `seconds`; returns what it shows.
  @discardableResult
  func seeClock(of seconds: Int) throws -> Int {
    var shown = 0
    try see("a take of \(seconds) s") { _ in
      let clock = row("● RECORDING").split(separator: " ").dropFirst(2).first ?? ""
      shown = clock.split(separator: ":").reduce(0) { $0 * 60 + (Int($1) ?? 0) }
      return shown >= seconds
    }
    return shown
  }

  func pass(milliseconds: Int64) throws {
    let end = now() + milliseconds * 1_000_000
    try until("some time") {
      look()
      return now() >= end
    }
  }

  // MARK: Doing

  /// Records for a while; returns the shortest and longest possible length of the recording in
  /// seconds. Each press happened between the key and its effect on the screen.
  @discardableResult
  func record(milliseconds: Int64) throws -> ClosedRange<Double> {
    let press = try presses("r", "● RECORDING")
    try pass(milliseconds: milliseconds)
    let release = try presses("r", "■ Ready")
    try keepName()
    let preroll = 2.0
    let shortest = seconds(press.upperBound, release.lowerBound) + preroll
    return shortest...seconds(press.lowerBound, release.upperBound) + preroll
  }

  /// Stops the take, which keeps its name.
  func stop() throws {
    type("r")
    try keepName()
  }

  func keepName() throws {
    try see("Name of the recording: ")
    type(Seat.enter)
    try see("no question") { !$0.contains { $0.contains("Name of the recording: ") } }
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

  /// What the program has not restored on the terminal.
  var notGivenBack: [String] {
    [
      hasOldSettings ? nil : "settings", screen.isAlternate ? "screen" : nil,
      screen.showsCursor ? nil : "cursor",
    ].compactMap { $0 }
  }
}
