// Converts a file's sound to the speaker's rate, channels and kind of sample, and nothing else.
// Frame n at the speaker's rate is the same whether playback reaches it or begins there. Waits for
// the disk when it reads: for ordinary threads.
import Glibc
import Realtime
import Tape

struct PlayConverter: ~Copyable, Sendable {
  /// The most frames that one step makes.
  let mostFrames: Int

  private let format: StreamFormat
  private let fileRate: Int
  private let mix: ChannelMix
  private var resampler: Resampler?
  private let input: Buffer<Float>
  private let spread: Buffer<Float>
  private let converted: Buffer<Float>
  /// How far the file was read, in its frames.
  private var read: Int64 = 0
  /// How far it was converted, in frames at the speaker's rate.
  private var made: Int64 = 0
  /// Frames made before this one only fill the filter.
  private var wanted: Int64 = 0

  private static let blockFrames = 1024
  /// More than the filter reaches back, in frames at the speaker's rate.
  private static let leadFrames: Int64 = 256

  static func open(
    _ reader: borrowing SoundReader, to format: StreamFormat
  ) throws(TapeError) -> PlayConverter {
    guard (1_000...800_000).contains(reader.sampleRate), (1...32).contains(reader.channels) else {
      throw TapeError(
        .unsupported,
        "Sound at \(reader.sampleRate) Hz in \(reader.channels) channels cannot be played.")
    }
    return PlayConverter(reader, to: format)
  }

  private init(_ reader: borrowing SoundReader, to format: StreamFormat) {
    self.format = format
    fileRate = reader.sampleRate
    mix = ChannelMix(from: reader.channels, to: format.channels)
    let most = max(1, Self.blockFrames * fileRate / format.rate)
    mostFrames = (most * format.rate + fileRate - 1) / fileRate + 64
    input = Buffer(count: most * reader.channels)
    spread = Buffer(count: most * format.channels)
    converted = Buffer(count: mostFrames * format.channels)
  }

  /// Makes `frame` the next one, at the speaker's rate.
  mutating func begin(
    at frame: Int64, _ reader: inout SoundReader
  ) throws(TapeError) {
    wanted = frame
    if fileRate == format.rate {
      (read, made) = (frame, frame)
    } else {
      // Begin where a frame of the file and one of the speaker fall together, early enough to fill
      // the filter.
      let (ours, theirs) = reduced(Int64(format.rate), Int64(fileRate))
      let steps = max(0, frame - Self.leadFrames) / ours
      (read, made) = (steps * theirs, steps * ours)
      resampler = try Resampler.open(
        channels: format.channels, from: fileRate, to: format.rate, quality: .listening)
    }
    if let length = reader.frames, read >= length {
      // Beyond the end there is nothing to convert.
      (read, made) = (length, max(frame, scaledUp(length, from: fileRate, to: format.rate)))
      try reader.seek(to: length)
    } else {
      try reader.seek(to: read)
    }
  }

  /// Makes the next frames, at most `mostFrames`. If there are none and it is not the last, call
  /// again.
  mutating func next(
    _ reader: inout SoundReader, into target: UnsafeMutableRawBufferPointer
  ) throws(TapeError) -> (firstFrame: Int64, frames: Int, isLast: Bool) {
    let count = try reader.read(into: input.all)
    read += Int64(count)
    let isAtEnd = count == 0
    var fresh = isAtEnd ? flush() : spreadOut(count)
    let end = scaledUp(read, from: fileRate, to: format.rate)
    if isAtEnd { fresh = Int(min(Int64(fresh), max(0, end - made))) }
    let stale = Int(max(0, min(Int64(fresh), wanted - made)))
    let first = made + Int64(stale)
    made += Int64(fresh)
    store(stale..<fresh, into: target)
    return (first, fresh - stale, isAtEnd && made >= end)
  }

  /// Converts what the filter still holds.
  private mutating func flush() -> Int {
    if resampler == nil { return 0 }
    spread.all.update(repeating: 0)
    return resample(spread.count / format.channels)
  }

  private mutating func spreadOut(_ frames: Int) -> Int {
    mix.apply(to: frames, of: input.start, into: spread.start)
    return resampler == nil ? frames : resample(frames)
  }

  private mutating func resample(_ frames: Int) -> Int {
    let channels = format.channels
    var (done, count) = (0, 0)
    while done < frames {
      let step = resampler?.convert(
        spread.start + done * channels, frames: frames - done,
        into: converted.start + count * channels, capacity: mostFrames - count)
      guard let step, step.taken > 0 || step.made > 0 else { break }
      done += step.taken
      count += step.made
    }
    return count
  }

  private func store(_ frames: Range<Int>, into target: UnsafeMutableRawBufferPointer) {
    let source =
      (resampler == nil ? spread.start : converted.start) + frames.lowerBound
      * format.channels
    let count = frames.count * format.channels
    precondition(target.count >= frames.count * format.frameBytes, "there is room for a block")
    guard let start = target.baseAddress, count > 0 else { return }
    switch format.samples {
    case .float:
      memcpy(start, source, count * 4)
    case .int16:
      let into = start.assumingMemoryBound(to: Int16.self)
      for index in 0..<count {
        into[index] = Int16(max(-32_768, min(32_767, (source[index] * 32_768).rounded())))
      }
    }
  }
}

/// Returns a frame number at another rate: the first frame there that is not earlier.
func scaledUp(_ frame: Int64, from: Int, to: Int) -> Int64 {
  scaled(frame, from, to, Int64(from - 1))
}

/// Returns a frame number at another rate: the last frame there that is not later.
func scaledDown(_ frame: Int64, from: Int, to: Int) -> Int64 { scaled(frame, from, to, 0) }

private func scaled(_ frame: Int64, _ from: Int, _ to: Int, _ extra: Int64) -> Int64 {
  guard from > 0, to > 0, from != to else { return max(0, frame) }
  // No recording is longer: this is two centuries.
  let (whole, rest) = min(max(0, frame), 1 << 48).quotientAndRemainder(dividingBy: Int64(from))
  return whole * Int64(to) + (rest * Int64(to) + extra) / Int64(from)
}

private func reduced(_ one: Int64, _ other: Int64) -> (Int64, Int64) {
  var (divisor, rest) = (one, other)
  while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
  return (one / divisor, other / divisor)
}
