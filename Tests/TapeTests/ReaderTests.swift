// Proves that lengths are exact, that a seek lands on the very sample, and that cut or damaged
// files are read as far as they go.

import Glibc
import Realtime
import Sounds
import Testing

@testable import Tape

@Suite struct ReaderTests {
  @Test(arguments: [1, 2])
  func seekingIsExactToTheFrame(channels: Int) throws {
    // Given a take of noise, so that no two places sound alike
    let samples = Signals.noise(count: 96_000 * channels, height: 8_000)
    let take = try Take.record(samples, .clear(48_000, channels: channels))
    let folder = Folder()
    let path = try folder.put(take.parts[0].bytes, "a.opus")
    let whole = try decoded(path)
    var reader = try OpusReader.open(try PosixFile.open(path, .read))
    #expect(reader.frames == 96_000 && reader.channels == channels)
    let block = Buffer<Int16>(count: 1_000 * channels)
    var random = Random(seed: 4)
    for _ in 0..<60 {
      // When it is played from anywhere, in blocks of any size
      let frame = random.below(96_000)
      try reader.seek(to: Int64(frame))
      let wanted = 1 + random.below(1_000)
      let count = try reader.read(into: block.slice(0..<wanted * channels))
      // Then the samples are those at that place when it is played from the start
      #expect(count == min(wanted, 96_000 - frame))
      #expect(reader.position == Int64(frame + count))
      let expected = whole[frame * channels..<(frame + count) * channels]
      let difference =
        zip(block.slice(0..<count * channels), expected)
        .map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(difference <= 2, "at \(frame) off by \(difference)")
    }
    try reader.seek(to: 1_000_000)
    #expect(try reader.read(into: block.all) == 0)
  }

  @Test func floatAndSixteenBitsMayTakeTurns() throws {
    let take = try Take.record(Signals.sweep(frames: 48_000), .clear(48_000))
    let folder = Folder()
    let path = try folder.put(take.parts[0].bytes, "a.opus")
    let whole = try decoded(path)
    var reader = try OpusReader.open(try PosixFile.open(path, .read))
    let bits = Buffer<Int16>(count: 700)
    let floats = Buffer<Float>(count: 700)
    for frame in stride(from: 0, to: 46_200, by: 1_400) {
      #expect(try reader.read(into: bits.all) == 700)
      #expect(try reader.read(into: floats.all) == 700)
      for index in 0..<700 {
        let float = Int((floats.all[index] * 32_768).rounded())
        #expect(abs(Int(bits.all[index]) - Int(whole[frame + index])) <= 2)
        #expect(abs(float - Int(whole[frame + 700 + index])) <= 2)
      }
    }
  }

  @Test func aCutFilePlaysWhatItsWholePagesHold() throws {
    let part = RepairTests.part
    let folder = Folder()
    var random = Random(seed: 8)
    for _ in 0..<12 {
      let byte = 10_000 + random.below(part.bytes.count - 10_000)
      let path = try folder.put(Array(part.bytes[..<byte]), "a.opus")
      #expect(Int64(try decoded(path).count) == part.frames(whenCutAt: byte))
    }
  }

  @Test func whateverLiesAboutIsReadByContentOrRefusedInASentence() throws {
    let folder = Folder()
    for name in ["a.wav", "b.flac", "c.aiff", "d.ogg", "e.mp3"] {
      let path = "\(folder.path)/\(name)"
      run("ffmpeg -v error -f lavfi -i sine=500:r=44100:d=1 -ac 2 '\(path)'")
      run("mv '\(path)' '\(path).opus'")
      let reader = try SoundReader.open(path + ".opus")
      #expect(reader.sampleRate == 44_100 && reader.channels == 2 && !reader.isOpus)
      #expect(abs((reader.frames ?? 0) - 44_100) < 3_000)
    }
    for (name, bytes) in [("x", [UInt8]()), ("y", Array("OggS".utf8)), ("z", [1, 2, 3])] {
      let path = try folder.put(bytes, name)
      #expect(throws: TapeError.self) { _ = try SoundReader.open(path).frames }
    }
    do throws(TapeError) {
      _ = try SoundReader.open("\(folder.path)/none.opus").frames
      Issue.record("a missing file cannot be opened")
    } catch {
      #expect(error.code == .cannotOpen && error.errno == ENOENT)
      #expect(error.sentence.contains("there is no such file"))
    }
  }

  @Test func noiseInsteadOfAFileNeverCrashesTheReader() throws {
    let part = try Take.record(Signals.sweep(frames: 30_000)).parts[0]
    let folder = Folder()
    var random = Random(seed: 21)
    for _ in 0..<60 {
      var bytes = part.bytes
      for _ in 0..<20 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      let path = try folder.put(bytes, "noise.opus")
      // It may fail, but with a sentence.
      do throws(TapeError) { _ = try decoded(path) } catch { #expect(!error.sentence.isEmpty) }
      let file = MemoryFile(bytes)
      _ = try Repair.repair(file)
      _ = try Repair.measure(file)
      #expect(try !Repair.repair(file).changedAnything)
    }
  }
}
