// Imports anything that libsndfile or libopusfile reads as one of Reel's recordings. Long work that
// blocks on the disk: give it a thread of its own. Nothing may appear under the final name until it
// is whole.

import Realtime

/// Makes an Opus or FLAC file of a sound file.
public enum Import {
  /// What became of a file.
  public struct Made: Sendable {
    public let format: TapeFormat
    /// At the rate of its format.
    public let frames: Int64
    public let sum: SoundSum
  }

  /// Imports a file. The rate comes from the source, and so do bits and channels as far as the
  /// format has so many, and the tags unless given. Returns the length in frames of the file made.
  @discardableResult
  public static func run(
    from source: String, to destination: String, as format: TapeFormat, tags: Tags? = nil,
    serial: UInt32, replacing: Bool = false, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Int64 {
    try run(
      try SoundReader.open(source), to: destination, as: format, tags: tags, serial: serial,
      replacing: replacing, progress: progress)
  }

  /// Imports from an open reader.
  @discardableResult
  public static func run(
    _ reader: consuming SoundReader, to destination: String, as format: TapeFormat,
    tags: Tags? = nil, serial: UInt32, replacing: Bool = false,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Int64 {
    var part = try PartFile.make(for: destination, replacing: replacing)
    let made = try run(
      reader, into: part.file, as: format, tags: tags, serial: serial, progress: progress)
    try part.complete()
    return made.frames
  }

  /// Returns the format with the rate of the source, and with its channels and bits as far as the
  /// format has so many.
  public static func format(
    _ format: TapeFormat, of reader: borrowing SoundReader
  ) -> TapeFormat {
    let channels = min(reader.channels, format.mostChannels)
    let adapted = format.adapted(rate: reader.sampleRate, channels: channels)
    guard case .flac(var settings) = adapted else { return adapted }
    settings.bits = reader.bits
    return .flac(settings)
  }

  /// Imports into an open and empty file, which the caller syncs and names.
  @discardableResult
  public static func run<File: TapeFile & ~Copyable>(
    _ reader: consuming SoundReader, into file: borrowing File, as format: TapeFormat,
    tags: Tags? = nil, serial: UInt32, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Made {
    let format = Self.format(format, of: reader)
    var reader = reader
    reader.mixDown(to: format.mostChannels)
    return try encode(&reader, format, tags ?? reader.tags, serial, into: file, progress)
  }

  private static func encode<File: TapeFile & ~Copyable>(
    _ reader: inout SoundReader, _ format: TapeFormat, _ tags: Tags, _ serial: UInt32,
    into file: borrowing File, _ progress: (Progress) -> Onward
  ) throws(TapeError) -> Made {
    // Floats hold 24 bits exactly.
    var encoding = try TakeEncoding(format, float: true, tags: tags, serial: serial)
    let block = Buffer<Float>(count: 8_192 * reader.channels)
    var done: Int64 = 0
    while case let count = try reader.read(into: block.all), count > 0 {
      let frames = UnsafeRawBufferPointer(block.slice(0..<count * reader.channels))
      try encoding.write(frames, to: file)
      done += Int64(count)
      try progress(Progress(done: done, of: reader.frames)).check()
    }
    try encoding.finish(to: file)
    let end = encoding.end
    return Made(format: format, frames: end.playableFrames, sum: end.hasher.sum)
  }
}

/// The end of a recording's file, where its next page goes.
public struct FileEnd: Sendable {
  /// Of what was written or is held.
  private(set) var hasher = SoundHasher()
  public private(set) var playableFrames: Int64 = 0
  /// What the header is to say in the end.
  private(set) var seal: FlacSeal?
  private var held: [UInt8] = []

  public init() {}

  public mutating func append<File: TapeFile & ~Copyable>(
    _ page: PageOut, to file: borrowing File
  ) throws(TapeError) {
    try file.write(page.bytes, at: hasher.byteCount)
    add(page)
  }

  mutating func hold(_ page: PageOut) {
    held += page.bytes
    add(page)
  }

  mutating func writeHeld<File: TapeFile & ~Copyable>(to file: borrowing File) throws(TapeError) {
    try file.write(held, at: hasher.byteCount - Int64(held.count))
    held.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ page: PageOut) {
    hasher.add(page)
    playableFrames = page.playableFrames
    seal = page.seal ?? seal
  }
}
