// Copies an Ogg Opus file with other tags; the sound stays the same bit for bit. Works page by page
// through a fixed buffer; page numbers and checksums are made anew, since the tags may take another
// number of pages.

import Realtime

enum OpusCopy {
  static func run<Source: TapeFile & ~Copyable, Copy: TapeFile & ~Copyable>(
    from source: borrowing Source, to copy: borrowing Copy, tags: Tags,
    progress: (Progress) -> Onward
  ) throws(TapeError) {
    guard let headers = try OpusHeaders.read(from: source) else {
      throw TapeError(.notSound, "This is not an Ogg Opus file in mono or stereo.")
    }
    let byteCount = try source.byteCount()
    var written: Int64 = 0
    var sequence: UInt32 = 0
    func append(_ bytes: [UInt8]) throws(TapeError) {
      try copy.write(bytes, at: written)
      written += Int64(bytes.count)
      sequence += 1
    }
    for page in try headerPages(headers, tags, in: source) { try append(page) }
    var scanner = PageScanner(fileByteCount: byteCount, from: headers.end)
    while let page = try scanner.next(in: source) {
      guard page.serial == headers.serial else { continue }
      var bytes = try source.bytes(at: page.offset, count: page.byteCount)
      bytes.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: sequence.littleEndian, toByteOffset: 18, as: UInt32.self)
        OggPage.seal(bytes, headerByteCount: page.bodyOffset)
      }
      try append(bytes)
      try progress(Progress(done: page.end, of: byteCount)).check()
    }
  }

  private static func headerPages<Source: TapeFile & ~Copyable>(
    _ headers: OpusHeaders, _ tags: Tags, in source: borrowing Source
  ) throws(TapeError) -> [[UInt8]] {
    let head = Buffer(
      copying: try source.bytes(at: 0, count: headers.headPage.byteCount)
        .suffix(from: headers.headPage.bodyOffset).map { $0 })
    let comments = Buffer(copying: try tags.packet())
    var stream = try OggStream(serial: headers.serial)
    var pages: [[UInt8]] = []
    for packet in 0..<2 {
      try stream.put(packet == 0 ? head.all : comments.all, granule: 0)
      try stream.flush { (bytes, _) throws(TapeError) in pages.append(Array(bytes)) }
    }
    return pages
  }
}
