// The facts in a file's tags: what is written is read back the same, and nothing that a file claims
// can do harm.

import Testing

@testable import Recorder

@Suite struct FactsTests {
  private static func recording(_ random: inout SplitMix64) -> Recording {
    func maybe<Value>(_ value: Value) -> Value? { random.below(2) == 0 ? nil : value }
    let causes: [Gap.Cause] = [.overrun, .suspended, .stalled, .cut]
    let reasons: [StopReason] = [.pressed, .split, .deviceLost, .cardFull, .cut, .failed]
    let gaps = (0..<random.below(4)).map { _ in
      Gap(
        frame: Int64(random.below(1 << 40)), frames: Int64(random.below(1 << 30)),
        cause: random.pick(causes))
    }
    let integrity = Integrity(
      device: "Mic", gaps: gaps, clippedFrames: Int64(random.below(3)),
      peakMillibels: maybe(random.below(20_000) - 10_000),
      loudnessCentiLUFS: maybe(random.below(20_000) - 10_000),
      microphoneSeemsDead: random.below(2) == 0, deadChannel: maybe(1 + random.below(2)),
      stopReason: maybe(random.pick(reasons)), recoveredCutBytes: maybe(Int64(random.below(9))),
      endIsOwed: random.below(2) == 0)
    return Recording(
      id: .of("A"), folder: .root, sequence: 1, title: "A", titleIsDefault: random.below(2) == 0,
      began: Moment(
        boot: .root, instant: Instant(nanoseconds: 0),
        wall: WallTime(milliseconds: Int64(random.below(1 << 48)) - (1 << 47)),
        quality: .synchronised), stage: random.below(2) == 0 ? .finished : .recovered, file: "A",
      integrity: integrity, continues: maybe(.of("B")), part: 1 + random.below(3))
  }

  @Test("facts are read back as they were written", arguments: 0..<200)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let recording = Self.recording(&random)
    let facts = RecordingFacts(recording)
    #expect(RecordingFacts(facts.facts) == facts)
    #expect(Set(facts.facts.map(\.key)).isSubset(of: RecordingFacts.keys))
    #expect(facts.integrity.gaps == recording.integrity.gaps)
    #expect(facts.integrity.device.isEmpty && !facts.integrity.endIsOwed)
  }

  @Test("they are written for people: decibels with two places, gaps with their cause")
  func forPeople() {
    var random = SplitMix64(seed: 1)
    let integrity = Integrity(
      gaps: [
        Gap(frame: 48_000, frames: 960, cause: .overrun), Gap(frame: 5, frames: 6, cause: .cut),
      ],
      peakMillibels: -5, loudnessCentiLUFS: -2310, stopReason: .cardFull)
    let facts = RecordingFacts(Self.recording(&random), integrity).facts
    for fact in [
      Fact(key: "REEL_PEAK_DBFS", value: "-0.05"), Fact(key: "REEL_LOUDNESS_LUFS", value: "-23.10"),
      Fact(key: "REEL_STOP", value: "cardFull"),
      Fact(key: "REEL_GAPS", value: "48000+960 overrun, 5+6 cut"),
    ] {
      #expect(facts.contains(fact))
    }
  }

  @Test(
    "a value that Reel would not write is as if it were missing",
    arguments: [
      ("REEL_PART", "0"), ("REEL_PART", "-1"), ("REEL_PART", "99999999999999999999"),
      ("REEL_CONTINUES", "before"), ("REEL_DEFAULT_TITLE", "yes"), ("REEL_STAGE", "recording"),
      ("REEL_STOP", "bored"), ("REEL_CUT_BYTES", "-3"), ("REEL_CLIPPED", "9223372036854775807"),
      ("REEL_PEAK_DBFS", "1"), ("REEL_PEAK_DBFS", "-0.5"), ("REEL_LOUDNESS_LUFS", "-99999.00"),
      ("REEL_DEAD", "0"), ("REEL_DEAD_CHANNEL", "0"), ("REEL_GAPS", "1+2"),
      ("REEL_GAPS", "1+-2 cut"), ("REEL_GAPS", "9223372036854775807+9223372036854775807 cut"),
      ("REEL_WALL_MS", "9223372036854775807"), ("REEL_GAPS", ", ,,1++2 cut"), ("REEL_NEWS", "1"),
      ("", ""),
    ])
  func hostile(key: String, value: String) {
    #expect(RecordingFacts([Fact(key: key, value: value)]) == RecordingFacts([]))
  }

  @Test("which track a file holds is read back, and anything else is no track")
  func track() {
    var facts = RecordingFacts([])
    facts.track = TrackFact(number: 2, count: 3, name: "bass guitar")
    #expect(facts.facts == [Fact(key: "REEL_TRACK", value: "2/3 bass guitar")])
    #expect(RecordingFacts(facts.facts) == facts)
    for value in ["", "2/3", "2/3 ", "4/3 a", "0/3 a", "1/9 a", "1 a", "/ a", "1/2/3 a"] {
      #expect(RecordingFacts([Fact(key: "REEL_TRACK", value: value)]).track == nil, "\(value)")
    }
  }

  @Test("of many claimed gaps, ten thousand are read")
  func bounded() {
    let claim = String(repeating: "1+1 cut,", count: 20_000)
    let facts = RecordingFacts([Fact(key: "REEL_GAPS", value: claim)])
    #expect(facts.integrity.gaps.count == 10_000)
  }
}
