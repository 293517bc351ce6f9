// FLAC takes made with the writer under test, and programs of other authors that judge them.
import Testing

@testable import Tape

extension Take {
  /// Records samples, as floats if they have 24 bits, in blocks of these sizes, in turn, split
  /// before these frames.
  static func record(
    flac samples: [Int32], _ settings: FlacSettings, tags: Tags = Tags(), blocks: [Int] = [480],
    splits: [Int] = [], serial: UInt32 = 7
  ) throws -> FlacTake {
    var take = FlacTake()
    let isFloat = settings.bits == 24
    var writer = try FlacWriter.begin(settings, float: isFloat, tags: tags, serial: serial) {
      (page) throws(TapeError) in take.append(page)
    }
    var (frame, block, splits) = (0, 0, splits[...])
    let frames = samples.count / settings.channels
    while frame < frames {
      if splits.first == frame {
        splits.removeFirst()
        try writer.split(tags: tags, serial: serial + UInt32(take.parts.count))
      }
      let end = min(frames, frame + blocks[block % blocks.count], splits.first ?? .max)
      let piece = Array(samples[frame * settings.channels..<end * settings.channels])
      try bytes(of: piece, isFloat: isFloat).withUnsafeBytes { bytes in
        Result { () throws(TapeError) in
          try writer.write(bytes) { (page) throws(TapeError) in take.append(page) }
        }
      }.get()
      (frame, block) = (end, block + 1)
    }
    try writer.finish { (page) throws(TapeError) in take.append(page) }
    return take
  }

  private static func bytes(of samples: [Int32], isFloat: Bool) -> [UInt8] {
    if isFloat {
      return samples.map { Float($0) / 8_388_608 }.withUnsafeBytes { Array($0) }
    }
    return samples.map { Int16($0) }.withUnsafeBytes { Array($0) }
  }
}

/// The parts of a FLAC take as they are before they are closed, and what closes them.
struct FlacTake {
  private(set) var parts: [Part] = []
  private(set) var seals: [FlacSeal] = []

  mutating func append(_ page: PageOut) {
    if page.part == parts.count { parts.append(Part()) }
    precondition(page.part == parts.count - 1, "a part ends before the next begins")
    parts[page.part].bytes += page.bytes
    parts[page.part].pageEnds.append((parts[page.part].bytes.count, page.playableFrames))
    parts[page.part].isComplete = page.isLast
    if let seal = page.seal { seals.append(seal) }
  }

  /// A part as its file is once it is closed.
  func closed(_ part: Int = 0, _ tags: Tags = Tags()) throws -> [UInt8] {
    let file = MemoryFile(parts[part].bytes)
    try seals[part].write(into: file)
    try tags.write(into: file)
    return file.bytes
  }
}

extension FlacSettings {
  init(_ rate: Int, channels: Int = 1, bits: Int = 16) {
    self.init()
    (sampleRate, self.channels, self.bits) = (rate, channels, bits)
  }
}

extension Judges {
  /// Expects that flac decodes the file without a message to these samples. It warns of a file
  /// without a sum of all samples.
  static func flac(_ path: String, gives samples: [Int32], bits: Int, hasSum: Bool = true) {
    let strictly = hasSum ? "--warnings-as-errors" : "--silent"
    let tested = run("flac --test --silent \(strictly) '\(path)' 2>&1")
    let isSilent = hasSum ? tested.bytes.isEmpty : tested.text.contains("MD5")
    #expect(tested.status == 0 && isSilent, "flac: \(tested.text)")
    let ran = run(
      "flac --decode --silent --force-raw-format --endian=little --sign=signed --stdout '\(path)'")
    let bytes = bits / 8
    var heard: [Int32] = []
    heard.reserveCapacity(ran.bytes.count / bytes)
    for start in stride(from: 0, to: ran.bytes.count - bytes + 1, by: bytes) {
      let word = (0..<bytes).reduce(0) { $0 | Int32(ran.bytes[start + $1]) << (8 * $1) }
      heard.append((word << (32 - bits)) >> (32 - bits))
    }
    Judges.same(heard, samples)
  }
}
