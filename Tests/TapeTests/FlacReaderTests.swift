// Proves that a damaged FLAC recording plays to its end: what is missing is silence, and every
// frame keeps its time, read from the beginning or from any place.

import Sounds
import Testing

@testable import Tape

@Suite struct FlacReaderTests {
  private let folder = Folder()
  private static let frames = 150_007
  /// Never zero, so that silence is told from sound.
  private static let sound: [Int32] = Signals.noise(count: frames * 2, height: 9_000, seed: 8).map {
    Int32($0) == 0 ? 1 : Int32($0)
  }

  private func file(_ name: String, _ change: (inout [UInt8]) -> Void) throws -> String {
    let take = try Take.record(
      flac: Self.sound, FlacSettings(48_000, channels: 2), blocks: [480])
    var bytes = try take.closed()
    change(&bytes)
    return try folder.put(bytes, name)
  }

  /// Reads blocks of these sizes, in turn, to the end.
  private func read(
    _ path: String, from frame: Int64 = 0, blocks: [Int] = [4_096]
  ) throws -> [Int16] {
    var reader = try SoundReader.open(path)
    if frame > 0 { try reader.seek(to: frame) }
    var (all, index): ([Int16], Int) = ([], 0)
    while true {
      var block = [Int16](repeating: 0, count: blocks[index % blocks.count] * 2)
      let count = try block.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
      if count == 0 { return all }
      all += block[..<(count * 2)]
      index += 1
    }
  }

  /// Expects all frames, each in its place or silent. Returns how many are silent.
  private func silent(_ heard: [Int16], from frame: Int = 0) -> Int {
    #expect(heard.count == (Self.frames - frame) * 2)
    var (silent, wrong) = (0, 0)
    for (sample, sound) in zip(heard, Self.sound[(frame * 2)...]) {
      if sample == 0 { silent += 1 } else if sample != Int16(sound) { wrong += 1 }
    }
    #expect(wrong == 0)
    return silent / 2
  }

  @Test("whole files are read as they were recorded, in blocks of any size, from any place")
  func whole() throws {
    let path = try file("whole.flac") { _ in }
    for blocks in [[4_096], [1, 7, 10_000], [200_000]] {
      #expect(try silent(read(path, blocks: blocks)) == 0)
    }
    for frame in [1, 4_607, 4_608, 75_000, Self.frames - 1] {
      #expect(try silent(read(path, from: Int64(frame)), from: frame) == 0)
    }
    #expect(try read(path, from: Int64(Self.frames)).isEmpty)
    #expect(try read(path, from: .max).isEmpty)
  }

  @Test("a wrong bit anywhere in the sound costs the block it is in, and no more")
  func wrongBit() throws {
    for place in 1...40 {
      let path = try file("\(place).flac") { bytes in
        let start = bytes.count / 20
        bytes[start + (bytes.count - start) * place / 41] ^= 1 << (place % 8)
      }
      // One that a frame's header has wrong may take another one along
      let lost = try silent(read(path))
      #expect(lost > 0 && lost <= 2 * 4_608, "\(place): \(lost) frames")
      for frame in [60_000, 100_000] {
        #expect(try silent(read(path, from: Int64(frame)), from: frame) <= 2 * 4_608)
      }
    }
  }

  @Test("a stretch that is zero, or gone, is silence as long", arguments: [false, true])
  func stretch(isGone: Bool) throws {
    let path = try file("hole.flac") { bytes in
      let hole = bytes.count / 2..<bytes.count / 2 + 60_000
      if isGone {
        bytes.removeSubrange(hole)
      } else {
        bytes.replaceSubrange(hole, with: [UInt8](repeating: 0, count: hole.count))
      }
    }
    let heard = try read(path)
    let lost = silent(heard)
    #expect(lost > 10_000 && lost < 40_000, "\(lost) frames")
    // From a place within it, and from behind it, the same is heard
    for frame in [70_000, 75_000, 80_000, 90_000, 110_000] {
      #expect(try read(path, from: Int64(frame)) == Array(heard[(frame * 2)...]), "\(frame)")
    }
    // And what is exported has the length of the recording
    let export = "\(folder.path)/export.wav"
    try Export.run(from: path, to: export, as: .wav(.bits16), tags: Tags())
    #expect(try read(export) == heard)
  }

  @Test("a file that ends early ends there, and another recording behind it is not heard")
  func ends() throws {
    let heard = try read(try file("short.flac") { $0.removeLast($0.count / 3) })
    #expect(heard.count < Self.frames * 2 && heard.count > Self.frames)
    #expect(zip(heard, Self.sound).allSatisfy { Int32($0) == $1 })
    let longer = try file("longer.flac") { bytes in bytes += bytes }
    #expect(try silent(read(longer)) == 0)
  }
}
