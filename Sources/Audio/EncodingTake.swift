// One take being encoded: where in it the encoder is, its parts, and what has been measured of
// each. Used by the encode thread only. Frames inside a recording are counted at 48 kHz, the rate
// every Opus file plays at; frames of the device at the device's own.

import Glibc
import Recorder
import Tape

/// One file of a take.
final class TakePart {
  let id: ItemID
  let file: Int32
  let label: TakeLabel
  /// The device's frame it begins with.
  let firstFrame: Int64
  private(set) var gaps: [Gap] = []
  var marks: [Mark] = []
  var levels: Levels
  var loudness: Loudness
  var reason: StopReason?
  /// Its last page is made.
  var isClosed = false
  var seemsDead = false
  var wasDead = false
  var toldSeconds: Int64 = 0
  var toldClipped: Int64 = 0
  private let rate: Int

  init(_ label: TakeLabel, file: Int32, at frame: Int64, format: StreamFormat) throws(TapeError) {
    loudness = try Loudness.open(channels: format.channels, sampleRate: format.rate)
    id = label.recording.id
    self.file = file
    self.label = label
    firstFrame = frame
    rate = format.rate
    levels = Levels(
      channels: format.channels, sampleRate: format.rate, measuresMean: false)
  }

  /// Where a frame of the device stands in this file.
  func position(of frame: Int64) -> Int64 {
    let frames = frame - firstFrame
    let rest = frames % Int64(rate) * 48_000 + Int64(rate) / 2
    return frames / Int64(rate) * 48_000 + rest / Int64(rate)
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

  /// A hole that is filled in several steps is one gap.
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
    let reading = levels.look()
    let peak = Double(reading.highestPeak)
    return Integrity(
      device: device, gaps: gaps, clippedFrames: reading.clippedFrames,
      peakCentibels: peak > 0 ? Int((2000 * log10(peak)).rounded()) : nil,
      loudnessCentiLUFS: loudness.integrated.map { Int(($0 * 100).rounded()) },
      microphoneSeemsDead: wasDead, stopReason: reason)
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
  /// There is none until the first pages are made.
  var writer: OggOpusWriter?
  /// All parts begun so far; their index is the number the writer gives to their pages.
  private(set) var parts: [TakePart]
  /// Splits that lie ahead.
  private var splits: [TakePart] = []
  /// The device's frame that is encoded next.
  var nextFrame: Int64
  private(set) var endFrame: Int64?
  /// What is encoded of it goes nowhere any more.
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

  /// The take ends where a split was to be; gives the parts that will not be.
  func dropSplits(from id: ItemID) -> [TakePart] {
    guard let index = splits.firstIndex(where: { $0.id == id }) else { return [] }
    let dropped = Array(splits[index...])
    splits.removeLast(dropped.count)
    endFrame = min(endFrame ?? .max, dropped[0].firstFrame)
    newest.reason = .cardFailed
    return dropped
  }

  /// The part that begins at the next frame, if one does.
  func beginSplitIfDue() -> TakePart? {
    guard let next = splits.first, next.firstFrame <= nextFrame else { return nil }
    parts.append(splits.removeFirst())
    return next
  }

  /// Not before what is encoded already, nor before a split that was promised. The first end and
  /// the first reason count, unless an earlier end comes.
  func end(at frame: Int64, _ reason: StopReason) {
    let least = max(nextFrame, newest.firstFrame)
    endFrame = min(endFrame ?? .max, max(frame, least))
    newest.reason = newest.reason ?? reason
  }

  /// How far frames may be taken in one go.
  var boundary: Int64 { min(endFrame ?? .max, splits.first?.firstFrame ?? .max) }

  var isAtEnd: Bool { splits.isEmpty && (endFrame.map { nextFrame >= $0 } ?? false) }

  var isOver: Bool { isAbandoned || (writer?.hasEnded ?? false) }
}

extension Tags {
  /// What a file says of itself from its first page on.
  init(_ label: TakeLabel, device: String, format: StreamFormat) {
    self.init()
    let recording = label.recording
    take(label)
    id = recording.id.description
    self.device = device
    sampleRate = format.rate
    channels = format.channels
    software = "Reel"
    bootID = recording.began.boot.description
    monotonicNanoseconds = UInt64(max(0, recording.began.instant.nanoseconds))
    date = CalendarDate(recording.began.wall, utcOffsetSeconds: 0).iso8601
    timeQuality = TimeQuality(rawValue: recording.began.quality.rawValue)
  }

  /// What is not known of a take that begins before its card is open.
  mutating func take(_ label: TakeLabel) {
    sequence = label.recording.sequence > 0 ? label.recording.sequence : nil
    title = label.recording.title
    folder = label.folder
  }
}
