// Decodes a FLAC file through libFLAC, with one owner: exact length, exact seek. Blocks on the
// disk: never call it from a thread that must not wait. Cut and damaged files play: sound missing
// in the middle is read as silence, so that every frame keeps its time. libsndfile ends there: for
// one wrong bit, the rest of a recording was neither played nor exported.

import CFLAC
import Glibc
import Realtime

// Sendable: noncopyable, and libFLAC ties a decoder to no thread; its input belongs to it.
struct FlacReader: ~Copyable, @unchecked Sendable {
  let channels: Int
  let sampleRate: Int
  let bits: Int
  /// Nil if the file does not say.
  let frames: Int64?
  /// Whether the last read met damage.
  private(set) var hasMetDamage = false
  private let input: FlacFileInput
  private let handle: UnsafeMutablePointer<FLAC__StreamDecoder>
  /// The frame that is read next.
  private var position: Int64 = 0
  private var missingFrames: Int64 = 0
  private var isAtEnd = false

  /// Reads through a copy of the descriptor; the caller keeps its own. Nil if it is not FLAC.
  static func open(_ source: borrowing PosixFile) throws(TapeError) -> FlacReader? {
    guard let layout = try FlacLayout.read(from: source), layout.info.bits <= 24 else {
      return nil
    }
    let own = try PosixFile.copy(of: source.descriptor, named: source.path)
    let input = FlacFileInput(
      PosixFile.adopt(own, named: source.path), layout.info,
      byteCount: Int(try source.byteCount()))
    return FlacReader(layout.info, input, try input.decoder())
  }

  private init(
    _ info: FlacInfo, _ input: FlacFileInput, _ handle: UnsafeMutablePointer<FLAC__StreamDecoder>
  ) {
    (self.input, self.handle) = (input, handle)
    (channels, sampleRate, bits) = (info.channels, info.sampleRate, info.bits)
    frames = info.seal.frames > 0 ? info.seal.frames : nil
  }

  deinit { FLAC__stream_decoder_delete(handle) }

  /// Reads the next frames, interleaved; fewer than there is room for only at the end of the file.
  mutating func read(into samples: UnsafeMutableBufferPointer<Int16>) throws(TapeError) -> Int {
    try fill(samples)
  }

  mutating func read(into samples: UnsafeMutableBufferPointer<Float>) throws(TapeError) -> Int {
    try fill(samples)
  }

  /// Makes this frame the next one read.
  mutating func seek(to frame: Int64) throws(TapeError) {
    // No frame has a greater number.
    position = max(0, min(frame, frames ?? 1 << 36))
    (missingFrames, isAtEnd) = (0, position == frames)
    input.forget()
    // libFLAC does not find a place that is damaged: one before it does, however far.
    var before: Int64 = 0
    while !isAtEnd, position > before {
      if FLAC__stream_decoder_seek_absolute(handle, UInt64(position - before)) != 0 {
        _ = input.skip(to: position, last: frames, bytes: 0)
        return
      }
      input.forget()
      FLAC__stream_decoder_flush(handle)
      before = max(Int64(sampleRate), before * 4)
    }
    FLAC__stream_decoder_reset(handle)
    input.forget()
  }

  private mutating func fill<Kind: FlacSample>(
    _ samples: UnsafeMutableBufferPointer<Kind>
  ) throws(TapeError) -> Int {
    hasMetDamage = false
    guard let target = samples.baseAddress else { return 0 }
    let wanted = samples.count / channels
    var filled = 0
    while filled < wanted {
      let into = target + filled * channels
      var now = min(wanted - filled, Int(clamping: missingFrames))
      if now > 0 {
        into.update(repeating: 0, count: now * channels)
        missingFrames -= Int64(now)
      } else if case let staged = input.consume(atMost: wanted - filled), !staged.isEmpty {
        Kind.convert(staged, of: bits, into: into)
        now = staged.count / channels
      } else if try !decode() {
        break
      }
      filled += now
      position += Int64(now)
    }
    return filled
  }

