// The iXML chunk of a WAV file that holds several tracks: editors take the names of the channels
// from it (www.gallery.co.uk/ixml, version 1.61). Pure functions.

enum IXML {
  /// Returns the chunk's text, one name for each channel of the file. It ends in line breaks that
  /// fill it up to a multiple of four bytes. Notes for which there is no room are left out.
  static func chunk(
    _ tags: Tags, channels names: [String], sampleRate: Int, depth: Export.Depth
  ) -> [UInt8] {
    if tags.notes.map({ escaped($0).utf8.count > mostNoteBytes }) == true {
      var tags = tags
      tags.notes = nil
      return chunk(tags, channels: names, sampleRate: sampleRate, depth: depth)
    }
    let content =
      element("IXML_VERSION", "1.61") + element("SCENE", tags.title)
      + element("TAKE", tags.sequence.map { "\($0)" }) + element("NOTE", tags.notes)
      + element("FILE_UID", tags.id) + speed(tags, sampleRate: sampleRate, depth) + family(tags)
      + trackList(names)
    let head = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    var bytes = Array((head + group("BWFXML", content)).utf8)
    while bytes.count % 4 != 0 { bytes += "\n".utf8 }
    return bytes
  }

  private static let mostNoteBytes = 8_192

  /// The time of the first frame is that of the broadcast extension.
  private static func speed(_ tags: Tags, sampleRate: Int, _ depth: Export.Depth) -> String {
    let start = BroadcastWave.samplesSinceMidnight(tags, sampleRate: sampleRate)
    return group(
      "SPEED",
      element("FILE_SAMPLE_RATE", "\(sampleRate)") + element("AUDIO_BIT_DEPTH", "\(depth.bits)")
        + element("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", "\(start >> 32)")
        + element("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", "\(start & 0xFFFF_FFFF)")
        + element("TIMESTAMP_SAMPLE_RATE", "\(sampleRate)"))
  }

  private static func family(_ tags: Tags) -> String {
    group(
      "FILE_SET",
      element("TOTAL_FILES", "1") + element("FAMILY_UID", tags.id)
        + element("FAMILY_NAME", tags.title))
  }

  private static func trackList(_ names: [String]) -> String {
    let tracks = names.enumerated().map { index, name in
      group(
        "TRACK",
        element("CHANNEL_INDEX", "\(index + 1)") + element("INTERLEAVE_INDEX", "\(index + 1)")
          + element("NAME", name))
    }
    return group("TRACK_LIST", element("TRACK_COUNT", "\(names.count)") + tracks.joined())
  }

  private static func group(_ name: String, _ content: String) -> String {
    "<\(name)>\n\(content)</\(name)>\n"
  }

  /// Empty if there is no text.
  private static func element(_ name: String, _ text: String?) -> String {
    text.map { "<\(name)>\(escaped($0))</\(name)>\n" } ?? ""
  }

  /// Returns the text as XML 1.0 may hold it; characters that it forbids are left out.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\r": result += "&#13;"
      case "\t", "\n": result.unicodeScalars.append(character)
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": break
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}

extension Export.Depth {
  /// The bits of a sample.
  fileprivate var bits: Int {
    switch self {
    case .bits16: 16
    case .bits24: 24
    case .float: 32
    }
  }
}
