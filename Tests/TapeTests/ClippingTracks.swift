// Recordings of one microphone at two levels, as floating-point WAV, FLAC and Opus, for the tests
// of the repair of clipping.

import Glibc
import Realtime
import Sounds
import Testing

@testable import Tape

/// A main track that clips, its safety track, and the sound that both had before them.
struct ClippingTracks {
  /// What the microphone delivered, in full scales of the main track; interleaved.
  var original: [Float]
  var main: [Float]
  var safety: [Float]
  var channels = 1

  static let rate = 48_000
  /// 12.3 dB below the main track.
  static let level: Float = 0.242_661

  /// Speech-like bursts, twice a second, whose peaks are 4 dB above full scale, over a quiet
  /// ground; the safety track has noise and an offset of its own.
  static func bursts(
    seconds: Int = 4, level: Float = level, peak: Float = 1.6, noise: Float = 0.000_1,
    offset: Float = 0.000_7
  ) -> ClippingTracks {
    let original = voice(frames: seconds * rate, peak: peak)
    return ClippingTracks(
      original: original, main: original.map(clipped),
      safety: zip(original, whiteNoise(original.count, seed: 7)).map {
        clipped($0 * level + $1 * noise + offset)
      })
  }

  static func voice(frames: Int, peak: Float) -> [Float] {
    let ground = whiteNoise(frames, seed: 3)
    return (0..<frames).map { frame in
      let time = Double(frame) / Double(rate)
      let place = (time.truncatingRemainder(dividingBy: 0.5) - 0.25) / 0.05
      let tones = 0.7 * sin(2 * .pi * 221 * time) + 0.3 * sin(2 * .pi * 1_337 * time + 1)
      return Float(0.12 + Double(peak) * exp(-place * place)) * Float(tones) + 0.01 * ground[frame]
    }
  }

  /// Between -1 and 1.
  static func whiteNoise(_ count: Int, seed: UInt64) -> [Float] {
    var random = Random(seed: seed)
    return (0..<count).map { _ in Float(random.below(2_000_001) - 1_000_000) / 1_000_000 }
  }

  /// As a converter of 24 bits clips.
  static func clipped(_ sample: Float) -> Float {
    Float(sample.bits24) / 8_388_608
  }

  enum Kind { case wave, flac, opus }

  func files(_ folder: borrowing Folder, as kind: Kind = .wave) throws -> ClippingFiles {
    ClippingFiles(
      main: try folder.put(try Self.bytes(main, kind, channels), "main"),
      safety: try folder.put(try Self.bytes(safety, kind, channels), "safety"))
  }

  private static func bytes(_ samples: [Float], _ kind: Kind, _ channels: Int) throws -> [UInt8] {
    switch kind {
    case .wave: wave(samples, channels: channels)
    case .flac:
      try Take.record(
        flac: samples.map(\.bits24), FlacSettings(rate, channels: channels, bits: 24)
      ).closed()
    case .opus:
      try Take.record(samples.map(\.bits16), .clear(rate, channels: channels)).parts[0].bytes
    }
  }

  /// A WAV file of 32-bit floating point.
  static func wave(_ samples: [Float], channels: Int = 1, rate: Int = rate) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    let data = samples.withUnsafeBytes { Array($0) }
    let frameBytes = 4 * channels
    // In pieces: Swift 6.0 gives up on all of it.
    var bytes = Array("RIFF".utf8) + word(36 + data.count)
    bytes += Array("WAVEfmt ".utf8) + word(16)
    bytes += [3, 0, UInt8(channels), 0] + word(rate) + word(rate * frameBytes)
    bytes += [UInt8(frameBytes), 0, 32, 0]
    bytes += Array("data".utf8) + word(data.count)
    return bytes + data
  }
}

/// The files of a main track and of its safety track.
struct ClippingFiles {
  let main: String
  let safety: String

  func plan(mostStretches: Int = ClippingRepair.mostStretches) throws(TapeError) -> ClippingPlan {
    try ClippingRepair.examine(
      main: try SoundReader.open(main), safety: try SoundReader.open(safety),
      mostStretches: mostStretches)
  }

  func reader(_ plan: ClippingPlan) throws(TapeError) -> SoundReader {
    try SoundReader.open(
      try PosixFile.open(main, .read), repairedFrom: try PosixFile.open(safety, .read), plan)
  }

  /// The whole repaired sound, read in blocks of so many frames.
  func repaired(_ plan: ClippingPlan, blockFrames: Int = 5_001) throws(TapeError) -> [Float] {
    var reader = try reader(plan)
    return try floats(of: &reader, blockFrames: blockFrames)
  }
}

func floats(
  of reader: inout SoundReader, blockFrames: Int = 5_001
) throws(TapeError) -> [Float] {
  var samples: [Float] = []
  let block = Buffer<Float>(count: blockFrames * reader.channels)
  while case let count = try reader.read(into: block.all), count > 0 {
    samples += block.slice(0..<count * reader.channels)
  }
  return samples
}

/// The power of the difference in decibels below that of the wanted samples, over these samples.
func errorDecibels(_ heard: [Float], _ wanted: [Float], over places: [Int]) -> Double {
  var (power, wrong) = (0.0, 0.0)
  for place in places {
    power += Double(wanted[place] * wanted[place])
    wrong += Double((heard[place] - wanted[place]) * (heard[place] - wanted[place]))
  }
  return 10 * log10(wrong / power)
}

extension Float {
  /// The value as 24 bits, clipped.
  fileprivate var bits24: Int32 { whole(fullScale: 8_388_608) }
}
