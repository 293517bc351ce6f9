// Every sample format, choice of channels and size, against a slow and obvious reference. Pure;
// runs on any thread.
import Testing

@testable import Audio

@Suite struct AlsaSamplesTests {
  static let frameCounts = [0, 1, 2, 33]
  static let channelCounts = [1, 2, 3, 5]

  @Test("a card's frames are converted to ours", arguments: AlsaSampleFormat.allCases)
  func intake(_ format: AlsaSampleFormat) {
    for deviceChannels in Self.channelCounts + [8, 10] {
      for picks in manyChoices(of: deviceChannels) {
        for frames in Self.frameCounts {
          let source = noise(frames * deviceChannels, format)
          let intake = AlsaIntake(format, deviceChannels: deviceChannels, picks: picks)
          let expected = (0..<frames).flatMap { frame in
            picks.flatMap { pick in
              ours(sample(frame * deviceChannels + pick, of: source, format), format)
            }
          }
          let converted = converted(source, byteCount: expected.count) {
            intake.convert(frames: frames, from: $0, to: $1)
          }
          #expect(converted == expected, "\(deviceChannels) channels, \(picks), \(frames) frames")
        }
      }
    }
  }

  @Test("our frames are converted to a card's", arguments: AlsaSampleFormat.allCases)
  func outlet(_ format: AlsaSampleFormat) {
    for deviceChannels in Self.channelCounts {
      for picks in choices(of: deviceChannels) {
        for channels in 1...picks.count {
          for frames in Self.frameCounts { check(format, deviceChannels, picks, channels, frames) }
        }
      }
    }
  }

  private func check(
    _ format: AlsaSampleFormat, _ deviceChannels: Int, _ picks: [Int], _ channels: Int,
    _ frames: Int
  ) {
    let kind: AlsaSampleFormat = format == .int16 ? .int16 : .float32
    let source = noise(frames * channels, kind)
    let outlet = AlsaOutlet(
      format, deviceChannels: deviceChannels, channels: channels, picks: picks)
    let expected = (0..<frames).flatMap { frame in
      (0..<deviceChannels).flatMap { place -> [UInt8] in
        guard let from = picks.firstIndex(of: place) else {
          return [UInt8](repeating: 0, count: format.byteCount)
        }
        let channel = channels == 1 ? 0 : from
        return theirs(sample(frame * channels + channel, of: source, kind), format)
      }
    }
    let converted = converted(source, byteCount: expected.count) {
      outlet.convert(frames: frames, from: $0, to: $1)
    }
    #expect(converted == expected, "\(deviceChannels) channels, \(picks), \(frames) frames")
  }

  @Test("the loudest samples keep their sign and never wrap")
  func extremes() {
    #expect(intake(.int24Packed, [0, 0, 0x80]) == -1)
    #expect(intake(.int24Packed, [0xff, 0xff, 0x7f]) == Float(8_388_607) / 8_388_608)
    #expect(intake(.int24Packed, [0xff, 0xff, 0xff]) == Float(-1) / 8_388_608)
    #expect(intake(.int24, [0, 0, 0x80, 0]) == -1, "the fourth byte does not count")
    #expect(intake(.int24, [1, 0, 0, 0xff]) == Float(1) / 8_388_608)
    #expect(intake(.int32, [0, 0, 0, 0x80]) == -1)
    #expect(intake(.int32, [0xff, 0xff, 0xff, 0x7f]) == 1)
    #expect(intake(.float32, bytes(Float.nan)) == 0)
    #expect(intake(.float32, bytes(-Float.infinity)) == 0)
    for loud in [Float(1), 1.5, 1e30] {
      #expect(outlet(.int24Packed, loud) == [0xff, 0xff, 0x7f])
      #expect(outlet(.int24, loud) == [0xff, 0xff, 0x7f, 0])
      #expect(outlet(.int32, loud) == [0xff, 0xff, 0xff, 0x7f])
      #expect(outlet(.int24, -loud) == [0, 0, 0x80, 0xff])
      #expect(outlet(.int32, -loud) == [0, 0, 0, 0x80])
    }
    #expect(outlet(.int32, .nan) == [0, 0, 0, 0])
    #expect(outlet(.int24Packed, -1 / 8_388_608) == [0xff, 0xff, 0xff])
  }

  @Test("only 16-bit frames with all channels in place are copied unconverted")
  func copies() {
    #expect(AlsaIntake(.int16, deviceChannels: 1, picks: [0]).isCopy)
    #expect(AlsaIntake(.int16, deviceChannels: 2, picks: [0, 1]).isCopy)
    #expect(AlsaIntake(.int16, deviceChannels: 8, picks: Array(0..<8)).isCopy)
    #expect(!AlsaIntake(.int16, deviceChannels: 8, picks: Array(0..<7)).isCopy)
    #expect(!AlsaIntake(.int16, deviceChannels: 2, picks: [1, 0]).isCopy)
    #expect(!AlsaIntake(.int16, deviceChannels: 2, picks: [0]).isCopy)
    #expect(!AlsaIntake(.float32, deviceChannels: 1, picks: [0]).isCopy)
  }

