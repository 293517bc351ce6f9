// Proves that all tracks of all parts of a take become one WAV file: the same as if the take had
// not been split, and with all tracks together again behind a part whose files were cut.

import Sounds
import Testing

@testable import Tape

@Suite struct TracksJoinTests {
  private let folder = Folder()
  private static let frames = 130_003
  private static let splits = [40_007, 100_001]

  private static func noise(_ seed: UInt64, frames: Int = frames) -> [Int32] {
    Signals.noise(count: frames, height: 30_000, seed: seed).map { Int32($0) * 256 + 77 }
  }

  /// The files of a FLAC track, one for each part.
  private func flac(
    _ name: String, _ samples: [Int32], splits: [Int] = splits, rate: Int = 48_000
  ) throws -> [String] {
    let take = try Take.record(
      flac: samples, FlacSettings(rate, bits: 24), blocks: [480], splits: splits)
    return try take.parts.indices.map { part in
      try folder.put(try take.closed(part), "\(name) \(part).flac")
    }
  }

  private func opus(
    _ name: String, frames: Int = frames, splits: [Int] = splits, serial: UInt32 = 7
  ) throws -> [String] {
    let samples = Signals.sweep(frames: frames, channels: 2)
    let take = try Take.record(
      samples, .clear(48_000, channels: 2), splits: splits, serial: serial)
    return try take.parts.enumerated().map { part, file in
      try folder.put(file.bytes, "\(name) \(part).opus")
    }
  }

  private func join(
    _ tracks: [[String]], to target: String, as depth: Export.Depth = .bits24,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Join.Manner {
    var export = TracksExport()
    for (index, files) in tracks.enumerated() {
      let open: Join.Opening = { part throws(TapeError) in try PosixFile.open(files[part], .read) }
      try export.add(files.count, opening: open, named: "track \(index)")
    }
    return try export.run(to: target, as: depth, tags: Tags(), progress: progress)
  }

  @Test(
    "the parts of a split take, joined, are the undivided take",
    arguments: [Export.Depth.bits16, .bits24, .float], [48_000, 96_000])
  func split(depth: Export.Depth, rate: Int) throws {
    // Given the same take in three parts and in one: a FLAC track, and one of Opus, which is
    // converted if the first has another rate
    let times = rate / 48_000
    let sound = Self.noise(1, frames: Self.frames * times)
    let parts = [
      try flac("a", sound, splits: Self.splits.map { $0 * times }, rate: rate), try opus("b"),
    ]
    let whole = [
      try flac("whole a", sound, splits: [], rate: rate), try opus("whole b", splits: []),
    ]
    // When both are joined
    let (joined, expected) = ("\(folder.path)/joined.wav", "\(folder.path)/expected.wav")
    #expect(try join(parts, to: joined, as: depth) == .decoded)
    #expect(try join(whole, to: expected, as: depth) == .decoded)
    // Then the files are the same, byte for byte
    let heard = try PosixFile.open(joined, .read).bytes(at: 0, count: 1 << 24)
    #expect(try heard == PosixFile.open(expected, .read).bytes(at: 0, count: 1 << 24))
    #expect(try Judges.channels(of: joined).map(\.count) == [Int](repeating: sound.count, count: 3))
  }

  @Test("FLAC tracks of many parts come back bit for bit, and progress reaches the end")
  func lossless() throws {
    let sounds = [Self.noise(2), Self.noise(3)]
    let path = "\(folder.path)/joined.wav"
    var last = Progress(done: 0, of: nil)
    let manner = try join([try flac("a", sounds[0]), try flac("b", sounds[1])], to: path) {
      last = $0
      return .goOn
    }
    #expect(manner == .decoded)
    #expect(try Judges.channels(of: path) == sounds.map { $0.map { $0 << 8 } })
    #expect(last == Progress(done: Int64(Self.frames), of: Int64(Self.frames)))
  }

  @Test(
    "behind a part whose files were cut, all tracks begin together", arguments: [false, true])
  func cut(withOpus: Bool) throws {
    // Given a first part whose tracks a power cut left of different lengths, and what followed
    let (first, second) = (Self.noise(4), Self.noise(5))
    var tracks = [
      try flac("a", first, splits: []) + flac("a then", second, splits: []),
      try flac("b", Array(first.prefix(120_000)), splits: [])
        + flac("b then", second, splits: []),
    ]
    if withOpus {
      tracks.append(
        try opus("c", frames: 125_000, splits: []) + opus("c then", splits: [], serial: 99))
    }
    // When they are joined
    let path = "\(folder.path)/joined.wav"
    let manner = try join(tracks, to: path)
    // Then the shorter ones end in silence, and the next part begins at the same frame in all
    #expect(manner == (withOpus ? .pieced(before: [1]) : .decoded))
    let heard = try Judges.channels(of: path)
    #expect(heard[0] == (first + second).map { $0 << 8 })
    let silence = [Int32](repeating: 0, count: Self.frames - 120_000)
    #expect(heard[1] == (first.prefix(120_000) + silence + second).map { $0 << 8 })
    if withOpus {
      #expect(heard[2][125_000..<Self.frames].allSatisfy { $0 == 0 })
      #expect(heard.allSatisfy { $0.count == 2 * Self.frames })
    }
  }

  @Test("a part that is damaged or lacks a track is refused, and nothing is left")
  func damaged() throws {
    let files = [try flac("a", Self.noise(6)), try flac("b", Self.noise(7))]
    let names = folder.names
    try PosixFile.open(files[1][1], .change).truncate(to: 60_000)
    #expect(throws: TapeError.self) {
      try join(files, to: "\(folder.path)/joined.wav")
    }
    #expect(folder.names == names)
  }
}
