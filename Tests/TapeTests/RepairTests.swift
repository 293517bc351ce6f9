// Proves that a file cut anywhere is repaired to exactly what its whole pages hold, that a second
// run changes nothing, and that power may fail in the middle of a repair.

import Glibc
import Sounds
import Testing

@testable import Tape

@Suite struct RepairTests {
  /// Some 25 s at 64 kb/s, about 200 KB.
  static let part: Part = {
    let samples = Signals.sweep(frames: 1_200_000)
    do { return try Take.record(samples, blocks: [4_800]).parts[0] } catch { return Part() }
  }()

  private static let endMarkByteCount = 29

  /// Cuts the take there, repairs it, and checks every promise.
  private func checkMended(cutAt byte: Int) throws {
    let part = Self.part
    let file = MemoryFile(part.bytes, cutAt: byte)
    let report = try Repair.repair(file)
    let whole = part.wholeBytes(whenCutAt: byte)
    let frames = part.frames(whenCutAt: byte)
    guard frames > 0 else {
      let verdict = report.examination.verdict
      #expect(verdict == .noSound || verdict == .foreign)
      #expect(file.operations.isEmpty, "a file without sound is left alone")
      return
    }
    let isComplete = whole == part.bytes.count
    let expected = whole + (isComplete ? 0 : Self.endMarkByteCount)
    let operations = file.operations.count
    let second = try Repair.repair(file)
    let after = second.examination
    #expect(!second.changedAnything && file.operations[operations...] == [.sync], "at \(byte)")
    let isRight =
      report.examination.frames == frames && report.cutByteCount == Int64(byte - whole)
      && file.byteCount() == Int64(expected) && after.frames == frames && after.verdict == .whole
      && file.time == 42
    #expect(isRight, "cut at \(byte): \(report), then \(after)")
  }

  @Test(arguments: 0..<16)
  func cutAtEveryByteOfTheLast64KiB(chunk: Int) throws {
    let end = Self.part.bytes.count - chunk * 4_096
    for byte in (end - 4_095)...end { try checkMended(cutAt: byte) }
  }

  @Test func cutAtRandomPlacesBefore() throws {
    var random = Random(seed: 11)
    for byte in 0..<6_000 { try checkMended(cutAt: byte) }
    for _ in 0..<2_000 { try checkMended(cutAt: random.below(Self.part.bytes.count)) }
  }

  @Test(arguments: 0..<4)
  func independentToolsAcceptWhatWasMended(share: Int) throws {
    // Given cuts of a take of 9 s at random places of its last 64 KiB; all of them in the long mode
    let part = try Take.record(Signals.sweep(frames: 432_000)).parts[0]
    let isLong = getenv("REEL_LONG") != nil
    var random = Random(seed: UInt64(share))
    let first = max(part.pageEnds[2].byte, part.bytes.count - 65_536)
    let cuts =
      isLong
      ? Array(stride(from: first + share, through: part.bytes.count, by: 4))
      : (0..<15).map { _ in first + random.below(part.bytes.count - first) }
    let folder = Folder()
    for byte in cuts {
      // When each is repaired on a real disk
      let path = try folder.put(Array(part.bytes[..<byte]), "cut.opus")
      run("touch -d '2020-02-02 02:02:02' '\(path)'")
      let file = try PosixFile.open(path, .change)
      let modified = try file.modified()
      #expect(try Repair.repair(file).examination.verdict == .repairable)
      // Then no tool complains, the length is that of its whole pages, and its time is kept
      let frames = part.frames(whenCutAt: byte)
      Judges.accept(path, frames: frames)
      #expect(try SoundReader.open(path).frames == frames)
      #expect(try SndfileReader.open(try PosixFile.open(path, .read)).frames == frames)
      #expect(try file.modified() == modified)
    }
  }

  @Test func everyInterruptedRepairIsRepairedAgain() throws {
    var random = Random(seed: 17)
    for _ in 0..<40 {
      let byte = 20_000 + random.below(Self.part.bytes.count - 20_000)
      let cut = Array(Self.part.bytes[..<byte])
      let file = MemoryFile(cut)
      _ = try Repair.repair(file)
      for state in MemoryFile.crashStates(of: cut, file.operations) {
        let again = MemoryFile(state)
        _ = try Repair.repair(again)
        #expect(again.bytes == file.bytes, "cut at \(byte)")
      }
    }
  }

  @Test func aWholeFileIsMadeSafe() throws {
    // Given a whole file whose end may have been written just before
    let file = MemoryFile(Self.part.bytes)
    #expect(try !Repair.repair(file).changedAnything)
    #expect(file.operations == [.sync])
  }

