// Where the blocks of a FLAC file's header are, read from the file, and the tags in it, which are
// changed in place. The file's owner calls it. It must never trust a length before checking that
// the bytes are there.

struct FlacLayout {
  let info: FlacInfo
  /// The serial number of the take; nil if Reel did not record the file.
  let serial: UInt32?
  /// Where the seek table's block is; nil if it is not one of Reel's size.
  private(set) var seekTable: Int64?
  /// The room of tags, cue sheet and padding; nil if the tags cannot be changed in place.
  private(set) var room: Range<Int64>?
  /// The contents of the block of tags.
  private(set) var comment: Range<Int64>?
  /// Where sound begins.
  private(set) var end: Int64
  /// True if power was cut while the room was written.
  private(set) var tagsAreDamaged = false

  private static let mostBlocks = 1_024
  private static let mostCommentBytes: Int64 = 1 << 20

  /// Nil if the file is not FLAC, or its header is not all there.
  static func read<File: TapeFile & ~Copyable>(
    from file: borrowing File
  ) throws(TapeError) -> FlacLayout? {
    let start = try file.bytes(at: 0, count: 62)
    guard start.starts(with: FlacHeader.magic), start.count > 42,
      start[4] & 0x7F == FlacHeader.Block.streamInfo.rawValue, start[5..<8] == [0, 0, 34],
      let info = FlacInfo(start[8..<42])
    else { return nil }
    let own = own(start)
    let byteCount = try file.byteCount()
    var layout = FlacLayout(info: info, serial: own?.serial, end: 42)
    if try layout.isWellFormed(in: file, isLast: start[4] & FlacHeader.Block.lastFlag != 0) {
      return layout
    }
    // Power was cut while the room was written. Its size and place are known all the same.
    guard let own, own.end == FlacHeader.byteCount, own.end <= byteCount,
      try file.bytes(at: 58, count: 4) == Array(FlacHeader.seekTable([])[..<4]),
      try soundBegins(at: own.end, in: file)
    else { return nil }
    layout.distrust(until: own.end)
    return layout
  }

  /// Follows the blocks. Returns whether the last is followed by sound or nothing, and the tags can
  /// all be read: otherwise the header is torn.
  private mutating func isWellFormed<File: TapeFile & ~Copyable>(
    in file: borrowing File, isLast: Bool
  ) throws(TapeError) -> Bool {
    let byteCount = try file.byteCount()
    var (isLast, left) = (isLast, Self.mostBlocks)
    while !isLast, left > 0 {
      let head = try file.bytes(at: end, count: FlacHeader.Block.headBytes)
      guard let last = pass(head, byteCount) else { return false }
      isLast = last
      left -= 1
    }
    guard isLast, try Self.soundBegins(at: end, in: file) else { return false }
    guard let packet = try packet(from: file) else { return comment == nil }
    return packet.withUnsafeBytes { Tags.holdsAllComments(packet: $0) }
  }

  /// Whether a FLAC frame begins there, or the file ends.
  private static func soundBegins<File: TapeFile & ~Copyable>(
    at offset: Int64, in file: borrowing File
  ) throws(TapeError) -> Bool {
    let sync = try file.bytes(at: offset, count: 2)
    return sync.count < 2 || sync[0] == 0xFF && sync[1] & 0xFE == 0xF8
  }

  private init(info: FlacInfo, serial: UInt32?, end: Int64) {
    self.info = info
    self.serial = serial
    self.end = end
  }

