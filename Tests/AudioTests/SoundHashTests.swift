// Proves that each part of a take ends with the hash of its sound, as its file has it, whatever
// happened in between: a split, a gap, pre-roll, several tracks, a device or a card that fails.

import Recorder
import Tape
import Testing

@testable import Audio

@Suite struct SoundHashTests {
  static let setups: [Rig.Setup] = [
    Rig.Setup(),
    Rig.Setup().with { $0.settings.format = .flac(FlacSettings()) },
    TracksTests.twoTracks,
  ]

  @Test(
    "with pre-roll, a gap, a mark and a split, each file's hash is that of its sound",
    arguments: 0..<3)
  func takes(number: Int) throws {
    let rig = try Rig(Self.setups[number])
    rig.run(to: 0.74)
    rig.begin(1, pressed: 0.7, preroll: 500)
    rig.run(to: 1.2)
    rig.mark(1, at: 1.15, "here")
    rig.faults.order(.overrun(frames: 2_000))
    rig.run(to: 1.6)
    rig.split(1, at: .instant(rig.instant(1.6)), next: 2)
    rig.run(to: 2.43)
    // A title that is known late is written into the header at the end
    rig.label(2, as: 7)
    rig.end(2, at: 2.35)
    rig.runUntilOver(1, 2)
    let hashes = try [1, 2].flatMap { try rig.hashes($0) }
    #expect(Set(hashes).count == hashes.count && hashes.count == 2 * (number == 2 ? 2 : 1))
  }

  @Test("a take that its device ends has the hash of its sound")
  func deviceLost() throws {
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    rig.faults.order(.unplug)
    rig.run(to: 3)
    #expect(rig.report(1)?.integrity.stopReason == .deviceLost)
    #expect(try rig.hashes(1).count == 1)
  }

  @Test(
    "on a card that fills up, a hash is that of the file, or is left for the card's room",
    arguments: [20_000, 20_011, 33_333])
  func full(room: Int) throws {
    let rig = try Rig()
    rig.card.room = room
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 8)
    let report = try #require(rig.report(1))
    #expect(report.integrity.stopReason == .cardFull)
    if report.sound.hash != nil { _ = try rig.hashes(1) }
  }
}

extension Rig {
  /// Expects that the hash of each file that a report has is that of the file. Returns them.
  func hashes(_ number: Int) throws -> [SoundHash] {
    let report = try #require(self.report(number))
    let sounds = [report.sound] + report.tracks.others.map(\.sound)
    return try sounds.enumerated().map { track, sound in
      let hash = try #require(sound.hash)
      try expect(hash, of: number, track: track)
      return hash
    }
  }

  /// Expects that of the hashes that are there.
  func expectKnownHashes(_ number: Int) throws {
    guard let report = self.report(number) else { return }
    let sounds = [report.sound] + report.tracks.others.map(\.sound)
    for (track, sound) in sounds.enumerated() {
      if let hash = sound.hash { try expect(hash, of: number, track: track) }
    }
  }

  private func expect(_ hash: SoundHash, of number: Int, track: Int) throws {
    // A card in memory works unless the test makes it fail.
    let card = TestCard { 0 }
    card.files["a"] = file(number, track: track)
    let file = try card.open("a")
    #expect(SoundHash(try SoundHasher.reading(file).sum) == hash, "of part \(number), \(track)")
  }
}