  @Test func whatIsDistrustedIsWrittenAgain() throws {
    // Given a file cut within a page, and a failed sync before
    let whole = Self.part.wholeBytes(whenCutAt: 200_000)
    let file = MemoryFile(Self.part.bytes, cutAt: 200_000)
    // When it is repaired
    let report = try Repair.repair(file, distrusting: 100_000)
    // Then the whole pages at its end are written again, and nothing else differs
    let again = MemoryFile(Self.part.bytes, cutAt: 200_000)
    #expect(try Repair.repair(again) == report && again.bytes == file.bytes)
    let (first, rest) = (file.operations.prefix(2), file.operations.dropFirst(2))
    let parts = [whole - 100_000..<whole - 34_464, whole - 34_464..<whole].map {
      MemoryFile.Operation.write(Array(Self.part.bytes[$0]), at: $0.lowerBound)
    }
    #expect(Array(first) == parts && Array(rest) == again.operations)
  }

  @Test func garbageAtTheEndIsCutOff() throws {
    let part = Self.part
    let end = part.pageEnds[part.pageEnds.count / 2]
    let noise = Signals.noise(count: 40_000, height: 30_000).map { UInt8(truncatingIfNeeded: $0) }
    // Zeros, noise, a stale page of another take, and headers that promise more than there is.
    let stranger = try Take.record(Signals.sweep(frames: 30_000), serial: 99).parts[0].bytes
    let stale = Array(stranger[4_200...])
    let promise = Array("OggS".utf8) + [UInt8](repeating: 255, count: 2_000)
    for garbage in [[UInt8](repeating: 0, count: 300_000), noise, stale, stranger, promise] {
      let file = MemoryFile(Array(part.bytes[..<end.byte]) + garbage)
      let report = try Repair.repair(file)
      #expect(report.examination.frames == end.frames)
      #expect(report.cutByteCount == Int64(garbage.count))
      #expect(file.byteCount() == Int64(end.byte + Self.endMarkByteCount))
    }
  }

  @Test func aHoleInTheMiddleIsMeasuredAndLeftAlone() throws {
    // Given 4 KiB of zeros in the middle of a take
    var bytes = Self.part.bytes
    for index in 81_920..<86_016 { bytes[index] = 0 }
    let file = MemoryFile(bytes)
    // When it is repaired and measured
    #expect(try !Repair.repair(file).changedAnything)
    let damage = try #require(try Repair.measure(file))
    // Then everything after the hole is there, at its time, and the hole has its true length
    let lost = Self.part.pageEnds.indices.dropFirst().filter { index in
      Self.part.pageEnds[index].byte > 81_920 && Self.part.pageEnds[index - 1].byte < 86_016
    }
    #expect(damage.missingFrames == Int64(lost.count * 9_600))
    #expect(damage.strayByteCount >= 4_096)
    let folder = Folder()
    let heard = try decoded(try folder.put(bytes, "hole.opus"))
    #expect(Int64(heard.count) == Self.part.frames)
    let intact = try decoded(try folder.put(Self.part.bytes, "intact.opus"))
    let behind = heard.count - 48_000
    let difference = zip(heard[behind...], intact[behind...]).map { abs(Int($0) - Int($1)) }.max()
    #expect(difference ?? 99 <= 2)
    #expect(try Repair.measure(MemoryFile(Self.part.bytes)) == Repair.Damage())
  }

  @Test func whatIsTornOutOfTheBeginningIsTold() throws {
    // Given zeros where the first two pages of sound were
    var bytes = Self.part.bytes
    for index in Self.part.pageEnds[1].byte..<Self.part.pageEnds[3].byte { bytes[index] = 0 }
    // When it is examined
    let intact = try Repair.examine(MemoryFile(Self.part.bytes))
    let torn = try Repair.examine(MemoryFile(bytes))
    // Then it begins later, and is as much shorter
    #expect(intact.startFrame == 0 && torn.startFrame == 19_200)
    #expect(torn.frames == intact.frames - 19_200)
  }

  @Test(
    "of a hole that begins in the lead-in of a split, what would have been played is told",
    arguments: [[3], [4], [4, 5, 6], [3, 4], [3, 5], [7]])
  func holesBehindASplit(torn: [Int]) throws {
    // Given a part that a split began, of which pages were torn out; the lead-in ends on the fifth
    let part = try Take.record(Signals.sweep(frames: 200_000), splits: [90_001]).parts[1]
    var bytes = part.bytes
    for page in torn {
      for index in part.pageEnds[page - 1].byte..<part.pageEnds[page].byte { bytes[index] = 0 }
    }
    // When its holes are looked for
    let file = MemoryFile(bytes)
    let holes = try Repair.holes(atEndOf: file, try Repair.examine(file))
    // Then they have the place and the length of what is missing
    let lost = torn.map { part.pageEnds[$0 - 1].frames..<part.pageEnds[$0].frames }
    let told = holes.map { $0.frame..<$0.frame + $0.frames }
    #expect(RangeSet(told) == RangeSet(lost.filter { !$0.isEmpty }))
    let damage = try #require(try Repair.measure(file))
    #expect(damage.missingFrames == lost.reduce(0) { $0 + Int64($1.count) })
    #expect(damage.hasLostPages)
    // And there silence is read
    let folder = Folder()
    let heard = try decoded(try folder.put(bytes, "torn.opus"))
    #expect(Int64(heard.count) == part.frames)
    for range in told {
      #expect(heard[Int(range.lowerBound)..<Int(range.upperBound)].allSatisfy { $0 == 0 })
    }
  }

