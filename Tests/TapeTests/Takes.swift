// Takes made with the writer under test, and the properties of their pages. Shared by the tests of
// writing, splitting and repairing.
import Realtime

@testable import Tape

/// One part of a take, as a file would hold it.
struct Part {
  var bytes: [UInt8] = []
  /// Where each page ends, and how many frames can be played up to there.
  var pageEnds: [(byte: Int, frames: Int64)] = []
  var isComplete = false

  var frames: Int64 { pageEnds.last?.frames ?? 0 }

  /// Returns the frames of a file that is cut at this byte.
  func frames(whenCutAt byte: Int) -> Int64 {
    pageEnds.last { $0.byte <= byte }?.frames ?? 0
  }

  func wholeBytes(whenCutAt byte: Int) -> Int { pageEnds.last { $0.byte <= byte }?.byte ?? 0 }
}

struct Take {
  var parts: [Part] = []

  mutating func append(_ page: PageOut) {
    if page.part == parts.count { parts.append(Part()) }
    precondition(page.part < parts.count, "parts begin in order")
    parts[page.part].bytes += page.bytes
    parts[page.part].pageEnds.append((parts[page.part].bytes.count, page.playableFrames))
    parts[page.part].isComplete = page.isLast
  }

  /// Records samples in blocks of these sizes, in turn, split before these frames.
  static func record(
    _ samples: [Int16], _ settings: OpusSettings = OpusSettings(), tags: Tags = Tags(),
    blocks: [Int] = [480], splits: [Int] = [], serial: UInt32 = 7
  ) throws -> Take {
    var take = Take()
    var writer = try OggOpusWriter.begin(settings, tags: tags, serial: serial) {
      (page) throws(TapeError) in take.append(page)
    }
    var frame = 0
    var block = 0
    var splits = splits[...]
    while frame < samples.count / settings.channels {
      if splits.first == frame {
        splits.removeFirst()
        try writer.split(tags: tags, serial: serial + UInt32(take.parts.count))
      }
      var end = min(samples.count / settings.channels, frame + blocks[block % blocks.count])
      if let split = splits.first { end = min(end, split) }
      let piece = Array(samples[frame * settings.channels..<end * settings.channels])
      let result = piece.withUnsafeBufferPointer { samples in
        Result { () throws(TapeError) in
          try writer.write(samples) { (page) throws(TapeError) in take.append(page) }
        }
      }
      try result.get()
      frame = end
      block += 1
    }
    try writer.finish { (page) throws(TapeError) in take.append(page) }
    return take
  }
}

extension OpusSettings {
  /// Settings with enough bits for both channels, so that clicks stay in place.
  static func clear(_ rate: Int, channels: Int = 1) -> OpusSettings {
    var settings = OpusSettings()
    settings.sampleRate = rate
    settings.channels = channels
    settings.bitsPerSecond = 128_000 * channels
    settings.complexity = 5
    return settings
  }
}

func decoded(_ path: String) throws(TapeError) -> [Int16] {
  var reader = try SoundReader.open(path)
  var samples: [Int16] = []
  let block = Buffer<Int16>(count: 4_001 * reader.channels)
  while case let count = try reader.read(into: block.all), count > 0 {
    samples += block.slice(0..<count * reader.channels)
  }
  return samples
}
