// Makes file names that any computer accepts from arbitrary titles. Pure functions. The names are
// normalised and at most 255 bytes. They must not contain what FAT and exFAT forbid, control
// characters, or marks that change the direction of writing, nor be one of the store's own names.

@_spi(_Unicode) import Swift

/// Names of files and directories.
public enum FileName {
  /// The most bytes of a name.
  public static let limitBytes = 255
  /// The ending of what is imported, and of takes unless the configuration says otherwise.
  public static let ending = ".opus"
  /// The endings of takes.
  public static let takeEndings: Set<String> = [".opus", ".flac"]
  /// In bytes; anything longer is part of the title.
  private static let longestEnding = 32
  /// The directory of the trash.
  public static let trash = ".trash"
  /// The files of an index: its snapshots, and its journal.
  public static let slots = ["folder.0.json", "folder.1.json"]
  public static let journal = "folder.journal"

  /// "0041 Kitchen.opus"; with `number` above 1 "0041 Kitchen 2.opus".
  /// - Parameter trackCount: how many files the take has: their names leave room for a number.
  public static func recording(
    sequence: Int?, title: String, ending: String, number: Int = 1, trackCount: Int = 1
  ) -> String {
    let digits = sequence.map(String.init) ?? ""
    let prefix = String(repeating: "0", count: max(0, 4 - digits.count)) + digits + " "
    let room = trackCount > 1 ? limitBytes - trackNumberBytes : limitBytes
    return fitted(sequence == nil ? "" : prefix, title, ending, number, room)
  }

  /// "0041 Kitchen (1).flac": the file of another track of the take whose first is
  /// "0041 Kitchen.opus".
  public static func track(_ index: Int, of first: String, ending: String) -> String {
    let stem = cut(split(first).stem, to: limitBytes - trackNumberBytes - ending.utf8.count)
    return "\(stem) (\(index))\(ending)"
  }

  /// The name without the number of a track, as its recording's first file may have it.
  public static func withoutTrack(_ name: String) -> String {
    guard isTrack(name) else { return name }
    let (stem, ending) = split(name)
    return String(decoding: stem.utf8.dropLast(trackNumberBytes), as: UTF8.self) + ending
  }

  /// Whether a file's name could be that of another track: only what is in the file tells.
  public static func isTrack(_ name: String) -> Bool {
    let end = split(name).stem.utf8.suffix(trackNumberBytes)
    return end.starts(with: " (".utf8) && end.last == UInt8(ascii: ")")
  }

  /// " (7)"
  private static let trackNumberBytes = 4

  /// The name of a folder's directory.
  public static func directory(title: String, number: Int = 1) -> String {
    fitted("", title, "", number)
  }

  private static func fitted(
    _ prefix: String, _ title: String, _ ending: String, _ number: Int, _ limit: Int = limitBytes
  ) -> String {
    let ending = number > 1 ? " \(number)\(ending)" : ending
    let room = limit - prefix.utf8.count - ending.utf8.count
    let stem = trimmed(cut(normalised(allowed(title)), to: room))
    let name = prefix + (stem.isEmpty ? "Untitled" : stem) + ending
    return isReserved(name) ? "_" + trimmed(cut(stem, to: room - 1)) + ending : name
  }

  /// Returns equal strings for names that a card cannot distinguish.
  public static func folded(_ name: String) -> String { normalised(normalised(name).lowercased()) }

  /// Canonical composition, as Linux and Windows write names.
  public static func normalised(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text._nfc { scalars.append(scalar) }
    return String(scalars)
  }

  /// The next number, at most the highest allowed.
  public static func sequence(after sequence: Int, by step: Int = 1) -> Int {
    let bounds = Recording.sequences
    return min(max(sequence, 0), bounds.upperBound - step) + step
  }

  /// The endings of sound files that can be read, in small letters.
  public static let soundEndings: Set<String> = [
    ".opus", ".ogg", ".oga", ".wav", ".wave", ".flac", ".mp3", ".aif", ".aiff", ".aifc", ".w64",
    ".rf64", ".caf", ".au",
  ]

  /// Returns a name that any computer accepts for a file or directory called so elsewhere, with
  /// `number`, if it is above 1, before its ending.
  public static func safe(_ name: String, number: Int = 1) -> String {
    let (stem, ending) = split(directory(title: name))
    return recording(sequence: nil, title: stem, ending: ending, number: number)
  }

  /// Splits a name into its number, if it has one, title and ending.
  public static func parts(_ name: String) -> (sequence: Int?, title: String, ending: String) {
    let (stem, ending) = split(name)
    let words = stem.utf8.split(separator: 0x20, maxSplits: 1)
    guard words.count == 2, words[0].count >= 4,
      words[0].allSatisfy({ (0x30...0x39).contains($0) }), let number = String(words[0]),
      let sequence = Int(number),
      Recording.sequences.contains(sequence), let title = String(words[1])
    else { return (nil, stem, ending) }
    return (sequence, title, ending)
  }

  /// Splits a name into its stem and its ending, such as ".opus".
  public static func split(_ name: String) -> (stem: String, ending: String) {
    // By bytes: a dot may form one character with what follows it.
    let bytes = name.utf8
    var dot = bytes.lastIndex(of: 0x2E) ?? bytes.endIndex
    if dot == bytes.startIndex || bytes.distance(from: dot, to: bytes.endIndex) > longestEnding {
      dot = bytes.endIndex
    }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// Whether the store reserves the name: it begins with a dot, or is an index file or one that was
  /// set aside.
  public static func isOwn(_ name: String) -> Bool {
    // Few names need a closer look, and a card has many.
    if !mayBeOwn(name.utf8.first) { return false }
    let folded = name.lowercased()
    return folded.utf8.first == 0x2E
      || (slots + [journal]).contains { own in
        folded == own || folded.hasPrefix(own + ".damaged")
      }
  }

  /// Whether the name of one of the store's files may begin with this byte.
  @inlinable public static func mayBeOwn(_ first: UInt8?) -> Bool {
    first == UInt8(ascii: ".") || first == UInt8(ascii: "f") || first == UInt8(ascii: "F")
  }

  /// Whether it is the name of an index file.
  public static func isIndex(_ name: String) -> Bool {
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

  /// Truncates between characters where that leaves anything, otherwise between scalars.
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
