// Reads any recording. Its content decides how, not its name: Ogg Opus through libopusfile, FLAC
// through libFLAC, the rest through libsndfile. Blocks on the disk: never call it from a thread
// that must not wait.

import Realtime

/// Decodes any sound file.
public struct SoundReader: ~Copyable, Sendable {

  // Exactly one of the four is set.
  private var opus: OpusReader?
  private var flac: FlacReader?
  private var sndfile: SndfileReader?
  private var repaired: RepairedReader?
  public let sampleRate: Int
  public private(set) var channels: Int
  /// Nil if the file does not say.
  public let frames: Int64?
  public let tags: Tags
  /// Of a sample: 16, or 24 for all that has more.
  public let bits: Int
  /// Whether it is an Opus file as it is.
  public var isOpus: Bool { opus != nil }
  /// Whether samples are those of one file.
  var isUnchanged: Bool { repaired == nil && mixing == nil }
  private var mixing: Mixing?

  /// Frames of all channels, before they are mixed.
  private final class Mixing: Sendable {
    let mix: ChannelMix
    let frames: Buffer<Float>
    static let mostFrames = 4_096

    init(_ mix: ChannelMix) {
      self.mix = mix
      frames = Buffer(count: Self.mostFrames * mix.from)
    }
  }

  public static func open(_ path: String) throws(TapeError) -> SoundReader {
    try open(PosixFile.open(path, .read))
  }

  /// Reads through a descriptor of its own, from the beginning; the caller keeps the file.
  public static func open(_ file: borrowing PosixFile) throws(TapeError) -> SoundReader {
    let start = try file.bytes(at: 0, count: 36)
    if start.starts(with: Array("OggS".utf8)), start.suffix(8).elementsEqual("OpusHead".utf8) {
      return SoundReader(try OpusReader.open(file))
    }
    if let reader = try FlacReader.open(file) {
      return SoundReader(reader, try Tags.read(from: file) ?? Tags())
    }
    return SoundReader(try SndfileReader.open(file))
  }

  /// Reads parts of a take that were joined, from the beginning to the end.
  static func open(
    _ pages: consuming JoinedPages<PosixFile>, frames: Int64
  ) throws(TapeError) -> SoundReader {
    SoundReader(try OpusReader.open(pages, frames: frames))
  }

  /// Reads a main track whose clipped stretches come from a safety track. A plan is made of the
  /// same two files by `ClippingRepair.examine`.
  public static func open(
    _ main: borrowing PosixFile, repairedFrom safety: borrowing PosixFile, _ plan: ClippingPlan
  ) throws(TapeError) -> SoundReader {
    let reader = try open(main)
    let safetyReader = try open(safety)
    guard reader.channels == plan.channels, safetyReader.channels == plan.channels else {
      throw TapeError(.damaged, "The recording was changed while it was examined; try again.")
    }
    return SoundReader(reader, safetyReader, plan)
  }

  private init(
    _ main: consuming SoundReader, _ safety: consuming SoundReader, _ plan: ClippingPlan
  ) {
    (sampleRate, channels, bits) = (main.sampleRate, main.channels, main.bits)
    frames = main.frames
    tags = main.tags
    opus = nil
    sndfile = nil
    repaired = RepairedReader(main, safety, plan)
  }

  private init(_ reader: consuming OpusReader) {
    sampleRate = OpusReader.sampleRate
    channels = reader.channels
    bits = 16
    frames = reader.frames
    tags = reader.tags
    opus = consume reader
    sndfile = nil
  }

  private init(_ reader: consuming FlacReader, _ tags: Tags) {
    (sampleRate, channels, frames) = (reader.sampleRate, reader.channels, reader.frames)
    bits = reader.bits > 16 ? 24 : 16
    self.tags = tags
    flac = consume reader
  }

  private init(_ reader: consuming SndfileReader) {
    sampleRate = reader.sampleRate
    channels = reader.channels
    bits = reader.isDeep ? 24 : 16
    frames = reader.frames
    tags = reader.tags
    opus = nil
    sndfile = consume reader
  }

  /// From now on gives at most so many channels, to which the others are mixed.
  public mutating func mixDown(to most: Int) {
    guard channels > most, mixing == nil else { return }
    mixing = Mixing(ChannelMix(from: channels, to: most))
    channels = most
  }

  /// Reads the next frames, interleaved; fewer than there is room for only at the end.
  public mutating func read(
    into samples: UnsafeMutableBufferPointer<Int16>
  ) throws(TapeError) -> Int {
    if mixing != nil || repaired != nil {
      let floats = Buffer<Float>(count: max(1, samples.count))
      let count = try read(into: floats.slice(0..<samples.count))
      for index in 0..<count * channels { samples[index] = floats.start[index].bits16 }
      return count
    }
    if let count = try opus?.read(into: samples) { return count }
    if let count = try flac?.read(into: samples) { return count }
    return try sndfile?.read(into: samples) ?? 0
  }

  public mutating func read(
    into samples: UnsafeMutableBufferPointer<Float>
  ) throws(TapeError) -> Int {
    if let mixing { return try read(mixing, into: samples) }
    return try readUnmixed(into: samples)
  }

  private mutating func readUnmixed(
    into samples: UnsafeMutableBufferPointer<Float>
  ) throws(TapeError) -> Int {
    if let count = try opus?.read(into: samples) { return count }
    if let count = try flac?.read(into: samples) { return count }
    if let count = try repaired?.read(into: samples) { return count }
    return try sndfile?.read(into: samples) ?? 0
  }

  private mutating func read(
    _ mixing: Mixing, into samples: UnsafeMutableBufferPointer<Float>
  ) throws(TapeError) -> Int {
    let (mix, room) = (mixing.mix, samples.count / mixing.mix.to)
    var done = 0
    while done < room {
      let wanted = min(room - done, Mixing.mostFrames)
      let count = try readUnmixed(into: mixing.frames.slice(0..<(wanted * mix.from)))
      guard count > 0, let target = samples.baseAddress else { break }
      mix.apply(to: count, of: mixing.frames.start, into: target + done * mix.to)
      done += count
    }
    return done
  }

  /// Whether the last read met damage in a file that is not Opus.
  mutating func hasMetDamage() -> Bool {
    flac?.hasMetDamage ?? false || sndfile?.hasMetDamage() ?? false
  }

  /// Makes this frame the next one read.
  public mutating func seek(to frame: Int64) throws(TapeError) {
    try opus?.seek(to: frame)
    try flac?.seek(to: frame)
    try sndfile?.seek(to: frame)
    try repaired?.seek(to: frame)
  }
}
