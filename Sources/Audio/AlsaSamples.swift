// Converts samples between the formats of sound cards and ours, which are 16-bit integers or
// floats: one to eight channels of a microphone, one or two of a speaker. Pure functions over
// memory, for realtime threads: no allocation, no lock, no call out of this module. Addresses need
// no alignment. Cards and processors are little-endian.
import Realtime

/// The formats a card may have, in order of preference.
public enum AlsaSampleFormat: CaseIterable, Equatable, Sendable {
  case int16
  /// 24 bits in three bytes.
  case int24Packed
  /// 24 bits in the lower part of four bytes; the fourth may hold anything.
  case int24
  case int32
  case float32

  /// The deepest first, for a recording of more than 16 bits. A float has no more than 24.
  public static let byDepth: [AlsaSampleFormat] = [.int24, .int24Packed, .int32, .float32, .int16]

  public var byteCount: Int {
    switch self {
    case .int16: 2
    case .int24Packed: 3
    case .int24, .int32, .float32: 4
    }
  }

  public var samples: StreamFormat.Samples { self == .int16 ? .int16 : .float }
}

/// Converts a card's frames to ours: some of its channels.
struct AlsaIntake: Sendable {
  let format: AlsaSampleFormat
  let deviceChannels: Int
  let channels: Int
  /// The card's frames are copied byte for byte.
  let isCopy: Bool
  static let mostChannels = 8
  /// A vector, since a realtime thread counts no references of an array.
  private var picks = SIMD8<Int32>.zero

  /// `picks` are one to eight of the card's channels, counted from 0.
  init(_ format: AlsaSampleFormat, deviceChannels: Int, picks: [Int]) {
    precondition(1...Self.mostChannels ~= picks.count, "one to eight channels")
    precondition(picks.allSatisfy { 0..<deviceChannels ~= $0 }, "a channel the card has")
    self.format = format
    self.deviceChannels = deviceChannels
    channels = picks.count
    isCopy = format == .int16 && picks == Array(0..<deviceChannels)
    for (channel, pick) in picks.enumerated() { self.picks[channel] = Int32(pick) }
  }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  func convert(
    frames: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) {
    inRealtimeSection {
      for channel in 0..<channels {
        convert(frames, source, Int(picks[channel]), target, channel: channel)
      }
    }
  }

  private func convert(
    _ frames: Int, _ source: UnsafeRawPointer, _ pick: Int,
    _ target: UnsafeMutableRawPointer, channel: Int
  ) {
    let from = Lane(at: pick, of: deviceChannels, sampleBytes: format.byteCount)
    let to = Lane(at: channel, of: channels, sampleBytes: format == .int16 ? 2 : 4)
    switch format {
    case .int16:
      each(frames, from, to) { target.put(source.sample(at: $0) as Int16, at: $1) }
    case .int24Packed:
      each(frames, from, to) { target.put(Float(source.packed24(at: $0)) / scale24, at: $1) }
    case .int24:
      each(frames, from, to) {
        let word: Int32 = source.sample(at: $0)
        target.put(Float((word << 8) >> 8) / scale24, at: $1)
      }
    case .int32:
      each(frames, from, to) {
        target.put(Float(source.sample(at: $0) as Int32) / scale32, at: $1)
      }
    case .float32:
      each(frames, from, to) { target.put(finite(source.sample(at: $0)), at: $1) }
    }
  }
}

/// Converts our frames, mono or stereo, to a card's: each of its channels plays one of ours or
/// nothing.
struct AlsaOutlet: Sendable {
  let format: AlsaSampleFormat
  let deviceChannels: Int
  let channels: Int
  private let picks: (Int, Int)

  /// Stereo goes to `picks` in turn; mono goes to each of them. They count from 0.
  init(_ format: AlsaSampleFormat, deviceChannels: Int, channels: Int, picks: [Int]) {
    precondition(picks.count == 2 || (picks.count == 1 && channels == 1), "a place for each")
    precondition(picks.allSatisfy { 0..<deviceChannels ~= $0 }, "a channel the card has")
    self.format = format
    self.deviceChannels = deviceChannels
    self.channels = channels
    self.picks = (picks[0], picks[picks.count - 1])
  }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  func convert(
    frames: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) {
    inRealtimeSection {
      target.initializeMemory(
        as: UInt8.self, repeating: 0, count: frames * deviceChannels * format.byteCount)
      convert(frames, source, channel: 0, target, place: picks.0)
      if picks.1 != picks.0 {
        convert(frames, source, channel: channels - 1, target, place: picks.1)
      }
    }
  }

  private func convert(
    _ frames: Int, _ source: UnsafeRawPointer, channel: Int,
    _ target: UnsafeMutableRawPointer, place: Int
  ) {
    let from = Lane(at: channel, of: channels, sampleBytes: format == .int16 ? 2 : 4)
    let to = Lane(at: place, of: deviceChannels, sampleBytes: format.byteCount)
    switch format {
    case .int16:
      each(frames, from, to) { target.put(source.sample(at: $0) as Int16, at: $1) }
    case .int24Packed:
      each(frames, from, to) { target.putPacked24(round24(source.sample(at: $0)), at: $1) }
    case .int24:
      each(frames, from, to) { target.put(round24(source.sample(at: $0)), at: $1) }
    case .int32:
      each(frames, from, to) { target.put(round32(source.sample(at: $0)), at: $1) }
    case .float32:
      each(frames, from, to) { target.put(finite(source.sample(at: $0)), at: $1) }
    }
  }
}

/// Where the samples of one channel are, in bytes.
private struct Lane {
  let first: Int
  let stride: Int

  init(at channel: Int, of channels: Int, sampleBytes: Int) {
    first = channel * sampleBytes
    stride = channels * sampleBytes
  }
}

private func each(_ frames: Int, _ from: Lane, _ to: Lane, _ body: (Int, Int) -> Void) {
  var source = from.first
  var target = to.first
  for _ in 0..<frames {
    body(source, target)
    source &+= from.stride
    target &+= to.stride
  }
}

private var scale24: Float { 8_388_608 }
private var scale32: Float { 2_147_483_648 }

/// NaN and infinity become silence.
private func finite(_ sample: Float) -> Float { sample.isFinite ? sample : 0 }

private func round24(_ sample: Float) -> Int32 {
  let scaled = finite(sample) * scale24
  return Int32(min(max(scaled + (scaled < 0 ? -0.5 : 0.5), -scale24), scale24 - 1))
}

private func round32(_ sample: Float) -> Int32 {
  let scaled = Double(finite(sample)) * Double(scale32)
  return Int32(min(max(scaled + (scaled < 0 ? -0.5 : 0.5), -Double(scale32)), 2_147_483_647))
}

extension UnsafeRawPointer {
  fileprivate func sample<Sample: BitwiseCopyable>(at offset: Int) -> Sample {
    loadUnaligned(fromByteOffset: offset, as: Sample.self)
  }

  fileprivate func packed24(at offset: Int) -> Int32 {
    let low = Int32(sample(at: offset) as UInt16)
    let high = Int32(sample(at: offset + 2) as Int8)
    return high << 16 | low
  }
}

extension UnsafeMutableRawPointer {
  fileprivate func put<Sample: BitwiseCopyable>(_ sample: Sample, at offset: Int) {
    storeBytes(of: sample, toByteOffset: offset, as: Sample.self)
  }

  fileprivate func putPacked24(_ sample: Int32, at offset: Int) {
    put(UInt16(truncatingIfNeeded: sample), at: offset)
    put(UInt8(truncatingIfNeeded: sample >> 16), at: offset + 2)
  }
}
