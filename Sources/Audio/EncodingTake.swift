// One take being encoded: how far the encoder is, its parts, and what has been measured of each.
// Used by the encode thread only. Frames inside a recording are counted at the rate of its file,
// which is 48 kHz for Opus; frames of the device at the device's own.

import Glibc
import Recorder
import Tape

/// One file of a take.
final class TakePart {
  let id: ItemID
  let file: Int32
  let label: TakeLabel
  /// The device's frame with which it begins.
  let firstFrame: Int64
  private(set) var gaps: [Gap] = []
  var marks: [Mark] = []
  var levels: Levels
  var loudness: Loudness
  var reason: StopReason?
  /// True once its last page is made.
  var isClosed = false
  var seemsDead = false
  var wasDead = false
  /// Of two channels, the one that seems dead, counted from 1; and the last one that did.
  var deadChannel: Int?
  var wasDeadChannel: Int?
  var toldSeconds: Int64 = 0
  var toldClipped: Int64 = 0
  private let rate: Int
  private let fileRate: Int

  init(
    _ label: TakeLabel, file: Int32, at frame: Int64, format: StreamFormat, fileRate: Int
  ) throws(TapeError) {
    loudness = try Loudness.open(channels: format.channels, sampleRate: format.rate)
    id = label.recording.id
    self.file = file
    self.label = label
    firstFrame = frame
    rate = format.rate
    self.fileRate = fileRate
    levels = Levels(
      channels: format.channels, sampleRate: format.rate, measuresMean: false)
  }

  /// Returns the position of a device's frame in this file.
  func position(of frame: Int64) -> Int64 {
    let frames = frame - firstFrame
    let rest = frames % Int64(rate) * Int64(fileRate) + Int64(rate) / 2
    return frames / Int64(rate) * Int64(fileRate) + rest / Int64(rate)
  }

  func measure(_ bytes: UnsafeRawBufferPointer, _ samples: StreamFormat.Samples) {
    switch samples {
    case .int16:
      let block = bytes.assumingMemoryBound(to: Int16.self)
      levels.add(block)
      loudness.add(block)
    case .float:
      let block = bytes.assumingMemoryBound(to: Float.self)
      levels.add(block)
      loudness.add(block)
    }
  }

  /// Adds a gap. A hole that is filled in several steps is one gap.
  func addGap(from start: Int64, to end: Int64, _ loss: Arrival.Loss) {
    let first = position(of: start)
    let frames = position(of: end) - first
    if let last = gaps.last, last.frame + last.frames == first {
      gaps[gaps.count - 1] = Gap(frame: last.frame, frames: last.frames + frames, cause: last.cause)
    } else {
      gaps.append(Gap(frame: first, frames: frames, cause: loss.cause))
    }
  }

  func integrity(device: String, reason: StopReason) -> Integrity {
    let reading = levels.read()
    let peak = Double(reading.highestPeak)
    return Integrity(
      device: device, gaps: gaps, clippedFrames: reading.clippedFrames,
      peakMillibels: peak > 0 ? Int((2000 * log10(peak)).rounded()) : nil,
      loudnessCentiLUFS: loudness.integrated.map { Int(($0 * 100).rounded()) },
      microphoneSeemsDead: wasDead, deadChannel: wasDead ? nil : wasDeadChannel,
      stopReason: reason)
  }
}

extension Arrival.Loss {
  var cause: Gap.Cause {
    switch self {
    case .overrun: .overrun
    case .suspended: .suspended
    case .stalled: .stalled
    }
  }
}

final class EncodingTake {
  /// Nil until the first pages are made.
  var writer: (any TakeWriter)?
  /// All parts begun so far; their index is the number the writer gives to their pages.
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

  init(_ part: TakePart) {
    parts = [part]
    nextFrame = part.firstFrame
  }

  /// The part the next frame belongs to.
  var part: TakePart { parts[parts.count - 1] }
  /// The last part there will be, as far as is known.
  var newest: TakePart { splits.last ?? part }
  /// Those whose last page is still to come.
  var openParts: [TakePart] { (parts + splits).filter { !$0.isClosed } }

  func part(_ id: ItemID) -> TakePart? {
    parts.first { $0.id == id } ?? splits.first { $0.id == id }
  }

  func addSplit(_ part: TakePart) { splits.append(part) }

  /// Ends the take where a split was to be. Returns the parts that are dropped.
  func dropSplits(from id: ItemID) -> [TakePart] {
    guard let index = splits.firstIndex(where: { $0.id == id }) else { return [] }
    let dropped = Array(splits[index...])
    splits.removeLast(dropped.count)
    endFrame = min(endFrame ?? .max, dropped[0].firstFrame)
    newest.reason = .cardFailed
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

  var isAtEnd: Bool { splits.isEmpty && (endFrame.map { nextFrame >= $0 } ?? false) }

  var isOver: Bool { isAbandoned || (writer?.hasEnded ?? false) }
}

extension Tags {
  /// The tags that a file has from its first page on.
  init(_ label: TakeLabel, device: String, format: StreamFormat) {
    self.init()
    let recording = label.recording
    apply(label)
    id = recording.id.description
    self.device = device
    sampleRate = format.rate
    channels = format.channels
    software = "Reel"
  }

  /// Sets the tags that are known later than the first page: the time of the first frame, those of
  /// a take that begins before its card is open, and at its end what was measured.
  mutating func apply(_ label: TakeLabel, _ integrity: Integrity? = nil) {
    let (recording, began) = (label.recording, label.recording.began)
    sequence = recording.sequence
    title = recording.title
    folder = label.folder
    bootID = began.boot.description
    monotonicNanoseconds = UInt64(max(0, began.instant.nanoseconds))
    date = CalendarDate(began.wall, utcOffsetSeconds: 0).iso8601
    timeQuality = TimeQuality(rawValue: began.quality.rawValue)
    facts = RecordingFacts(recording, integrity).facts.map { Comment(key: $0.key, value: $0.value) }
  }
}
