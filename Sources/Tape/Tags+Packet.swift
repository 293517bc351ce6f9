// Encodes and decodes tags as the second packet of an Ogg Opus stream, "OpusTags" (RFC 7845, 5.2).
// Any thread; it must check every count and length against the bytes there are.

extension Tags {
  /// Readers may ignore what lies beyond, so Reel writes no more.
  public static let largestPacketByteCount = 61_440
  /// FLAC's block of tags is such a packet without this.
  static let magic = Array("OpusTags".utf8)

  /// Returns a packet of at least `padded` bytes, so that more can be written later in its place.
  public func packet(padded byteCount: Int = 0) throws(TapeError) -> [UInt8] {
    let comments = comments
    var bytes = Self.magic
    Self.append(vendor, to: &bytes)
    bytes += littleEndian(UInt32(comments.count))
    for comment in comments {
      Self.append("\(comment.key)=\(comment.value)", to: &bytes)
    }
    guard bytes.count <= Self.largestPacketByteCount else {
      throw TapeError(.noRoom, "The recording's title, marks and other tags are too long to keep.")
    }
    bytes += [UInt8](repeating: 0, count: max(0, byteCount - bytes.count))
    return bytes
  }

  /// Returns the tags without what does not fit into a packet of so many bytes. The notes are left
  /// out first, then the last marks, then the last facts, then speaker and place.
  func fitting(_ byteCount: Int) -> Tags {
    var tags = self
    if tags.packetByteCount > byteCount { tags.notes = nil }
    tags.marks = Array(tags.marks.prefix(Self.mostMarks))
    var excess = tags.packetByteCount - byteCount
    while excess > 0, let mark = tags.marks.popLast() {
      excess -= Self.byteCount(of: Self.chapter(tags.marks.count, mark))
    }
    while tags.packetByteCount > byteCount, tags.facts.popLast() != nil {}
    if tags.packetByteCount > byteCount { tags.speaker = nil }
    if tags.packetByteCount > byteCount { tags.place = nil }
    return tags
  }

  private var packetByteCount: Int {
    Self.magic.count + 4 + vendor.utf8.count + 4 + Self.byteCount(of: comments)
  }

  private static func byteCount(of comments: [Comment]) -> Int {
    comments.reduce(0) { $0 + 4 + $1.key.utf8.count + 1 + $1.value.utf8.count }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes += littleEndian(UInt32(text.utf8.count))
    bytes += text.utf8
  }

  /// Decodes a packet up to the first comment that is not valid; nil if it is not OpusTags.
  public init?(packet: UnsafeRawBufferPointer) {
    guard var reader = CommentReader(packet) else { return nil }
    var comments: [Comment] = []
    while let comment = reader.comment() { comments.append(comment) }
    self.init(comments: comments)
    vendor = reader.vendor
  }

  /// Whether a comment may have such a key.
  static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7D).contains($0) }
  }

  /// Whether a packet holds as many whole comments as it says.
  static func holdsAllComments(packet: UnsafeRawBufferPointer) -> Bool {
    guard var reader = CommentReader(packet) else { return false }
    while reader.comment() != nil {}
    return reader.isAtEnd
  }

  /// Makes a torn packet valid: keeps the comments before the first that is not valid.
  static func trim(packet: UnsafeMutableRawBufferPointer) {
    guard var reader = CommentReader(UnsafeRawBufferPointer(packet)) else { return }
    var count: UInt32 = 0
    var end = reader.position
    while reader.comment() != nil {
      count += 1
      end = reader.position
    }
    packet.storeBytes(
      of: count.littleEndian, toByteOffset: reader.countPosition, as: UInt32.self)
    for index in end..<packet.count { packet[index] = 0 }
  }
}

/// Reads comments one by one; stops at the first that is not valid.
private struct CommentReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  private(set) var vendor = ""
  private(set) var countPosition = 0
  private var left: UInt32 = 0

  var isAtEnd: Bool { left == 0 }

  /// Nil unless the packet holds at least a vendor and a count.
  init?(_ packet: UnsafeRawBufferPointer) {
    guard packet.starts(with: Tags.magic) else { return nil }
    bytes = packet
    position = Tags.magic.count
    guard let vendor = text() else { return nil }
    self.vendor = String(decoding: vendor, as: UTF8.self)
    countPosition = position
    guard let count = number() else { return nil }
    left = count
  }

  mutating func comment() -> Tags.Comment? {
    guard left > 0, let text = text(), let equals = text.firstIndex(of: 0x3D),
      Tags.isKey(text[..<equals])
    else { return nil }
    left -= 1
    return Tags.Comment(
      key: String(decoding: text[..<equals], as: UTF8.self),
      value: String(decoding: text[(equals + 1)...], as: UTF8.self))
  }

  private mutating func number() -> UInt32? {
    guard bytes.count - position >= 4 else { return nil }
    defer { position += 4 }
    return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
  }

  private mutating func text() -> Slice<UnsafeRawBufferPointer>? {
    guard let length = number(), Int(length) <= bytes.count - position else { return nil }
    defer { position += Int(length) }
    return bytes[position..<position + Int(length)]
  }
}
