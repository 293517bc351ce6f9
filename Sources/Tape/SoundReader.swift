// Reads any recording. Its content decides how, not its name: Ogg Opus through libopusfile, the
// rest through libsndfile. Blocks on the disk: never call it from a thread that must not wait.

/// Decodes any sound file.
public struct SoundReader: ~Copyable, Sendable {

  // Exactly one of the two is set.
  private var opus: OpusReader?
  private var sndfile: SndfileReader?
  public let sampleRate: Int
  public let channels: Int
  /// Nil if the file does not say.
  public let frames: Int64?
  public let tags: Tags
  public var isOpus: Bool { opus != nil }

  public static func open(_ path: String) throws(TapeError) -> SoundReader {
    try open(PosixFile.open(path, .read))
  }

  /// Reads through a descriptor of its own, from the beginning; the caller keeps the file.
  public static func open(_ file: borrowing PosixFile) throws(TapeError) -> SoundReader {
    let start = try file.bytes(at: 0, count: 36)
    if start.starts(with: Array("OggS".utf8)), start.suffix(8).elementsEqual("OpusHead".utf8) {
      return SoundReader(try OpusReader.open(file))
    }
    let reader = try SndfileReader.open(file)
    // libsndfile knows few tags.
    let tags = start.starts(with: FlacHeader.magic) ? try Tags.read(from: file) : nil
    return SoundReader(reader, tags)
  }

  /// Reads parts of a take that were joined, from the beginning to the end.
  static func open(
    _ pages: consuming JoinedPages<PosixFile>, frames: Int64
  ) throws(TapeError) -> SoundReader {
    SoundReader(try OpusReader.open(pages, frames: frames))
  }

  private init(_ reader: consuming OpusReader) {
    sampleRate = OpusReader.sampleRate
    channels = reader.channels
    frames = reader.frames
    tags = reader.tags
    opus = consume reader
    sndfile = nil
  }

  private init(_ reader: consuming SndfileReader, _ tags: Tags?) {
    sampleRate = reader.sampleRate
    channels = reader.channels
    frames = reader.frames
    self.tags = tags ?? reader.tags
    opus = nil
    sndfile = consume reader
  }

  /// Reads the next frames, interleaved; fewer than there is room for only at the end.
  public mutating func read(
    into samples: UnsafeMutableBufferPointer<Int16>
  ) throws(TapeError) -> Int {
    if let count = try opus?.read(into: samples) { return count }
    return try sndfile?.read(into: samples) ?? 0
  }

  public mutating func read(
    into samples: UnsafeMutableBufferPointer<Float>
  ) throws(TapeError) -> Int {
    if let count = try opus?.read(into: samples) { return count }
    return try sndfile?.read(into: samples) ?? 0
  }

  /// Makes this frame the next one read.
  public mutating func seek(to frame: Int64) throws(TapeError) {
    try opus?.seek(to: frame)
    try sndfile?.seek(to: frame)
  }
}
