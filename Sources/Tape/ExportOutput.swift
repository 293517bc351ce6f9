// What sound is exported to: a file that libsndfile makes, or one that is made like a take's, which
// has all tags. Long work that blocks on the disk; its owner's thread calls it. The file must be
// empty at first and stays the caller's, who syncs it.
import Realtime

protocol ExportOutput: AnyObject {
  /// Whether samples are floats; otherwise they have 16 bits.
  var isFloat: Bool { get }
  func write(
    _ frames: UnsafeRawBufferPointer, to file: borrowing PosixFile
  ) throws(TapeError)
  /// Writes what is left; without it, the file is not whole.
  func finish(to file: borrowing PosixFile) throws(TapeError)
}

extension Export {
  /// The sound of a file that is made.
  struct Shape {
    let rate: Int
    let channels: Int
    /// If it is encoded as Opus.
    let opusBitsPerSecond: Int
    /// If it has one.
    let serial: UInt32
  }

  static func output(
    _ format: Format, _ shape: Shape, tags: Tags, to file: borrowing PosixFile, named name: String
  ) throws(TapeError) -> any ExportOutput {
    switch format {
    case .opus:
      var settings = OpusSettings()
      settings.bitsPerSecond = shape.opusBitsPerSecond
      return try TakeOutput(.opus(settings), float: true, shape, tags)
    case .flac(let depth):
      var settings = FlacSettings()
      settings.bits = depth.flacBits
      return try TakeOutput(.flac(settings), float: depth != .bits16, shape, tags)
    case .wav, .mp3: return try SndfileOutput(format, shape, tags, file, name)
    }
  }

  /// Copies what is left to read, in the precision that the output takes.
  static func copy(
    _ reader: inout SoundReader, to output: any ExportOutput, _ file: borrowing PosixFile,
    _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    if output.isFloat {
      try copy(Float.self, &reader, to: output, file, progress)
    } else {
      try copy(Int16.self, &reader, to: output, file, progress)
    }
  }

  private static func copy<Kind: ExportSample>(
    _: Kind.Type, _ reader: inout SoundReader, to output: any ExportOutput,
    _ file: borrowing PosixFile, _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    let block = Buffer<Kind>(count: 8_192 * reader.channels)
    var done: Int64 = 0
    while case let count = try Kind.read(&reader, into: block.all), count > 0 {
      let frames = UnsafeRawBufferPointer(block.slice(0..<count * reader.channels))
      try output.write(frames, to: file)
      done += Int64(count)
      try progress(Progress(done: done, of: reader.frames)).check()
    }
  }
}

private final class TakeOutput: ExportOutput {
  let isFloat: Bool
  private var encoding: TakeEncoding

  init(
    _ format: TapeFormat, float: Bool, _ shape: Export.Shape, _ tags: Tags
  ) throws(TapeError) {
    isFloat = float
    encoding = try TakeEncoding(
      format.adapted(rate: shape.rate, channels: shape.channels), float: float, tags: tags,
      serial: shape.serial)
  }

  func write(
    _ frames: UnsafeRawBufferPointer, to file: borrowing PosixFile
  ) throws(TapeError) { try encoding.write(frames, to: file) }

  func finish(to file: borrowing PosixFile) throws(TapeError) { try encoding.finish(to: file) }
}

private final class SndfileOutput: ExportOutput {
  let isFloat: Bool
  private var writer: SndfileWriter
  /// Of an MP3, written at the end.
  private let tagsInFront: Tags?

  init(
    _ format: Export.Format, _ shape: Export.Shape, _ tags: Tags, _ file: borrowing PosixFile,
    _ name: String
  ) throws(TapeError) {
    writer = try SndfileWriter.open(
      file.descriptor, name: name, format, channels: shape.channels, sampleRate: shape.rate,
      tags: tags)
    isFloat = format != .wav(.bits16) || writer.convertsRate
    tagsInFront = format == .mp3 ? tags : nil
  }

  func write(
    _ frames: UnsafeRawBufferPointer, to file: borrowing PosixFile
  ) throws(TapeError) {
    if isFloat {
      try writer.write(frames.assumingMemoryBound(to: Float.self))
    } else {
      try writer.write(frames.assumingMemoryBound(to: Int16.self))
    }
  }

  func finish(to file: borrowing PosixFile) throws(TapeError) {
    try writer.finish()
    if let tagsInFront { try ID3.prepend(tagsInFront, to: file) }
  }
}
