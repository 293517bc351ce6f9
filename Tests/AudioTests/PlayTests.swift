// What a listener hears of a recording, sample by sample: all of it, once, from the frame asked
// for. On virtual time, on one thread; with a seed, in any order of steps the threads could take.
import Testing

@testable import Audio
@testable import Recorder

@Suite struct PlayTests {
  @Test("a recording is heard bit for bit, and its end is reported once, when it has been heard")
  func whole() throws {
    // Given a recording of three seconds, longer than the ring
    let signal = PlaySignal.sweep(frames: 144_001)
    let bench = try PlayBench()
    try bench.folder.record(signal)
    // When it is played
    let cue = bench.load(frames: signal.count)
    let end = try #require(bench.run(until: isEnd(cue)))
    bench.run(milliseconds: 3000)
    // Then every sample was heard as it is, the end came with the last, and the speaker is closed
    let anchor = try #require(bench.anchors(of: cue).first)
    #expect(bench.anchors(of: cue).count == 1 && anchor.frame == 0)
    let lastHeard = anchor.instant.nanoseconds + 144_001 * 1_000_000_000 / 48_000
    #expect((lastHeard..<lastHeard + 3_000_000).contains(end.at))
    #expect(bench.ends(of: cue).count == 1)
    #expect(!bench.isOpen && bench.rest == .forever)
    let heard = try bench.finish()
    #expect(isSame(heard.trimmed, signal[...]))
    #expect(bench.index(of: anchor.instant) == heard.trimmed.startIndex)
  }

  @Test("a pause loses and repeats nothing", arguments: [false, true])
  func pausing(isLong: Bool) throws {
    // Given a recording that plays
    let signal = PlaySignal.sweep(frames: 96_000)
    let bench = try PlayBench()
    try bench.folder.record(signal)
    let cue = bench.load(frames: signal.count)
    bench.run(milliseconds: 700)
    // When it is paused, shortly or until the speaker is closed, and goes on
    bench.perform(.pause(cue: cue))
    bench.run(milliseconds: isLong ? 2500 : 300)
    #expect(bench.isOpen == !isLong)
    bench.perform(.resume(cue: cue))
    _ = bench.run(until: isEnd(cue))
    bench.run(milliseconds: 200)
    // Then it goes on with the reported frame, and fades on both sides
    #expect(bench.openings == (isLong ? 2 : 1))
    let pause = try #require(bench.pauses(of: cue).first)
    #expect(bench.pauses(of: cue).count == 1)
    #expect(bench.anchors(of: cue).map(\.frame) == [0, pause])
    let heard = Array(try bench.finish().trimmed)
    let (next, fade) = (Int(pause), PlayBench.fade)
    #expect(isSame(heard[..<(next - fade)], signal[..<(next - fade)]))
    let silence = heard.count - signal.count
    #expect(heard[next..<(next + silence)].allSatisfy { $0 == 0 })
    #expect(isSame(heard[(next + silence + fade)...], signal[(next + fade)...]))
    let worst = (0..<fade).map { index in
      let out = Int(signal[next - fade + index]) * (fade - 1 - index) / fade
      let back = Int(signal[next + index]) * (index + 1) / fade
      return max(
        abs(Int(heard[next - fade + index]) - out), abs(Int(heard[next + silence + index]) - back))
    }.max()
    #expect(worst == 1)
  }

