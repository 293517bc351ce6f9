// Names that any computer takes, made of titles that may hold anything. Pure functions. What they
// give is normalised, at most 255 bytes, free of what FAT and exFAT forbid, of control characters
// and of marks that turn the direction of writing, and never one of the store's own names.

@_spi(_Unicode) import Swift

enum FileName {
  static let limitBytes = 255
  static let ending = ".opus"
  /// In bytes; what is longer belongs to the title.
  private static let longestEnding = 32
  static let trash = ".trash"
  static let slots = ["folder.0.json", "folder.1.json"]
  static let journal = "folder.journal"

  /// "0041 Kitchen.opus"; with `number` above 1 "0041 Kitchen 2.opus".
  static func recording(sequence: Int, title: String, ending: String, number: Int = 1) -> String {
    let digits = String(sequence)
    let prefix = String(repeating: "0", count: max(0, 4 - digits.count)) + digits + " "
    return fitted(sequence > 0 ? prefix : "", title, ending, number)
  }

  static func directory(title: String, number: Int = 1) -> String {
    fitted("", title, "", number)
  }

  private static func fitted(
    _ prefix: String, _ title: String, _ ending: String, _ number: Int
  ) -> String {
    let ending = number > 1 ? " \(number)\(ending)" : ending
    let room = limitBytes - prefix.utf8.count - ending.utf8.count
    let stem = trimmed(cut(normalised(allowed(title)), to: room))
    let name = prefix + (stem.isEmpty ? "Untitled" : stem) + ending
    return isReserved(name) ? "_" + trimmed(cut(stem, to: room - 1)) + ending : name
  }

  /// Two names that a card cannot tell apart are equal folded.
  static func folded(_ name: String) -> String { normalised(normalised(name).lowercased()) }

  /// Canonical composition, as Linux and Windows write names.
  static func normalised(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text._nfc { scalars.append(scalar) }
    return String(scalars)
  }

  /// The number and the title a name was made of; the number only where there is one.
  static func parts(_ name: String) -> (sequence: Int?, title: String, ending: String) {
    // By bytes: a dot or a blank may be one character with what stands beside it.
    let bytes = name.utf8
    var dot = bytes.lastIndex(of: 0x2E) ?? bytes.endIndex
    if dot == bytes.startIndex || bytes.distance(from: dot, to: bytes.endIndex) > longestEnding {
      dot = bytes.endIndex
    }
    let (stem, ending) = (name[..<dot], String(name[dot...]))
    let words = stem.utf8.split(separator: 0x20, maxSplits: 1)
    guard words.count == 2, words[0].count >= 4,
      words[0].allSatisfy({ (0x30...0x39).contains($0) }), let number = String(words[0]),
      let sequence = Int(number),
      (1...999_999_999).contains(sequence), let title = String(words[1])
    else { return (nil, String(stem), ending) }
    return (sequence, title, ending)
  }

  /// Whether the store keeps its own things under that name: an index, or one that was set aside.
  static func isOwn(_ name: String) -> Bool {
    let folded = name.lowercased()
    return folded.utf8.first == 0x2E
      || (slots + [journal]).contains { own in
        folded == own || folded.hasPrefix(own + ".damaged")
      }
  }

  /// Whether it is one of a folder's index.
  static func isIndex(_ name: String) -> Bool {
    (slots + [journal]).contains(name.lowercased())
  }

  private static func isReserved(_ name: String) -> Bool {
    let stem = String(name.unicodeScalars.prefix { $0 != "." }).uppercased()
    if isOwn(name) || ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem) {
      return true
    }
    return stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
      && "0123456789¹²³".contains(stem.suffix(1))
  }

  private static func allowed(_ title: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in title.unicodeScalars {
      switch scalar {
      case "/", "\\", ":", "|": kept.append("-")
      case "\"", "*", "<", ">", "?": continue
      default: if !isInvisible(scalar) { kept.append(scalar) }
      }
    }
    return String(kept)
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFF, 0xE0000...0xE007F:
      true
    default:
      scalar.properties.isNoncharacterCodePoint || scalar.properties.generalCategory == .privateUse
    }
  }

  /// Cut between characters where that leaves anything, otherwise between scalars.
  private static func cut(_ text: String, to limit: Int) -> String {
    if text.utf8.count <= limit { return text }
    var kept = ""
    var used = 0
    for character in text {
      used += character.utf8.count
      if used > limit { break }
      kept.append(character)
    }
    if !kept.isEmpty { return kept }
    var scalars = String.UnicodeScalarView()
    used = 0
    for scalar in text.unicodeScalars {
      used += UTF8.width(scalar)
      if used > limit { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  private static func trimmed(_ text: String) -> String {
    func isLoose(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "." || scalar.properties.isWhitespace
    }
    var rest = text.unicodeScalars[...]
    while let last = rest.last, isLoose(last) { rest.removeLast() }
    while let first = rest.first, isLoose(first) { rest.removeFirst() }
    return String(rest)
  }
}
