// Proves that a FLAC file cut anywhere is repaired to exactly what its whole frames hold, that a
// second run changes nothing, and that power may fail in a repair and while tags are written.

import Glibc
import Sounds
import Testing

@testable import Tape

@Suite struct FlacRepairTests {
  static let settings = FlacSettings(16_000, channels: 2)
  /// Some 5 s of noise and silence, about 100 KB.
  static let samples: [Int32] = {
    let noise = Signals.noise(count: 160_000, height: 300).map(Int32.init)
    return noise.enumerated().map { ($0 / 20_000) % 4 == 3 ? 0 : $1 }
  }()
  static let take: FlacTake = {
    var tags = Tags()
    (tags.id, tags.title) = ("00ff", "Noise")
    do { return try Take.record(flac: samples, settings, tags: tags) } catch { return FlacTake() }
  }()
  static var part: Part { take.parts[0] }

  /// Cuts the take there, repairs it, and checks every promise.
  private func checkMended(cutAt byte: Int) throws {
    let (part, file) = (Self.part, MemoryFile(Self.part.bytes, cutAt: byte))
    let report = try Repair.repair(file, of: 7)
    let (whole, frames) = (part.wholeBytes(whenCutAt: byte), part.frames(whenCutAt: byte))
    guard frames > 0 else {
      let verdict = report.examination.verdict
      #expect(verdict == .noSound || verdict == .foreign, "cut at \(byte)")
      #expect(file.operations.isEmpty, "a file without sound is left alone")
      return
    }
    let operations = file.operations.count
    let second = try Repair.repair(file)
    let after = second.examination
    #expect(!second.changedAnything && file.operations[operations...] == [.sync], "at \(byte)")
    let isRight =
      report.examination.frames == frames && report.cutByteCount == Int64(byte - whole)
      && report.sealed && file.byteCount() == Int64(whole) && after.frames == frames
      && after.verdict == .whole && after.rate == 16_000 && after.channels == 2 && file.time == 42
    #expect(isRight, "cut at \(byte): \(report), then \(after)")
  }

  /// All cuts of the last 64 KiB in the long mode; otherwise those around each frame's end, and
  /// some in between.
  @Test(arguments: 0..<16)
  func cutAtEveryByteOfTheLast64KiB(chunk: Int) throws {
    let end = Self.part.bytes.count - chunk * 4_096
    let isLong = getenv("REEL_LONG") != nil
    let ends = Self.part.pageEnds.map(\.byte)
    for byte in (end - 4_095)...end
    where isLong || byte % 61 == 0 || ends.contains(where: { abs($0 - byte) < 4 }) {
      try checkMended(cutAt: byte)
    }
  }

  @Test func cutInTheHeader() throws {
    for byte in stride(from: 0, to: Self.part.pageEnds[1].byte + 9, by: 7) {
      try checkMended(cutAt: byte)
    }
  }

  @Test func independentToolsAcceptWhatWasMended() throws {
    var random = Random(seed: 3)
    let folder = Folder()
    for _ in 0..<15 {
      let byte = Self.part.bytes.count - random.below(65_536)
      let path = try folder.put(Array(Self.part.bytes[..<byte]), "cut.flac")
      let file = try PosixFile.open(path, .change)
      #expect(try Repair.repair(file).examination.verdict == .repairable)
      let frames = Int(Self.part.frames(whenCutAt: byte))
      Judges.flac(path, gives: Array(Self.samples[..<(2 * frames)]), bits: 16, hasSum: false)
      #expect(try SoundReader.open(path).frames == Int64(frames))
    }
  }

  @Test func everyInterruptedRepairIsRepairedAgain() throws {
    var random = Random(seed: 17)
    for _ in 0..<20 {
      let cut = Array(Self.part.bytes[..<(20_000 + random.below(60_000))])
      let file = MemoryFile(cut)
      _ = try Repair.repair(file)
      for state in MemoryFile.crashStates(of: cut, file.operations) {
        let again = MemoryFile(state)
        _ = try Repair.repair(again)
        #expect(again.bytes == file.bytes)
      }
    }
  }

  @Test func aClosedFileIsWholeAndIsMadeSafe() throws {
    let file = MemoryFile(try Self.take.closed())
    #expect(try Repair.examine(file).verdict == .whole)
    #expect(try !Repair.repair(file).changedAnything)
    #expect(file.operations == [.sync])
    #expect(try Repair.measure(file) == Repair.Damage())
  }

