// Reads several tracks at once, and puts their frames side by side. Blocks on the disk; its owner's
// thread calls it. Memory is fixed once it is made.

import Realtime

/// Puts the frames of several tracks side by side.
final class Interleaver<Kind: ExportSample> {
  let channels: Int
  private let readers: [TrackReader<Kind>]
  private let block: Buffer<Kind>
  private let single: Buffer<Kind>

  init(_ readers: [TrackReader<Kind>]) {
    self.readers = readers
    channels = readers.reduce(0) { $0 + $1.channels }
    block = Buffer(count: TrackReader<Kind>.blockFrames * channels)
    single = Buffer(
      count: TrackReader<Kind>.blockFrames * (readers.map(\.channels).max() ?? 1))
  }

  var sampleRate: Int { readers[0].sampleRate }
  var channelNames: [String] { readers.flatMap(\.channelNames) }
  /// Of the longest track; nil if no file says.
  var frames: Int64? { readers.compactMap(\.frames).max() }

  func frames(_ count: Int) -> UnsafeBufferPointer<Kind> {
    UnsafeBufferPointer(block.slice(0..<count * channels))
  }

  /// Reads the next block; returns how many frames the longest track has in it.
  func read() throws(TapeError) -> Int {
    block.all.update(repeating: Kind.silence)
    var (longest, converted, channel) = (0, 0, 0)
    for reader in readers {
      let part = single.slice(0..<TrackReader<Kind>.blockFrames * reader.channels)
      let count = try reader.read(into: part)
      spread(part, count, channels: reader.channels, from: channel)
      if reader.isConverted {
        converted = max(converted, count)
      } else {
        longest = max(longest, count)
      }
      channel += reader.channels
    }
    // A length may have been rounded up: one frame more, and the next part would begin too late.
    return converted > longest + 1 ? converted : longest
  }

  private func spread(
    _ part: UnsafeMutableBufferPointer<Kind>, _ count: Int, channels own: Int, from first: Int
  ) {
    for frame in 0..<count {
      for channel in 0..<own {
        block.start[frame * channels + first + channel] = part[frame * own + channel]
      }
    }
  }
}

extension TrackReader {
  /// The names of its channels: that of the track, with a number if there are several.
  fileprivate var channelNames: [String] {
    channels == 1 ? [name] : (1...channels).map { "\(name) \($0)" }
  }
}
