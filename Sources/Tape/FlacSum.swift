// Compares the samples of a FLAC file with the sum in its header: the only proof that header and
// sound are of one recording, since a frame does not say whose it is. Decodes the whole file, so it
// belongs on a thread that has the time; it must survive any bytes.

import CFLAC

enum FlacSum {
  /// Decodes a file. Nil if its header has no sum, as while a take runs and after a repair.
  static func matches<File: TapeFile & ~Copyable>(
    _ file: borrowing File, _ layout: FlacLayout, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Bool? {
    guard layout.info.seal.md5.contains(where: { $0 != 0 }) else { return nil }
    let input = FlacSumInput()
    return try input.decode(checksSum: true) { handle throws(TapeError) in
      try feed(file, to: input, handle, progress)
    }
  }

  /// Feeds a whole file to the decoder. Returns whether all of it could be decoded, and the sum is
  /// right.
  private static func feed<File: TapeFile & ~Copyable>(
    _ file: borrowing File, to input: FlacSumInput,
    _ handle: UnsafeMutablePointer<FLAC__StreamDecoder>, _ progress: (Progress) -> Onward
  ) throws(TapeError) -> Bool {
    let total = try file.byteCount()
    var offset: Int64 = 0
    while true {
      let piece = try file.bytes(at: offset, count: FlacSumInput.leastBytes)
      let isLast = piece.count < FlacSumInput.leastBytes
      offset += Int64(piece.count)
      input.add(piece)
      // With as much waiting as a frame can have, the decoder does not find the end too early.
      while isLast || input.count >= FlacSumInput.leastBytes {
        guard FLAC__stream_decoder_process_single(handle) != 0, !input.isBroken else {
          return false
        }
        if FLAC__stream_decoder_get_state(handle) == FLAC__STREAM_DECODER_END_OF_STREAM {
          return FLAC__stream_decoder_finish(handle) != 0
        }
      }
      try progress(Progress(done: offset, of: total)).check()
    }
  }
}

/// The bytes that wait for the decoder.
private final class FlacSumInput: FlacDecoding {
  /// No frame is as long.
  static let leastBytes = 1 << 20

  private var bytes: [UInt8] = []
  private var used = 0
  /// The decoder lost its way, or a frame's own sum is wrong.
  private(set) var isBroken = false

  var count: Int { bytes.count - used }

  func add(_ piece: [UInt8]) {
    bytes.removeFirst(used)
    used = 0
    bytes += piece
  }

  override func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let part = bytes[used...].prefix(target.count)
    target.copyBytes(from: part)
    used += part.count
    return part.count
  }

  override func note(_ error: FLAC__StreamDecoderErrorStatus) { isBroken = true }
}
