// Skips what JSON5 allows between values besides the blanks of JSON: comments, and unusual blanks
// that an editor may leave. Any thread.

extension JSONReader {
  /// Skips a comment or an unusual blank; returns whether there was one. A comment that never ends
  /// is a mistake.
  mutating func skipsOddBlank() -> Bool {
    if next == UInt8(ascii: "/") { return skipsComment() }
    let width = oddBlankWidth
    position += width
    return width > 0
  }

  private var oddBlankWidth: Int {
    guard let byte = next else { return 0 }
    if byte == 0x0B || byte == 0x0C { return 1 }
    let odd: [[UInt8]] = [
      [0xC2, 0xA0], [0xEF, 0xBB, 0xBF], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9],
    ]
    return odd.first { bytes[position...].starts(with: $0) }?.count ?? 0
  }

  private mutating func skipsComment() -> Bool {
    let start = position
    position += 1
    switch next {
    case UInt8(ascii: "/"):
      while let byte = next, byte != 10 { position += 1 }
      return true
    case UInt8(ascii: "*"):
      // The star that opens a comment does not close it.
      position += 1
      while let byte = next {
        position += 1
        if byte == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
          position += 1
          return true
        }
      }
      fail(.syntax, at: start, "the comment that begins here never ends")
    default: fail(.syntax, at: start, "a comment begins with '//' or '/*'")
    }
    return false
  }

  /// Reads a word without quotes; empty if there is none.
  mutating func bareWord() -> String {
    let start = position
    while let byte = next, isWordByte(byte), oddBlankWidth == 0 { position += 1 }
    return text(start..<position)
  }
}
