// libspeexdsp's resampler with one owner, aligned so that output frame n is input frame n at the
// other rate. The thread that owns it calls it; memory is fixed once it is made.
import CSpeexDSP

// Sendable: noncopyable, and libspeexdsp ties a resampler to no thread.
/// Changes the rate of sound.
public struct Resampler: ~Copyable, @unchecked Sendable {
  private let handle: OpaquePointer

  /// How much of the highest pitches remains. Whatever the quality, all that was not in the sound
  /// before is less than what 16 bits can hold.
  public enum Quality: Int32, Sendable {
    /// For speakers, and for Opus, which keeps nothing above 20 kHz. From 44.1 kHz: unchanged up to
    /// 19 kHz, 0.9 dB quieter at 20 kHz.
    case listening = 5
    /// For copies that are kept. From 44.1 kHz: unchanged up to 20 kHz, at 1.6 times the cost.
    case archive = 8
  }

  public static func open(
    channels: Int, from: Int, to: Int, quality: Quality
  ) throws(TapeError) -> Resampler {
    precondition(channels > 0 && from > 0 && to > 0, "a resampler needs channels and rates")
    var status: Int32 = 0
    let made = speex_resampler_init(
      UInt32(channels), UInt32(from), UInt32(to), quality.rawValue, &status)
    guard let made, status == 0 else {
      throw TapeError(.badSettings, "Sound at \(from) Hz cannot be converted to \(to) Hz.")
    }
    speex_resampler_skip_zeros(made)
    return Resampler(adopting: made)
  }

  private init(adopting handle: OpaquePointer) { self.handle = handle }

  deinit { speex_resampler_destroy(handle) }

  /// Converts up to `frames` interleaved frames to at most `capacity`; returns how many of each.
  public func convert(
    _ input: UnsafePointer<Int16>, frames: Int,
    into output: UnsafeMutablePointer<Int16>, capacity: Int
  ) -> (taken: Int, made: Int) {
    var taken = UInt32(frames)
    var made = UInt32(capacity)
    speex_resampler_process_interleaved_int(handle, input, &taken, output, &made)
    return (Int(taken), Int(made))
  }

  public func convert(
    _ input: UnsafePointer<Float>, frames: Int,
    into output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (taken: Int, made: Int) {
    var taken = UInt32(frames)
    var made = UInt32(capacity)
    speex_resampler_process_interleaved_float(handle, input, &taken, output, &made)
    return (Int(taken), Int(made))
  }
}
