// Reads one track of a take at the rate of the file that is made of all of them. Blocks on the
// disk; its owner's thread calls it. Memory is fixed once it is made. It must never pass damaged
// sound on: a track of which frames are missing would no longer fit the others.

import Realtime

/// A track that is read together with others.
final class TrackReader<Kind: ExportSample> {
  let name: String
  let channels: Int
  let sampleRate: Int
  /// As long as the file says, at `sampleRate`.
  let frames: Int64?
  private let fileRate: Int
  private var sound: SoundReader
  /// Frames that were read from the file.
  private var taken: Int64 = 0
  /// Nil if the file has the rate already.
  private let resampler: Resampler?
  /// Frames of the file, of which the waiting ones are still to be converted.
  private let input: Buffer<Kind>
  private var waiting = 0..<0
  /// Frames that the resampler has made.
  private var made: Int64 = 0
  private var isAtEnd = false

  static var blockFrames: Int { 8_192 }

  /// - Parameter rate: at which it is read; nil for that of the file.
  init(_ sound: consuming SoundReader, named name: String, rate: Int?) throws(TapeError) {
    (self.name, channels) = (name, sound.channels)
    let rates = (sound.sampleRate, rate ?? sound.sampleRate)
    frames = sound.frames.map { scaled($0, from: rates.0, to: rates.1) }
    (fileRate, sampleRate) = rates
    let isConverted = fileRate != sampleRate
    resampler =
      isConverted
      ? try Resampler.open(
        channels: channels, from: fileRate, to: sampleRate, quality: .archive) : nil
    input = Buffer(count: isConverted ? Self.blockFrames * channels : 1)
    self.sound = sound
  }

  /// Reads the next frames, interleaved; fewer than there is room for only at the end.
  func read(into samples: UnsafeMutableBufferPointer<Kind>) throws(TapeError) -> Int {
    guard fileRate != sampleRate else { return try readFile(into: samples) }
    guard let target = samples.baseAddress else { return 0 }
    let room = samples.count / channels
    var done = 0
    while done < room {
      if waiting.isEmpty { try fill() }
      let most = Int(min(Int64(room - done), left))
      guard most > 0, let count = convert(into: target + done * channels, capacity: most),
        count > 0 || !waiting.isEmpty || !isAtEnd
      else { break }
      done += count
    }
    return done
  }

  /// Has frames wait to be converted.
  private func fill() throws(TapeError) {
    let count = isAtEnd ? 0 : try readFile(into: input.all)
    waiting = 0..<count
    guard count == 0 else { return }
    // The resampler holds the last frames back until silence follows them.
    isAtEnd = true
    input.all.update(repeating: Kind.silence)
    waiting = 0..<Self.blockFrames
  }

  /// The frames that are still to be made: without limit until the file ends.
  private var left: Int64 {
    isAtEnd ? scaled(taken, from: fileRate, to: sampleRate) - made : .max
  }

  /// Returns how many frames were made.
  private func convert(into target: UnsafeMutablePointer<Kind>, capacity: Int) -> Int? {
    let source = input.start + waiting.lowerBound * channels
    guard
      let count = resampler?.convert(
        any: source, frames: waiting.count, into: target, capacity: capacity)
    else { return nil }
    waiting = (waiting.lowerBound + count.taken)..<waiting.upperBound
    made += Int64(count.made)
    return count.made
  }

  private func readFile(
    into samples: UnsafeMutableBufferPointer<Kind>
  ) throws(TapeError) -> Int {
    let count = try Kind.read(&sound, into: samples)
    taken += Int64(count)
    let isShort = count < samples.count / channels && taken < sound.frames ?? 0
    if isShort || sound.hasMetDamage() { throw TracksExport.notWhole(name) }
    return count
  }
}

extension Resampler {
  fileprivate func convert<Kind: ExportSample>(
    any input: UnsafePointer<Kind>, frames: Int, into output: UnsafeMutablePointer<Kind>,
    capacity: Int
  ) -> (taken: Int, made: Int) {
    Kind.convert(self, input, frames: frames, into: output, capacity: capacity)
  }
}

/// A sample in the precision in which tracks are put together.
protocol ExportSample: Sample {
  static var silence: Self { get }
  static func read(
    _ sound: inout SoundReader, into samples: UnsafeMutableBufferPointer<Self>
  ) throws(TapeError) -> Int
  static func convert(
    _ resampler: borrowing Resampler, _ input: UnsafePointer<Self>, frames: Int,
    into output: UnsafeMutablePointer<Self>, capacity: Int
  ) -> (taken: Int, made: Int)
  static func write(
    _ samples: UnsafeBufferPointer<Self>, to writer: borrowing SndfileWriter
  ) throws(TapeError)
}

extension Int16: ExportSample {
  static var silence: Int16 { 0 }

  static func read(
    _ sound: inout SoundReader, into samples: UnsafeMutableBufferPointer<Int16>
  ) throws(TapeError) -> Int { try sound.read(into: samples) }

  static func convert(
    _ resampler: borrowing Resampler, _ input: UnsafePointer<Int16>, frames: Int,
    into output: UnsafeMutablePointer<Int16>, capacity: Int
  ) -> (taken: Int, made: Int) {
    resampler.convert(input, frames: frames, into: output, capacity: capacity)
  }

  static func write(
    _ samples: UnsafeBufferPointer<Int16>, to writer: borrowing SndfileWriter
  ) throws(TapeError) { try writer.write(samples) }
}

extension Float: ExportSample {
  static var silence: Float { 0 }

  static func read(
    _ sound: inout SoundReader, into samples: UnsafeMutableBufferPointer<Float>
  ) throws(TapeError) -> Int { try sound.read(into: samples) }

  static func convert(
    _ resampler: borrowing Resampler, _ input: UnsafePointer<Float>, frames: Int,
    into output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (taken: Int, made: Int) {
    resampler.convert(input, frames: frames, into: output, capacity: capacity)
  }

  static func write(
    _ samples: UnsafeBufferPointer<Float>, to writer: borrowing SndfileWriter
  ) throws(TapeError) { try writer.write(samples) }
}
