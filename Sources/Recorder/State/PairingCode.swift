// The code that pairs a browser with the recorder's page. It is asked for here, made by the program
// that serves the page, and shown here: by a light, on screens, in an answer. Plain values.

/// A code for a browser, as the recorder shows it.
public struct PairingCode: Equatable, Codable, Sendable {
  /// Digits from 1 to 9: as many winks each.
  public let digits: String
  /// Where the page is.
  public let address: String
  /// The address as a QR code, a row of `#` and `.` each; empty if there is none.
  public let picture: [String]

  public static let digitsMaximum = 12
  public static let sideMaximum = 61

  /// Nil if it cannot be shown.
  public init?(digits: String, address: String, picture: [String] = []) {
    let isCode = digits.utf8.allSatisfy { (49...57).contains($0) }
    let isSquare = picture.allSatisfy { row in
      row.utf8.count == picture.count && row.utf8.allSatisfy { $0 == 35 || $0 == 46 }
    }
    guard isCode, (4...Self.digitsMaximum).contains(digits.utf8.count), isSquare,
      picture.count <= Self.sideMaximum, (1...200).contains(address.utf8.count)
    else { return nil }
    self.digits = digits
    self.address = Text.printable(address)
    self.picture = picture
  }

  /// "352 614".
  var spaced: String {
    let half = (digits.count + 1) / 2
    return "\(digits.prefix(half)) \(digits.dropFirst(half))"
  }

  /// A code that was read back from a log may be anything.
  var winks: [Int] { digits.utf8.map { min(max(Int($0) - 48, 0), 9) } }

  /// The QR code as lines of text for a dark screen: two rows each, with a light border.
  public var lines: [String] { Self.lines(of: picture) }

  public static func lines(of picture: [String]) -> [String] {
    guard !picture.isEmpty else { return [] }
    let border = 2
    let side = picture.count + 2 * border
    let dark = picture.map { $0.utf8.map { $0 == 35 } }
    func isLight(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - border, column - border)
      guard dark.indices.contains(row), dark[row].indices.contains(column) else {
        return row < side - border
      }
      return !dark[row][column]
    }
    return stride(from: 0, to: side, by: 2).map { row in
      (0..<side).map { column in
        switch (isLight(row, column), isLight(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
    }
  }
}

/// Whether the recorder shows a code for a browser.
public enum Pairing: Equatable, Codable, Sendable {
  case none
  /// The program that serves the page was asked for one.
  case wanted(by: Origin, since: Instant)
  /// The program that made it has this connection.
  case shown(PairingCode, from: Int, until: Instant)

  public var code: PairingCode? {
    if case .shown(let code, _, _) = self { code } else { nil }
  }

  /// A number for each wish, since a program may see of two only the later.
  var wish: Int64? {
    if case .wanted(_, let since) = self { since.nanoseconds / 1_000_000 } else { nil }
  }

  /// How long the program has to answer.
  static let answerMilliseconds: Int64 = 3000
  /// The status light shows the code for so long, and nothing else.
  static let shownMilliseconds: Int64 = 120_000
}

/// What the program that serves the page reports of its code.
public enum PairingReport: Equatable, Codable, Sendable {
  case code(PairingCode, seconds: Int)
  /// It was used, or is not valid any more.
  case over
}
