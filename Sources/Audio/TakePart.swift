// One part of a take: from the beginning or a split to the next split or the end. It has a file of
// each track. Used by the encode thread only. Marks and gaps are kept in frames of the device,
// since the files of a part may play at different rates.

import Glibc
import Recorder
import Tape

/// The file of one track of a part.
final class TrackFile {
  let number: Int32
  /// The rate at which it plays.
  let rate: Int
  /// Of the track's own signal.
  var loudness: Loudness
  var levels: Levels
  var toldClipped: Int64 = 0
  /// True once its last page is made.
  var isClosed = false

  init(_ number: Int32, _ track: TrackSettings, deviceRate: Int) throws(TapeError) {
    let channels = track.channels.count
    loudness = try Loudness.open(channels: channels, sampleRate: deviceRate)
    levels = Levels(channels: channels, sampleRate: deviceRate, measuresMean: false)
    self.number = number
    rate = track.format.fileRate
  }
}

final class TakePart {
  let id: ItemID
  let label: TakeLabel
  /// The device's frame with which it begins.
  let firstFrame: Int64
  /// In the order of the tracks.
  let files: [TrackFile]
  private var losses: [(frames: Range<Int64>, cause: Gap.Cause)] = []
  private var marks: [(frame: Int64, name: String)] = []
  var reason: StopReason?
  var seemsDead = false
  var wasDead = false
  /// Of several channels, the first that seems dead, as the device counts them, from 1; and the
  /// last one that did.
  var deadChannel: Int?
  var wasDeadChannel: Int?
  var toldSeconds: Int64 = 0
  private let rate: Int

  /// `file` is the number of the first track's file.
  init(
    _ label: TakeLabel, file: Int32, at frame: Int64, _ plan: EncodePlan
  ) throws(TapeError) {
    var files: [TrackFile] = []
    for track in plan.tracks {
      let number = file &+ Int32(files.count)
      files.append(try TrackFile(number, track, deviceRate: plan.format.rate))
    }
    self.files = files
    id = label.recording.id
    self.label = label
    firstFrame = frame
    rate = plan.format.rate
  }

  var isClosed: Bool { files.allSatisfy(\.isClosed) }

  /// Returns the position of a device's frame in a file that plays at that rate.
  func position(of frame: Int64, rate fileRate: Int) -> Int64 {
    scaled(frame - firstFrame, from: rate, to: fileRate)
  }

  // MARK: Measuring

  /// Measures a track's own signal.
  func measure(_ signal: UnsafeRawBufferPointer, _ samples: StreamFormat.Samples, track: Int) {
    files[track].levels.add(signal, samples)
    switch samples {
    case .int16: files[track].loudness.add(signal.assumingMemoryBound(to: Int16.self))
    case .float: files[track].loudness.add(signal.assumingMemoryBound(to: Float.self))
    }
  }

  // MARK: Marks and gaps

  /// Adds a mark; one before the part is at its beginning.
  func addMark(at frame: Int64, _ name: String) { marks.append((max(firstFrame, frame), name)) }

  func marks(rate: Int) -> [Mark] { marks.map { mark($0, rate: rate) } }
  func lastMark(rate: Int) -> Mark? { marks.last.map { mark($0, rate: rate) } }

  private func mark(_ mark: (frame: Int64, name: String), rate: Int) -> Mark {
    Mark(frame: position(of: mark.frame, rate: rate), name: mark.name)
  }

  /// Adds a gap. A hole that is filled in several steps is one gap.
  func addGap(from start: Int64, to end: Int64, _ loss: Arrival.Loss) {
    if let last = losses.last, last.frames.upperBound == start {
      losses[losses.count - 1].frames = last.frames.lowerBound..<end
    } else {
      losses.append((start..<end, loss.cause))
    }
  }

  func gaps(rate: Int) -> [Gap] { losses.map { gap($0, rate: rate) } }
  func lastGap(rate: Int) -> Gap? { losses.last.map { gap($0, rate: rate) } }

  private func gap(_ loss: (frames: Range<Int64>, cause: Gap.Cause), rate: Int) -> Gap {
    let first = position(of: loss.frames.lowerBound, rate: rate)
    let end = position(of: loss.frames.upperBound, rate: rate)
    return Gap(frame: first, frames: end - first, cause: loss.cause)
  }

  /// What is known of the part, as its file of that rate counts frames.
  func integrity(device: String, reason: StopReason, rate: Int) -> Integrity {
    let readings = files.map { $0.levels.read() }
    let peak = Double(readings[0].highestPeak)
    return Integrity(
      device: device, gaps: gaps(rate: rate),
      clippedFrames: readings.map(\.clippedFrames).max() ?? 0,
      peakMillibels: peak > 0 ? Int((2000 * log10(peak)).rounded()) : nil,
      loudnessCentiLUFS: files[0].loudness.integrated.map { Int(($0 * 100).rounded()) },
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

extension Levels {
  /// Measures frames of a stream.
  mutating func add(_ frames: UnsafeRawBufferPointer, _ samples: StreamFormat.Samples) {
    switch samples {
    case .int16: add(frames.assumingMemoryBound(to: Int16.self))
    case .float: add(frames.assumingMemoryBound(to: Float.self))
    }
  }
}