  /// Stages the next frame of the file that has sound behind `position`; false at the end.
  private mutating func decode() throws(TapeError) -> Bool {
    while !isAtEnd {
      var (start, end) = (UInt64(0), UInt64(0))
      FLAC__stream_decoder_get_decode_position(handle, &start)
      let isDecoded = FLAC__stream_decoder_process_single(handle) != 0
      hasMetDamage = hasMetDamage || input.hasMetDamage
      if let error = input.error { throw error }
      let state = FLAC__stream_decoder_get_state(handle)
      if !isDecoded || state == FLAC__STREAM_DECODER_END_OF_STREAM {
        isAtEnd = true
        break
      }
      FLAC__stream_decoder_get_decode_position(handle, &end)
      let bytes = Int(clamping: end > start ? end - start : 0)
      guard let missing = input.skip(to: position, last: frames, bytes: bytes) else { continue }
      missingFrames = missing
      hasMetDamage = hasMetDamage || missing > 0
      return true
    }
    return false
  }
}

/// A file, and the frame of it that was decoded last.
private final class FlacFileInput: FlacDecoding {
  private let file: PosixFile
  private let info: FlacInfo
  private(set) var error: TapeError?
  private(set) var hasMetDamage = false
  /// Interleaved.
  private let block: Buffer<Int32>
  private var firstFrame: Int64 = 0
  /// Those that were not taken yet.
  private var staged = 0..<0

  init(_ file: consuming PosixFile, _ info: FlacInfo, byteCount: Int) {
    self.file = file
    self.info = info
    block = Buffer(count: info.blockFrames.upperBound * info.channels)
    super.init(byteCount: byteCount)
  }

  override func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    do throws(TapeError) { return try file.read(into: target, at: Int64(position)) } catch {
      self.error = error
      return 0
    }
  }

  /// Of several in one step, libFLAC made up the ones before the last, in the place of what is
  /// missing.
  override func note(
    _ frame: FLAC__FrameHeader, _ planes: UnsafePointer<UnsafePointer<Int32>?>
  ) {
    let (count, channels) = (Int(frame.blocksize), info.channels)
    guard Int(frame.channels) == channels, Int(frame.bits_per_sample) == info.bits,
      count <= info.blockFrames.upperBound, frame.number.sample_number < 1 << 36
    else { return }
    firstFrame = Int64(frame.number.sample_number)
    staged = 0..<count
    let target = block.start
    for channel in 0..<channels {
      guard let plane = planes[channel] else { continue }
      for index in 0..<count { target[index &* channels &+ channel] = plane[index] }
    }
  }

  override func note(_ error: FLAC__StreamDecoderErrorStatus) { hasMetDamage = true }

  func forget() { (staged, hasMetDamage) = (0..<0, false) }

  /// Drops the frames before `position`. Returns how many frames are missing from `position` to the
  /// first one that is left. Nil if none is left, or if the bytes cannot hold so many.
  /// - Parameter bytes: of the FLAC frame, with those that were skipped before it.
  func skip(to position: Int64, last: Int64?, bytes: Int) -> Int64? {
    hasMetDamage = false
    let known = Int(clamping: position - firstFrame)
    staged = min(max(staged.lowerBound, known), staged.upperBound)..<staged.upperBound
    guard !staged.isEmpty, firstFrame < last ?? .max else { return nil }
    let missing = max(0, firstFrame - position)
    // Silence takes a byte for some hundred frames. A hostile file claims more, again and again.
    guard missing <= Int64(min(bytes, 1 << 40)) * 512 + 65_535 else {
      staged = 0..<0
      return nil
    }
    return missing
  }

  func consume(atMost frames: Int) -> UnsafeBufferPointer<Int32> {
    let count = min(frames, staged.count)
    let first = staged.lowerBound
    staged = first + count..<staged.upperBound
    return UnsafeBufferPointer(
      block.slice(first * info.channels..<(first + count) * info.channels))
  }
}

private protocol FlacSample: ExpressibleByIntegerLiteral {
  static func convert(
    _ samples: UnsafeBufferPointer<Int32>, of bits: Int, into target: UnsafeMutablePointer<Self>)
}

extension Int16: FlacSample {
  fileprivate static func convert(
    _ samples: UnsafeBufferPointer<Int32>, of bits: Int, into target: UnsafeMutablePointer<Int16>
  ) {
    let (down, up) = (Int32(bits > 16 ? bits - 16 : 0), Int32(bits < 16 ? 16 - bits : 0))
    for index in samples.indices {
      target[index] = Int16(truncatingIfNeeded: (samples[index] &>> down) &<< up)
    }
  }
}

extension Float: FlacSample {
  fileprivate static func convert(
    _ samples: UnsafeBufferPointer<Int32>, of bits: Int, into target: UnsafeMutablePointer<Float>
  ) {
    let step = 1 / Float(1 << (bits - 1))
    for index in samples.indices { target[index] = Float(samples[index]) * step }
  }
}
