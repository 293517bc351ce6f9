// Exports a recording. Opus to Opus, and FLAC to FLAC of the same bits, keep the sound as it is.
// Long work that blocks on the disk: give it a thread of its own. No incomplete file may appear: it
// is written under another name and renamed at the end; if cancelled or failed, nothing is left.

/// Makes a sound file of a recording.
public enum Export {
  public enum Depth: Sendable {
    case bits16, bits24, float

    var flacBits: Int { self == .bits16 ? 16 : 24 }
  }

  public enum Format: Equatable, Sendable {
    case wav(Depth)
    case flac(Depth)
    case mp3
    case opus

    /// What is encoded from more is mixed.
    var mostChannels: Int { self == .mp3 || self == .opus ? OpusSettings.mostChannels : .max }
  }

  /// Exports a file. `tags` replace the recording's own.
  public static func run(
    from source: String, to destination: String, as format: Format, tags: Tags? = nil,
    replacing: Bool = false, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) {
    try run(
      from: try PosixFile.open(source, .read), to: destination, as: format, tags: tags,
      replacing: replacing, progress: progress)
  }

  /// Exports an open file.
  public static func run(
    from source: borrowing PosixFile, to destination: String, as format: Format, tags: Tags? = nil,
    replacing: Bool = false, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) {
    let reader = try SoundReader.open(source)
    var part = try PartFile.make(for: destination, replacing: replacing)
    try write(reader, source, to: part.file, named: destination, format, tags, progress)
    try part.complete()
  }

  /// Exports into an open and empty file and syncs it; the caller names it when it is whole.
  public static func run(
    from source: borrowing PosixFile, into file: borrowing PosixFile, as format: Format,
    tags: Tags? = nil,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) {
    let reader = try SoundReader.open(source)
    try write(reader, source, to: file, named: file.path, format, tags, progress)
    try file.sync()
  }

  /// For each channel of sound that is encoded as Opus only to be passed on.
  static let opusBitsPerSecond = 96_000

  static func write(
    _ reader: consuming SoundReader, _ source: borrowing PosixFile, to file: borrowing PosixFile,
    named name: String, _ format: Format, _ tags: Tags?, _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    var reader = reader
    let tags = tags ?? reader.tags
    reader.mixDown(to: format.mostChannels)
    if format == .opus, reader.isOpus {
      try OpusCopy.run(from: source, to: file, tags: tags, progress: progress)
    } else if case .flac(let depth) = format, reader.isUnchanged,
      let copy = try FlacCopy(of: source, bits: depth.flacBits)
    {
      try copy.run(from: source, to: file, tags: tags, progress: progress)
    } else {
      try encode(&reader, to: file, named: name, format, tags, progress)
    }
  }

  private static func encode(
    _ reader: inout SoundReader, to file: borrowing PosixFile, named name: String,
    _ format: Format, _ tags: Tags, _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    let shape = Shape(
      rate: reader.sampleRate, channels: reader.channels,
      opusBitsPerSecond: opusBitsPerSecond * reader.channels, serial: 1)
    let output = try output(format, shape, tags: tags, to: file, named: name)
    try copy(&reader, to: output, file, progress)
    try output.finish(to: file)
  }
}

extension Export.Format: CustomStringConvertible {
  public var description: String {
    switch self {
    case .wav: "WAV"
    case .flac: "FLAC"
    case .mp3: "MP3"
    case .opus: "Opus"
    }
  }
}
