// A small terminal for tests: it is fed what a program writes and holds the picture a person would
// see. It follows xterm where terminals differ, and lists every sequence it does not know, so that
// a test can require that list to be empty. A value; any thread.

public struct Emulator {
  /// One column. The second column of a wide character is empty.
  private var cells: [[String]]
  public private(set) var columns: Int
  public private(set) var rows: Int
  public private(set) var cursor = (row: 0, column: 0)
  public private(set) var showsCursor = true
  public private(set) var isAlternate = false
  public private(set) var hasSeenColour = false
  /// How often the whole screen was erased.
  public private(set) var erasures = 0
  public private(set) var unknown: [String] = []
  /// Answers to the program's queries, which the test has still to send.
  public private(set) var answers = ""
  private var savedCursor = (row: 0, column: 0)
  private var isWrapPending = false
  private var pending: [UInt8] = []

  public init(columns: Int = 80, rows: Int = 24) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
  }

  /// The picture, row by row, without the blanks at the ends.
  public var text: [String] { cells.map { trimmed($0.joined()) } }

  public mutating func resize(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    fill(with: " ")
    cursor = (min(cursor.row, rows - 1), min(cursor.column, columns - 1))
  }

  /// Overwrites the picture, so that a test can see whether it is painted again.
  public mutating func fill(with sign: Character) {
    cells = Array(repeating: Array(repeating: String(sign), count: columns), count: rows)
  }

  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending.append(contentsOf: bytes)
    var rest = pending[...]
    while !rest.isEmpty, let count = step(rest) { rest = rest.dropFirst(count) }
    pending = Array(rest)
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[String]] {
    Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  // MARK: Understanding

  /// Handles the first character or sequence and returns its length; nil if it is not complete yet.
  private mutating func step(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1B: return escape(bytes)
    case 0x0D:
      move(to: cursor.row, 0)
      return 1
    case 0x0A:
      lineFeed()
      return 1
    case 0..<0x20, 0x7F: return note("control \(first)", 1)
    default: return character(bytes, first)
    }
  }

  private mutating func character(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> Int? {
    let length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    if length == 0 { return note("byte \(first)", 1) }
    if bytes.count < length { return nil }
    guard let text = String(validating: bytes.prefix(length), as: UTF8.self) else {
      return note("invalid UTF-8", 1)
    }
    for scalar in text.unicodeScalars { put(scalar) }
    return length
  }

  public mutating func takeAnswers() -> String {
    defer { answers = "" }
    return answers
  }

  private mutating func escape(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count > 1 else { return nil }
    switch bytes.dropFirst().first {
    case UInt8(ascii: "7"):
      savedCursor = cursor
      return 2
    case UInt8(ascii: "8"):
      move(to: savedCursor.row, savedCursor.column)
      return 2
    default: break
    }
    guard bytes.dropFirst().first == UInt8(ascii: "[") else { return note("an escape", 2) }
    let body = bytes.dropFirst(2)
    guard let end = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    let parameters = String(decoding: body[..<end], as: UTF8.self)
    perform(Character(UnicodeScalar(body[end])), parameters)
    return end - bytes.startIndex + 1
  }

  private mutating func perform(_ final: Character, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map {
      Int($0) ?? 0
    }
    switch (final, parameters) {
    case ("H", _): move(to: (numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
    case ("n", "6"): answers += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)R"
    case ("K", ""), ("K", "0"): erase(from: cursor.column)
    case ("J", "2"):
      cells = Self.blank(columns, rows)
      erasures += 1
    case ("m", _):
      if numbers.contains(where: { (30...37).contains($0) }) { hasSeenColour = true }
    case ("h", "?25"), ("l", "?25"): showsCursor = final == "h"
    case ("h", "?1049"), ("l", "?1049"): switchScreen(final == "h")
    default: _ = note("\(parameters)\(final)", 0)
    }
  }

  private mutating func note(_ what: String, _ count: Int) -> Int {
    unknown.append(what)
    return count
  }

  // MARK: Doing

  private mutating func switchScreen(_ isAlternate: Bool) {
    self.isAlternate = isAlternate
    cells = Self.blank(columns, rows)
    move(to: 0, 0)
  }

  private mutating func move(to row: Int, _ column: Int) {
    cursor = (min(max(row, 0), rows - 1), min(max(column, 0), columns - 1))
    isWrapPending = false
  }

  /// Erases to the end of the row. As in xterm, a cursor after the last column is still on it, and
  /// that column is erased too.
  private mutating func erase(from column: Int) {
    for index in column..<columns { set(" ", at: index) }
    isWrapPending = false
  }

  private mutating func lineFeed() {
    isWrapPending = false
    if cursor.row < rows - 1 {
      cursor.row += 1
      return
    }
    cells.removeFirst()
    cells.append(Array(repeating: " ", count: columns))
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = columnsOf(scalar)
    if width == 0 { return join(scalar) }
    if isWrapPending || cursor.column + width > columns {
      lineFeed()
      cursor.column = 0
    }
    set(String(scalar), at: cursor.column)
    if width == 2 { set("", at: cursor.column + 1) }
    isWrapPending = cursor.column + width >= columns
    cursor.column = min(cursor.column + width, columns - 1)
  }

  private mutating func join(_ scalar: Unicode.Scalar) {
    var column = isWrapPending ? cursor.column : cursor.column - 1
    if column > 0, cells[cursor.row][column].isEmpty { column -= 1 }
    if column >= 0 { cells[cursor.row][column].unicodeScalars.append(scalar) }
  }

  /// Writing over half of a wide character erases the other half.
  private mutating func set(_ text: String, at column: Int) {
    if column > 0, cells[cursor.row][column].isEmpty, !text.isEmpty {
      cells[cursor.row][column - 1] = " "
    }
    let next = column + 1
    if next < columns, cells[cursor.row][next].isEmpty { cells[cursor.row][next] = " " }
    cells[cursor.row][column] = text
  }
}

public func trimmed(_ text: String) -> String {
  String(text.reversed().drop { $0 == " " }.reversed())
}

private func columnsOf(_ scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFF00...0xFF60, 0x1F300...0x1F64F, 0x20000...0x3FFFD:
    return 2
  default: return 1
  }
}
