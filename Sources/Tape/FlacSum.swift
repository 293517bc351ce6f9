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
    guard let handle = FLAC__stream_decoder_new() else {
      throw TapeError(.outOfMemory, "There is no memory for a FLAC decoder.")
    }
    defer { FLAC__stream_decoder_delete(handle) }
    _ = FLAC__stream_decoder_set_md5_checking(handle, 1)
    let input = FlacSumInput()
    let status = FLAC__stream_decoder_init_stream(
      handle, readFlac, nil, nil, nil, nil, passFrame, nil, noteFlacError,
      Unmanaged.passUnretained(input).toOpaque())
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
      throw TapeError(.unsupported, "This FLAC stream cannot be decoded.")
    }
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
          return withExtendedLifetime(input) { FLAC__stream_decoder_finish(handle) != 0 }
        }
      }
      try progress(Progress(done: offset, of: total)).check()
    }
  }
}

/// The bytes that wait for the decoder.
private final class FlacSumInput {
  /// No frame is as long.
  static let leastBytes = 1 << 20

  private var bytes: [UInt8] = []
  private var used = 0
  /// The decoder lost its way, or a frame's own sum is wrong.
  var isBroken = false

  var count: Int { bytes.count - used }

  func add(_ piece: [UInt8]) {
    bytes.removeFirst(used)
    used = 0
    bytes += piece
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let part = bytes[used...].prefix(target.count)
    target.copyBytes(from: part)
    used += part.count
    return part.count
  }
}

private func owner(_ pointer: UnsafeMutableRawPointer) -> FlacSumInput {
  Unmanaged<FlacSumInput>.fromOpaque(pointer).takeUnretainedValue()
}

private func readFlac(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ target: UnsafeMutablePointer<FLAC__byte>?,
  _ count: UnsafeMutablePointer<Int>?, _ input: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderReadStatus {
  guard let count, let input else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
  count.pointee = owner(input).read(
    into: UnsafeMutableRawBufferPointer(start: target, count: count.pointee))
  return count.pointee > 0
    ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
}

private func passFrame(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ frame: UnsafePointer<FLAC__Frame>?,
  _ samples: UnsafePointer<UnsafePointer<FLAC__int32>?>?, _ input: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderWriteStatus { FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE }

private func noteFlacError(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ error: FLAC__StreamDecoderErrorStatus,
  _ input: UnsafeMutableRawPointer?
) {
  if let input { owner(input).isBroken = true }
}
