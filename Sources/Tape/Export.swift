// Exports a recording: as WAV, FLAC or MP3, or as Opus with full tags and its sound as it is. Long
// work that blocks on the disk: give it a thread of its own. No incomplete file may appear: it is
// written under another name and renamed at the end; if cancelled or failed, nothing is left.

import Realtime

/// Makes a sound file of an Opus file.
public enum Export {
  public enum Depth: Sendable { case bits16, bits24, float }

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
    } else if format == .opus {
      var settings = OpusSettings()
      settings.bitsPerSecond = opusBitsPerSecond * reader.channels
      try Import.run(
        reader, into: file, as: .opus(settings), tags: tags, serial: 1,
        progress: progress)
    } else {
      var writer = try SndfileWriter.open(
        file.descriptor, name: name, format, channels: reader.channels,
        sampleRate: reader.sampleRate, tags: tags)
      try copy(&reader, to: writer, format, progress)
      try writer.finish()
      if format == .mp3 { try ID3.prepend(tags, to: file) }
    }
  }

  /// Copies what is left to read, in the precision that the format needs.
  static func copy(
    _ reader: inout SoundReader, to writer: borrowing SndfileWriter, _ format: Format,
    _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    if format.isFloat || writer.convertsRate {
      try copyFloat(&reader, to: writer, progress)
    } else {
      try copy16(&reader, to: writer, progress)
    }
  }

  private static func copyFloat(
    _ reader: inout SoundReader, to writer: borrowing SndfileWriter,
    _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    let block = Buffer<Float>(count: 8_192 * reader.channels)
    var done: Int64 = 0
    while case let count = try reader.read(into: block.all), count > 0 {
      try writer.write(UnsafeBufferPointer(block.slice(0..<count * reader.channels)))
      done += Int64(count)
      try progress(Progress(done: done, of: reader.frames)).check()
    }
  }

  private static func copy16(
    _ reader: inout SoundReader, to writer: borrowing SndfileWriter,
    _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    let block = Buffer<Int16>(count: 8_192 * reader.channels)
    var done: Int64 = 0
    while case let count = try reader.read(into: block.all), count > 0 {
      try writer.write(UnsafeBufferPointer(block.slice(0..<count * reader.channels)))
      done += Int64(count)
      try progress(Progress(done: done, of: reader.frames)).check()
    }
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

  var isFloat: Bool {
    switch self {
    case .wav(let depth), .flac(let depth): depth != .bits16
    case .mp3: true
    case .opus: false
    }
  }
}
