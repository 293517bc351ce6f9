// Proves that when the card fills up or fails at any operation, the take ends once, for the true
// reason, with a file that other programs play to its end.

import Glibc
import Recorder
import Tape
import Testing

@testable import Audio

@Suite struct CardFailureTests {
  @Test(arguments: [0, 1, 100, 5_000, 20_000, 20_011, 33_333])
  func aCardThatFillsUpEndsTheTakeWithWhatItHolds(room: Int) throws {
    // Given a card with that much room
    let rig = try Rig()
    rig.card.room = room
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 8)
    // Then the take has ended, and no worker goes on with it
    let report = try #require(rig.report(1))
    #expect(rig.reports(1).count == 1)
    #expect(report.integrity.stopReason == .cardFull)
    #expect(report.integrity.device == "Test microphone" && report.sound.channels == 1)
    #expect(report.sound.sizeBytes == Int64(rig.file(1).count))
    #expect(rig.file(1).count <= room)
    let operations = rig.card.operations.count
    rig.run(to: 9)
    #expect(rig.card.operations.count == operations)
    // And what was written can be played to its end
    if report.sound.frames > 0 {
      let heard = try Listening.opusdec(rig.file(1))
      #expect(heard.count == Int(report.sound.frames))
      try Listening.opusinfo(rig.file(1))
      // All room is used but for the bytes of a page or two.
      #expect(rig.file(1).count > room - 6_000)
    } else {
      #expect(room <= 5_000)
    }
    // And when there is room again, the next take is well
    rig.card.room = .max
    rig.begin(2, pressed: 9)
    rig.run(to: 10)
    rig.end(2, at: 9.9)
    rig.runUntilOver(2)
    #expect(rig.report(2)?.integrity.stopReason == .pressed)
  }

  @Test func aCardThatIsFullToTheLastByteOfAPageStillGetsAnEnd() throws {
    // Given room for a number of whole pages
    let rehearsal = try Rig()
    rehearsal.run(to: 1)
    rehearsal.begin(1, pressed: 1)
    rehearsal.run(to: 4)
    let pageEnds = rehearsal.card.operations.filter { $0.kind == .write }
      .map { $0.offset + $0.count }
    let rig = try Rig()
    rig.card.room = pageEnds[8]
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 4)
    // Then the last page was replaced by the page that ends the file
    let report = try #require(rig.report(1))
    #expect(report.integrity.stopReason == .cardFull && report.sound.frames > 0)
    #expect(Repair.isWhole(rig.file(1)))
    #expect(try Listening.opusdec(rig.file(1)).count == Int(report.sound.frames))
  }

  @Test func whateverOperationFailsATakeEndsOnceAndCanBePlayed() throws {
    // Given how many operations a take with a split needs
    let count = try takeWithSplit { _ in true }.card.operations.count
    #expect(count > 20)
    var (owed, hashed) = (0, 0)
    for isForGood in [false, true] {
      for failing in 0..<count + 2 {
        // When one of them fails, or all from one on
        let rig = try takeWithSplit { isForGood ? $0 < failing : $0 != failing }
        // Then each part has ended exactly once, for a true reason
        for part in [1, 2] {
          #expect(rig.reports(part).count == 1, "part \(part) after operation \(failing) failed")
          guard let report = rig.report(part) else { continue }
          let frames = report.sound.frames
          // A split that comes after the take's end has failed before it had a file.
          let isTold = [.split, .pressed, .cardFailed].contains(report.integrity.stopReason)
          #expect(isTold || (part == 2 && frames == 0), "\(report)")
          if frames == 0 { continue }
          #expect(Repair.frames(rig.file(part)) == frames)
          // A missing end, or one that may not be on the card, is reported as owed.
          #expect(report.integrity.endIsOwed || Repair.isWhole(rig.file(part)))
          #expect(!report.integrity.endIsOwed || report.sound.hash == nil)
          hashed += report.sound.hash == nil ? 0 : 1
          try rig.expectKnownHashes(part)
          owed += report.integrity.endIsOwed ? 1 : 0
        }
        #expect(!rig.isEncoding || rig.report(2) != nil)
      }
    }
    #expect(owed > 10 && hashed > 10)
  }

  private func takeWithSplit(_ works: @escaping (Int) -> Bool) throws -> Rig {
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = StreamFormat(rate: 8_000, channels: 1, samples: .int16, periodFrames: 160)
        $0.settings.opus.complexity = 0
        $0.settings.opus.bitsPerSecond = 24_000
        $0.settings.syncMilliseconds = 300
      })
    rig.card.works = { number, _ in works(number) }
    rig.run(to: 0.2)
    rig.begin(1, pressed: 0.2, preroll: 100)
    rig.mark(1, at: 0.2, "here")
    rig.run(to: 0.8)
    rig.split(1, at: .instant(rig.instant(0.8)), next: 2)
    rig.run(to: 1.3)
    rig.end(2, at: 1.3)
    rig.runUntilOver(1, 2, within: 5)
    return rig
  }

  @Test func aFileThatCannotBeOpenedEndsItsTake() throws {
    let rig = try Rig()
    rig.card.works = { _, kind in kind != .open }
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    #expect(rig.reports(1).map(\.integrity.stopReason) == [.cardFailed])
    #expect(rig.report(1)?.sound.frames == 0)
  }

  @Test func aNextPartThatCannotBeOpenedEndsTheTakeWhereItWasToBegin() throws {
    // Given a split asked for ahead of its frame, whose file cannot be opened
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    rig.card.works = { _, kind in kind != .open }
    rig.split(1, at: .length(milliseconds: 3_000), next: 2)
    rig.run(to: 5)
    rig.runUntilOver(1, 2)
    // Then the first part is whole to that frame
    #expect(rig.reports(1).map(\.integrity.stopReason) == [.cardFailed])
    #expect(rig.report(1)?.sound.frames == 144_000)
    #expect(rig.reports(2).map(\.integrity.stopReason) == [.cardFailed])
    #expect(try Listening.opusdec(rig.file(1)).count == 144_000)
  }
}

extension Repair {
  fileprivate static func examination(_ bytes: [UInt8]) -> Examination? {
    let card = TestCard { 0 }
    card.files["a"] = bytes
    // A card in memory works unless the test makes it fail.
    return try? examine(card.open("a"))
  }

  fileprivate static func isWhole(_ bytes: [UInt8]) -> Bool {
    examination(bytes)?.verdict == .whole
  }

  fileprivate static func frames(_ bytes: [UInt8]) -> Int64? { examination(bytes)?.frames }
}
