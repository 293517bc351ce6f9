// Proves that a card may stall or be late without any sample lost that memory could hold; and that
// written pages are synced in time and in order.

import Recorder
import Tape
import Testing

@testable import Audio

@Suite struct CardTests {
  @Test func aStallOfAMinuteLosesNothing() throws {
    // Given a take
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    // When the card stops for a minute
    rig.isWriterStalled = true
    rig.run(to: 62)
    let late = rig.events(of: 1).compactMap { event in
      if case .progress(_, let behind) = event { behind } else { nil }
    }
    rig.isWriterStalled = false
    rig.run(to: 64)
    rig.end(1, at: 63.95)
    rig.runUntilOver(1)
    // Then the card's backlog was reported, and everything is there
    #expect(late == late.sorted() && (40_000...75_000).contains(late.last ?? 0))
    #expect(rig.report(1)?.integrity.gaps == [])
    let heard = try Listening.opusdec(rig.file(1))
    let expected = try Listening.expected(
      rig.setup, from: rig.frame(0.5), count: rig.frames(0.5, 63.95))
    Listening.expectSame(heard, expected)
  }

  @Test func aStallLongerThanMemoryLosesTheMiddleAndSaysSo() throws {
    // Given memory for little more than a minute, and a card that stops for two
    let rig = try Rig(
      Rig.Setup().with {
        $0.settings.stallSeconds = 1
        $0.settings.opus.bitsPerSecond = 128_000
        $0.settings.opus.bitrateMode = .constant
      })
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    rig.isWriterStalled = true
    rig.run(to: 122)
    // When the user stops and presses again and again meanwhile
    rig.end(1, at: 122)
    for number in 2...80 {
      let press = 122 + Double(number) * 0.01
      rig.begin(number, pressed: press, preroll: 0)
      rig.run(to: press + 0.02)
      rig.end(number, at: press + 0.005)
    }
    rig.isWriterStalled = false
    for number in 1...80 { rig.runUntilOver(number) }
    // Then the take has its full length, with one gap
    let report = try #require(rig.report(1))
    #expect(report.sound.frames == Int64(rig.ticks(rig.frames(0.5, 122))))
    #expect(report.integrity.gaps.count == 1 && report.integrity.gaps[0].cause == .overrun)
    #expect(try rig.told(1) == report.integrity)
    let heard = try Listening.opusdec(rig.file(1))
    let gap = report.integrity.gaps[0]
    let silent = heard[Int(gap.frame) + 9_600..<Int(gap.frame + gap.frames) - 9_600]
    #expect(silent.allSatisfy { abs(Int($0)) < 3 })
    #expect((1...80).allSatisfy { rig.reports($0).count == 1 })
    // And the next take is whole
    let now = rig.seconds + 1
    rig.run(to: now)
    rig.begin(81, pressed: now)
    rig.run(to: now + 0.95)
    rig.end(81, at: now + 0.9)
    rig.runUntilOver(81)
    #expect(rig.report(81)?.integrity.gaps == [])
    #expect(rig.report(81)?.sound.frames == Int64(rig.ticks(rig.frames(now - 0.5, now + 0.9))))
  }

