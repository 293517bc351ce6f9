// Measures what encoding the tracks of a take costs on this processor, by the processor time of the
// calling thread: once with noise before the first take, and then, as takes go on, by their own
// sound. For ordinary threads; the loop's thread never measures.

import Glibc
import Realtime
import Recorder
import Tape

enum EncodingCost {
  /// About how much processor time is spent with noise: a slow board encodes less of it.
  static let mostNanoseconds: Int64 = 200_000_000

  /// Returns the thousandths of a processor core that tracks need, as the stream has them; nil if
  /// they cannot be encoded. Encodes a second of noise, or as much as fits.
  static func permille(of tracks: [TrackSettings], for stream: StreamFormat) -> Int? {
    do throws(TapeError) {
      var loads: [TrackLoad] = []
      for track in tracks { loads.append(try TrackLoad(track, of: stream)) }
      var noise = Noise(stream)
      let began = threadNanoseconds()
      var (used, tenths) = (Int64(0), Int64(0))
      while tenths < 10, used < mostNanoseconds {
        let frames = noise.next()
        for load in loads { try load.write(frames) }
        tenths += 1
        used = threadNanoseconds() - began
      }
      return Int(used / (tenths * 100_000))
    } catch { return nil }
  }

  /// The processor time of the calling thread.
  static func threadNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Makes the calling thread give way to every other.
  static func giveWay() {
    // Of Linux's thread, not of the process. If it is refused, the work is short all the same.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
  }
}

extension RecordSettings {
  /// Returns the thousandths of a processor core that encoding needs, for a stream of that kind;
  /// nil if it cannot be recorded. Takes a fifth of a second of an ordinary thread.
  public func encodingPermille(for stream: StreamFormat) -> Int? {
    do throws(TapeError) { try validate(for: stream) } catch { return nil }
    return EncodingCost.permille(of: tracks(of: stream), for: stream)
  }
}

/// All that the encode thread does with a track. Its pages are dropped.
private final class TrackLoad {
  private let samples: StreamFormat.Samples
  private var filter: TrackFilter
  private var loudness: Loudness
  private let writer: any TakeWriter

  init(_ track: TrackSettings, of stream: StreamFormat) throws(TapeError) {
    samples = stream.samples
    filter = track.filter(for: stream)
    loudness = try Loudness.open(channels: track.channels.count, sampleRate: stream.rate)
    writer = try track.format.begin(
      float: stream.samples == .float, tags: Tags(), serial: 1, to: { _ in })
  }

  func write(_ frames: UnsafeRawBufferPointer) throws(TapeError) {
    try filter.apply(to: frames) { signal throws(TapeError) in
      switch samples {
      case .int16: loudness.add(signal.assumingMemoryBound(to: Int16.self))
      case .float: loudness.add(signal.assumingMemoryBound(to: Float.self))
      }
      try writer.write(signal, to: { _ in })
    }
  }
}

/// White noise, a tenth of full scale, in pieces of a tenth of a second: no sound costs an encoder
/// much more.
private struct Noise: ~Copyable {
  private let bytes: UnsafeMutableRawBufferPointer
  private let samples: StreamFormat.Samples
  private var state: UInt32 = 0x9E37_79B9

  init(_ stream: StreamFormat) {
    samples = stream.samples
    bytes = .allocate(byteCount: max(1, stream.rate / 10) * stream.frameBytes, alignment: 16)
  }

  deinit { bytes.deallocate() }

  /// The next piece; it is valid until the next call.
  mutating func next() -> UnsafeRawBufferPointer {
    let width = samples == .int16 ? 2 : 4
    for offset in stride(from: 0, to: bytes.count, by: width) {
      // Xorshift, of G. Marsaglia.
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      let sample = Int16(truncatingIfNeeded: state >> 16) / 10
      switch samples {
      case .int16: bytes.storeBytes(of: sample, toByteOffset: offset, as: Int16.self)
      case .float:
        bytes.storeBytes(of: Float(sample) / 32_768, toByteOffset: offset, as: Float.self)
      }
    }
    return UnsafeRawBufferPointer(bytes)
  }
}

/// What the takes that run cost: reported once per ten seconds of their sound, since a single
/// second may be silence or a click.
struct EncodingGauge {
  private var nanoseconds: Int64 = 0
  private var frames: Int64 = 0
  static let seconds: Int64 = 10

  /// Adds encoded frames of a stream and the processor time that they took. Returns the thousandths
  /// of a core, when enough has been added.
  mutating func add(nanoseconds used: Int64, frames encoded: Int64, rate: Int) -> Int? {
    nanoseconds += used
    frames += encoded
    let sound = frames * 1_000_000 / Int64(rate)
    guard sound >= Self.seconds * 1_000_000 else { return nil }
    defer { (nanoseconds, frames) = (0, 0) }
    return Int(nanoseconds / sound)
  }
}
