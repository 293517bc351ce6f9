// A take of several tracks, from a file of four channels to the files on the card, by reelctl
// against a real daemon: recorded, split, killed, exported and moved.

import FoundationEssentials
import Glibc
import Recorder
import Tape
import Testing

@Suite actor TracksTests: Desk {
  nonisolated let chair = Chair()

  private static let configuration = """
    { tracks: [
      { name: "voice", channels: [2], format: "flac" },
      { name: "both", channels: [4, 1], format: "flac", bits: 24 },
      { name: "listen", channels: [1, 2] },
    ] }
    """

  /// A daemon whose microphone is a file: in channel n, from 1, each sample is 1000 n and up to 499
  /// more.
  private func talker(_ scratch: Scratch = Scratch()) throws -> Talker {
    try scratch.make("root/etc/reel.json", Data(Self.configuration.utf8))
    let samples: [Int16] = (0..<44_100).flatMap { (frame: Int) -> [Int16] in
      (1...4).map { (channel: Int) -> Int16 in Int16(channel * 1_000 + frame % 500) }
    }
    try scratch.make("four.wav", Self.wave(samples, channels: 4, rate: 44_100))
    return try Talker(scratch, ["--mic", scratch.path + "/four.wav"])
  }

  private static func wave(_ samples: [Int16], channels: Int, rate: Int) -> Data {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    let sound = samples.flatMap { bytes($0) }
    let format =
      bytes(Int16(1)) + bytes(Int16(channels)) + bytes(Int32(rate))
      + bytes(Int32(rate * channels * 2)) + bytes(Int16(channels * 2)) + bytes(Int16(16))
    return Data(
      Array("RIFF".utf8) + bytes(Int32(36 + sound.count)) + Array("WAVEfmt ".utf8)
        + bytes(Int32(16)) + format + Array("data".utf8) + bytes(Int32(sound.count)) + sound)
  }

  /// Every channel of a file, as 16-bit samples.
  private func channels(of path: String) throws -> [[Int16]] {
    var reader = try SoundReader.open(path)
    let count = reader.channels
    var samples: [Int16] = []
    var block = [Int16](repeating: 0, count: 4_096 * count)
    while case let frames = try block.withUnsafeMutableBufferPointer({ try reader.read(into: $0) }),
      frames > 0
    {
      samples += block[..<(frames * count)]
    }
    return (0..<count).map { channel in
      stride(from: channel, to: samples.count, by: count).map { samples[$0] }
    }
  }

  /// Whether each sample is one that the channel of the microphone delivers, after the one before.
  private func isChannel(_ number: Int, _ samples: [Int16]) -> Bool {
    let offsets = samples.map { Int($0) - 1_000 * number }
    return !offsets.isEmpty && offsets.allSatisfy { (0..<500).contains($0) }
      && zip(offsets, offsets.dropFirst()).allSatisfy { $1 == $0 + 1 || $1 % 100 == 0 }
  }

  private struct Status: Decodable {
    struct Take: Decodable { let seconds: Double }
    let take: Take?
  }

  /// Begins a take, and waits until it is a few seconds long; the pre-roll counts.
  private func begin(on talk: Talker) throws {
    _ = try talk.say("record", "Band")
    try until("three seconds of sound") {
      try talk.json(Status.self, "status").take?.seconds ?? 0 >= 3
    }
  }

  @Test("each track's file has its channels, sample for sample, and info tells of each")
  func recorded() throws {
    let talk = try talkerWithTake()
    let item = try talk.json(ItemReport.self, "info", "1")
    let tracks = try #require(item.tracks)
    #expect(tracks.map(\.name) == ["voice", "both", "listen"])
    #expect(tracks.map(\.file) == ["0001 Band.flac", "0001 Band (1).flac", "0001 Band (2).opus"])
    #expect(tracks.map(\.bits) == [16, 24, nil] && tracks.map(\.channels) == [1, 2, 2])
    #expect(tracks.map(\.rate) == [44_100, 44_100, 48_000])
    #expect(item.sizeBytes == tracks.reduce(0) { $0 + $1.sizeBytes })
    let folder = talk.scratch.root + "/recordings/"
    let voice = try channels(of: folder + tracks[0].file)
    #expect(voice.count == 1 && isChannel(2, voice[0]) && voice[0].count == tracks[0].frames)
    let both = try channels(of: folder + tracks[1].file)
    #expect(both.count == 2 && isChannel(4, both[0]) && isChannel(1, both[1]))
    #expect(both[0].count == voice[0].count)
    #expect(try talk.say("verify", "/").contains("1 recording checked"))
  }

  @Test("a virtual microphone of any sound has the channels that tracks name")
  func namedChannels() throws {
    let scratch = Scratch()
    let text =
      "{ tracks: [{ channels: [3] }, { name: \"pair\", channels: [7, 3], format: \"flac\" }] }"
    try scratch.make("root/etc/reel.json", Data(text.utf8))
    let talk = try Talker(scratch)
    try begin(on: talk)
    _ = try talk.say("stop")
    let tracks = try #require(try talk.json(ItemReport.self, "info", "1").tracks)
    #expect(tracks.map(\.channels) == [1, 2])
  }

  /// A daemon with one take.
  private func talkerWithTake() throws -> Talker {
    let talk = try talker()
    try begin(on: talk)
    _ = try talk.say("stop")
    return talk
  }

  @Test("one track is exported by its name, and an unknown name is told with those there are")
  func exported() throws {
    let talk = try talkerWithTake()
    _ = try talk.say("export", "1", "out.wav", "--track", "both")
    let both = try channels(of: talk.here + "/out.wav")
    #expect(both.count == 2 && isChannel(4, both[0]))
    let refused = try talk.run("export", "1", "other.wav", "--track", "drums")
    #expect(refused.ending != .exited(0))
    #expect(refused.errors.contains("there is: voice, both, listen."), "\(refused.errors)")
    #expect(!talk.files("").contains("other.wav"))
  }

  /// Records a take in two parts; returns them.
  private func recordSplit(on talk: Talker) throws -> [ItemReport] {
    try begin(on: talk)
    let before = talk.scratch.recordedBytes
    _ = try talk.say("split")
    try until("sound of the second part") { talk.scratch.recordedBytes > before + 100_000 }
    _ = try talk.say("stop")
    let items = try talk.json(FolderListing.self, "ls", "/", "--by-name").items
    return items.sorted { $0.part ?? 0 < $1.part ?? 0 }
  }

  private func head(of path: String) throws -> [UInt8] {
    try PosixFile.open(path, .read).bytes(at: 0, count: 8_192)
  }

  private func timeReference(of path: String) throws -> Int64 {
    let bytes = try head(of: path)
    let name = Array("bext".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    return bytes[(start + 8 + 338)...].prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
  }

  @Test("without --track a WAV file has all channels with their names, and parts line up")
  func polyphonic() throws {
    let talk = try talker()
    let parts = try recordSplit(on: talk)
    try #require(parts.count == 2)
    let told = try talk.say("export", "1", "one.wav")
    #expect(told.contains("Exported 3 tracks to"))
    _ = try talk.say("export", "2", "two.wav", "--format", "wav24")
    // The channels are those of the device that the tracks have, and the lossy one is as long
    let heard = try channels(of: talk.here + "/one.wav")
    try #require(heard.count == 5)
    #expect(isChannel(2, heard[0]) && isChannel(4, heard[1]) && isChannel(1, heard[2]))
    #expect(Set(heard.map(\.count).map(Int64.init)) == [parts[0].frames])
    #expect(heard[3].contains { $0 != 0 })
    #expect(try SoundReader.open(talk.here + "/one.wav").sampleRate == 44_100)
    let text = String(decoding: try head(of: talk.here + "/one.wav"), as: UTF8.self)
    for name in ["voice", "both 1", "both 2", "listen 1", "listen 2"] {
      #expect(text.contains("<NAME>\(name)</NAME>"))
    }
    #expect(!text.contains("REEL_TRACK"))
    let first = try timeReference(of: talk.here + "/one.wav")
    let second = try timeReference(of: talk.here + "/two.wav")
    #expect(second - first == parts[0].frames)
    // Any other file has the first track, and a folder is exported like a recording
    _ = try talk.say("export", "1", "one.flac")
    #expect(try SoundReader.open(talk.here + "/one.flac").channels == 1)
    _ = try talk.say("export", "/", "all")
    let names = talk.files("all").filter { $0.hasSuffix(".wav") }
    #expect(names.count == 2)
    for name in names { #expect(try SoundReader.open(talk.here + "/all/" + name).channels == 5) }
  }

  @Test("WAV and FLAC keep the 24 bits of what goes into them, unless --format says otherwise")
  func depths() throws {
    let talk = try talkerWithTake()
    _ = try talk.say("export", "1", "all.wav")
    _ = try talk.say("export", "1", "voice.flac")
    _ = try talk.say("export", "1", "voice.wav", "--track", "voice")
    _ = try talk.say("export", "1", "listen.wav", "--track", "listen")
    _ = try talk.say("export", "1", "both.flac", "--track", "both")
    _ = try talk.say("export", "1", "plain.flac", "--track", "both", "--format", "flac")
    for file in ["all.wav", "both.flac"] {
      #expect(try depth(of: talk.here + "/" + file) == 24, "\(file)")
    }
    for file in ["voice.flac", "voice.wav", "listen.wav", "plain.flac"] {
      #expect(try depth(of: talk.here + "/" + file) == 16, "\(file)")
    }
  }

  /// Bits of a sample, as the file's header tells.
  private func depth(of path: String) throws -> Int {
    let bytes = try head(of: path)
    if path.hasSuffix(".flac") { return Int(bytes[20] & 1) << 4 + Int(bytes[21] >> 4) + 1 }
    let name = Array("fmt ".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    return Int(bytes[start + 22])
  }

  @Test("a track of all parts is joined by its name, to the sample and with all its bits")
  func joined() throws {
    let talk = try talker()
    let parts = try recordSplit(on: talk)
    try #require(parts.count == 2)
    _ = try talk.say("join", "2", "--to", "both.flac", "--track", "both")
    let folder = talk.scratch.root + "/recordings/"
    var whole = [[Int16]](repeating: [], count: 2)
    for part in parts {
      let item = try talk.json(ItemReport.self, "info", "\(part.id)")
      let tracks = try #require(item.tracks)
      let sound = try channels(of: folder + tracks[1].file)
      for channel in whole.indices { whole[channel] += sound[channel] }
    }
    #expect(try channels(of: talk.here + "/both.flac") == whole)
    #expect(try depth(of: talk.here + "/both.flac") == 24)
    _ = try talk.say("join", "1", "--to", "voice.wav", "--track", "voice")
    #expect(try depth(of: talk.here + "/voice.wav") == 16)
    let refused = try talk.run("join", "1", "--to", "other.wav", "--track", "drums")
    #expect(refused.errors.contains("there is: voice, both, listen."), "\(refused.errors)")
    #expect(talk.files("").sorted() == ["both.flac", "voice.wav"])
  }

  @Test("all tracks of all parts are joined into a WAV file, with what was said of the take")
  func joinedTracks() throws {
    let talk = try talker()
    let parts = try recordSplit(on: talk)
    try #require(parts.count == 2)
    // Given a mark in the second part
    _ = try talk.say("mark", "add", "2", "0:01", "chorus")
    for part in 1...2 { _ = try talk.say("export", "\(part)", "\(part).wav") }
    // When the parts are joined
    _ = try talk.say("join", "2", "--to", "whole.wav")
    // Then the file has what the exports of the parts have, one behind the other
    let exports = [try channels(of: talk.here + "/1.wav"), try channels(of: talk.here + "/2.wav")]
    let heard = try channels(of: talk.here + "/whole.wav")
    try #require(heard.count == 5 && exports[0].count == 5)
    for channel in 0..<3 {
      #expect(heard[channel] == exports[0][channel] + exports[1][channel], "\(channel)")
    }
    // But the resampler of the lossy track hears no silence at the seam
    let seam = exports[0][3].count
    #expect(Set(heard.map(\.count)) == [seam + exports[1][3].count])
    #expect(heard[3].prefix(seam - 100) == exports[0][3].dropLast(100))
    // And its header has all bits, the time of the first part and the mark
    #expect(try depth(of: talk.here + "/whole.wav") == 24)
    #expect(
      try timeReference(of: talk.here + "/whole.wav")
        == timeReference(of: talk.here + "/1.wav"))
    let marks = try SoundReader.open(talk.here + "/whole.wav").tags.marks
    #expect(marks.map(\.frame) == [scaled(Int64(seam) + 44_100, from: 44_100, to: 48_000)])
    #expect(marks.map(\.name) == ["chorus"])
    // And a directory gets it under the name of the recording
    _ = try talk.say("join", "1", "--to", "./")
    #expect(try channels(of: talk.here + "/0001 Band.wav") == heard)
  }

  @Test("what was exported comes back as it was, file or directory, if it is imported as FLAC")
  func thereAndBack() throws {
    // Given a track outside the card
    let talk = try talkerWithTake()
    _ = try talk.say("export", "1", "both.wav", "--track", "both")
    try talk.scratch.make("here/box/four.wav", Data(contentsOf: four(talk)))
    // When it is imported without loss, and a directory with another one
    _ = try talk.say("import", "both.wav", "--format", "flac")
    _ = try talk.say("import", "box", "--format", "flac")
    // Then both have every sample, and info tells what they are
    let folder = talk.scratch.root + "/recordings/"
    #expect(try channels(of: folder + "0002 both.flac") == channels(of: talk.here + "/both.wav"))
    #expect(try channels(of: folder + "box/0003 four.flac") == channels(of: four(talk).path))
    #expect(try talk.say("info", "2").contains("2 channels, 44100 Hz, flac 24, "))
    #expect(try talk.say("info", "3").contains("4 channels, 44100 Hz, flac 16, "))
    let refused = try talk.run("import", "both.wav", "--format", "mp3")
    #expect(refused.errors.contains("FORMAT is one of opus, flac, not “mp3”"), "\(refused.errors)")
  }

  private func four(_ talk: Talker) -> URL {
    URL(fileURLWithPath: talk.scratch.path + "/four.wav")
  }

  @Test("if the file of a track is gone, that is told, and nothing is left")
  func missing() throws {
    let talk = try talkerWithTake()
    unlink(talk.scratch.root + "/recordings/0001 Band (1).flac")
    let refused = try talk.run("export", "1", "other.wav")
    #expect(refused.ending != .exited(0))
    #expect(
      refused.errors.contains("The file of the track “both” of “Band” is gone."),
      "\(refused.errors)")
    #expect(talk.files("").allSatisfy { !$0.contains("other") && !$0.contains("part") })
    _ = try talk.say("export", "1", "voice.wav", "--track", "voice")
  }

  @Test("what clips is exported from the safety track, and what was done is told")
  func repaired() throws {
    // Given a sine that is 4 dB too loud, and the same 12 dB lower
    let scratch = Scratch()
    let tracks =
      #"{ name: "main", channels: [1], format: "flac" },"#
      + #"{ name: "safety", channels: [2], format: "flac" }"#
    try scratch.make("root/etc/reel.json", Data("{ tracks: [\(tracks)] }".utf8))
    let sine = (0..<44_100).map { 1.6 * sin(2 * .pi * 441 * Double($0) / 44_100) }
    let samples = sine.flatMap { sample in
      [Int16(min(max(sample, -1), 1) * 32_767), Int16(sample * 0.25 * 32_767)]
    }
    try scratch.make("two.wav", Self.wave(samples, channels: 2, rate: 44_100))
    let talk = try Talker(scratch, ["--mic", scratch.path + "/two.wav"])
    try begin(on: talk)
    _ = try talk.say("stop")
    // When it is exported
    let told = try talk.say("export", "1", "whole.wav", "--repair-clipping")
    _ = try talk.say("export", "1", "safety.wav", "--track", "safety")
    // Then it is the sine, 1 dB below full scale
    #expect(told.contains("Clipped stretches repaired from the safety track:"), "\(told)")
    #expect(told.contains("The safety track is 12.04 dB below the main track."), "\(told)")
    let whole = try channels(of: talk.here + "/whole.wav")
    let safety = try channels(of: talk.here + "/safety.wav")
    try #require(whole.count == 1 && whole[0].count == safety[0].count)
    let ratio = 0.891 / (1.6 * 0.25)
    let errors = zip(whole[0], safety[0]).map { abs(Double($0) - ratio * Double($1)) }
    #expect(errors.max() ?? .infinity < 20)
    let text = String(decoding: try head(of: talk.here + "/whole.wav"), as: UTF8.self)
    #expect(text.contains("REEL_REPAIRED"))
    // And the safety track itself is not repaired
    let own = try talk.run("export", "1", "a.wav", "--repair-clipping", "--track", "safety")
    #expect(own.errors.contains("The track “safety” repairs the others"), "\(own.errors)")
  }

  @Test("a take without a safety track is not repaired")
  func unrepaired() throws {
    let talk = try talkerWithTake()
    let refused = try talk.run("export", "1", "a.wav", "--repair-clipping")
    #expect(refused.ending != .exited(0))
    #expect(refused.errors.contains("“Band” has no track “safety”"), "\(refused.errors)")
    #expect(talk.files("").allSatisfy { !$0.contains("a.wav") })
  }

  @Test("after a kill all tracks are recovered, whole, as one recording")
  func killed() throws {
    let scratch = Scratch()
    let talk = try talker(scratch)
    try begin(on: talk)
    talk.daemon.send(SIGKILL)
    talk.end()
    let again = try talker(scratch)
    try until("the take is recovered") {
      try again.run("info", "1", "--json").output.contains("\"recovered\":true")
    }
    let item = try again.json(ItemReport.self, "info", "1")
    let tracks = try #require(item.tracks)
    #expect(tracks.map(\.name) == ["voice", "both", "listen"])
    // Of three seconds at most a second is lost, that between two syncs
    #expect(tracks.allSatisfy { $0.frames >= Int64(2 * $0.rate) })
    #expect(try again.say("verify", "1").contains("1 recording checked"))
  }
}
