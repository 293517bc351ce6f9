// Proves that the tracks of a take are files of the same frames of the device, each with its own
// channels and format: to the frame and bit, across marks, gaps, splits and cards that fail.

import Recorder
import Tape
import Testing

@testable import Audio

@Suite struct TracksTests {
  /// A stereo device at a rate that Opus does not have, recorded as Opus, and its second channel
  /// again as FLAC.
  static var twoTracks: Rig.Setup {
    Rig.Setup().with {
      $0.format = StreamFormat(rate: 44_100, channels: 2, samples: .int16, periodFrames: 882)
      $0.sound = .counter
      $0.settings.opus.bitsPerSecond = 192_000
      $0.settings.tracks.append(.flac("guitar", [1]))
    }
  }

  /// Eight channels, each recorded as FLAC of its own.
  private static func eightTracks(_ samples: StreamFormat.Samples, bits: Int) -> Rig.Setup {
    Rig.Setup().with {
      $0.format = StreamFormat(rate: 48_000, channels: 8, samples: samples, periodFrames: 960)
      $0.sound = .counter
      $0.settings.tracks = (0..<8).map { .flac("channel \($0 + 1)", [$0], bits: bits) }
    }
  }

  /// What the device delivered of a channel, as a file has it.
  private func delivered(
    _ channel: Int, from first: Int, to end: Int, bits: Int = 16, silent: Range<Int> = 0..<0
  ) -> [Int32] {
    (first..<end).map { frame in
      if silent.contains(frame) { return 0 }
      let value = VirtualMicrophone.value(
        of: .counter, at: Int64(frame), rate: 48_000, channel: channel)
      return Int32(value * Double(1 << (bits - 1)))
    }
  }

  @Test func twoTracksHoldTheSameFramesInTheirOwnFormats() throws {
    // Given a take of two tracks, with a mark and a loss
    let rig = try Rig(Self.twoTracks)
    rig.run(to: 0.74)
    rig.begin(1, pressed: 0.7)
    rig.run(to: 1.2)
    rig.mark(1, at: 1.15, "here")
    let place = rig.nextFrame
    rig.faults.order(.overrun(frames: 4_410))
    rig.run(to: 2.42)
    rig.end(1, at: 2.35)
    rig.runUntilOver(1)
    // Then both hold the frames between the presses, with silence for the loss
    let (first, end) = (rig.frame(0.2), rig.frame(2.35))
    let silent = place..<place + 4_410
    let expected = try Listening.expected(
      rig.setup, from: first, count: end - first, silent: [silent])
    Listening.expectSame(try Listening.opusdec(rig.file(1)), expected)
    let guitar = try Listening.flac(rig.file(1, track: 1), bits: 16)
    #expect(guitar == delivered(1, from: first, to: end, silent: silent))
    // And the take has ended once, with the sounds of both
    let report = try #require(rig.report(1))
    #expect(rig.reports(1).count == 1 && report.integrity.stopReason == .pressed)
    #expect(report.sound.frames == Int64(rig.ticks(end - first)) && report.sound.bits == nil)
    let sound = Sound(
      frames: Int64(end - first), rate: 44_100, channels: 1,
      sizeBytes: Int64(rig.file(1, track: 1).count), bits: 16, hash: try rig.hashes(1)[1])
    let track = Track(2, TrackPlan(name: "guitar", ending: ".flac"), sound: sound)
    #expect(report.tracks == Tracks(firstName: "main", others: [track]))
    #expect(report.sound.sizeBytes == Int64(rig.file(1).count))
    try expectPlaces(in: rig, gap: place - first, mark: rig.frame(1.15) - first)
  }

