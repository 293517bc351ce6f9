// Proves that a take begins, ends and is marked at the very frames that were asked for, at every
// rate and in whatever order the workers run, and that its report is true.

import Recorder
import Testing

@testable import Audio

@Suite struct TakeTests {
  private static let formats = [
    StreamFormat(rate: 8_000, channels: 1, samples: .int16, periodFrames: 160),
    StreamFormat(rate: 16_000, channels: 2, samples: .float, periodFrames: 333),
    StreamFormat(rate: 44_100, channels: 1, samples: .int16, periodFrames: 1_024),
    StreamFormat(rate: 48_000, channels: 2, samples: .int16, periodFrames: 960),
    StreamFormat(rate: 48_000, channels: 1, samples: .float, periodFrames: 64),
    StreamFormat(rate: 96_000, channels: 1, samples: .int16, periodFrames: 1_920),
  ]

  @Test(arguments: formats)
  func aTakeIsThePressLessThePrerollToTheStopToTheFrame(format: StreamFormat) throws {
    // Given a running microphone, and presses that arrive a little late
    let setup = Rig.Setup().with {
      $0.format = format
      $0.settings.opus.bitsPerSecond = 96_000 * format.channels
    }
    let rig = try Rig(setup)
    rig.run(to: 0.74)
    // When a take is begun and ended
    rig.begin(1, pressed: 0.7003, preroll: 500)
    rig.run(to: 2.43)
    rig.end(1, at: 2.3501)
    rig.runUntilOver(1)
    // Then it holds exactly what was heard between these instants
    let first = rig.frame(0.2003)
    let count = rig.frame(2.3501) - first
    let heard = try Listening.opusdec(rig.file(1))
    let report = try #require(rig.report(1))
    #expect(heard.count == rig.ticks(count) * format.channels)
    #expect(report.sound.frames == Int64(rig.ticks(count)))
    #expect(report.sound.channels == format.channels)
    #expect(report.sound.sizeBytes == Int64(rig.file(1).count))
    #expect(report.integrity.stopReason == .pressed && report.integrity.gaps == [])
    Listening.expectSame(heard, try Listening.expected(setup, from: first, count: count))
    for second in [1, 2] {
      let place = rig.ticks(second * format.rate - first)
      let found = try #require(
        Listening.click(
          in: heard, near: place, rate: format.rate, channels: format.channels))
      #expect(abs(found - place) <= max(2, 48_000 / format.rate), "\(place) heard at \(found)")
    }
    try Listening.opusinfo(rig.file(1))
  }

  @Test(arguments: 1...12)
  func whoeverWorksWhenTheTakeIsTheSame(seed: Int) throws {
    // Given presses at odd instants that arrive up to 80 ms late
    var random = SystemlessRandom(seed: UInt64(seed))
    let setup = Rig.Setup().with { $0.seed = UInt64(seed) }
    let rig = try Rig(setup)
    let press = random.within(0.6...0.9)
    let stop = press + random.within(0...1)
    rig.run(to: press + random.within(0...0.08))
    // When
    rig.begin(1, pressed: press)
    rig.run(to: stop + random.within(0...0.08))
    rig.end(1, at: stop)
    rig.runUntilOver(1)
    // Then
    let (first, end) = (rig.frame(press - 0.5), rig.frame(stop))
    let heard = try Listening.opusdec(rig.file(1))
    Listening.expectSame(heard, try Listening.expected(setup, from: first, count: end - first))
    #expect(rig.reports(1).count == 1)
  }

  @Test(arguments: [0, 0.004, 0.3])
  func aPrerollFromBeforeTheOpeningBeginsWithTheFirstFrame(press: Double) throws {
    // Given a press as soon as the microphone is open, or before its first frame
    let rig = try Rig()
    if press > 0.01 { rig.run(to: press + 0.03) }
    rig.begin(1, pressed: press)
    rig.run(to: 1.2)
    rig.end(1, at: 1.1)
    rig.runUntilOver(1)
    // Then
    #expect(rig.report(1)?.sound.frames == Int64(rig.ticks(rig.frame(1.1))))
    #expect(rig.events(of: 1).first == .began(at: rig.instant(0), rate: 48_000))
    let heard = try Listening.opusdec(rig.file(1))
    Listening.expectSame(heard, try Listening.expected(rig.setup, from: 0, count: rig.frame(1.1)))
  }

  @Test func betweenAStopAndAPressAtOnceNothingIsLost() throws {
    // Given a stop and a press, 50 ms apart
    let rig = try Rig()
    rig.run(to: 0.9)
    rig.begin(1, pressed: 0.8)
    rig.run(to: 2.04)
    rig.end(1, at: 2)
    rig.begin(2, pressed: 2.05)
    rig.run(to: 3)
    rig.end(2, at: 2.9)
    rig.runUntilOver(1, 2)
    // Then the second overlaps the first, and both hold all that was heard
    for (number, first, end) in [(1, 0.3, 2.0), (2, 1.55, 2.9)] {
      let count = rig.frame(end) - rig.frame(first)
      let heard = try Listening.opusdec(rig.file(number))
      Listening.expectSame(
        heard, try Listening.expected(rig.setup, from: rig.frame(first), count: count))
    }
  }

  @Test func twoHundredPressesInTwentySeconds() throws {
    // Given a user who presses every tenth of a second, to start and to stop
    let setup = Rig.Setup().with {
      $0.format = StreamFormat(rate: 8_000, channels: 1, samples: .int16, periodFrames: 160)
      $0.settings.opus.complexity = 0
    }
    let rig = try Rig(setup)
    for number in 1...100 {
      let press = 1 + Double(number) * 0.2
      rig.run(to: press + 0.03)
      rig.begin(number, pressed: press, preroll: 150)
      rig.run(to: press + 0.13)
      rig.end(number, at: press + 0.1)
    }
    for number in 1...100 { rig.runUntilOver(number) }
    // Then each of the hundred takes is whole
    let frames = Int64(rig.ticks(2_000))
    #expect((1...100).allSatisfy { rig.report($0)?.sound.frames == frames })
    #expect((1...100).allSatisfy { rig.reports($0).count == 1 })
    #expect(try Listening.opusdec(rig.file(57)).count == Int(frames))
  }

  @Test(arguments: formats)
  func marksAreWhereTheyWerePressed(format: StreamFormat) throws {
    // Given a take at a rate whose frames may fall between those of the file
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = format
        $0.settings.opus.bitsPerSecond = 96_000 * format.channels
      })
    rig.run(to: 0.8)
    rig.begin(1, pressed: 0.75)
    rig.run(to: 1.9)
    // When marks are pressed, one of them before the sound was encoded, and one long after
    rig.mark(1, at: 1.8705, "late")
    rig.mark(1, at: 0.8, "early")
    rig.mark(1, at: 0.1, "before it began")
    rig.run(to: 2.1)
    rig.end(1, at: 2)
    rig.runUntilOver(1)
    // Then they are reported at their frames, and are in the file
    let marks = rig.events(of: 1).compactMap { event in
      if case .marked(let mark) = event { mark } else { nil }
    }
    let places = [1.8705, 0.8].map { Int64(rig.ticks(rig.frame($0) - rig.frame(0.25))) }
    #expect(
      marks == [
        Mark(frame: places[0], name: "late"), Mark(frame: places[1], name: "early"),
        Mark(frame: 0, name: "before it began"),
      ])
    let folder = Folder()
    let words = String(
      decoding: run("opusinfo '\(try folder.put(rig.file(1)))'"), as: UTF8.self)
    #expect(words.contains("NAME=late") && words.contains("=early"))
  }

  @Test func aStopBeforeTheStartIsATakeWithoutSound() throws {
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1, preroll: 0)
    rig.end(1, at: 0.5)
    rig.runUntilOver(1)
    #expect(rig.report(1)?.sound.frames == 0)
    #expect(rig.report(1)?.integrity.stopReason == .pressed)
  }

  @Test func aSecondStopChangesNothing() throws {
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    rig.end(1, at: 1.96)
    rig.end(1, at: 2)
    rig.end(1, at: 3, .shutdown)
    rig.runUntilOver(1)
    rig.run(to: 4)
    #expect(rig.reports(1).map(\.sound.frames) == [Int64(rig.ticks(rig.frame(1.46)))])
    #expect(rig.report(1)?.integrity.stopReason == .pressed)
  }

  @Test(arguments: [-500.0, 500])
  func aDeviceThatRunsAtItsOwnSpeedKeepsItsFrames(drift: Double) throws {
    // Given a microphone that is fast or slow by half a thousandth
    let rig = try Rig()
    rig.faults.order(.drift(partsPerMillion: drift))
    rig.run(to: 20.05)
    rig.begin(1, pressed: 20)
    rig.run(to: 22.05)
    rig.end(1, at: 22)
    rig.runUntilOver(1)
    // Then nothing counts as lost, and the take begins at the frame of its instant by that speed
    let speed = 1 + drift / 1e6
    let first = (19.5 * 16_000 * speed).rounded()
    let end = (22 * 16_000 * speed).rounded()
    let report = try #require(rig.report(1))
    #expect(report.integrity.gaps == [])
    #expect(abs(report.sound.frames - Int64((end - first) * 3)) <= 6)
    let heard = try Listening.opusdec(rig.file(1))
    let place = rig.ticks(20 * 16_000 - Int(first))
    let found = try #require(Listening.click(in: heard, near: place, rate: 16_000))
    #expect(abs(found - place) <= 6)
  }
}