  @Test func garbageAtTheEndIsCutOff() throws {
    let end = Self.part.pageEnds[Self.part.pageEnds.count / 2]
    let noise = Signals.noise(count: 40_000, height: 30_000).map { UInt8(truncatingIfNeeded: $0) }
    let stale = Array(Self.part.bytes[(Self.part.bytes.count - 20_000)...])
    let promise = (0..<400).flatMap { _ in [0xFF, 0xF8, 0xC9, 0x18] as [UInt8] }
    for garbage in [[UInt8](repeating: 0, count: 300_000), noise, stale, promise] {
      let file = MemoryFile(Array(Self.part.bytes[..<end.byte]) + garbage)
      let report = try Repair.repair(file)
      #expect(report.examination.frames == end.frames)
      #expect(report.cutByteCount == Int64(garbage.count))
    }
  }

  @Test func aHoleInWhatWasNotSyncedEndsTheFile() throws {
    // Given 4 KiB of zeros that a power cut left before the end
    var bytes = Self.part.bytes
    let hole = bytes.count - 30_000
    bytes.replaceSubrange(hole..<hole + 4_096, with: [UInt8](repeating: 0, count: 4_096))
    let file = MemoryFile(bytes)
    // Then it ends with the last whole frame before
    #expect(try Repair.repair(file).examination.frames == Self.part.frames(whenCutAt: hole))
  }

  @Test func damageInAClosedFileIsMeasuredAndLeftAlone() throws {
    // Given a closed file with a frame that is not what it was
    var bytes = try Self.take.closed()
    let (before, after) = (Self.part.pageEnds[20], Self.part.pageEnds[21])
    bytes[before.byte + 40] ^= 0x10
    let file = MemoryFile(bytes)
    // Then that frame is missing, and at most the next, and nothing is changed
    let damage = try #require(try Repair.measure(file))
    let frame = after.frames - before.frames
    #expect((frame...2 * frame).contains(damage.missingFrames) && damage.hasLostPages)
    #expect(try Repair.examine(file).verdict == .whole)
    #expect(file.operations.isEmpty)
  }

  @Test func otherFilesAreForeign() throws {
    let path = try Folder.shared.put([], "other.wav")
    run("sox -n -r 48000 -b 16 '\(path)' synth 1 sine 440; flac -s -f -o '\(path).flac' '\(path)'")
    let file = MemoryFile(run("cat '\(path).flac'").bytes)
    #expect(try Repair.examine(file).verdict == .foreign)
    #expect(try Repair.repair(file).changedAnything == false && file.operations.isEmpty)
    // And so is a take of another serial number
    let other = MemoryFile(Self.part.bytes, cutAt: 50_000)
    #expect(try Repair.repair(other, of: 8).examination.verdict == .foreign)
    #expect(other.operations.isEmpty)
  }

  @Test func tagsTornByAPowerCutAreMended() throws {
    // Given a closed file, of which the tags are rewritten
    var tags = Tags()
    (tags.id, tags.title) = ("00ff", "Noise")
    let closed = try Self.take.closed(0, tags)
    tags.notes = String(repeating: "a few words ", count: 200)
    tags.marks = (1...60).map { Tags.Mark(frame: $0 * 1_000, name: "mark \($0)") }
    let file = MemoryFile(closed)
    try tags.write(into: file)
    // When power is cut in any of these writes
    for state in MemoryFile.crashStates(of: closed, file.operations) {
      let torn = MemoryFile(state)
      _ = try Repair.repair(torn)
      // Then all sound is there, and the file is as sound as before
      let after = try Repair.examine(torn)
      #expect(after.verdict == .whole && after.frames == Self.part.frames)
      #expect(torn.byteCount() == Int64(closed.count))
      // And the tags can be written again
      try tags.write(into: torn)
      #expect(try Tags.read(from: torn)?.notes == tags.notes)
    }
  }

  @Test func anyBytesAreSurvived() throws {
    var random = Random(seed: 5)
    for _ in 0..<600 {
      var bytes = Array(Self.part.bytes[..<(30_000 + random.below(20_000))])
      for _ in 0...random.below(30) {
        bytes[random.below(random.below(3) == 0 ? bytes.count : 300)] = UInt8(random.below(256))
      }
      let file = MemoryFile(bytes)
      _ = try Repair.repair(file)
      _ = try Repair.measure(file)
      _ = try Tags.read(from: file)
    }
  }
}

extension Folder {
  fileprivate static let shared = Folder()
}
