// The header of a FLAC file that Reel records: made in a fixed size, since tags, marks and the
// length are known only at the end. Its parts, in order: what the stream is (STREAMINFO); a block
// of Reel's own with the take's serial number and the header's size; a seek table; a room for tags,
// cue sheet and padding. Pure.
//
// FLAC keeps no checksum of a header. So a room torn by a power cut is recognised by its blocks not
// ending where Reel's own block says, and mended there.

/// What the STREAMINFO block says.
struct FlacInfo: Equatable, Sendable {
  static let byteCount = 34

  var blockFrames: ClosedRange<Int>
  var sampleRate: Int
  var channels: Int
  var bits: Int
  var seal = FlacSeal()

  /// Nil if no FLAC stream is like that.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    let bytes = Array(bytes)
    func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 << 8 | Int(bytes[$1]) } }
    let (least, most) = (number(0..<2), number(2..<4))
    let rest = number(10..<18)
    guard least > 0, most >= least else { return nil }
    blockFrames = least...most
    sampleRate = rest >> 44 & 0xFFFFF
    channels = (rest >> 41 & 7) + 1
    bits = (rest >> 36 & 31) + 1
    guard sampleRate > 0, bits >= 4 else { return nil }
    let smallest = number(4..<7)
    seal.frameBytes = smallest...max(smallest, number(7..<10))
    seal.frames = Int64(rest & 0xF_FFFF_FFFF)
    seal.md5 = Array(bytes[18...])
  }

  init(_ settings: FlacSettings) {
    blockFrames = settings.blockFrames...settings.blockFrames
    sampleRate = settings.sampleRate
    channels = settings.channels
    bits = settings.bits
  }

  var bytes: [UInt8] {
    let length = seal.frames < 1 << 36 ? seal.frames : 0
    let rest =
      Int64(sampleRate) << 44 | Int64(channels - 1) << 41 | Int64(bits - 1) << 36 | length
    return bigEndian(UInt16(blockFrames.lowerBound)) + bigEndian(UInt16(blockFrames.upperBound))
      + bigEndian24(seal.frameBytes.lowerBound)
      + bigEndian24(seal.frameBytes.upperBound) + bigEndian(rest)
      + seal.md5
  }
}

/// What the header of a FLAC file says of its sound once that is whole.
public struct FlacSeal: Equatable, Sendable {
  /// 0 while it is not known.
  var frames: Int64 = 0
  /// The bytes of the smallest and of the largest FLAC frame; 0 while they are not known.
  var frameBytes = 0...0
  /// The MD5 sum of the samples; zeros if it is not known.
  var md5 = [UInt8](repeating: 0, count: 16)
  var seekPoints: [FlacSeekPoint] = []

  /// True once the length, though it may be none, is in the header.
  var isSet: Bool { frames > 0 || md5.contains { $0 != 0 } }
}

/// Where a FLAC frame is.
struct FlacSeekPoint: Equatable, Sendable {
  let firstFrame: Int64
  /// From the first FLAC frame.
  let offset: Int64
  let frames: Int

  var bytes: [UInt8] {
    bigEndian(UInt64(firstFrame)) + bigEndian(UInt64(offset)) + bigEndian(UInt16(frames))
  }
}

enum FlacHeader {
  static let magic = Array("fLaC".utf8)
  /// The most seek points; those not used are placeholders.
  static let seekPoints = 256
  /// For tags, cue sheet and padding together.
  static let roomBytes = 8_192
  static let streamInfoOffset: Int64 = 4
  /// Of the whole header that Reel makes.
  static let byteCount = Int64(42 + 16 + 4 + seekPoints * 18 + roomBytes)
  /// Names Reel's own block.
  static let application = Array("reel".utf8)

  enum Block: UInt8 {
    case streamInfo = 0
    case padding, application, seekTable, comment, cueSheet, picture

    static let lastFlag: UInt8 = 0x80
    static let headBytes = 4

    func head(_ byteCount: Int, isLast: Bool = false) -> [UInt8] {
      [rawValue | (isLast ? Self.lastFlag : 0)] + bigEndian24(byteCount)
    }
  }

  /// The bytes of a room for all tags and a cue sheet, at least as many as a take's header has.
  static func roomBytes(for tags: Tags) throws(TapeError) -> Int {
    let comment = try tags.packet().count - Tags.magic.count
    let cues = FlacCueSheet.mostBytes(marks: tags.marks.count)
    return max(roomBytes, comment + cues + 3 * Block.headBytes)
  }