  /// Reel's own block, which is always the second.
  private static func own(_ start: [UInt8]) -> (serial: UInt32, end: Int64)? {
    guard start.count == 62, Array(start[42..<46]) == FlacHeader.Block.application.head(12),
      Array(start[46..<50]) == FlacHeader.application
    else { return nil }
    func number(_ offset: Int) -> UInt32 {
      start[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    return (number(50), Int64(number(54)))
  }

  /// Goes on behind a block. Returns whether it was the last; nil if there is none.
  private mutating func pass(_ head: [UInt8], _ byteCount: Int64) -> Bool? {
    guard head.count == FlacHeader.Block.headBytes else { return nil }
    let body = end + Int64(head.count)
    let next = body + Int64(head[1]) << 16 + Int64(head[2]) << 8 + Int64(head[3])
    guard next <= byteCount else { return nil }
    switch FlacHeader.Block(rawValue: head[0] & 0x7F) {
    // Only the first block is one of these. Found by random power cuts: where old and new bytes of
    // a room met, zeros of the new passed for such blocks, up to the old padding.
    case .streamInfo: return nil
    case .comment where comment == nil:
      comment = body..<next
      room = end..<next
    case .cueSheet, .padding:
      // The room goes on as long as its blocks follow each other.
      if let before = room, before.upperBound == end { room = before.lowerBound..<next }
    case .seekTable where next - body == Int64(FlacHeader.seekPoints * 18): seekTable = end
    default: break
    }
    end = next
    return head[0] & FlacHeader.Block.lastFlag != 0
  }

  /// The room is torn: what can be read of it begins with the tags, and it ends where Reel's own
  /// block says.
  private mutating func distrust(until end: Int64) {
    self.end = end
    let table = end - Int64(FlacHeader.roomBytes + FlacHeader.seekTable([]).count)
    seekTable = table > 0 ? table : nil
    tagsAreDamaged = true
    let start = end - Int64(FlacHeader.roomBytes)
    room = start..<end
    comment = start + Int64(FlacHeader.Block.headBytes)..<end
  }

  // MARK: Tags

  /// The block of tags as the packet that Ogg Opus has.
  func packet<File: TapeFile & ~Copyable>(from file: borrowing File) throws(TapeError) -> [UInt8]? {
    guard let comment, comment.count <= Self.mostCommentBytes else { return nil }
    return Tags.magic + (try file.bytes(at: comment.lowerBound, count: comment.count))
  }

  func tags<File: TapeFile & ~Copyable>(from file: borrowing File) throws(TapeError) -> Tags? {
    try packet(from: file).flatMap { packet in packet.withUnsafeBytes { Tags(packet: $0) } }
  }

  /// Writes tags and cue sheet over the file's own; the file keeps its length.
  func write<File: TapeFile & ~Copyable>(
    _ tags: Tags, into file: borrowing File, evenIfSame: Bool
  ) throws(TapeError) {
    guard let room else {
      throw TapeError(.notSound, "This is not a FLAC file whose tags can be changed.")
    }
    var tags = tags
    tags.vendor = try self.tags(from: file)?.vendor ?? FlacHeader.vendor
    let new = try FlacHeader.room(tags, info, byteCount: room.count, isLast: room.upperBound == end)
    let old = try file.bytes(at: room.lowerBound, count: room.count)
    guard new != old || evenIfSame else { return }
    try file.write(new, at: room.lowerBound)
    try file.sync()
  }

  /// Writes what is known of the sound now that it is whole.
  func write<File: TapeFile & ~Copyable>(
    _ seal: FlacSeal, into file: borrowing File
  ) throws(TapeError) {
    // First the table: the length says that all of it is there.
    if let seekTable, !seal.seekPoints.isEmpty {
      try file.write(FlacHeader.seekTable(seal.seekPoints), at: seekTable)
      try file.sync()
    }
    var info = info
    let old = info.bytes
    info.seal = seal
    let new = info.bytes
    // What stays the same is not written, as the file could not be read without it.
    let first = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    let offset = FlacHeader.streamInfoOffset + Int64(FlacHeader.Block.headBytes + first)
    try file.write(Array(new[first...]), at: offset)
    try file.sync()
  }
}

extension FlacSeal {
  /// Writes this into the header of a FLAC file that Reel recorded.
  public func write<File: TapeFile & ~Copyable>(into file: borrowing File) throws(TapeError) {
    guard let layout = try FlacLayout.read(from: file) else {
      throw TapeError(.notSound, "This is not a FLAC file whose header can be changed.")
    }
    try layout.write(self, into: file)
  }
}
