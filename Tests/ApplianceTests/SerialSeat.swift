// A technician with a laptop at the serial port: the cable is a pty with the recorder at its other
// end. Types, reads the screen, and waits for what should appear there.

import Emulator
import Glibc

final class SerialSeat {
  let scratch: Scratch
  let child: Child
  private(set) var cable: PseudoTerminal?
  private(set) var screen = Emulator()
  /// All bytes received, for a terminal that can only print.
  private(set) var paper: [UInt8] = []
  /// Whether the terminal answers queries about itself.
  var answers = true

  /// A link whose name stays the same, whichever cable is plugged in.
  var port: String { scratch.path + "/port" }

  init(
    isPluggedIn: Bool = true, answers: Bool = true, arguments: [String] = []
  ) throws {
    scratch = Scratch()
    self.answers = answers
    let port = scratch.path + "/port"
    let cable = isPluggedIn ? try PseudoTerminal(columns: 80, rows: 24) : nil
    if let cable { symlink(cable.name, port) }
    self.cable = cable
    child = try Child(
      Scratch.reeld,
      ["--virtual", "--headless", "--root", scratch.root, "--console", port] + arguments,
      environment: scratch.environment, directory: scratch.path + "/here",
      output: .file(scratch.path + "/output"), errors: .file(scratch.path + "/complaints"))
  }

  deinit { child.end() }

  static func ready() throws -> SerialSeat {
    let seat = try SerialSeat()
    try seat.see("■ Ready", " dB", "reel>")
    return seat
  }

  func plugIn() throws {
    let cable = try PseudoTerminal(columns: 80, rows: 24)
    unlink(port)
    screen = Emulator()
    self.cable = cable
    symlink(cable.name, port)
  }

  func pullOut() {
    cable?.closeWindow()
    cable = nil
    unlink(port)
  }

  // MARK: Typing and looking

  static let enter = "\r"
  static let interrupt = "\u{3}"

  func type(_ keys: String) { cable?.type(keys) }

  func enter(_ line: String) { type(line + Self.enter) }

  func look() {
    guard let cable else { return }
    let bytes = cable.read()
    paper += bytes
    screen.feed(bytes)
    let reply = screen.takeAnswers()
    if answers, !reply.isEmpty { cable.type(reply) }
  }

  private var picture: String { screen.text.joined(separator: "\n") }

  func see(_ texts: String..., line: Int = #line) throws {
    try until(
      "\(texts), wanted in line \(line), seen:\n\(picture)\n\(scratch.contents("complaints"))"
    ) {
      look()
      return texts.allSatisfy { text in screen.text.contains { $0.contains(text) } }
    }
  }

  func seeNo(_ text: String, line: Int = #line) throws {
    try until("no \(text), wanted in line \(line), seen:\n\(picture)") {
      look()
      return !screen.text.contains { $0.contains(text) }
    }
  }

  /// Waits until `text` is among all bytes received.
  func read(_ text: String, line: Int = #line) throws {
    try until("\(text), wanted in line \(line)") {
      look()
      return String(decoding: paper, as: UTF8.self).contains(text)
    }
  }

  func forgetPaper() { paper = [] }

  func pass(milliseconds: Int64) throws {
    let end = now() + milliseconds * 1_000_000
    try until("some time") {
      look()
      return now() >= end
    }
  }
}
