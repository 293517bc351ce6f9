// A checksum of what people typed about a recording, so that it shows whether a target has the same
// texts. Pure; any thread. It is kept on cards and at targets: its value must never change.

extension Recording {
  /// The checksum of its title, notes, place, speaker and marks, of whether it was heard and of
  /// whether it is in the trash: 16 hexadecimal digits.
  public func texts(isDeleted: Bool) -> String {
    var sum = Checksum64()
    for text in [title, details.notes, details.place, details.speaker] { sum.add(text) }
    sum.add(isHeard ? "heard" : "")
    sum.add(isDeleted ? "deleted" : "")
    for mark in marks {
      sum.add("\(mark.frame)")
      sum.add(mark.name)
    }
    let digits = String(sum.value, radix: 16)
    return String(repeating: "0", count: Self.textsDigits - digits.count) + digits
  }

  private static let textsDigits = 16

  /// Whether a text may be such a checksum.
  static func isTexts(_ text: String) -> Bool {
    text.utf8.count == textsDigits
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

/// FNV-1a of 64 bits.
private struct Checksum64 {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds a text and its end.
  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xFF)  // in no UTF-8
  }

  private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
