// Proves that FLAC takes are exported and joined like others: bit for bit where the target keeps
// every bit, and as Opus of the same length.

import Glibc
import Sounds
import Testing

@testable import Tape

@Suite struct FlacExchangeTests {
  private static let settings = FlacSettings(44_100, channels: 2, bits: 24)
  private static let samples = Signals.noise(count: 176_402, height: 30_000).map { Int32($0) * 256 }
  private static let cut = 44_117

  /// The two parts of a take of two seconds.
  private func parts(in folder: Folder) throws -> [String] {
    var tags = Tags()
    (tags.title, tags.marks) = ("Noise", [Tags.Mark(frame: 48_000, name: "here")])
    let take = try Take.record(
      flac: Self.samples, Self.settings, tags: tags, blocks: [441], splits: [Self.cut])
    return try [0, 1].map { try folder.put(try take.closed($0, tags), "part \($0).flac") }
  }

  @Test("Export keeps every bit of 24, and the tags", arguments: ["wav", "flac"])
  func exact(ending: String) throws {
    let folder = Folder()
    let (source, target) = (try parts(in: folder)[0], "\(folder.path)/out.\(ending)")
    let format: Export.Format = ending == "wav" ? .wav(.bits24) : .flac(.bits24)
    try Export.run(from: try PosixFile.open(source, .read), to: target, as: format)
    let decoded = run("sox '\(target)' -t raw -e signed -b 32 -L -").bytes
    let heard = decoded.withUnsafeBytes { $0.bindMemory(to: Int32.self).map { $0 >> 8 } }
    #expect(heard == Array(Self.samples[..<(2 * Self.cut)]))
    #expect(try SoundReader.open(target).tags.title == "Noise")
  }

  @Test("Export to Opus encodes, with the tags and the length")
  func opus() throws {
    let folder = Folder()
    let (source, target) = (try parts(in: folder)[1], "\(folder.path)/out.opus")
    try Export.run(from: try PosixFile.open(source, .read), to: target, as: .opus)
    let frames = Int64(Self.samples.count / 2 - Self.cut)
    Judges.accept(target, frames: scaled(frames, from: 44_100, to: 48_000), channels: 2)
    let tags = try SoundReader.open(target).tags
    #expect(tags.title == "Noise" && tags.marks.map(\.name) == ["here"])
  }

  @Test("Joined parts are the undivided take", arguments: ["wav", "flac", "opus"])
  func joined(ending: String) throws {
    // Given the parts of a take
    let folder = Folder()
    let (paths, target) = (try parts(in: folder), "\(folder.path)/whole.\(ending)")
    let formats: [String: Export.Format] = ["wav": .wav(.bits24), "flac": .flac(.bits24)]
    // When they are joined
    let manner = try Join.run(
      2, opening: { (index) throws(TapeError) in try PosixFile.open(paths[index], .read) },
      to: target, as: formats[ending] ?? .opus, tags: Tags())
    // Then nothing is said to be encoded anew, and what is heard is the whole
    #expect(manner == .decoded)
    if ending == "opus" {
      let frames = scaled(Int64(Self.samples.count / 2), from: 44_100, to: 48_000)
      return Judges.accept(target, frames: frames, channels: 2)
    }
    let decoded = run("sox '\(target)' -t raw -e signed -b 32 -L -").bytes
    let heard = decoded.withUnsafeBytes { $0.bindMemory(to: Int32.self).map { $0 >> 8 } }
    #expect(heard == Self.samples)
  }

  @Test("Parts of two formats are refused with the reason")
  func mixed() throws {
    let folder = Folder()
    var paths = try parts(in: folder)
    var stereo = OpusSettings()
    stereo.channels = 2
    let opus = try Take.record([Int16](repeating: 9, count: 96_000), stereo).parts[0].bytes
    paths[1] = try folder.put(opus, "part.opus")
    do throws(TapeError) {
      _ = try Join.run(
        2, opening: { (index) throws(TapeError) in try PosixFile.open(paths[index], .read) },
        to: "\(folder.path)/whole.wav", as: .wav(.bits16), tags: Tags())
      Issue.record("parts of two formats were joined")
    } catch {
      #expect(error.sentence.contains("another format than the first"))
    }
  }
}
