// The speaker: volume, tones, underruns, unplugging, and closing when nothing plays. On virtual
// time, on one thread.
import Realtime
import Testing

@testable import Audio
@testable import Recorder

@Suite struct PlaySpeakerTests {
  @Test("volume moves without a step, and ends where it should")
  func volume() throws {
    // Given a constant sound at full volume
    let bench = try PlayBench()
    try bench.folder.record([Int16](repeating: 20_000, count: 48_000))
    let cue = bench.load(frames: 48_000)
    bench.run(milliseconds: 300)
    // When the volume is set to half, off, and full again
    for percent in [50, 0, 100] {
      bench.perform(.volume(percent: percent))
      bench.run(milliseconds: 100)
    }
    _ = bench.run(until: isEnd(cue))
    bench.run(milliseconds: 50)
    // Then no step is larger than that of the ramp, which takes 10 ms from full to off
    let heard = Array(try bench.finish().trimmed)
    let largest = zip(heard, heard.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(largest <= 20_000 / 480 + 1)
    #expect(heard.contains(2_500) && heard.contains(0) && heard.last == 20_000)
    #expect(heard.count == 48_000)
  }

  @Test("half the volume is 18 dB less, and the volume is clamped to 0…100 %")
  func volumeScale() {
    #expect(PlayGain.ofVolume(percent: 50) == 0.125)
    #expect(PlayGain.ofVolume(percent: 0) == 0 && PlayGain.ofVolume(percent: -3) == 0)
    #expect(PlayGain.ofVolume(percent: 100) == 1 && PlayGain.ofVolume(percent: 140) == 1)
  }

  @Test("each tone sounds, ends, and differs from the others", arguments: Tone.allCases)
  func tone(_ tone: Tone) throws {
    // Given nothing that plays
    let bench = try PlayBench()
    // When a tone is wanted
    bench.sound(tone)
    bench.run(milliseconds: 2000)
    // Then it sounds once, short and soft at its edges, and the speaker is closed again
    #expect(!bench.isOpen && bench.rest == .forever && bench.openings == 1)
    let heard = Array(try bench.finish().trimmed)
    let expected = tone.melody.samples(.int16())
    #expect((3_840...12_000).contains(expected.count))
    #expect(isSame(heard[...], expected.trimmed))
    #expect(abs(Int(heard[0])) < 10 && abs(Int(heard[heard.count - 1])) < 10)
    for other in Tone.allCases where other != tone {
      #expect(other.melody.samples(.int16()) != expected)
    }
  }

  @Test("a tone is mixed into what plays, at its own volume")
  func toneOverSound() throws {
    // Given a recording that plays at half volume
    let signal = PlaySignal.sweep(frames: 48_000)
    let bench = try PlayBench(volume: 50)
    try bench.folder.record(signal)
    let cue = bench.load(frames: signal.count)
    bench.run(milliseconds: 200)
    // When a tone is wanted
    bench.sound(.stopped)
    _ = bench.run(until: isEnd(cue))
    bench.run(milliseconds: 50)
    // Then the tone is mixed over the recording at an eighth, from some frame on, with silence
    // elsewhere
    let heard = Array(try bench.finish().trimmed)
    let over = zip(heard, signal).map { Int($0) - Int((Float($1) / 8).rounded()) }
    #expect(heard.count == signal.count)
    let start = try #require(over.firstIndex { abs($0) > 1 })
    let tone = Tone.stopped.melody.samples(.int16())
    let first = try #require(tone.firstIndex { abs($0) > 1 })
    let worst = zip(over[(start - first)...], tone).map { abs($0 - Int($1)) }.max()
    #expect(worst ?? 99 <= 1)
    #expect(over[(start - first + tone.count)...].allSatisfy { abs($0) <= 1 })
  }

  @Test("a tone can be a file or off, and a file that fails is replaced and reported")
  func toneFiles() throws {
    // Given a file for started, a missing one for refused, and stopped turned off
    let greeting = PlaySignal.sweep(frames: 60_000)
    let folder = PlayFolder()
    try folder.record(greeting, "hello.wav")
    let bench = try PlayBench(
      tones: ToneSettings(
        started: .file(folder.path + "/hello.wav"), stopped: .off,
        refused: .file(folder.path + "/none.wav")))
    // When all are wanted
    bench.sound(.stopped)
    bench.run(milliseconds: 50)
    #expect(!bench.isOpen)
    bench.sound(.started)
    bench.run(milliseconds: 1500)
    bench.sound(.refused)
    bench.run(milliseconds: 500)
    // Then the file is heard, then the built-in tone, and the reason is reported
    let heard = Array(try bench.finish().trimmed)
    #expect(isSame(heard[..<60_000], greeting[...]))
    #expect(isSame(Array(heard[60_000...]).trimmed, Tone.refused.melody.samples(.int16()).trimmed))
    let complaints = bench.events.compactMap {
      if case .denied(let words) = $0.event { words } else { nil }
    }
    // Memory that could not be locked, among many tests at once, is reported with it.
    #expect(complaints.count == 1)
    #expect(complaints.first?.filter { $0.hasPrefix("The tone for") }.count == 1)
  }

  private static let take = ItemID(high: 9, low: 9)

  private func greeted(_ bench: PlayBench) -> [Recorder.Instant?] {
    bench.events.compactMap { heard -> Recorder.Instant?? in
      if case .greeted(Self.take, let instant) = heard.event { .some(instant) } else { nil }
    }
  }

  @Test("a greeting is heard whole, and only its end is reported, at its time")
  func greeting() throws {
    let signal = PlaySignal.sweep(frames: 60_000)
    let bench = try PlayBench()
    try bench.folder.record(signal, "hello.wav")
    var settings = SoundSettings()
    settings.greeting = bench.folder.path + "/hello.wav"
    bench.configure(settings)
    bench.greet(Self.take)
    _ = bench.run { if case .greeted = $0 { true } else { false } }
    bench.run(milliseconds: 100)
    let ends = greeted(bench).compactMap { $0 }
    let end = try #require(ends.first)
    #expect(greeted(bench).count == 1)
    #expect(abs(end.nanoseconds - bench.startedAt - 1_250_000_000) < 100_000_000)
    #expect(!bench.events.contains { if case .deck = $0.event { true } else { false } })
    #expect(isSame(try bench.finish().trimmed, signal.trimmed))
  }

  @Test("a greeting that is missing, cancelled or without a speaker is over at once")
  func noGreeting() throws {
    let bench = try PlayBench()
    // Given no file
    bench.greet(Self.take)
    bench.run(milliseconds: 10)
    #expect(greeted(bench) == [nil])
    var settings = SoundSettings()
    settings.greeting = bench.folder.path + "/none.wav"
    bench.configure(settings)
    bench.greet(Self.take)
    bench.run(milliseconds: 10)
    #expect(greeted(bench) == [nil, nil])
    let complaints = bench.events.compactMap {
      if case .denied(let words) = $0.event { words.first } else { nil }
    }
    #expect(complaints.count { $0.hasPrefix("The greeting cannot be played: ") } == 1)
    // Given one that is cancelled
    try bench.folder.record(PlaySignal.sweep(frames: 60_000), "none.wav")
    bench.greet(Self.take)
    bench.run(milliseconds: 300)
    #expect(greeted(bench).count == 2)
    bench.perform(.unload)
    bench.run(milliseconds: 10)
    #expect(greeted(bench).count == 3)
    // Given a speaker that is unplugged
    bench.greet(Self.take)
    bench.run(milliseconds: 300)
    bench.faults.pullOut()
    bench.run(milliseconds: 300)
    #expect(greeted(bench).count == 4)
  }

  @Test("tones changed by the configuration are heard when the speaker is opened again")
  func changedTones() throws {
    let bench = try PlayBench()
    bench.sound(.started)
    bench.run(milliseconds: 2500)
    #expect(!bench.isOpen)
    var settings = SoundSettings()
    settings.tones.started = .off
    settings.tones.refused = .file(bench.folder.path + "/no.wav")
    let signal = PlaySignal.sweep(frames: 9_000)
    try bench.folder.record(signal, "no.wav")
    bench.configure(settings)
    bench.sound(.started)
    bench.run(milliseconds: 50)
    #expect(!bench.isOpen)
    bench.sound(.refused)
    bench.run(milliseconds: 500)
    let heard = Array(try bench.finish().trimmed)
    #expect(isSame(heard.suffix(8_000), signal.suffix(8_000)))
  }

  @Test("after an underrun play goes on where it was, with a new anchor")
  func underrun() throws {
    // Given a recording that plays
    let signal = PlaySignal.sweep(frames: 96_000)
    let bench = try PlayBench()
    try bench.folder.record(signal)
    let cue = bench.load(frames: signal.count)
    bench.run(milliseconds: 300)
    // When the device underruns by itself, and once because the thread did not run
    bench.faults.runDry()
    bench.run(milliseconds: 300)
    bench.clock.advance(300_000_000)
    _ = bench.run(until: isEnd(cue))
    bench.run(milliseconds: 50)
    // Then nothing is lost, and new anchors report the delay
    #expect(bench.position?.underruns == 2)
    #expect(isSame(try bench.finish().trimmed, signal[...]))
    let anchors = bench.anchors(of: cue)
    #expect(anchors.count == 3)
    let last = try #require(anchors.last)
    let left = (96_000 - last.frame) * 1_000_000_000 / 48_000
    #expect(abs((bench.ends(of: cue).first ?? 0) - last.instant.nanoseconds - left) < 3_000_000)
  }

  @Test("a late decoder is waited for in silence, and nothing is skipped")
  func starvation() throws {
    // Given a recording that plays, and a card that stops answering
    let signal = PlaySignal.sweep(frames: 192_000)
    let bench = try PlayBench()
    try bench.folder.record(signal)
    let cue = bench.load(frames: signal.count)
    bench.run(milliseconds: 500)
    // When its stall outlasts the ring
    for _ in 0..<4000 {
      bench.stepWorker()
      bench.clock.advance(1_000_000)
    }
    _ = bench.run(until: isEnd(cue))
    bench.run(milliseconds: 50)
    // Then there is silence, after which play goes on with the next frame, and that is reported
    #expect(bench.position?.starvations == 1)
    let heard = Array(try bench.finish().trimmed)
    let anchor = try #require(bench.anchors(of: cue).last)
    #expect(bench.anchors(of: cue).count == 2)
    let next = Int(anchor.frame)
    #expect(isSame(heard[..<next], signal[..<next]))
    let rest = signal.count - next - PlayBench.fade
    #expect(isSame(heard.suffix(rest), signal.suffix(rest)))
  }

  @Test("an unplugged speaker ends the play, and is found again")
  func goneAndBack() throws {
    // Given a recording that plays
    let signal = PlaySignal.sweep(frames: 96_000)
    let bench = try PlayBench()
    try bench.folder.record(signal)
    let cue = bench.load(frames: signal.count)
    bench.run(milliseconds: 300)
    // When the speaker is pulled out
    bench.faults.pullOut()
    bench.run(milliseconds: 100)
    // Then that is reported in a sentence, and a tone does not open the missing speaker
    #expect(bench.failures(of: cue) == ["The speaker is gone (no such device)."])
    let none = SoundEvent.output(canPlay: false, whileRecording: false)
    #expect(bench.events.last?.event == none && !bench.isOpen)
    bench.sound(.refused)
    bench.run(milliseconds: 500)
    // When it is plugged in again, then it is found within seconds, or at once on `look`
    bench.faults.plugIn()
    let found = SoundEvent.output(canPlay: true, whileRecording: true)
    let back = try #require(bench.run { $0 == found })
    #expect(back.at < bench.startedAt + 3_000_000_000)
    #expect(bench.openings == 1)
    let again = bench.load(frames: signal.count)
    _ = bench.run(until: isEnd(again))
    #expect(bench.failures(of: again).isEmpty)
  }

  @Test("a speaker unplugged in a pause leaves the cue where it is")
  func goneInPause() throws {
    // Given a recording that was just paused
    let bench = try PlayBench()
    try bench.folder.record(PlaySignal.sweep(frames: 96_000))
    let cue = bench.load(frames: 96_000)
    bench.run(milliseconds: 300)
    bench.perform(.pause(cue: cue))
    bench.run(milliseconds: 100)
    // When the speaker is pulled out and comes back
    bench.faults.pullOut()
    bench.run(milliseconds: 100)
    bench.faults.plugIn()
    bench.look()
    bench.run(milliseconds: 5)
    bench.perform(.resume(cue: cue))
    _ = bench.run(until: isEnd(cue))
    // Then it goes on there
    #expect(bench.anchors(of: cue).map(\.frame) == [0] + bench.pauses(of: cue))
    #expect(bench.failures(of: cue).isEmpty)
  }

  @Test("with no speaker from the start, that is reported, and it is polled less and less often")
  func none() throws {
    // Given no speaker
    let bench = try PlayBench()
    bench.faults.pullOut()
    // When some seconds pass
    bench.run(milliseconds: 100)
    // Then that was reported once
    let none = SoundEvent.output(canPlay: false, whileRecording: false)
    #expect(bench.events.map(\.event) == [none])
    #expect(bench.rest == .until(nanoseconds: 3_000_000_000))
    bench.run(milliseconds: 2000)
    #expect(bench.rest == .until(nanoseconds: 7_000_000_000))
  }

  @Test("sound of an older generation is dropped, and of a newer one kept")
  func generations() throws {
    // Given a mixer, and blocks of three generations in the ring
    let tones = ToneBank(ToneSettings(), for: .int16())
    var line: PlayLine?
    var mixer = try PlayMixer.make(
      .int16(), volume: 1, speakerWaits: false, tones: tones, waker: try WakeUp().makeWaker(),
      line: &line)
    for generation in [UInt32.max - 1, .max, 0] {
      let samples = [Int16](repeating: Int16(generation & 7) + 100, count: 480)
      let block = PlayBlock(generation: generation, firstFrame: 0, frames: 480, isLast: true)
      samples.withUnsafeBytes { line?.feed.put(block, $0) }
    }
    // When the middle one is asked for, and then the last
    func heard() -> Set<Int16> {
      let samples = mixer.prepare()
      mixer.departed(samples.count / 2, heardAt: 0)
      return Set(samples.bindMemory(to: Int16.self))
    }
    for (generation, sound) in [(UInt32.max, Int16(107)), (0, 100)] {
      _ = line?.orders.push(.play(generation: generation, isPaused: false))
      // Then each is heard in its turn, although the generation wraps around
      #expect(heard() == [sound])
      #expect(heard() == [0])
    }
  }
}
