// Anything libsndfile or libopusfile reads, as a recording of our kind. Long work that blocks on
// the disk: give it a thread of its own. Nothing shows under the final name until it is whole.

public enum Import {
  /// Rate and channels come from the source, the rest from `settings`; `tags` from it too, unless
  /// given. Returns the length in frames of 48 kHz.
  @discardableResult
  public static func run(
    from source: String, to destination: String, _ settings: OpusSettings, tags: Tags? = nil,
    serial: UInt32, replacing: Bool = false, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Int64 {
    try run(
      try SoundReader.open(source), named: source, to: destination, settings, tags: tags,
      serial: serial, replacing: replacing, progress: progress)
  }

  /// The same of a file that is open; `name` is for sentences.
  @discardableResult
  public static func run(
    _ reader: consuming SoundReader, named name: String, to destination: String,
    _ settings: OpusSettings, tags: Tags? = nil, serial: UInt32, replacing: Bool = false,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Int64 {
    var reader = reader
    guard reader.channels <= 2 else {
      throw TapeError(
        .unsupported, "\(name) has \(reader.channels) channels; one or two can be imported.")
    }
    var settings = settings
    settings.sampleRate = reader.sampleRate
    settings.channels = reader.channels
    var part = try PartFile.make(for: destination, replacing: replacing)
    let frames = try encode(
      &reader, settings, tags ?? reader.tags, serial, into: part.file, progress)
    try part.complete()
    return frames
  }

  private static func encode<File: TapeFile & ~Copyable>(
    _ reader: inout SoundReader, _ settings: OpusSettings, _ tags: Tags, _ serial: UInt32,
    into file: borrowing File, _ progress: (Progress) -> Onward
  ) throws(TapeError) -> Int64 {
    var output = FileEnd()
    var writer = try OggOpusWriter.begin(settings, float: true, tags: tags, serial: serial) {
      (page) throws(TapeError) in try output.append(page, to: file)
    }
    let block = Buffer<Float>(count: 8_192 * reader.channels)
    while case let count = try reader.read(into: block.all), count > 0 {
      let frames = UnsafeBufferPointer(block.slice(0..<count * reader.channels))
      try writer.write(frames) { (page) throws(TapeError) in try output.append(page, to: file) }
      try progress(Progress(done: writer.framesTaken, of: reader.frames)).check()
    }
    try writer.finish { (page) throws(TapeError) in try output.append(page, to: file) }
    return output.playableFrames
  }
}

/// Where the next page of a recording goes in its file.
public struct FileEnd: Sendable {
  public private(set) var byteCount: Int64 = 0
  public private(set) var playableFrames: Int64 = 0

  public init() {}

  public mutating func append<File: TapeFile & ~Copyable>(
    _ page: PageOut, to file: borrowing File
  ) throws(TapeError) {
    try file.write(page.bytes, at: byteCount)
    byteCount += Int64(page.bytes.count)
    playableFrames = page.playableFrames
  }
}
