// Encodes sound into a file as a take has it. Long work that blocks on the disk; its owner's thread
// calls it. The file must be empty at first; its owner syncs it.

struct TakeEncoding {
  private let writer: any TakeWriter
  private let tags: Tags
  private(set) var end = FileEnd()

  /// - Parameter float: whether samples are floats; otherwise they have 16 bits.
  init(_ format: TapeFormat, float: Bool, tags: Tags, serial: UInt32) throws(TapeError) {
    // Pages are held for the file: Swift 6.0 does not let a closure that a protocol's method gets
    // use a borrowed file.
    var end = FileEnd()
    writer = try format.begin(float: float, tags: tags, serial: serial, roomForAll: true) {
      end.hold($0)
    }
    self.tags = tags
    self.end = end
  }

  mutating func write<File: TapeFile & ~Copyable>(
    _ frames: UnsafeRawBufferPointer, to file: borrowing File
  ) throws(TapeError) {
    try writer.write(frames) { end.hold($0) }
    try end.writeHeld(to: file)
  }

  /// Writes what is left, and into the header what only the end tells.
  mutating func finish<File: TapeFile & ~Copyable>(to file: borrowing File) throws(TapeError) {
    try writer.finish { end.hold($0) }
    try end.writeHeld(to: file)
    guard let seal = end.seal else { return }
    try seal.write(into: file)
    // A cue sheet has the length.
    try tags.write(into: file)
  }
}
