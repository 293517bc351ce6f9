// Proves that header and sound of a FLAC file are known to belong together, or not to.

import Sounds
import Testing

@testable import Tape

@Suite struct FlacSumTests {
  private static let settings = FlacSettings(48_000, channels: 2)

  private func closed(_ height: Int, seconds: Int = 30) throws -> [UInt8] {
    let samples = Signals.noise(count: seconds * 96_000, height: height).map(Int32.init)
    let take = try Take.record(flac: samples, Self.settings)
    let file = MemoryFile(take.parts[0].bytes)
    try take.seals[0].write(into: file)
    return file.bytes
  }

  @Test("the sum in the header is that of the sound, however long")
  func ownSound() throws {
    #expect(try Repair.sumMatches(MemoryFile(try closed(3_000))) == true)
    #expect(try Repair.sumMatches(MemoryFile(try closed(3_000, seconds: 1))) == true)
  }

  @Test("sound under the header of another take is noticed")
  func otherSound() throws {
    let (one, other) = (try closed(3_000), try closed(3_100))
    let file = MemoryFile(Array(one.prefix(12_862) + other[12_862...]))
    #expect(try Repair.examine(file).verdict == .whole)
    #expect(try Repair.sumMatches(file) == false)
  }

  @Test("a torn frame is noticed, and so is one that is missing")
  func damage() throws {
    let whole = try closed(3_000)
    var torn = whole
    torn[whole.count / 2] ^= 0xFF
    #expect(try Repair.sumMatches(MemoryFile(torn)) == false)
    #expect(try Repair.sumMatches(MemoryFile(Array(whole[..<(whole.count / 2)]))) == false)
  }

  @Test("nothing is said of a take that runs, or of sound in another format")
  func noSum() throws {
    let samples = Signals.noise(count: 96_000, height: 300).map(Int32.init)
    let running = try Take.record(flac: samples, Self.settings).parts[0].bytes
    #expect(try Repair.sumMatches(MemoryFile(running)) == nil)
    #expect(try Repair.sumMatches(MemoryFile(Array("OggS".utf8))) == nil)
  }
}
