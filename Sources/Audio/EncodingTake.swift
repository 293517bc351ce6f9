// One take being encoded: how far the encoder is, its tracks and its parts. Used by the encode
// thread only. Frames inside a recording are counted at the rate of its file, which is 48 kHz for
// Opus; frames of the device at the device's own.

import Recorder
import Tape

/// One track of a take being encoded: its signal and its writer.
final class EncodingTrack {
  private let index: Int
  private let format: TapeFormat
  private let samples: StreamFormat.Samples
  /// Its state goes on across splits: the parts of a take, joined, are one signal.
  private var filter: TrackFilter
  /// Nil until the first pages are made.
  private var writer: (any TakeWriter)?

  /// Makes the track of that index and its buffers.
  init(_ index: Int, _ track: TrackSettings, of stream: StreamFormat) {
    self.index = index
    format = track.format
    samples = stream.samples
    filter = track.filter(for: stream)
  }

  var hasBegun: Bool { writer != nil }
  var hasEnded: Bool { writer?.hasEnded ?? false }
  var framesToPage: Int64 { writer?.framesToPage ?? 1 }

  /// Makes the first pages.
  func begin(_ tags: Tags, serial: UInt32, to sink: PageSink) throws(TapeError) {
    writer = try format.begin(
      float: samples == .float, tags: tags, serial: serial, to: sink)
  }

  /// Encodes the track's share of the device's frames, which belong to `part`.
  func write(
    _ frames: UnsafeRawBufferPointer, of part: TakePart, to sink: PageSink
  ) throws(TapeError) {
    try filter.apply(to: frames) { signal throws(TapeError) in
      part.measure(signal, samples, track: index)
      try writer?.write(signal, to: sink)
    }
  }

  func writeSilence(frames: Int64, to sink: PageSink) throws(TapeError) {
    try writer?.writeSilence(frames: frames, to: sink)
  }

  func split(_ tags: Tags, serial: UInt32) throws(TapeError) {
    try writer?.split(tags: tags, serial: serial)
  }

  func finish(to sink: PageSink) throws(TapeError) { try writer?.finish(to: sink) }
}

final class EncodingTake {
  let tracks: [EncodingTrack]
  /// All parts begun so far; their index is the number the writers give to their pages.
  private(set) var parts: [TakePart]
  /// Splits that lie ahead.
  private var splits: [TakePart] = []
  /// The device's frame that is encoded next.
  var nextFrame: Int64
  private(set) var endFrame: Int64?
  /// When the order to end came.
  private(set) var endOrderedAt: Int64?
  /// True if it was given up: no more of it is encoded.
  var isAbandoned = false

  init(_ part: TakePart, _ plan: EncodePlan) {
    tracks = plan.tracks.enumerated().map { EncodingTrack($0, $1, of: plan.format) }
    parts = [part]
    nextFrame = part.firstFrame
  }

  /// The part the next frame belongs to.
  var part: TakePart { parts[parts.count - 1] }
  /// The last part there will be, as far as is known.
  var newest: TakePart { splits.last ?? part }
  /// Those with a file whose last page is still to come.
  var openParts: [TakePart] { (parts + splits).filter { !$0.isClosed } }

  func part(_ id: ItemID) -> TakePart? {
    parts.first { $0.id == id } ?? splits.first { $0.id == id }
  }

  func addSplit(_ part: TakePart) { splits.append(part) }

  /// Ends the take where a split was to be. Returns the parts that are dropped.
  func dropSplits(from id: ItemID, _ reason: StopReason) -> [TakePart] {
    guard let index = splits.firstIndex(where: { $0.id == id }) else { return [] }
    let dropped = Array(splits[index...])
    splits.removeLast(dropped.count)
    endFrame = min(endFrame ?? .max, dropped[0].firstFrame)
    newest.reason = reason
    return dropped
  }

  /// Ends the take with what is encoded already. Returns the parts that are dropped.
  func endNow(_ reason: StopReason) -> [TakePart] {
    let dropped = splits.first.map { dropSplits(from: $0.id, reason) } ?? []
    end(at: nextFrame, reason)
    return dropped
  }

  /// Begins and returns the part that starts at the next frame; nil if none does.
  func beginSplitIfDue() -> TakePart? {
    guard let next = splits.first, next.firstFrame <= nextFrame else { return nil }
    parts.append(splits.removeFirst())
    return next
  }

  /// Ends the take, but not before what is encoded already, nor before a split that was promised.
  /// The first end and the first reason count, unless an earlier end comes.
  func end(at frame: Int64, _ reason: StopReason, orderedAt: Int64? = nil) {
    let least = max(nextFrame, newest.firstFrame)
    endFrame = min(endFrame ?? .max, max(frame, least))
    newest.reason = newest.reason ?? reason
    endOrderedAt = endOrderedAt ?? orderedAt
  }

  /// The frame up to which the present part can be encoded: the end, or the next split.
  var boundary: Int64 { min(endFrame ?? .max, splits.first?.firstFrame ?? .max) }

  var hasBegun: Bool { tracks.allSatisfy(\.hasBegun) }

  /// So many frames of the device later there is a page to write.
  var framesToPage: Int64 { tracks.map(\.framesToPage).min() ?? 1 }

  var isAtEnd: Bool { splits.isEmpty && (endFrame.map { nextFrame >= $0 } ?? false) }

  var isOver: Bool { isAbandoned || tracks.allSatisfy(\.hasEnded) }
}
