// The content of a take's file: runs of frames that follow each other, and silence. The packets of
// an Opus file list their frames, and the samples of a FLAC file are their numbers. Packets that a
// power cut tore out of the middle count as silence. Pure but for reading the file.

import CCountingOpus

@testable import Library
@testable import Tape

struct SoundContent {
  /// A run of frames that follow each other, or silence.
  struct Stretch: Equatable {
    /// Its position in the recording, in frames of the device.
    let position: Int64
    /// The place of the first frame in the period of numbers; nil for silence.
    let place: Int64?
    var frames: Int64
    /// Whether it is silent because a power cut tore its packets out.
    var isTorn = false

    var end: Int64 { position + frames }
  }

  private(set) var stretches: [Stretch] = []
  /// Its length, in frames of the device.
  private(set) var frames: Int64 = 0
  /// The frames that a power cut tore out before the first page.
  private(set) var lostFrames: Int64 = 0

  private struct Run {
    let sample: Int16
    var frames: Int64 = 1
    var isTorn = false
  }

  /// Ticks of Opus' 48 kHz clock per frame of the device.
  private let ticksPerFrame: Int64

  init(
    _ file: MemoryCardFile, from start: Int64, playableTicks: Int64, lookaheadTicks: Int64,
    rate: Int
  ) throws {
    ticksPerFrame = 48_000 / Int64(rate)
    guard let headers = try OpusHeaders.read(from: file) else { throw Broken("it is no Opus") }
    lostFrames = start / ticksPerFrame
    let runs = try Self.runs(in: file, headers, from: start, ticksPerFrame)
    frames = playableTicks / ticksPerFrame
    let skipped = (Int64(headers.header.preSkip) - lookaheadTicks) / ticksPerFrame
    guard skipped >= 0 else { throw Broken("a file skips less than the encoder looks ahead") }
    lay(runs, from: skipped, to: skipped + frames)
    guard (stretches.last?.end ?? 0) == frames else {
      throw Broken("a file of \(frames) frames holds \(stretches.last?.end ?? 0)")
    }
  }

  /// Of a FLAC file, in which each sample is the number of its frame.
  init(flac file: borrowing PosixFile) throws {
    ticksPerFrame = 1
    var reader = try SoundReader.open(file)
    let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 8192)
    defer { block.deallocate() }
    var runs: [Run] = []
    while case let count = try reader.read(into: block), count > 0 {
      frames += Int64(count)
      for sample in block[..<count] { Self.add(Run(sample: sample), to: &runs) }
    }
    lay(runs, from: 0, to: frames)
  }

  private static func runs(
    in file: MemoryCardFile, _ headers: OpusHeaders, from start: Int64, _ ticksPerFrame: Int64
  ) throws -> [Run] {
    var runs: [Run] = []
    var scanner = PageScanner(
      fileByteCount: try file.byteCount(), from: headers.end, countsTicks: true)
    var ticks = start
    while let page = try scanner.next(in: file) {
      guard page.serial == headers.serial else { continue }
      let bytes = try file.bytes(at: page.offset, count: page.byteCount)
      let packets = packets(of: bytes, bodyOffset: page.bodyOffset)
      guard packets.first?.first == UInt8(COUNTING_OPUS_TOC) else { continue }
      var missing = page.granule - page.ticks - ticks
      // The last page ends within its last packet; only whole packets are missing before it.
      if page.isLast { missing = (missing + 959) / 960 * 960 }
      if missing > 0 {
        runs.append(Run(sample: 0, frames: missing / ticksPerFrame, isTorn: true))
        ticks += missing
      }
      for packet in packets { read(packet.dropFirst(), into: &runs) }
      ticks += page.ticks
    }
    return runs
  }

  private static func packets(of page: [UInt8], bodyOffset: Int) -> [ArraySlice<UInt8>] {
    var packets: [ArraySlice<UInt8>] = []
    var (start, end) = (bodyOffset, bodyOffset)
    for length in page[27..<bodyOffset] {
      end += Int(length)
      if length == 255 { continue }
      packets.append(page[start..<end])
      start = end
    }
    return packets
  }

  private static func read(_ packet: ArraySlice<UInt8>, into runs: inout [Run]) {
    var index = packet.startIndex
    while index + 3 < packet.endIndex {
      let sample = Int16(bitPattern: UInt16(packet[index]) | UInt16(packet[index + 1]) << 8)
      let frames = Int64(packet[index + 2]) | Int64(packet[index + 3]) << 8
      index += 4
      add(Run(sample: sample, frames: frames), to: &runs)
    }
  }

  private static func add(_ run: Run, to runs: inout [Run]) {
    if let last = runs.last, goesOn(last, run.sample) {
      runs[runs.count - 1].frames += run.frames
    } else {
      runs.append(run)
    }
  }

  private static func goesOn(_ run: Run, _ sample: Int16) -> Bool {
    if run.isTorn { return false }
    if run.sample == 0 || sample == 0 { return run.sample == sample }
    let next = (FrameNumbers.place(of: run.sample) + run.frames) % FrameNumbers.period
    return FrameNumbers.place(of: sample) == next
  }

  private mutating func lay(_ runs: [Run], from first: Int64, to end: Int64) {
    var start: Int64 = 0
    for run in runs {
      let low = max(start, first)
      let high = min(start + run.frames, end)
      if low < high {
        let place =
          run.sample == 0
          ? nil : (FrameNumbers.place(of: run.sample) + low - start) % FrameNumbers.period
        stretches.append(
          Stretch(position: low - first, place: place, frames: high - low, isTorn: run.isTorn))
      }
      start += run.frames
    }
  }

  var silences: [Stretch] { stretches.filter { $0.place == nil } }
  var sounds: [Stretch] { stretches.filter { $0.place != nil } }
}
