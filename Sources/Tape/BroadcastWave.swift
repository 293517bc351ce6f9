// Writes what a WAV file can say about its sound: the broadcast extension (`bext`, EBU 3285) and
// named cue points, and the names of channels (`iXML`). The writer calls it before the first frame.
import CSndfile

enum BroadcastWave {
  /// - Parameter channels: the names of all channels; empty if they have none.
  static func describe(
    _ file: OpaquePointer, _ tags: Tags, channels: [String] = [], sampleRate: Int,
    _ depth: Export.Depth
  ) {
    var info = bext(tags, sampleRate: sampleRate)
    command(file, SFC_SET_BROADCAST_INFO, &info, MemoryLayout<SF_BROADCAST_INFO>.size)
    let names =
      channels.isEmpty
      ? [] : IXML.chunk(tags, channels: channels, sampleRate: sampleRate, depth: depth)
    if !names.isEmpty { setChunk(file, "iXML", names) }
    let marks = fitting(tags.marks, besides: names.count + textByteCount(tags))
    guard !marks.isEmpty else { return }
    setChunk(file, "cue ", cues(marks, sampleRate: sampleRate))
    setChunk(file, "LIST", labels(marks))
  }

  /// libsndfile may leave out what lies beyond this in a header, and with it the beginning of the
  /// sound, without an error.
  private static let mostHeaderBytes = 50 * 1_024
  /// Of `bext` and other chunks of fixed size, with their headers.
  private static let fixedBytes = 1_200
  /// The most bytes of the comment: a take may have thousands of gaps.
  private static let mostCommentBytes = 12_000

  /// Returns a comment without what a header has no room for.
  static func fitting(comment text: String) -> String {
    if text.utf8.count <= mostCommentBytes { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostCommentBytes / 4)))
  }

  private static func textByteCount(_ tags: Tags) -> Int {
    let texts = [
      tags.title, tags.date, tags.software, tags.speaker, tags.remarks.map(fitting(comment:)),
    ]
    return texts.reduce(fixedBytes) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// Returns the first of the marks, for which a header has room.
  private static func fitting(_ marks: [Tags.Mark], besides byteCount: Int) -> [Tags.Mark] {
    var room = mostHeaderBytes - byteCount
    return Array(
      marks.prefix { mark in
        room -= cueByteCount + 14 + mark.name.utf8.count
        return room >= 0
      })
  }

  private static let cueByteCount = 24

  private static func bext(_ tags: Tags, sampleRate: Int) -> SF_BROADCAST_INFO {
    var info = SF_BROADCAST_INFO()
    withUnsafeMutableBytes(of: &info.description) { fill($0, tags.summary) }
    withUnsafeMutableBytes(of: &info.originator) { fill($0, tags.software) }
    withUnsafeMutableBytes(of: &info.originator_reference) { fill($0, tags.id) }
    info.version = 2
    let (day, time) = dayAndTime(tags.date)
    withUnsafeMutableBytes(of: &info.origination_date) { fill($0, day) }
    withUnsafeMutableBytes(of: &info.origination_time) { fill($0, time) }
    let samples = samplesSinceMidnight(tags, sampleRate: sampleRate)
    info.time_reference_low = UInt32(truncatingIfNeeded: samples)
    info.time_reference_high = UInt32(truncatingIfNeeded: samples >> 32)
    setLoudness(&info, tags)
    return info
  }

  /// In hundredths of LUFS; in EBU 3285, 0x7FFF means unknown.
  private static func setLoudness(_ info: inout SF_BROADCAST_INFO, _ tags: Tags) {
    let unknown: Int16 = 0x7FFF
    info.loudness_value =
      tags.trackGain.map { Int16(clamping: -2300 - ($0 * 100 + ($0 < 0 ? -128 : 128)) / 256) }
      ?? unknown
    info.loudness_range = unknown
    info.max_true_peak_level = unknown
    info.max_momentary_loudness = unknown
    info.max_shortterm_loudness = unknown
  }

  /// Splits "2026-11-20T14:03:22+01:00" in two; nil for any other format.
  private static func dayAndTime(_ date: String?) -> (String?, String?) {
    guard let date, date.utf8.count >= 19 else { return (nil, nil) }
    let parts = date.split(separator: "T", maxSplits: 1)
    guard parts.count == 2, parts[0].utf8.count == 10, parts[1].utf8.count >= 8 else {
      return (nil, nil)
    }
    return (String(parts[0]), String(parts[1].prefix(8)))
  }

  /// When the first frame was recorded; if that is not known to the frame, to the second.
  static func samplesSinceMidnight(_ tags: Tags, sampleRate: Int) -> UInt64 {
    guard let start = tags.start else {
      return secondsSinceMidnight(dayAndTime(tags.date).1) * UInt64(sampleRate)
    }
    return start.framesSinceMidnight(rate: sampleRate)
  }

  private static func secondsSinceMidnight(_ time: String?) -> UInt64 {
    let parts = (time ?? "").split(separator: ":").compactMap { UInt64($0) }
    return parts.count == 3 ? parts[0] * 3_600 + parts[1] * 60 + parts[2] : 0
  }

  // Both chunks are made here, because libsndfile writes cue points to plain WAV only, and without
  // their names.

  private static func cues(_ marks: [Tags.Mark], sampleRate: Int) -> [UInt8] {
    var payload = littleEndian(UInt32(marks.count))
    for (index, mark) in marks.enumerated() {
      // A mark from a foreign index may be at any frame.
      let place = scaled(min(max(0, mark.frame), 1 << 40), from: 48_000, to: sampleRate)
      let frame = littleEndian(UInt32(clamping: place))
      payload += littleEndian(UInt32(index + 1)) + frame + Array("data".utf8)
      payload += [UInt8](repeating: 0, count: 8) + frame
    }
    return payload
  }

  private static func labels(_ marks: [Tags.Mark]) -> [UInt8] {
    var payload = Array("adtl".utf8)
    for (index, mark) in marks.enumerated() {
      var text = Array(mark.name.utf8) + [0]
      // libsndfile pads a chunk to a multiple of four and then misreads its own padding; ffmpeg
      // loses its place after a text with more than one zero. So the last text gets the padding.
      let isLast = index == marks.count - 1
      while isLast && (payload.count + text.count) % 4 != 0 { text.append(0) }
      payload += Array("labl".utf8) + littleEndian(UInt32(4 + text.count))
      payload += littleEndian(UInt32(index + 1)) + text
      if text.count % 2 == 1 { payload.append(0) }
    }
    return payload
  }

  private static func setChunk(_ file: OpaquePointer, _ id: String, _ payload: [UInt8]) {
    precondition(payload.count % 4 == 0, "libsndfile would fill it up")
    var payload = payload
    var chunk = SF_CHUNK_INFO()
    withUnsafeMutableBytes(of: &chunk.id) { fill($0, id) }
    chunk.id_size = 4
    chunk.datalen = UInt32(payload.count)
    payload.withUnsafeMutableBytes { bytes in
      chunk.data = bytes.baseAddress
      sf_set_chunk(file, &chunk)
    }
  }

  private static func fill(_ field: UnsafeMutableRawBufferPointer, _ text: String?) {
    // Truncate between characters, not within one.
    var bytes: [UInt8] = []
    for character in text ?? "" {
      guard bytes.count + character.utf8.count <= field.count else { break }
      bytes += character.utf8
    }
    field.copyBytes(from: bytes)
  }
}
