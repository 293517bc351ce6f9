// Proves that splits lose nothing: the parts of a take, joined, are the take as if it had not been
// divided, each as long as was asked for.

import Recorder
import Testing

@testable import Audio

@Suite struct SplitTests {
  /// Compares the joined parts with the undivided take. At the beginning of a part, a decoder
  /// differs by rounding only.
  private func expectJoined(_ rig: Rig, _ parts: [Int], from first: Int, to end: Int) throws {
    var joined: [Int16] = []
    for part in parts {
      let heard = try Listening.opusdec(rig.file(part))
      #expect(rig.report(part)?.sound.frames == Int64(heard.count))
      joined += heard
    }
    let whole = try Listening.expected(rig.setup, from: first, count: end - first)
    #expect(joined.count == whole.count)
    let difference = Listening.difference(joined, whole)
    #expect(difference <= 40, "\(difference)")
  }

  @Test(arguments: 1...5)
  func aSplitIsAtThePressHoweverLateItIsHeardOf(seed: Int) throws {
    // Given a take, and splits pressed at odd instants
    var random = SystemlessRandom(seed: UInt64(seed))
    let rig = try Rig(Rig.Setup().with { $0.seed = UInt64(seed) })
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    var cuts: [Double] = [0.5]
    for part in 2...5 {
      cuts.append(max(cuts[part - 2], 1) + random.within(0.21...0.6))
      rig.run(to: cuts[part - 1] + random.within(0...0.07))
      rig.split(part - 1, at: .instant(rig.instant(cuts[part - 1])), next: part)
    }
    let stop = cuts[4] + 0.3
    rig.run(to: stop + 0.05)
    rig.end(5, at: stop)
    rig.runUntilOver(1, 2, 3, 4, 5)
    // Then each part is as long as it should be, and begins when it was reported to begin
    for (index, (cut, next)) in zip(cuts, cuts.dropFirst() + [stop]).enumerated() {
      let report = try #require(rig.report(index + 1))
      let bounds = [cut, next].map { rig.ticks(rig.frame($0) - rig.frame(0.5)) }
      #expect(report.sound.frames == Int64(bounds[1] - bounds[0]))
      #expect(report.integrity.stopReason == (index == 4 ? .pressed : .split))
      guard case .began(let instant, _) = rig.events(of: index + 1).first else {
        Issue.record("a part begins first of all")
        continue
      }
      #expect(abs(instant.nanoseconds - rig.instant(cut).nanoseconds) < 62_501)
    }
    try expectJoined(rig, [1, 2, 3, 4, 5], from: rig.frame(0.5), to: rig.frame(stop))
  }

  @Test func aSplitEveryQuarterSecondIsExactTwentyTimes() throws {
    let setup = Rig.Setup().with {
      $0.format = StreamFormat(rate: 48_000, channels: 2, samples: .int16, periodFrames: 960)
      $0.settings.opus.bitsPerSecond = 192_000
    }
    let rig = try Rig(setup)
    rig.run(to: 0.6)
    rig.begin(1, pressed: 0.6, preroll: 70)
    for part in 2...21 {
      rig.run(to: 0.53 + Double(part - 1) * 0.25 + 0.02)
      rig.split(part - 1, at: .length(milliseconds: 250), next: part)
    }
    rig.run(to: 5.78)
    rig.end(21, at: 5.73)
    rig.runUntilOver(21)
    #expect((1...20).allSatisfy { rig.report($0)?.sound.frames == 12_000 })
    #expect(rig.report(21)?.sound.frames == 9_600)
    var joined: [Int16] = []
    for part in 1...21 { joined += try Listening.opusdec(rig.file(part)) }
    let whole = try Listening.expected(setup, from: 25_440, count: 249_600)
    #expect(joined.count == whole.count)
    #expect(Listening.difference(joined, whole) <= 40)
  }

  @Test func aSplitTooSoonWaitsForTheOneBeforeIt() throws {
    // Given three splits within 60 ms, and a stop right after
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.5)
    for part in 2...4 {
      let press = 1.44 + Double(part) * 0.02
      rig.split(part - 1, at: .instant(rig.instant(press)), next: part)
    }
    rig.run(to: 1.56)
    rig.end(4, at: 1.55)
    rig.runUntilOver(1, 2, 3, 4)
    // Then the parts are 200 ms apart, and the last is empty rather than missing
    let frames = (1...4).map { rig.report($0)?.sound.frames }
    #expect(frames == [Int64(rig.ticks(rig.frames(0.5, 1.48))), 9_600, 9_600, 0])
    try expectJoined(rig, [1, 2, 3], from: rig.frame(0.5), to: rig.frame(1.88))
    for part in 1...3 { try Listening.opusinfo(rig.file(part)) }
  }

  @Test func aSplitOfATakeThatIsOverIsRefusedAndItsFileClosed() throws {
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.5)
    rig.end(1, at: 1.45)
    rig.split(1, at: .instant(rig.instant(1.5)), next: 2)
    rig.runUntilOver(1, 2)
    #expect(rig.report(1)?.integrity.stopReason == .pressed)
    #expect(rig.reports(2).map(\.integrity.stopReason) == [.failed])
  }

  @Test func marksAfterASplitCountFromIt() throws {
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.8)
    rig.split(1, at: .instant(rig.instant(1.75)), next: 2)
    rig.mark(2, at: 1.8)
    rig.mark(1, at: 1.7)
    rig.run(to: 2.3)
    rig.end(2, at: 2.25)
    rig.runUntilOver(1, 2)
    let marks = [(2, 1.75, 1.8), (1, 0.5, 1.7)].map { part, from, at in
      (part, Mark(frame: Int64(rig.ticks(rig.frames(from, at)))))
    }
    for (part, mark) in marks { #expect(rig.events(of: part).contains(.marked(mark))) }
  }
}