  @Test("a seek lands on the sample, and the anchor says when")
  func seeking() throws {
    // Given a recording that plays
    let signal = PlaySignal.sweep(frames: 200_000)
    let bench = try PlayBench()
    try bench.folder.record(signal)
    let cue = bench.load(at: 1_234, frames: signal.count)
    // When the user seeks here and there
    let targets: [Int64] = [1_234, 130_007, 5, 0, 190_000]
    for target in targets.dropFirst() {
      bench.run(milliseconds: 300)
      bench.perform(.seek(cue: cue, frame: target))
    }
    _ = bench.run(until: isEnd(cue))
    // Then each anchor names the frame, and it is heard at that time
    let heard = try bench.finish()
    let anchors = bench.anchors(of: cue)
    #expect(anchors.map(\.frame) == targets)
    for anchor in anchors {
      let place = bench.index(of: anchor.instant)
      let fade = anchor.frame == 0 ? 0 : PlayBench.fade
      #expect(
        isSame(
          heard[(place + fade)..<(place + 900)],
          signal[(Int(anchor.frame) + fade)..<(Int(anchor.frame) + 900)]))
    }
  }

  @Test("a cue loaded paused waits at its frame, moves silently, and then begins at once")
  func loadedPaused() throws {
    // Given a recording loaded without playing
    let signal = PlaySignal.sweep(frames: 48_000)
    let bench = try PlayBench()
    try bench.folder.record(signal)
    let cue = bench.load(at: 100, frames: signal.count, isPaused: true)
    bench.run(milliseconds: 100)
    #expect(!bench.isOpen && bench.pauses(of: cue) == [100])
    // When the user seeks to its beginning and plays
    bench.perform(.seek(cue: cue, frame: 0))
    bench.run(milliseconds: 100)
    bench.perform(.resume(cue: cue))
    _ = bench.run(until: isEnd(cue))
    // Then the pauses are reported there, and it is heard from its beginning
    #expect(bench.pauses(of: cue) == [100, 0])
    #expect(isSame(try bench.finish().trimmed, signal[...]))
  }

  @Test("the next cue follows, and the one before is not heard any more")
  func next() throws {
    // Given one recording that plays to its end, and another
    let signal = PlaySignal.sweep(frames: 24_000)
    let other = Array(PlaySignal.sweep(frames: 96_000).reversed())
    let bench = try PlayBench()
    try bench.folder.record(signal)
    try bench.folder.record(other, "other.wav")
    let first = bench.load(frames: signal.count)
    _ = bench.run(until: isEnd(first))
    // When the other is loaded, and in its middle the first again
    let second = bench.load("other.wav", frames: other.count)
    bench.run(milliseconds: 500)
    let third = bench.load(frames: signal.count)
    _ = bench.run(until: isEnd(third))
    // Then each is heard from its beginning, in one opening of the speaker
    #expect(bench.openings == 1)
    #expect(bench.ends(of: second).isEmpty)
    let heard = try bench.finish()
    for (cue, sound) in [(first, signal), (second, other), (third, signal)] {
      let anchor = try #require(bench.anchors(of: cue).first)
      let place = bench.index(of: anchor.instant)
      #expect(isSame(heard[place..<(place + 12_000)], sound[..<12_000]))
    }
  }

  @Test(
    "whatever the order of steps, the events match what is heard",
    arguments: 1...16 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) throws {
    // Given a recording and a listener who presses at random
    let signal = PlaySignal.sweep(frames: 100_000)
    let bench = try PlayBench(seed: seed)
    var random = PlayRandom(seed: seed &+ 1000)
    try bench.folder.record(signal)
    let cue = bench.load(at: Int64(random.below(9_000)), frames: signal.count)
    var isPaused = false
    // When there are pauses and seeks at any time, and at last it is played to its end
    for _ in 0..<12 {
      bench.run(milliseconds: random.below(150))
      switch random.below(3) {
      case 0: bench.perform(.seek(cue: cue, frame: Int64(random.below(80_000))))
      default:
        bench.perform(isPaused ? .resume(cue: cue) : .pause(cue: cue))
        isPaused.toggle()
      }
    }
    if isPaused { bench.perform(.resume(cue: cue)) }
    bench.perform(.seek(cue: cue, frame: 80_000))
    _ = bench.run(until: isEnd(cue))
    bench.run(milliseconds: 100)
    // Then the end was reported once, and the last stretch is whole
    #expect(bench.ends(of: cue).count == 1 && bench.failures(of: cue).isEmpty)
    let heard = try bench.finish()
    #expect(isSame(heard.trimmed.suffix(19_000), signal.suffix(19_000)))
    #expect(bench.anchors(of: cue).last?.frame == 80_000)
  }
}