  @Test func evenTheShortestPagesFindTheirRoom() throws {
    // Given a page for every packet of 2.5 ms, and a card that stops until nothing fits any more
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = StreamFormat(rate: 8_000, channels: 1, samples: .int16, periodFrames: 160)
        $0.settings.opus.complexity = 0
        $0.settings.opus.frameMicroseconds = 2_500
        $0.settings.opus.pageMilliseconds = 3
        $0.settings.stallSeconds = 1
      })
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.isWriterStalled = true
    rig.run(to: 2)
    rig.faults.order(.stall(frames: 24_000))
    rig.run(to: 44)
    // When it is split, while there is no room
    rig.split(1, at: .instant(rig.instant(44)), next: 2)
    rig.run(to: 45)
    rig.isWriterStalled = false
    rig.run(to: 50)
    rig.end(2, at: 49.95)
    rig.runUntilOver(1, 2)
    // Then only the frames that the device lost are missing
    #expect(rig.report(1)?.sound.frames == Int64(rig.ticks(rig.frames(0.5, 44))))
    #expect(rig.report(2)?.sound.frames == Int64(rig.ticks(rig.frames(44, 49.95))))
    #expect(rig.report(1)?.integrity.gaps.map(\.frames) == [Int64(rig.ticks(24_000))])
    #expect(rig.report(2)?.integrity.gaps == [])
  }

  @Test func aFileThatIsMadeAMinuteLateLosesNothing() throws {
    let rig = try Rig()
    rig.attachesAtOnce = false
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 31)
    rig.split(1, at: .instant(rig.instant(31)), next: 2)
    rig.run(to: 61)
    #expect(rig.card.operations.isEmpty)
    rig.attach(2)
    rig.attach(1)
    rig.run(to: 62)
    rig.end(2, at: 61.95)
    rig.runUntilOver(1, 2)
    #expect(rig.report(1)?.sound.frames == Int64(rig.ticks(rig.frames(0.5, 31))))
    #expect(rig.report(2)?.sound.frames == Int64(rig.ticks(rig.frames(31, 61.95))))
    #expect(rig.report(1)?.integrity.gaps == [] && rig.report(2)?.integrity.gaps == [])
  }

  @Test(arguments: [false, true])
  func aTakeWhoseNumberIsKnownLateTellsItInTheEnd(hasEnded: Bool) throws {
    // Given a take that began, and may have ended, before its card was open
    let rig = try Rig()
    rig.attachesAtOnce = false
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    if hasEnded { rig.end(1, at: 3) }
    rig.run(to: 6)
    // When it has its number and its file
    rig.label(1, as: 41)
    rig.attach(1)
    rig.run(to: 7)
    if !hasEnded { rig.end(1, at: 7) }
    rig.runUntilOver(1)
    // Then the file is whole, and its tags hold both
    let file = try rig.card.open("1")
    let tags = try #require(try Tags.read(from: file))
    #expect(tags.sequence == 41 && tags.title == "Take 41" && tags.folder == "Tests")
    #expect(tags.id == Rig.id(1).description)
    // And all that was measured
    #expect(try rig.told(1) == rig.report(1)?.integrity && rig.told(1)?.stopReason == .pressed)
    #expect(rig.report(1)?.sound.frames == Int64(rig.ticks(rig.frames(0.5, hasEnded ? 3 : 7))))
  }

  @Test func aFileThatIsNeverMadeIsForgottenAndHoldsUpNobody() throws {
    // Given a take whose file is not made, and one after it whose file is
    let rig = try Rig()
    rig.attachesAtOnce = false
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 3)
    rig.end(1, at: 3)
    rig.begin(2, pressed: 3.1)
    rig.attach(2)
    rig.run(to: 5)
    #expect(rig.card.operations.map(\.kind) == [.open])
    // When the first is discarded
    rig.discard(1)
    rig.run(to: 5.5)
    rig.end(2, at: 5.45)
    rig.runUntilOver(2)
    // Then the other is whole, and nothing is reported of the first
    #expect(rig.reports(1) == [] && rig.file(1) == [])
    #expect(rig.report(2)?.sound.frames == Int64(rig.ticks(rig.frames(2.6, 5.45))))
    // And a file that is made after all is left alone
    rig.attach(1)
    rig.run(to: 6)
    #expect(rig.card.operations.filter { $0.path == "1" }.isEmpty)
  }

  @Test(arguments: 0..<10)
  func whatIsWrittenIsSafeAfterASecondAndNotOftener(phase: Int) throws {
    let rig = try Rig(Rig.Setup().with { $0.seed = UInt64(phase + 1) })
    let pressed = 1 + Double(phase) * 0.02
    rig.run(to: pressed)
    rig.begin(1, pressed: pressed)
    rig.run(to: 11)
    let operations = rig.card.operations
    let syncs = operations.filter { $0.kind == .sync }.map(\.milliseconds)
    #expect(syncs.count >= 8)
    for (earlier, later) in zip(syncs, syncs.dropFirst()) {
      #expect((850...1_100).contains(later - earlier), "\(earlier) \(later)")
    }
    // Each sync comes right after a page, so only what came after that page is not safe
    let late = zip(operations, operations.dropFirst()).filter { before, after in
      after.kind == .sync && (before.kind, before.milliseconds) != (.write, after.milliseconds)
    }
    #expect(late.isEmpty)
    // And at the end the sound is synced before the tags are written, and the tags are synced after
    rig.end(1, at: 10.95)
    rig.runUntilOver(1)
    let last = rig.card.operations[operations.count...].filter { $0.kind != .read }
    let tags = try #require(last.lastIndex { $0.kind == .write })
    #expect(last[tags].offset < 200)
    #expect(last[tags - 1].kind == .sync && last[tags + 1].kind == .sync)
    #expect(last[..<(tags - 1)].last?.kind == .write && last.last?.kind == .sync)
  }

  @Test func theFirstPageOfATakeIsSafeAtOnce() throws {
    // Given a take whose file is made half a second after the press
    let rig = try Rig()
    rig.attachesAtOnce = false
    rig.run(to: 3)
    rig.begin(1, pressed: 3)
    rig.run(to: 3.5)
    #expect(rig.card.operations.isEmpty)
    // When it is there
    rig.attach(1)
    rig.run(to: 3.7)
    // Then the sound that waited for it is written, and synced with the first page
    let operations = rig.card.operations.filter { $0.kind != .read }
    #expect(operations.prefix(3).map(\.kind) == [.open, .write, .sync])
    #expect(operations.last.map { $0.milliseconds - operations[0].milliseconds < 250 } == true)
  }

  @Test func aFileIsSyncedForTheFirstTimeWhenItHasSound() throws {
    // Given a take without pre-roll, so that its headers are written some time before its sound
    let rig = try Rig()
    rig.run(to: 3)
    rig.begin(1, pressed: 3, preroll: 0)
    // When its file is synced for the first time
    let isSynced = { rig.card.operations.contains { $0.kind == .sync } }
    while rig.seconds < 5, !isSynced() { rig.run(to: rig.seconds + 0.01) }
    // Then it can be played
    #expect(isSynced())
    #expect(try Repair.examine(rig.card.open("1")).frames > 0)
  }

  @Test func whileACardCatchesUpWhatItWritesIsMadeSafe() throws {
    // Given a card that takes a tenth of a second for a write, and much to write
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.isWriterStalled = true
    rig.run(to: 21)
    rig.card.millisecondsPerWrite = 100
    rig.isWriterStalled = false
    rig.run(to: 40)
    let writes = rig.card.operations.filter { $0.kind == .write }.count
    let syncs = rig.card.operations.filter { $0.kind == .sync }.count
    #expect(writes > 50 && syncs >= writes / 12, "\(writes) \(syncs)")
  }

  @Test func aLastPageIsNeverSeenBeforeWhatIsKnownOfItsFile() throws {
    // Given a take that has ended, but for its last pages
    let rig = try Rig()
    rig.attachesAtOnce = false
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.5)
    // When the encoder ends it between the writer's poll for orders and its opening of the file
    rig.card.whenOpened = { [unowned rig] in
      rig.end(1, at: 1.45)
      rig.stepEncoder()
    }
    rig.attach(1)
    rig.stepWriter()
    // Then the writer, which finds the last page now, closes the file
    rig.run(to: 1.52)
    #expect(rig.report(1)?.sound.frames == Int64(rig.ticks(rig.frames(0.5, 1.45))))
    try Listening.opusinfo(rig.file(1))
  }
}