  @Test("pages with the last time there is do no harm", arguments: [0, .max] as [Int64])
  func endOfTime(granule: Int64) throws {
    // Given a hostile file: a page of sound at the beginning or the end of time, and an end behind
    let part = Self.part
    var sound = Array(part.bytes[part.pageEnds[1].byte..<part.pageEnds[2].byte])
    let found = sound.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: granule.littleEndian, toByteOffset: 6, as: Int64.self)
      OggPage.seal(bytes, headerByteCount: OggPage.headerByteCount + Int(bytes[26]))
      return OggPage.find(in: bytes, offset: 0)
    }
    guard case .page(let page) = found else {
      Issue.record("the page of sound is none any more")
      return
    }
    let end = Repair.endMark(after: page, granule: .max, channels: 1)
    let file = MemoryFile(Array(part.bytes[..<part.pageEnds[1].byte]) + sound + end)
    // When its holes are looked for, then nothing overflows, and none is made up
    #expect(try Repair.holes(atEndOf: file, try Repair.examine(file)).isEmpty)
    #expect(try Repair.measure(file)?.missingFrames == 0)
  }

  @Test func whatIsNotOursIsLeftAlone() throws {
    let folder = Folder()
    let wav = "\(folder.path)/a.wav"
    run("sox -R -n -r 48000 -b 16 '\(wav)' synth 1 sine 300 2>/dev/null")
    run("ffmpeg -v error -i '\(wav)' -c:a libvorbis '\(folder.path)/a.ogg'")
    let part = try Take.record(Signals.sweep(frames: 30_000)).parts[0]
    let other = try Take.record(Signals.sweep(frames: 30_000), serial: 8).parts[0]
    let vorbis = try PosixFile.open("\(folder.path)/a.ogg", .read).bytes(at: 0, count: 1 << 20)
    for (bytes, verdict) in [
      ([], Repair.Verdict.foreign), ([1, 2, 3], .foreign), (vorbis, .foreign),
      (part.bytes + other.bytes, .chained), (Array(part.bytes.dropFirst()), .foreign),
      (Array(part.bytes[..<part.pageEnds[1].byte]), .noSound),
    ] {
      let file = MemoryFile(bytes)
      let report = try Repair.repair(file)
      #expect(report.examination.verdict == verdict && file.operations.isEmpty)
    }
  }

  @Test func everyPartOfASplitTakeIsMendedToo() throws {
    let take = try Take.record(Signals.sweep(frames: 200_000), splits: [90_001])
    let part = take.parts[1]
    for byte in stride(from: 0, through: part.bytes.count, by: 97) {
      let file = MemoryFile(part.bytes, cutAt: byte)
      _ = try Repair.repair(file)
      let expected = part.frames(whenCutAt: byte)
      #expect(try Repair.examine(file).frames == expected)
    }
  }

  @Test func aLongFileIsNotRead() throws {
    // Given a file of 4 GiB, most of it a hole, that was cut within its last page
    let folder = Folder()
    let part = Self.part
    let path = try folder.put(Array(part.bytes[..<20_000]), "long.opus")
    let file = try PosixFile.open(path, .change)
    let end = Int64(4) << 30
    try file.write(Array(part.bytes[20_000..<part.bytes.count - 100]), at: end)
    // When it is repaired
    let report = try Repair.repair(file)
    // Then it has the length that its last whole page says
    let last = part.pageEnds[part.pageEnds.count - 2]
    #expect(report.examination.frames == last.frames)
    #expect(try Repair.examine(file).verdict == .whole)
  }

  @Test func examiningReadsTheBeginningAndTheEndOnly() throws {
    let take = try Take.record(Signals.noise(count: 2_000_000, height: 9_000), .clear(48_000))
    let file = MemoryFile(take.parts[0].bytes)
    #expect(try Repair.examine(file).verdict == .whole)
    #expect(file.bytesRead < 300_000 && take.parts[0].bytes.count > 600_000)
  }
}
