// Writes an ID3 tag of version 2.3 in UTF-16, which every MP3 player reads, before the sound. Works
// on any file; the caller may block on the disk.

enum ID3 {
  /// Inserts the tag; the sound is moved back to make room.
  static func prepend<File: TapeFile & ~Copyable>(
    _ tags: Tags, to file: borrowing File
  ) throws(TapeError) {
    let tag = bytes(of: tags)
    if tag.isEmpty { return }
    var end = try file.byteCount()
    while end > 0 {
      let start = max(0, end - (1 << 18))
      let piece = try file.bytes(at: start, count: Int(end - start))
      try put(piece, at: start + Int64(tag.count), in: file)
      end = start
    }
    try put(tag, at: 0, in: file)
  }

  private static func put<File: TapeFile & ~Copyable>(
    _ bytes: [UInt8], at offset: Int64, in file: borrowing File
  ) throws(TapeError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(TapeError) in try file.write(bytes, at: offset) }
    }
    try result.get()
  }

  static func bytes(of tags: Tags) -> [UInt8] {
    var frames: [UInt8] = []
    if let title = tags.title { frames += text("TIT2", title) }
    // "2026-11-20T14:03:22Z": the year, day and month, hour and minute, each in four digits.
    if let date = tags.date.map({ Array($0.utf8) }), date.count >= 16 {
      let parts: [(name: String, places: [Int])] = [
        ("TYER", [0, 1, 2, 3]), ("TDAT", [8, 9, 5, 6]), ("TIME", [11, 12, 14, 15]),
      ]
      for (name, places) in parts {
        frames += text(name, String(decoding: places.map { date[$0] }, as: UTF8.self))
      }
    }
    if let software = tags.software { frames += text("TSSE", software) }
    if let speaker = tags.speaker { frames += text("TPE1", speaker) }
    if let sequence = tags.sequence { frames += text("TRCK", "\(sequence)") }
    if let notes = tags.notes {
      // In an unknown language, without a description.
      let language: [UInt8] = Array("und".utf8)
      frames += frame("COMM", [1] + language + described("", notes))
    }
    for tag in tags.rest {
      frames += frame("TXXX", [1] + described(tag.key, tag.value))
    }
    // A tag has a frame at least; libsndfile takes a file with an empty one for no sound.
    if frames.isEmpty { return [] }
    // ID3 sizes have seven bits a byte.
    let size = (0..<4).map { UInt8(frames.count >> (21 - 7 * $0) & 0x7F) }
    return Array("ID3".utf8) + [3, 0, 0] + size + frames
  }

  private static func text(_ name: String, _ text: String) -> [UInt8] {
    frame(name, [1] + utf16(text) + [0, 0])
  }

  /// A description and what it describes.
  private static func described(_ what: String, _ text: String) -> [UInt8] {
    utf16(what) + [0, 0] + utf16(text)
  }

  private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (24 - 8 * $0)) }
    return Array(name.utf8) + size + [0, 0] + content
  }

  /// Little-endian, with a byte order mark.
  private static func utf16(_ text: String) -> [UInt8] {
    [0xFF, 0xFE]
      + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
}