  private func intake(_ format: AlsaSampleFormat, _ sample: [UInt8]) -> Float {
    let intake = AlsaIntake(format, deviceChannels: 1, picks: [0])
    let ours = converted(sample, byteCount: 4) { intake.convert(frames: 1, from: $0, to: $1) }
    return Float(bitPattern: ours.reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }

  private func outlet(_ format: AlsaSampleFormat, _ sample: Float) -> [UInt8] {
    let outlet = AlsaOutlet(format, deviceChannels: 1, channels: 1, picks: [0])
    return converted(bytes(sample), byteCount: format.byteCount) {
      outlet.convert(frames: 1, from: $0, to: $1)
    }
  }
}

/// Choices of up to eight channels, for a microphone.
private func manyChoices(of channels: Int) -> [[Int]] {
  let all = Array((0..<channels).prefix(8))
  return choices(of: min(channels, 5)) + [all, all.reversed(), all.filter { $0 % 2 == 1 } + [0]]
}

/// Every single channel and every ordered pair.
private func choices(of channels: Int) -> [[Int]] {
  let all = 0..<channels
  return all.map { [$0] }
    + all.flatMap { left in all.map { [left, $0] } }.filter { $0[0] != $0[1] }
}

/// Runs a conversion between buffers at odd addresses, and checks that it stays inside them.
private func converted(
  _ source: [UInt8], byteCount: Int,
  _ convert: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
) -> [UInt8] {
  let padded = [0xAA] + source + [0xAA]
  var target = [UInt8](repeating: 0x55, count: byteCount + 2)
  padded.withUnsafeBytes { source in
    target.withUnsafeMutableBytes { target in
      if let source = source.baseAddress, let target = target.baseAddress {
        convert(source + 1, target + 1)
      }
    }
  }
  #expect(target.first == 0x55 && target.last == 0x55, "it wrote outside of its target")
  return Array(target.dropFirst().dropLast())
}

/// Samples of every kind: extremes first, then anything.
private func noise(_ count: Int, _ format: AlsaSampleFormat) -> [UInt8] {
  var state: UInt64 = 0x9E37_79B9_7F4A_7C15
  return (0..<count).flatMap { index -> [UInt8] in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    if format == .float32 {
      let edges: [Float] = [
        0, 1, -1, 2, -2, .nan, .infinity, -0.5 / 8_388_608, .leastNonzeroMagnitude,
      ]
      let any = Float(Int32(truncatingIfNeeded: state >> 32)) / 2e9
      return bytes(index < edges.count ? edges[index] : any)
    }
    let edges: [UInt64] = [
      0, 0x8000_0000, 0x7fff_ffff, 0xffff_ffff, 0x0080_0000, 0x007f_ffff, 0x80,
    ]
    let any = index < edges.count ? edges[index] : state >> 32
    return (0..<format.byteCount).map { UInt8(truncatingIfNeeded: any >> (8 * UInt64($0))) }
  }
}

private func bytes(_ sample: Float) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> (8 * UInt32($0))) }
}

/// One sample as a number: an integer's value, or a float's.
private func sample(_ index: Int, of memory: [UInt8], _ format: AlsaSampleFormat) -> Double {
  let start = index * format.byteCount
  let word = (0..<format.byteCount).reduce(UInt32(0)) {
    $0 | UInt32(memory[start + $1]) << (8 * UInt32($1))
  }
  switch format {
  case .int16: return Double(Int16(truncatingIfNeeded: word))
  case .int24Packed, .int24:
    let value = Int(word & 0xff_ffff)
    return Double(value >= 0x80_0000 ? value - 0x100_0000 : value)
  case .int32: return Double(Int32(bitPattern: word))
  case .float32: return Double(Float(bitPattern: word))
  }
}

/// A card's sample in our bytes.
private func ours(_ value: Double, _ format: AlsaSampleFormat) -> [UInt8] {
  switch format {
  case .int16:
    let word = UInt16(bitPattern: Int16(value))
    return [UInt8(word & 0xff), UInt8(word >> 8)]
  case .int24Packed, .int24: return bytes(Float(value / 8_388_608))
  case .int32: return bytes(Float(value) / 2_147_483_648)
  case .float32: return bytes(value.isFinite ? Float(value) : 0)
  }
}

/// Our sample in a card's bytes.
private func theirs(_ value: Double, _ format: AlsaSampleFormat) -> [UInt8] {
  let sound = value.isFinite ? value : 0
  switch format {
  case .int16: return ours(value, .int16)
  case .float32: return bytes(Float(sound))
  case .int24Packed: return Array(words(sound, 8_388_608).prefix(3))
  case .int24: return words(sound, 8_388_608)
  case .int32: return words(sound, 2_147_483_648)
  }
}

private func words(_ sound: Double, _ scale: Double) -> [UInt8] {
  let rounded = (sound * scale).rounded(.toNearestOrAwayFromZero)
  let word = Int32(min(max(rounded, -scale), scale - 1))
  return (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * Int32($0))) }
}
