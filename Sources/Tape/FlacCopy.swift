// Copies a FLAC take with other tags; the sound stays the same byte for byte, and so do its hash,
// its seek points and the sum of its samples, by which a copy of a damaged file is known. Long work
// that blocks on the disk; its owner's thread calls it.

struct FlacCopy {
  private let layout: FlacLayout
  private static let chunkBytes = 1 << 20

  /// Nil unless it is a take of Reel's with so many bits, and has ended.
  init?<Source: TapeFile & ~Copyable>(
    of source: borrowing Source, bits: Int
  ) throws(TapeError) {
    guard let layout = try FlacLayout.read(from: source), layout.serial != nil,
      layout.info.bits == bits, layout.info.seal.isSet
    else { return nil }
    self.layout = layout
  }

  func run<Source: TapeFile & ~Copyable, Copy: TapeFile & ~Copyable>(
    from source: borrowing Source, to copy: borrowing Copy, tags: Tags,
    progress: (Progress) -> Onward
  ) throws(TapeError) {
    let byteCount = try source.byteCount()
    let header = try header(tags, of: source)
    try copy.write(header, at: 0)
    var place = layout.end
    while place < byteCount {
      let count = min(Self.chunkBytes, Int(byteCount - place))
      let bytes = try source.bytes(at: place, count: count)
      guard bytes.count == count else {
        throw TapeError(.damaged, "The recording was changed while it was examined; try again.")
      }
      try copy.write(bytes, at: Int64(header.count) + place - layout.end)
      place += Int64(count)
      try progress(Progress(done: place, of: byteCount)).check()
    }
  }

  private func header<Source: TapeFile & ~Copyable>(
    _ tags: Tags, of source: borrowing Source
  ) throws(TapeError) -> [UInt8] {
    var table = FlacHeader.seekTable([])
    if let place = layout.seekTable { table = try source.bytes(at: place, count: table.count) }
    return try FlacHeader.bytes(
      layout.info, tags, serial: layout.serial ?? 0, roomBytes: FlacHeader.roomBytes(for: tags),
      seekTable: table)
  }
}
