// A recording as other programs decode it, and what it should hold: the signal of the virtual
// microphone, with silence where frames were lost.

import Glibc
import Scratch
import Tape
import Testing

@testable import Audio

enum Listening {
  /// Decodes a file with opusdec to 16-bit samples at 48 kHz. opusdec must print nothing.
  static func opusdec(_ bytes: [UInt8]) throws -> [Int16] {
    let folder = Folder()
    let file = try folder.put(bytes)
    let decoded = run("opusdec --quiet --no-dither --rate 48000 '\(file)' '\(file).raw' 2>&1")
    #expect(decoded.isEmpty, "opusdec: \(decoded)")
    let heard = run("cat '\(file).raw'")
    return heard.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  /// Decodes a file with flac, which must not complain.
  static func flac(_ bytes: [UInt8], bits: Int, isClosed: Bool = true) throws -> [Int32] {
    let folder = Folder()
    let file = try folder.put(bytes)
    let strictly = isClosed ? "--warnings-as-errors" : ""
    let decoded = run(
      "flac -d -s -f \(strictly) --force-raw-format --endian=little --sign=signed"
        + " -o '\(file).raw' '\(file)' 2>&1")
    #expect(!isClosed || decoded.isEmpty, "flac: \(decoded)")
    let heard = run("cat '\(file).raw'")
    let bytes = bits / 8
    return stride(from: 0, to: heard.count - bytes + 1, by: bytes).map { start in
      let word = (0..<bytes).reduce(0) { $0 | Int32(heard[start + $1]) << (8 * $1) }
      return (word << (32 - bits)) >> (32 - bits)
    }
  }

  /// Expects that opusinfo finds nothing wrong.
  static func opusinfo(_ bytes: [UInt8]) throws {
    let folder = Folder()
    let words = String(decoding: run("opusinfo '\(try folder.put(bytes))' 2>&1"), as: UTF8.self)
    #expect(!words.contains("WARNING") && words.contains("Opus stream"), "opusinfo: \(words)")
  }

  /// Returns where a click of the sweep begins in the first channel, near the expected place.
  static func click(
    in samples: [Int16], near place: Int, rate: Int, channels: Int = 1
  ) -> Int? {
    let width = max(1, 8 * 48_000 / rate)
    let reach = 4 * width + 240
    let frames = samples.count / channels
    guard place - reach >= 0, place + reach + width < frames else { return nil }
    func sum(_ start: Int) -> Int {
      (start..<start + width).reduce(0) { $0 + Int(samples[$1 * channels]) }
    }
    return (place - reach...place + reach).max { sum($0) < sum($1) }
  }

  /// The signal from a frame of the microphone on, encoded and decoded by nothing but the codec.
  static func expected(
    _ setup: Rig.Setup, from first: Int, count: Int, silent: [Range<Int>] = []
  ) throws -> [Int16] {
    let channels = setup.format.channels
    var samples: [Double] = []
    samples.reserveCapacity(count * channels)
    for frame in first..<first + count {
      let isSilent = silent.contains { $0.contains(frame) }
      for channel in 0..<channels {
        let value = VirtualMicrophone.value(
          of: setup.sound, at: Int64(frame), rate: setup.format.rate, channel: channel)
        samples.append(isSilent ? 0 : value)
      }
    }
    return try opusdec(encoded(samples, setup))
  }

  private static func encoded(_ samples: [Double], _ setup: Rig.Setup) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let isFloat = setup.format.samples == .float
    func take(_ page: PageOut) { bytes += page.bytes }
    var writer = try OggOpusWriter.begin(setup.opus, float: isFloat, tags: Tags(), serial: 1) {
      (page) throws(TapeError) in take(page)
    }
    if isFloat {
      try samples.map { Float($0) }.withUnsafeBufferPointer { samples in
        Result { () throws(TapeError) in
          try writer.write(samples) { (page) throws(TapeError) in take(page) }
        }
      }.get()
    } else {
      let whole = samples.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))) }
      try whole.withUnsafeBufferPointer { samples in
        Result { () throws(TapeError) in
          try writer.write(samples) { (page) throws(TapeError) in take(page) }
        }
      }.get()
    }
    try writer.finish { (page) throws(TapeError) in take(page) }
    return bytes
  }

  /// Expects the same samples; reports the first that differs.
  static func expectSame(
    _ heard: [Int16], _ expected: [Int16], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let first = zip(heard, expected).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(
      first == nil && heard.count == expected.count,
      "\(heard.count) samples, \(expected.count) wanted, different from \(first ?? -1)",
      sourceLocation: sourceLocation)
  }

  static func difference(_ one: [Int16], _ other: [Int16]) -> Int {
    zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}

/// A folder that is removed with its owner.
struct Folder {
  private let scratch = ScratchFolder()
  var path: String { scratch.path }

  /// Opens a recording below the folder, for a room.
  var toRead: OpenRecording { open(.read) }
  var toWrite: OpenRecording { open(.change) }

  private func open(_ mode: PosixFile.Mode) -> OpenRecording {
    { [path] recording throws(TapeError) in
      try PosixFile.open(path + "/" + recording.components.joined(separator: "/"), mode)
    }
  }

  func put(_ bytes: [UInt8], _ name: String = "take.opus") throws -> String {
    let file = try PosixFile.open("\(path)/\(name)", .create)
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(TapeError) in try file.write(bytes, at: 0) }
    }.get()
    return file.path
  }
}

/// Runs a shell command; returns its standard output.
func run(_ command: String) -> [UInt8] {
  guard let pipe = popen(command, "r") else { return [] }
  defer { pclose(pipe) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&block, 1, block.count, pipe)
    if count == 0 { return bytes }
    bytes += block[..<count]
  }
}