  static func bytes(
    _ info: FlacInfo, _ tags: Tags, serial: UInt32, roomBytes room: Int = roomBytes,
    seekTable: [UInt8] = seekTable([])
  ) throws(TapeError) -> [UInt8] {
    let byteCount = byteCount + Int64(room - roomBytes)
    let own =
      Block.application.head(application.count + 8) + application + littleEndian(serial)
      + littleEndian(UInt32(byteCount))
    let front = magic + Block.streamInfo.head(FlacInfo.byteCount) + info.bytes
    var tags = tags
    tags.vendor = vendor
    let rest = try self.room(tags, info, byteCount: room, isLast: true)
    let header = front + own + seekTable + rest
    precondition(header.count == byteCount, "a header says how long it is")
    return header
  }

  /// A seek table of always the same size.
  static func seekTable(_ points: [FlacSeekPoint]) -> [UInt8] {
    let used = points.prefix(seekPoints)
    let unused = [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 10)
    return Block.seekTable.head(seekPoints * 18) + used.flatMap(\.bytes)
      + (used.count..<seekPoints).flatMap { _ in unused }
  }

  /// The blocks that fill a room: tags, a cue sheet if there are marks and it fits, and padding.
  /// Notes, marks and facts that don't fit are left out.
  static func room(
    _ tags: Tags, _ info: FlacInfo, byteCount: Int, isLast: Bool
  ) throws(TapeError) -> [UInt8] {
    let heads = 2 * Block.headBytes
    let packet = try tags.fitting(byteCount - heads + Tags.magic.count).packet()
    let comment = packet[Tags.magic.count...]
    guard comment.count + heads <= byteCount else {
      throw TapeError(.noRoom, "There is no room in this file for more tags.")
    }
    var room = Block.comment.head(comment.count) + Array(comment)
    let cues = FlacCueSheet(tags.marks, info).bytes
    if !cues.isEmpty, room.count + cues.count + heads <= byteCount {
      room += Block.cueSheet.head(cues.count) + cues
    }
    let padding = byteCount - room.count - Block.headBytes
    return room + Block.padding.head(padding, isLast: isLast)
      + [UInt8](repeating: 0, count: padding)
  }
}

/// The marks as a cue sheet, which other programs jump by: a track from the beginning, and one from
/// each mark.
struct FlacCueSheet {
  let bytes: [UInt8]
  /// Numbers of tracks have a byte, and the last is that of the end.
  private static let mostTracks = 254

  private static let frontBytes = 128 + 8 + 259
  private static let trackBytes = 36
  private static let indexBytes = 12

  /// With a track from the beginning, and one that is the end.
  static func mostBytes(marks: Int) -> Int {
    let tracks = min(marks + 1, mostTracks)
    return frontBytes + 1 + tracks * (trackBytes + indexBytes) + trackBytes
  }

  /// Empty without marks, or while the length is not known.
  init(_ marks: [Tags.Mark], _ info: FlacInfo) {
    let length = info.seal.frames
    let starts = Set(marks.map { $0.frame * Int64(info.sampleRate) / 48_000 })
      .filter { $0 > 0 && $0 < length }.sorted().prefix(Self.mostTracks - 1)
    if starts.isEmpty {
      bytes = []
      return
    }
    // The catalogue's number, the lead-in and what is reserved.
    var bytes = [UInt8](repeating: 0, count: Self.frontBytes)
    bytes.append(UInt8(starts.count + 2))
    for (number, start) in ([0] + starts).enumerated() {
      bytes += Self.track(start, number: UInt8(number + 1), indices: 1)
      bytes += bigEndian(UInt64(0))
      bytes += [1, 0, 0, 0]
    }
    bytes += Self.track(length, number: 255, indices: 0)
    precondition(bytes.count <= Self.mostBytes(marks: marks.count), "a cue sheet has a limit")
    self.bytes = bytes
  }

  private static func track(_ start: Int64, number: UInt8, indices: UInt8) -> [UInt8] {
    bigEndian(UInt64(start)) + [number] + [UInt8](repeating: 0, count: 12 + 14) + [indices]
  }
}

func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

func bigEndian24(_ number: Int) -> [UInt8] { Array(bigEndian(UInt32(number)).dropFirst()) }
