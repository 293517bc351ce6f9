// The two header packets of an Ogg Opus file: reads them, finds where sound begins, and rewrites
// the second in place. The file's owner calls it.
//
// The tags are rewritten only within the room they already have. If power fails in the middle,
// their page's checksum no longer matches; `Repair` then keeps every comment before the first that
// is broken and writes the checksum anew.

struct OpusHeaders {
  let header: OpusHeader
  let headPage: OggPage
  let serial: UInt32
  /// Where the pages of sound begin.
  let end: Int64
  /// The page of the tags, if it is just one; only then can they be changed in place.
  let tagsPage: OggPage?
  let tagsAreDamaged: Bool

  /// Nil if the file is not mono or stereo Ogg Opus, or its headers are not all there.
  static func read<File: TapeFile & ~Copyable>(
    from file: borrowing File
  ) throws(TapeError) -> OpusHeaders? {
    let byteCount = try file.byteCount()
    var scanner = PageScanner(fileByteCount: byteCount, from: 0)
    guard let first = try scanner.next(in: file, before: 1), first.isFirst, !first.isOpenEnded
    else { return nil }
    let body = try file.bytes(at: Int64(first.bodyOffset), count: OpusHeader.byteCount)
    guard let header = body.withUnsafeBytes({ OpusHeader($0) }) else { return nil }
    guard let tags = try scanner.next(in: file, before: first.end + 1) else {
      return try damaged(file, first: first, header: header)
    }
    guard tags.serial == first.serial else { return nil }
    var last = tags
    while last.isOpenEnded {
      guard let next = try scanner.next(in: file, before: last.end + 1),
        next.serial == first.serial
      else { return nil }
      last = next
    }
    return OpusHeaders(
      header: header, headPage: first, serial: first.serial, end: last.end,
      tagsPage: last == tags ? tags : nil, tagsAreDamaged: false)
  }

  /// Reads tags whose page has the right shape and the wrong checksum: power was cut in a rewrite.
  private static func damaged<File: TapeFile & ~Copyable>(
    _ file: borrowing File, first: OggPage, header: OpusHeader
  ) throws(TapeError) -> OpusHeaders? {
    var bytes = try file.bytes(at: first.end, count: OggPage.largestByteCount)
    let size = bytes.withUnsafeBytes { OggPage.size(of: $0) }
    guard let size, size.total <= bytes.count, size.total > size.header else { return nil }
    bytes.withUnsafeMutableBytes { page in
      OggPage.seal(
        UnsafeMutableRawBufferPointer(rebasing: page[..<size.total]), headerByteCount: size.header)
    }
    guard let tags = page(in: &bytes, at: first.end), tags.serial == first.serial,
      !tags.isOpenEnded,
      bytes[tags.bodyOffset..<tags.byteCount].withUnsafeBytes({ Tags(packet: $0) }) != nil
    else { return nil }
    return OpusHeaders(
      header: header, headPage: first, serial: first.serial, end: tags.end, tagsPage: tags,
      tagsAreDamaged: true)
  }

  private static func page(in bytes: inout [UInt8], at offset: Int64) -> OggPage? {
    bytes.withUnsafeMutableBytes { buffer in
      guard case .page(let page) = OggPage.find(in: buffer, offset: offset) else { return nil }
      return page
    }
  }
}

extension Tags {
  /// The tags of an Ogg Opus or FLAC file; nil if it is neither, or if an Opus file's tags take
  /// more than one page, which Reel's never do (`OpusReader` reads those).
  public static func read<File: TapeFile & ~Copyable>(
    from file: borrowing File
  ) throws(TapeError) -> Tags? {
    if let layout = try FlacLayout.read(from: file) { return try layout.tags(from: file) }
    guard let headers = try OpusHeaders.read(from: file) else { return nil }
    guard let page = headers.tagsPage else { return nil }
    let body = try file.bytes(
      at: page.offset + Int64(page.bodyOffset), count: page.byteCount - page.bodyOffset)
    return body.withUnsafeBytes { Tags(packet: $0) }
  }

  /// Writes these tags over the file's own, in the room kept for them; the file keeps its length.
  /// Notes, marks and facts that don't fit are left out (`fitting`).
  /// Call it while the index says that the recording is unfinished, or that its tags are being
  /// written, so that a power cut in the middle is repaired at the next start. Does nothing if the
  /// tags are the same, unless asked to.
  public func write<File: TapeFile & ~Copyable>(
    into file: borrowing File, evenIfSame: Bool = false
  ) throws(TapeError) {
    if let layout = try FlacLayout.read(from: file) {
      return try layout.write(self, into: file, evenIfSame: evenIfSame)
    }
    guard let headers = try OpusHeaders.read(from: file), let page = headers.tagsPage else {
      throw TapeError(.notSound, "This is not an Opus or FLAC file whose tags can be changed.")
    }
    let room = page.byteCount - page.bodyOffset
    let packet = try fitting(room).packet(padded: room)
    guard packet.count == room else {
      throw TapeError(.noRoom, "There is no room in this file for more tags.")
    }
    let old = try file.bytes(at: page.offset, count: page.byteCount)
    var new = Array(old[..<page.bodyOffset]) + packet
    new.withUnsafeMutableBytes { OggPage.seal($0, headerByteCount: page.bodyOffset) }
    guard new != old || evenIfSame else { return }
    try file.write(new, at: page.offset)
    try file.sync()
  }
}
