// Live sound: what the microphone hears now, for clients that listen. It follows the frames in the
// PCM ring as the meter does, mixes the first two channels of the first track, as that track
// records them, to one of 16 bits, and passes them on. On the encode thread; it never waits, and
// does nothing while no client listens.

import Realtime
import Tape

struct LiveWriter: ~Copyable {
  private var line: LiveLine?
  private let stream: StreamFormat
  private let track: TrackSettings
  private var filter: TrackFilter
  private var nextFrame: Int64 = 0
  private var mixed: [Int16] = []

  /// `track` is adapted to the stream.
  init(of stream: StreamFormat, track: TrackSettings) {
    var track = track
    track.channels = Array(track.channels.prefix(2))
    self.stream = stream
    self.track = track
    filter = track.filter(for: stream)
  }

  var isOn: Bool { line != nil }

  /// Begins with the frame after those that are there; nil ends it.
  mutating func turn(to line: LiveLine?, at frame: Int64) {
    self.line = line
    nextFrame = frame
    filter = track.filter(for: stream)
    mixed = []
  }

  /// Passes on the frames that came since the last time.
  mutating func follow(_ history: inout History) {
    guard let line, nextFrame < history.endFrame else { return }
    for block in history.blocks where block.endFrame > nextFrame {
      let from = max(nextFrame, block.header.firstFrame)
      mixed.removeAll(keepingCapacity: true)
      history.withSamples(of: block, from: from, count: Int(block.endFrame - from)) { bytes in
        mix(bytes)
      }
      let sinceStart = Double(from - block.header.firstFrame) * 1e9 / Double(stream.rate)
      mixed.withUnsafeBufferPointer {
        line.write(
          $0, firstFrame: from, nanoseconds: block.header.nanoseconds + Int64(sinceStart))
      }
    }
    nextFrame = history.endFrame
  }

  private mutating func mix(_ frames: UnsafeRawBufferPointer) {
    Self.mix(frames, &filter, &mixed, channels: track.channels.count, stream.samples)
  }

  private static func mix(
    _ frames: UnsafeRawBufferPointer, _ filter: inout TrackFilter, _ mixed: inout [Int16],
    channels: Int, _ samples: StreamFormat.Samples
  ) {
    filter.apply(to: frames) { signal in
      switch samples {
      case .int16:
        let signal = signal.assumingMemoryBound(to: Int16.self)
        for start in stride(from: 0, to: signal.count, by: channels) {
          let sum = (start..<start + channels).reduce(0) { $0 + Int(signal[$1]) }
          mixed.append(Int16(truncatingIfNeeded: sum / channels))
        }
      case .float:
        let signal = signal.assumingMemoryBound(to: Float.self)
        for start in stride(from: 0, to: signal.count, by: channels) {
          let sum = (start..<start + channels).reduce(Float(0)) { $0 + signal[$1] }
          // In this order, what is not a number becomes the greatest.
          let whole = max(-32_768, min(32_767, sum / Float(channels) * 32_768))
          mixed.append(Int16(whole.rounded()))
        }
      }
    }
  }
}