  /// Expects a gap of 4,410 frames and a mark at these frames of the device, in the report at the
  /// first track's rate and in each file at its own.
  private func expectPlaces(in rig: Rig, gap: Int, mark: Int) throws {
    let gaps = [
      Gap(frame: Int64(rig.ticks(gap)), frames: 4_800, cause: .overrun),
      Gap(frame: Int64(gap), frames: 4_410, cause: .overrun),
    ]
    #expect(rig.gaps(1) == [gaps[0]] && rig.report(1)?.integrity.gaps == [gaps[0]])
    let marks = [Int64(rig.ticks(mark)), Int64(mark)]
    #expect(rig.events(of: 1).contains(.marked(Mark(frame: marks[0], name: "here"))))
    for (track, rate) in [48_000, 44_100].enumerated() {
      #expect(try rig.told(1, track: track)?.gaps == [gaps[track]])
      let kept = try #require(try rig.tags(1, track: track)?.marks.first)
      #expect(kept.name == "here" && abs(kept.frame(rate: rate) - marks[track]) <= 48)
    }
  }

  @Test func theTagsOfAFileAreThoseOfItsTrack() throws {
    let rig = try Rig(Self.twoTracks)
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    // Given a title that is known late
    rig.label(1, as: 7)
    rig.run(to: 3)
    rig.end(1, at: 2.95)
    rig.runUntilOver(1)
    let tags = try [0, 1].map { try #require(try rig.tags(1, track: $0)) }
    #expect(tags.map(\.channels) == [2, 1] && tags.map(\.sampleRate) == [44_100, 44_100])
    #expect(tags.map(\.title) == ["Take 7", "Take 7"])
    let tracks = try [0, 1].map { try rig.facts(1, track: $0)?.track }
    #expect(tracks[0] == TrackFact(number: 1, count: 2, name: "main"))
    #expect(tracks[1] == TrackFact(number: 2, count: 2, name: "guitar"))
    // And the gain of each is that of its own signal
    for (track, channels) in [[0, 1], [1]].enumerated() {
      var loudness = try Loudness.open(channels: channels.count, sampleRate: 44_100)
      let signals = channels.map { delivered($0, from: rig.frame(0.5), to: rig.frame(2.95)) }
      let frames = signals[0].indices.flatMap { frame in signals.map { Int16($0[frame]) } }
      frames.withUnsafeBufferPointer { loudness.add($0) }
      let gain = loudness.trackGain
      #expect(gain != nil && tags[track].trackGain == gain)
    }
    #expect(tags[0].trackGain != tags[1].trackGain)
  }

  @Test func theOnlyTrackWithTheUsualNameSaysNothingOfIt() throws {
    for name in ["main", "vocals"] {
      let rig = try Rig(Rig.Setup().with { $0.settings.tracks[0].name = name })
      rig.run(to: 1)
      rig.begin(1, pressed: 1)
      rig.run(to: 1.5)
      rig.end(1, at: 1.45)
      rig.runUntilOver(1)
      let track = name == "main" ? nil : TrackFact(number: 1, count: 1, name: name)
      #expect(try rig.facts(1)?.track == track)
      #expect(rig.report(1)?.tracks == Tracks(firstName: name))
    }
  }

  @Test(arguments: [(StreamFormat.Samples.int16, 16), (.float, 24)])
  func eightChannelsAreEightFilesBitForBit(samples: StreamFormat.Samples, bits: Int) throws {
    // Given a take of eight tracks that is split
    let rig = try Rig(Self.eightTracks(samples, bits: bits))
    rig.run(to: 0.74)
    rig.begin(1, pressed: 0.7003)
    rig.run(to: 1.65)
    rig.split(1, at: .instant(rig.instant(1.6001)), next: 2)
    rig.run(to: 2.43)
    rig.end(2, at: 2.3501)
    rig.runUntilOver(1, 2)
    // Then each file of each part has exactly its channel
    let ends = [0.2003, 1.6001, 2.3501].map(rig.frame)
    for part in [1, 2] {
      for channel in 0..<8 {
        let heard = try Listening.flac(rig.file(part, track: channel), bits: bits)
        let expected = delivered(channel, from: ends[part - 1], to: ends[part], bits: bits)
        #expect(heard == expected, "part \(part), channel \(channel)")
        #expect(try rig.facts(part, track: channel)?.track?.number == channel + 1)
      }
      let report = try #require(rig.report(part))
      #expect(rig.reports(part).count == 1)
      let frames = [report.sound.frames] + report.tracks.others.map(\.sound.frames)
      #expect(frames == Array(repeating: Int64(ends[part] - ends[part - 1]), count: 8))
      #expect(report.tracks.others.map(\.plan.name) == (2...8).map { "channel \($0)" })
    }
    #expect(rig.report(1)?.integrity.stopReason == .split)
  }

  @Test func pagesWaitUntilTheFilesOfAllTracksAreMade() throws {
    let rig = try Rig(Self.twoTracks)
    rig.attachesAtOnce = false
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 6)
    #expect(rig.card.operations.isEmpty)
    // Given the first file only, then nothing passes the pages of the second
    rig.attach(1, tracks: 0..<1)
    rig.run(to: 11)
    #expect(rig.card.operations.allSatisfy { $0.path == rig.name(1) })
    #expect(!rig.file(1).isEmpty && rig.file(1).count < 20_000)
    rig.attach(1, tracks: 1..<2)
    rig.end(1, at: 11)
    rig.runUntilOver(1)
    let (first, end) = (rig.frame(0.5), rig.frame(11))
    #expect(
      try Listening.flac(rig.file(1, track: 1), bits: 16) == delivered(1, from: first, to: end))
    let expected = try Listening.expected(rig.setup, from: first, count: end - first)
    Listening.expectSame(try Listening.opusdec(rig.file(1)), expected)
  }

  @Test func aTakeWhoseFilesAreDiscardedIsNotReported() throws {
    let rig = try Rig(Self.twoTracks)
    rig.attachesAtOnce = false
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    rig.discard(1)
    rig.run(to: 3)
    #expect(rig.reports(1).isEmpty && rig.card.operations.isEmpty)
    // And the next take is well
    rig.attachesAtOnce = true
    rig.begin(2, pressed: 3)
    rig.run(to: 4)
    rig.end(2, at: 3.95)
    rig.runUntilOver(2)
    #expect(rig.report(2)?.tracks.others.count == 1)
    #expect(rig.report(2)?.sound.frames == Int64(rig.ticks(rig.frames(2.5, 3.95))))
  }

  // MARK: Cards that fail

  struct Failure: CustomTestStringConvertible, Sendable {
    let kind: TestCard.Kind
    let offset: Int
    var testDescription: String { "\(kind) from \(offset) on" }

    static let all = [
      Failure(kind: .open, offset: 0), Failure(kind: .write, offset: 0),
      Failure(kind: .write, offset: 13_000), Failure(kind: .write, offset: 20_000),
      Failure(kind: .sync, offset: 0),
    ]
  }

  @Test(arguments: Failure.all)
  func ifATracksFileFailsTheOthersAreWhole(failure: Failure) throws {
    // Given a take of three tracks
    let rig = try Rig(
      Self.twoTracks.with { $0.settings.tracks.append(.flac("voice", [0], bits: 24)) })
    rig.card.broken = (rig.name(1, track: 1), failure.kind, failure.offset)
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    // When the file of the second cannot be written
    rig.run(to: 6)
    // Then the take has ended once, and says why
    let report = try #require(rig.report(1))
    #expect(rig.reports(1).count == 1)
    #expect(report.integrity.stopReason == .cardFailed)
    // A file that cannot grow can still be cut to its last whole page.
    #expect(report.integrity.endIsOwed == (failure.kind == .sync))
    #expect(report.tracks.others.map(\.plan.name) == ["guitar", "voice"])
    // And the other files are closed at the same frame, and hold all up to there
    let voice = try #require(report.tracks.others.last).sound
    #expect(voice.frames > 0 && rig.ticks(Int(voice.frames)) == Int(report.sound.frames))
    let first = rig.frame(0.5)
    let heard = try Listening.flac(rig.file(1, track: 2), bits: 24)
    #expect(heard == delivered(0, from: first, to: first + Int(voice.frames), bits: 24))
    let expected = try Listening.expected(rig.setup, from: first, count: Int(voice.frames))
    Listening.expectSame(try Listening.opusdec(rig.file(1)), expected)
    for track in [0, 2] {
      let file = try rig.card.open(rig.name(1, track: track))
      #expect(try Repair.examine(file).verdict == .whole)
      #expect(try rig.told(1, track: track)?.stopReason == .cardFailed)
    }
  }

  @Test(arguments: [3_000, 60_000, 150_000, 300_001])
  func aCardThatFillsUpKeepsWhatFitsOfEachTrack(room: Int) throws {
    let rig = try Rig(Self.eightTracks(.int16, bits: 16))
    rig.card.room = room
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 5)
    let report = try #require(rig.report(1))
    #expect(rig.reports(1).count == 1 && report.integrity.stopReason == .cardFull)
    let sounds = [report.sound] + report.tracks.others.map(\.sound)
    #expect((0..<8).reduce(0) { $0 + rig.file(1, track: $1).count } <= room)
    for (channel, sound) in sounds.enumerated() where sound.frames > 0 {
      let heard = try Listening.flac(rig.file(1, track: channel), bits: 16, isClosed: false)
      let first = rig.frame(0.5)
      #expect(heard == delivered(channel, from: first, to: first + Int(sound.frames)))
    }
    #expect(room < 100_000 || sounds.allSatisfy { $0.frames > 0 })
  }

  @Test func aNextPartWhoseSecondFileCannotBeOpenedEndsTheTakeWhereItWasToBegin() throws {
    // Given a split asked for ahead of its frame, one file of which cannot be opened
    let rig = try Rig(Self.twoTracks)
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    rig.card.broken = (rig.name(2, track: 1), .open, 0)
    rig.split(1, at: .length(milliseconds: 3_000), next: 2)
    rig.run(to: 5)
    rig.runUntilOver(1, 2)
    // Then the first part is whole to that frame
    #expect(rig.reports(1).map(\.integrity.stopReason) == [.cardFailed])
    #expect(rig.reports(2).map(\.integrity.stopReason) == [.cardFailed])
    let end = rig.frame(0.5) + 3 * 44_100
    #expect(
      try Listening.flac(rig.file(1, track: 1), bits: 16)
        == delivered(1, from: rig.frame(0.5), to: end))
    #expect(rig.report(1)?.sound.frames == 144_000)
  }

  @Test func whateverOperationFailsATakeOfTwoTracksEndsOnce() throws {
    let count = try takeWithSplit { _ in true }.card.operations.count
    #expect(count > 40)
    for isForGood in [false, true] {
      for failing in 0..<count {
        // When one operation fails, or all from one on
        let rig = try takeWithSplit { isForGood ? $0 < failing : $0 != failing }
        // Then each part has ended once, and its files hold what is reported
        for part in [1, 2] {
          let report = try #require(rig.report(part), "part \(part), operation \(failing)")
          #expect(rig.reports(part).count == 1, "part \(part), operation \(failing)")
          let sounds = [report.sound] + report.tracks.others.map(\.sound)
          #expect(sounds.count == 2)
          for (track, sound) in sounds.enumerated() where sound.frames > 0 {
            let card = TestCard { 0 }
            card.files["a"] = rig.file(part, track: track)
            #expect(try Repair.examine(try card.open("a")).frames == sound.frames)
          }
        }
      }
    }
  }

  private func takeWithSplit(_ works: @escaping (Int) -> Bool) throws -> Rig {
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = StreamFormat(rate: 8_000, channels: 2, samples: .int16, periodFrames: 160)
        $0.settings.opus.complexity = 0
        $0.settings.opus.bitsPerSecond = 24_000
        $0.settings.syncMilliseconds = 300
        $0.settings.tracks.append(.flac("guitar", [1]))
      })
    rig.card.works = { number, _ in works(number) }
    rig.run(to: 0.2)
    rig.begin(1, pressed: 0.2, preroll: 100)
    rig.run(to: 0.6)
    rig.split(1, at: .instant(rig.instant(0.6)), next: 2)
    rig.run(to: 0.9)
    rig.end(2, at: 0.9)
    rig.runUntilOver(1, 2, within: 5)
    return rig
  }
}

extension TrackSettings {
  static func flac(_ name: String, _ channels: [Int], bits: Int = 16) -> TrackSettings {
    var (track, flac) = (TrackSettings(), FlacSettings())
    (flac.bits, flac.level) = (bits, 0)
    (track.name, track.channels, track.format) = (name, channels, .flac(flac))
    return track
  }
}
