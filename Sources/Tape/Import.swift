// Imports anything that libsndfile or libopusfile reads as one of Reel's recordings. Long work that
// blocks on the disk: give it a thread of its own. Nothing may appear under the final name until it
// is whole.

import Realtime

/// Makes an Opus file of a sound file.
public enum Import {
  /// Imports a file. The rate comes from the source, and so do channels, of which more than two are
  /// mixed, and the tags unless given; the rest comes from `settings`. Returns the length in frames
  /// of 48 kHz.
  @discardableResult
  public static func run(
    from source: String, to destination: String, _ settings: OpusSettings, tags: Tags? = nil,
    serial: UInt32, replacing: Bool = false, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Int64 {
    try run(
      try SoundReader.open(source), to: destination, settings, tags: tags, serial: serial,
      replacing: replacing, progress: progress)
  }

  /// Imports from an open reader.
  @discardableResult
  public static func run(
    _ reader: consuming SoundReader, to destination: String, _ settings: OpusSettings,
    tags: Tags? = nil, serial: UInt32, replacing: Bool = false,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Int64 {
    var part = try PartFile.make(for: destination, replacing: replacing)
    let (frames, _) = try run(
      reader, into: part.file, settings, tags: tags, serial: serial, progress: progress)
    try part.complete()
    return frames
  }

  /// Imports into an open and empty file, which the caller syncs and names. Returns the length in
  /// frames of 48 kHz, and the sum of the sound.
  @discardableResult
  public static func run<File: TapeFile & ~Copyable>(
    _ reader: consuming SoundReader, into file: borrowing File,
    _ settings: OpusSettings, tags: Tags? = nil, serial: UInt32,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> (frames: Int64, sum: SoundSum) {
    var reader = reader
    reader.mixDown(to: OpusSettings.mostChannels)
    var settings = settings
    settings.sampleRate = reader.sampleRate
    settings.channels = reader.channels
    return try encode(&reader, settings, tags ?? reader.tags, serial, into: file, progress)
  }

  private static func encode<File: TapeFile & ~Copyable>(
    _ reader: inout SoundReader, _ settings: OpusSettings, _ tags: Tags, _ serial: UInt32,
    into file: borrowing File, _ progress: (Progress) -> Onward
  ) throws(TapeError) -> (frames: Int64, sum: SoundSum) {
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
    return (output.playableFrames, output.hasher.sum)
  }
}

/// The end of a recording's file, where its next page goes.
public struct FileEnd: Sendable {
  /// Of what was written.
  private(set) var hasher = SoundHasher()
  public private(set) var playableFrames: Int64 = 0

  public init() {}

  public mutating func append<File: TapeFile & ~Copyable>(
    _ page: PageOut, to file: borrowing File
  ) throws(TapeError) {
    try file.write(page.bytes, at: hasher.byteCount)
    hasher.add(page)
    playableFrames = page.playableFrames
  }
}
