// Decodes bytes from a terminal into keys: assembles UTF-8, reads escape sequences and drops the
// rest. A pure state machine; it keeps an incomplete sequence and the last cursor report.

import Recorder

/// Makes keys of a terminal's bytes.
public struct KeyParser {
  private(set) var pending: [UInt8] = []
  /// The cursor position the terminal last reported, counted from 1.
  public private(set) var reported: Report?

  /// A cursor position, counted from 1.
  public struct Report: Equatable, Sendable {
    public let row: Int
    public let column: Int
  }
  /// Longer than any useful sequence; bytes of a sequence beyond this are dropped.
  static let limit = 32

  public init() {}

  /// Whether a sequence is incomplete. If no more bytes arrive soon, call `flush`.
  public var isWaiting: Bool { !pending.isEmpty }

  /// Returns the last cursor report and clears it.
  public mutating func nextReport() -> Report? {
    defer { reported = nil }
    return reported
  }

  /// Returns the keys that `bytes` complete. An incomplete sequence is kept for the next call.
  public mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending.append(contentsOf: bytes)
    var keys: [Key] = []
    var rest = pending[...]
    while !rest.isEmpty {
      switch Self.next(in: rest) {
      case .key(let key, let count):
        keys.append(key)
        rest = rest.dropFirst(count)
      case .nothing(let count):
        if let report = Self.report(in: rest.prefix(count)) { reported = report }
        rest = rest.dropFirst(count)
      case .incomplete:
        pending = Array(rest.prefix(Self.limit))
        return keys
      }
    }
    pending = []
    return keys
  }

  /// Ends an incomplete sequence: a lone escape is the Escape key, anything else is dropped.
  public mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }

  private enum Step {
    case key(Key, Int)
    case nothing(Int)
    case incomplete
  }

  private static func next(in bytes: ArraySlice<UInt8>) -> Step {
    guard let first = bytes.first else { return .incomplete }
    switch first {
    case 0x1B: return escape(in: bytes)
    case 0x0D, 0x0A: return .key(.enter, 1)
    case 0x09: return .key(.tab, 1)
    case 0x08, 0x7F: return .key(.backspace, 1)
    case 0x00: return .nothing(1)
    case 0x01...0x1A: return .key(.control(letter(first)), 1)
    case 0x1C...0x1F: return .nothing(1)
    case 0x20..<0x7F: return .key(.character(String(decoding: [first], as: UTF8.self)), 1)
    default: return character(in: bytes, first)
    }
  }

  private static func letter(_ control: UInt8) -> String {
    String(decoding: [control + 0x60], as: UTF8.self)
  }

  private static func character(in bytes: ArraySlice<UInt8>, _ first: UInt8) -> Step {
    let length: Int
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return .nothing(1)
    }
    let sequence = bytes.prefix(length)
    if let wrong = sequence.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      return .nothing(wrong - bytes.startIndex)
    }
    if sequence.count < length { return .incomplete }
    guard let text = String(validating: sequence, as: UTF8.self) else { return .nothing(length) }
    // C1 controls arrive as two bytes. They would move the cursor of a terminal that shows them.
    let isControl = text.unicodeScalars.contains { (0x80..<0xA0).contains($0.value) }
    return isControl ? .nothing(length) : .key(.character(text), length)
  }

  // MARK: Escape sequences

  private static func escape(in bytes: ArraySlice<UInt8>) -> Step {
    let body = bytes.dropFirst()
    guard let second = body.first else { return .incomplete }
    switch second {
    case UInt8(ascii: "["): return sequence(in: body.dropFirst(), after: 2)
    case UInt8(ascii: "O"):
      guard let final = body.dropFirst().first else { return .incomplete }
      guard isFinal(final) else { return .nothing(2) }
      return named(final, parameter: nil).map { .key($0, 3) } ?? .nothing(3)
    case 0x1B: return .key(.escape, 1)
    default: return .nothing(2)  // Alt and a key: nothing is bound to it
    }
  }

  /// `ESC [ parameters final`. A byte that cannot be part of it ends it and is parsed by itself.
  private static func sequence(in bytes: ArraySlice<UInt8>, after count: Int) -> Step {
    guard let end = bytes.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return .incomplete
    }
    let length = count + end - bytes.startIndex
    if !isFinal(bytes[end]) { return .nothing(length) }
    if bytes[end] == UInt8(ascii: "[") { return functionKey(in: bytes[end...], after: length) }
    // Only the first `limit` bytes count, so the key does not depend on how the bytes arrived.
    let parameter = bytes[..<end].prefix(limit - count).prefix { (0x30...0x39).contains($0) }
    let number = Int(String(decoding: parameter, as: UTF8.self))
    return named(bytes[end], parameter: number).map { .key($0, length + 1) } ?? .nothing(length + 1)
  }

  /// The Linux console sends `ESC [ [ A` for F1, and so on to F5.
  private static func functionKey(in bytes: ArraySlice<UInt8>, after count: Int) -> Step {
    guard let letter = bytes.dropFirst().first else { return .incomplete }
    return .nothing(isFinal(letter) ? count + 2 : count + 1)
  }

  /// `ESC [ row ; column R`.
  private static func report(in bytes: ArraySlice<UInt8>) -> Report? {
    guard bytes.count <= limit, bytes.last == UInt8(ascii: "R"), bytes.count > 5 else { return nil }
    let numbers = bytes.dropFirst(2).dropLast().split(separator: UInt8(ascii: ";")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard numbers.count == 2, let row = numbers[0], let column = numbers[1] else { return nil }
    return Report(row: row, column: column)
  }

  private static func isFinal(_ byte: UInt8) -> Bool { (0x40...0x7E).contains(byte) }

  private static func named(_ final: UInt8, parameter: Int?) -> Key? {
    switch (final, parameter) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "C"), _): .right
    case (UInt8(ascii: "D"), _): .left
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), 1?), (UInt8(ascii: "~"), 7?): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), 4?), (UInt8(ascii: "~"), 8?): .end
    case (UInt8(ascii: "~"), 3?): .delete
    case (UInt8(ascii: "~"), 5?): .pageUp
    case (UInt8(ascii: "~"), 6?): .pageDown
    default: nil
    }
  }
}
