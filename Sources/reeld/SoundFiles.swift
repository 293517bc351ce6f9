// Sound files as the stand-in card finds and names them: a number that never repeats, then the
// title, in characters that any file system takes. Reads headers of files, and nothing else of
// them.

import Recorder
import Tape

enum SoundFiles {
  static let ending = ".opus"

  static func name(for recording: Recording) -> String {
    "\(padded(recording.sequence)) \(safe(recording.title))\(ending)"
  }

  /// The same number under another title; a directory just gets the title.
  static func renamed(_ name: String, to title: String) -> String {
    guard let sequence = sequence(ofName: name) else { return safe(title) }
    return "\(padded(sequence)) \(safe(title))\(ending)"
  }

  /// Without what FAT or another computer refuses, and short enough beside a number and an ending.
  static func safe(_ title: String) -> String {
    let forbidden = Set<Character>("\"*/:<>?\\|")
    var name = title.filter { !forbidden.contains($0) && ($0.asciiValue ?? 32) >= 32 }
    while name.hasSuffix(".") || name.hasSuffix(" ") { name.removeLast() }
    while name.hasPrefix(".") || name.hasPrefix(" ") { name.removeFirst() }
    while name.utf8.count > 200 { name.removeLast() }
    return name.isEmpty ? "Untitled" : name
  }

  static func sequence(ofName name: String) -> Int? {
    guard name.hasSuffix(ending) else { return nil }
    return name.split(separator: " ", maxSplits: 1).first.flatMap { Int($0) }
      .flatMap { (1...999_999_999).contains($0) ? $0 : nil }
  }

  static func title(ofName name: String) -> String {
    guard sequence(ofName: name) != nil else { return name }
    let title = name.dropLast(ending.count).split(separator: " ", maxSplits: 1).dropFirst().first
    return title.map(String.init) ?? name
  }

  static func stemAndEnding(_ path: String) -> (String, String) {
    path.hasSuffix(ending) ? (String(path.dropLast(ending.count)), ending) : (path, "")
  }

  /// A recording made of what its file says; nil when it is no recording of Reel's.
  static func inspect(_ path: String, name: String, in folder: ItemID) -> Recording? {
    guard let sequence = sequence(ofName: name), let header = header(of: path) else { return nil }
    return Recording(
      id: header.tags.id.flatMap(ItemID.init) ?? identity(ofPath: path), folder: folder,
      sequence: sequence, title: title(ofName: name), began: moment(header.tags), file: name,
      sound: Sound(frames: header.frames, rate: header.rate, channels: header.channels),
      integrity: Integrity(device: header.tags.device ?? ""))
  }

  private struct Header {
    let tags: Tags
    let frames: Int64
    let rate: Int
    let channels: Int
  }

  /// Nil for what is not a sound file, such as a take without its first page.
  private static func header(of path: String) -> Header? {
    do {
      let reader = try SoundReader.open(path)
      return Header(
        tags: reader.tags, frames: reader.frames ?? 0, rate: reader.sampleRate,
        channels: reader.channels)
    } catch { return nil }
  }

  private static func moment(_ tags: Tags) -> Moment {
    Moment(
      boot: tags.bootID.flatMap(ItemID.init) ?? .root,
      instant: Instant(nanoseconds: Int64(clamping: tags.monotonicNanoseconds ?? 0)),
      wall: WallTime(milliseconds: 0), quality: .unsynchronised)
  }

  /// The same for the same path in every run: FNV-1a over it, twice.
  static func identity(ofPath path: String) -> ItemID {
    func hash(_ seed: UInt64) -> UInt64 {
      path.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    return ItemID(high: hash(0xCBF2_9CE4_8422_2325), low: hash(0x9E37_79B9_7F4A_7C15))
  }

  private static func padded(_ sequence: Int) -> String {
    let digits = String(sequence)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
