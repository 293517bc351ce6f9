// Proves that what is done to a track's signal is done to all of it, that the first track is what
// meters and reports show, and that settings a device cannot meet are refused.

import Recorder
import Tape
import Testing

@testable import Audio

@Suite struct TrackSignalTests {
  private static let eight = StreamFormat(
    rate: 16_000, channels: 8, samples: .int16, periodFrames: 320)

  @Test func gainAndLowCutGoOnAcrossASplitAndBehindAGap() throws {
    // Given a second track that is quieter and has no bass
    let setup = Rig.Setup().with {
      var track = TrackSettings.flac("quiet", [0])
      (track.gainMillibels, track.lowCutHertz) = (-600, 200)
      $0.settings.tracks.append(track)
    }
    let rig = try Rig(setup)
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.4)
    // When frames are lost, and the take is split
    let place = rig.nextFrame
    rig.faults.order(.overrun(frames: 777))
    rig.run(to: 2.05)
    rig.split(1, at: .instant(rig.instant(2)), next: 2)
    rig.run(to: 3.05)
    rig.end(2, at: 3)
    rig.runUntilOver(1, 2)
    // Then its parts, joined, are the filtered signal as if there had been neither
    let joined =
      try Listening.flac(rig.file(1, track: 1), bits: 16)
      + Listening.flac(rig.file(2, track: 1), bits: 16)
    let first = rig.frame(0.5)
    let heard = (first..<rig.frame(3)).filter { !(place..<place + 777).contains($0) }
    var expected = filtered(heard, setup)
    expected.insert(contentsOf: [Int32](repeating: 0, count: 777), at: place - first)
    let differs = zip(joined, expected).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(joined.count == expected.count && differs == nil, "different from \(differs ?? -1)")
    // And the first track is untouched
    let whole = try Listening.expected(
      setup, from: first, count: rig.frames(0.5, 2), silent: [place..<place + 777])
    // Its end, before a split, has been encoded with what follows.
    let heardFirst = try Listening.opusdec(rig.file(1))
    #expect(heardFirst.count == whole.count)
    Listening.expectSame(Array(heardFirst.dropLast(960)), Array(whole.dropLast(960)))
  }

  private func filtered(_ frames: [Int], _ setup: Rig.Setup) -> [Int32] {
    var filter = TrackFilter(
      channels: [0], of: 1, float: false, sampleRate: 16_000, gainMillibels: -600,
      lowCutHertz: 200)
    let samples = frames.map { frame in
      let value = VirtualMicrophone.value(of: .sweep, at: Int64(frame), rate: 16_000)
      return Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
    }
    var result: [Int32] = []
    samples.withUnsafeBytes { bytes in
      filter.apply(to: bytes) { result += $0.bindMemory(to: Int16.self).map(Int32.init) }
    }
    return result
  }

  @Test(arguments: [[], [6, 4]])
  func theSilentOneOfManyChannelsIsNamedAsTheDeviceCountsIt(channels: [Int]) throws {
    // Given a first track of all eight channels, or of two, of which the device's fifth is silent
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = Self.eight
        $0.settings.tracks = [.flac("main", channels)]
      })
    rig.faults.order(.dead(channel: 4))
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 8)
    rig.end(1, at: 7.95)
    rig.runUntilOver(1)
    let told = rig.events(of: 1).filter { if case .channelSeemsDead = $0 { true } else { false } }
    #expect(told == [.channelSeemsDead(5, of: 8)])
    let integrity = try #require(rig.report(1)).integrity
    #expect(integrity.deadChannel == 5 && !integrity.microphoneSeemsDead)
  }

  @Test(arguments: [
    (["voice", "guitar", "room"], 5, Int?(6)), (["voice", "guitar", "room"], 0, 1),
    (["voice", "guitar", "safety"], 5, nil),
  ])
  func aSilentChannelOfAnyTrackIsNamedUnlessItIsTheSafetyTrack(
    names: [String], dead: Int, named: Int?
  ) throws {
    // Given three tracks of one channel each, of which one is silent
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = Self.eight
        $0.settings.tracks = zip(names, [0, 2, 5]).map { .flac($0, [$1]) }
      })
    rig.faults.order(.dead(channel: dead))
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 8)
    rig.end(1, at: 7.95)
    rig.runUntilOver(1)
    // Then it is named, while the microphone as a whole is not taken for dead
    let told = rig.events(of: 1).compactMap { event in
      if case .channelSeemsDead(let channel, 8) = event { channel } else { nil }
    }
    #expect(told == (named.map { [$0] } ?? []))
    let integrity = try #require(rig.report(1)).integrity
    #expect(integrity.deadChannel == named && !integrity.microphoneSeemsDead)
  }

  @Test func aTrackThatClipsIsNamedAndCounted() throws {
    // Given two tracks of the same channel, the second made so loud that it clips
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = Self.eight
        var loud = TrackSettings.flac("loud", [1])
        loud.gainMillibels = 3_000
        $0.settings.tracks = [.flac("main", [1]), loud]
      })
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 4)
    rig.end(1, at: 3.95)
    rig.runUntilOver(1)
    // Then it is named, and its frames are those of the take
    var told: [Int64] = []
    for case .clipped(let frames, let track) in rig.events(of: 1) {
      #expect(track == "loud")
      told.append(frames)
    }
    #expect(!told.isEmpty && told == told.sorted())
    #expect(try #require(rig.report(1)).integrity.clippedFrames >= told.last ?? .max)
  }

  @Test func peakAndMeterAreThoseOfTheFirstTrack() throws {
    // Given a first track of two channels, the second of them silent, 6 dB louder than the device
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = Self.eight
        var track = TrackSettings.flac("main", [2, 5, 1])
        track.gainMillibels = 600
        $0.settings.tracks = [track, .flac("other", [0])]
      })
    rig.faults.order(.dead(channel: 5))
    rig.meter(true)
    rig.run(to: 0.5)
    rig.begin(1, pressed: 0.5, preroll: 200)
    rig.run(to: 0.9)
    // Then the meter shows them
    let reading = rig.meter.read()
    #expect(abs(reading.leftPeak - 0.499) < 0.01 && reading.rightPeak == 0)
    rig.end(1, at: 0.85)
    rig.runUntilOver(1)
    let peak = try #require(rig.report(1)?.integrity.peakMillibels)
    #expect(abs(peak + 604) <= 6, "\(peak)")
  }

  @Test func settingsThatADeviceCannotMeetAreRefusedInWords() {
    func sentence(_ change: (inout RecordSettings) -> Void) -> String? {
      var settings = RecordSettings()
      change(&settings)
      do throws(TapeError) {
        try settings.validate(for: Self.eight)
        return nil
      } catch {
        return error.sentence
      }
    }
    #expect(sentence { $0.tracks = [.flac("a", []), .flac("b", [7, 0])] } == nil)
    #expect(
      sentence { $0.tracks = [.flac("a", [7]), .flac("b", [8])] }
        == "The track b needs channel 9, and the device has 8.")
    #expect(sentence { $0.tracks = [] } == "A take has one to 8 tracks; 0 are asked for.")
    #expect(
      sentence { $0.tracks[0].lowCutHertz = 8_000 }
        == "The low cut of the track main must be below half of 16000 Hz.")
    #expect(sentence { _ in }?.contains("one or two channels") ?? false, "Opus of eight channels")
  }

  @Test func theRingOfPagesHoldsAStallOfAllTracks() {
    // Given an Opus track of 24,000 bytes a second at most, and FLAC ones of 96,000
    let stream = StreamFormat(rate: 48_000, channels: 1, samples: .int16, periodFrames: 960)
    var settings = RecordSettings()
    settings.format = .opus(OpusSettings())
    settings.stallSeconds = 100
    let opus = settings.pageCount(stream)
    #expect(settings.pageBytes(stream) == 1_200_000)
    settings.tracks.append(.flac("b", []))
    settings.tracks.append(.flac("c", []))
    #expect(settings.pageBytes(stream) == 1_200_000 + 2 * 9_600_000)
    settings.stallSeconds = 10_000
    #expect(settings.pageBytes(stream) == RecordSettings.mostPageBytes)
    #expect(settings.pageCount(stream) > 2 * opus)
  }
}
