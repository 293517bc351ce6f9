// Captured frames on their way from the capture thread to the encode thread: a ring of samples, and
// a ring of headers, one for each block of samples. Made by an ordinary thread, before either end
// is used.

import Realtime

/// Both ends of a new line, to be taken apart and given to their threads.
// Frozen, and its ends usable from outside, since tests cannot take it apart otherwise.
@usableFromInline @frozen struct FrameLine: ~Copyable {
  @usableFromInline let publisher: CapturePublisher
  @usableFromInline let history: History
  /// Why memory could not be locked, if that was requested.
  @usableFromInline let refusals: [RealtimeError]

  init(
    _ format: StreamFormat, bytes: Int, blocks: Int, residency: Residency,
    waker: consuming Waker, line: CaptureLine
  ) throws(RealtimeError) {
    let samples = try Ring<UInt8>(capacity: bytes, residency: residency)
    let headers = try Ring<BlockHeader>(capacity: blocks, residency: residency)
    refusals = [samples.refusal, headers.refusal].compactMap { $0 }
    publisher = CapturePublisher(
      samples: samples.producer, headers: headers.producer, waker: waker, line: line,
      format: format)
    history = History(format: format, samples: samples.consumer, headers: headers.consumer)
  }

  /// A line as long as the settings require.
  init(
    _ settings: RecordSettings, _ format: StreamFormat, residency: Residency,
    waker: consuming Waker, line: CaptureLine
  ) throws(RealtimeError) {
    try self.init(
      format, bytes: settings.sampleFrames(format) * format.frameBytes,
      blocks: settings.headerCount(format), residency: residency, waker: waker, line: line)
  }
}
