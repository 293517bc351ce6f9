// Reads one track of a take at the rate of the file that is made of all of them. Blocks on the
// disk; its owner's thread calls it. Memory is fixed once it is made. It must never pass damaged
// sound on: a track of which frames are missing would no longer fit the others.

import Realtime

/// A track that is read together with others.
final class TrackReader<Kind: ExportSample> {
  let name: String
  let channels: Int
  let sampleRate: Int
  /// As long as the first file says, at `sampleRate`.
  let frames: Int64?
  private let fileRate: Int
  let isConverted: Bool
  private let sounds: TrackSounds
  private var sound: SoundReader
  /// How many sounds came before, and how many frames were read: of this one, and of all.
  private var soundsBefore = 0
  private var takenOfSound: Int64 = 0
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
  init(
    _ sounds: @escaping TrackSounds, named name: String, rate: Int?
  ) throws(TapeError) {
    guard let sound = try sounds(0) else { throw TracksExport.notWhole(name) }
    self.sounds = sounds
    (self.name, channels) = (name, sound.channels)
    let rates = (sound.sampleRate, rate ?? sound.sampleRate)
    frames = sound.frames.map { scaled($0, from: rates.0, to: rates.1) }
    (fileRate, sampleRate, isConverted) = (rates.0, rates.1, rates.0 != rates.1)
    resampler =
      isConverted
      ? try Resampler.open(
        channels: channels, from: fileRate, to: sampleRate, quality: .archive) : nil
    input = Buffer(count: isConverted ? Self.blockFrames * channels : 1)
    self.sound = sound
  }

  /// Reads the next frames, interleaved; fewer than there is room for only at the end.
  func read(into samples: UnsafeMutableBufferPointer<Kind>) throws(TapeError) -> Int {
    guard isConverted else { return try readFile(into: samples) }
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
    var done = 0
    repeat {
      let rest = UnsafeMutableBufferPointer(rebasing: samples[(done * channels)...])
      let count = try Kind.read(&sound, into: rest)
      takenOfSound += Int64(count)
      done += count
      let isShort = count < rest.count / channels && takenOfSound < sound.frames ?? 0
      if isShort || sound.hasMetDamage() { throw TracksExport.notWhole(name) }
      if done == samples.count / channels { break }
    } while try beginFollowing()
    taken += Int64(done)
    return done
  }

  /// Goes on to the sound behind this one. Returns false if there is none.
  private func beginFollowing() throws(TapeError) -> Bool {
    guard let next = try sounds(soundsBefore + 1) else { return false }
    sound = next
    (soundsBefore, takenOfSound) = (soundsBefore + 1, 0)
    return true
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
