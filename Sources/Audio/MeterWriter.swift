// The level meter: how loud it is now, twenty times a second, for a display. It shows the first two
// channels of the first track, as that track records them. It bypasses the loop and wakes no thread
// while no display shows it. Written by the encode thread through a snapshot.

import Realtime
import Tape

/// Levels; 1 is full scale.
public struct MeterReading: BitwiseCopyable, Equatable, Sendable {
  public var leftPeak: Float = 0
  public var rightPeak: Float = 0
  public var leftRMS: Float = 0
  public var rightRMS: Float = 0
  public var clippedFrames: Int64 = 0

  public init() {}
}

struct MeterWriter: ~Copyable {
  private(set) var isOn = false
  private let stream: StreamFormat
  private let track: TrackSettings
  private var snapshot: SnapshotWriter<MeterReading>
  private var filter: TrackFilter
  private var levels: Levels
  private var nextFrame: Int64 = 0

  /// `track` is adapted to the stream.
  init(
    _ snapshot: consuming SnapshotWriter<MeterReading>, of stream: StreamFormat,
    track: TrackSettings
  ) {
    var track = track
    track.channels = Array(track.channels.prefix(2))
    self.snapshot = snapshot
    self.stream = stream
    self.track = track
    filter = track.filter(for: stream)
    levels = Levels(channels: track.channels.count, sampleRate: stream.rate)
  }

  mutating func turn(_ isOn: Bool, at frame: Int64) {
    self.isOn = isOn
    nextFrame = frame
    filter = track.filter(for: stream)
    levels = Levels(channels: track.channels.count, sampleRate: stream.rate)
    if !isOn { snapshot.write(MeterReading()) }
  }

  /// Measures the frames that came since the last time, if the meter is on.
  mutating func follow(_ history: inout History) {
    guard isOn, nextFrame < history.endFrame else { return }
    for block in history.blocks where block.endFrame > nextFrame {
      let from = max(nextFrame, block.header.firstFrame)
      let count = Int(block.endFrame - from)
      history.withSamples(of: block, from: from, count: count) { bytes in measure(bytes) }
    }
    nextFrame = history.endFrame
    publish()
  }

  private mutating func measure(_ frames: UnsafeRawBufferPointer) {
    Self.measure(frames, &filter, &levels, stream.samples)
  }

  private static func measure(
    _ frames: UnsafeRawBufferPointer, _ filter: inout TrackFilter, _ levels: inout Levels,
    _ samples: StreamFormat.Samples
  ) {
    filter.apply(to: frames) { signal in levels.add(signal, samples) }
  }

  private mutating func publish() {
    let reading = levels.read()
    var meter = MeterReading()
    meter.leftPeak = reading.left.peak
    meter.rightPeak = reading.right.peak
    meter.leftRMS = reading.left.rms
    meter.rightRMS = reading.right.rms
    meter.clippedFrames = reading.clippedFrames
    snapshot.write(meter)
  }
}
