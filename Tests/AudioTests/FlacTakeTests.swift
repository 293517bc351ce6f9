// Proves that a FLAC take holds, bit for bit, the frames between the presses, whatever the device's
// rate, depth and channels: across splits and gaps, and when the card fails or fills up.

import Recorder
import Tape
import Testing

@testable import Audio

@Suite struct FlacTakeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let format: StreamFormat
    let bits: Int
    var testDescription: String { "\(format.rate) Hz, \(format.channels), \(bits) bits" }

    init(_ rate: Int, _ channels: Int, _ samples: StreamFormat.Samples, bits: Int) {
      format = StreamFormat(
        rate: rate, channels: channels, samples: samples, periodFrames: rate / 47)
      self.bits = bits
    }

    var setup: Rig.Setup {
      var flac = FlacSettings()
      flac.bits = bits
      return Rig.Setup().with {
        $0.format = format
        $0.settings.format = .flac(flac)
      }
    }

    static let all = [
      Case(48_000, 1, .int16, bits: 16), Case(44_100, 2, .int16, bits: 16),
      Case(48_000, 2, .float, bits: 24), Case(96_000, 1, .float, bits: 24),
      Case(16_000, 2, .float, bits: 16), Case(8_000, 1, .int16, bits: 24),
    ]
  }

  /// What the device delivered from a frame on, as the file has it.
  private func delivered(
    _ example: Case, from first: Int, count: Int, silent: Range<Int> = 0..<0
  ) -> [Int32] {
    let (format, height) = (example.format, Double(1 << (example.bits - 1)))
    return (first..<first + count).flatMap { frame in
      let exact = VirtualMicrophone.value(of: .sweep, at: Int64(frame), rate: format.rate)
      // The device has 16 bits, or those of a float.
      let steps = format.samples == .int16 ? 32_768 : height
      let value = format.samples == .int16 ? exact : Double(Float(exact))
      let rounded = max(-steps, min(steps - 1, (value * steps).rounded(.toNearestOrEven)))
      let sample = silent.contains(frame) ? 0 : Int32(rounded * height / steps)
      return [Int32](repeating: sample, count: format.channels)
    }
  }

  @Test("It is the press less the preroll to the stop, to the frame and bit", arguments: Case.all)
  func exact(example: Case) throws {
    // Given a take that is marked, split and ended
    let rig = try Rig(example.setup)
    rig.run(to: 0.74)
    rig.begin(1, pressed: 0.7003, preroll: 500)
    rig.run(to: 1.2)
    rig.mark(1, at: 1.15, "here")
    rig.split(1, at: .instant(rig.instant(1.6001)), next: 2)
    rig.run(to: 2.43)
    rig.end(2, at: 2.3501)
    rig.runUntilOver(1, 2)
    // Then its parts hold exactly what was delivered between these instants
    let ends = [0.2003, 1.6001, 2.3501].map(rig.frame)
    for number in [1, 2] {
      let (first, count) = (ends[number - 1], ends[number] - ends[number - 1])
      let heard = try Listening.flac(rig.file(number), bits: example.bits)
      #expect(heard == delivered(example, from: first, count: count))
      let report = try #require(rig.report(number))
      #expect(report.sound.frames == Int64(count) && report.sound.rate == example.format.rate)
      #expect(report.sound.bits == example.bits)
      #expect(report.sound.sizeBytes == Int64(rig.file(number).count))
    }
    // And the mark is at its frame in the report, and to the millisecond in the file
    let mark = Int64(rig.frame(1.15) - ends[0])
    #expect(rig.events(of: 1).contains(.marked(Mark(frame: mark, name: "here"))))
    let tags = try #require(try Tags.read(from: try rig.card.open("1")))
    let kept = try #require(tags.marks.first)
    #expect(abs(kept.frame(rate: example.format.rate) - mark) <= Int64(example.format.rate / 1000))
    #expect(try Repair.examine(try rig.card.open("1")).verdict == .whole)
  }

  @Test("A loss is silence, as long as it was", arguments: [1, 4_700, 48_000])
  func loss(frames: Int) throws {
    let example = Case(48_000, 2, .float, bits: 24)
    let rig = try Rig(example.setup)
    rig.run(to: 1)
    rig.begin(1, pressed: 0.95)
    rig.run(to: 1.4)
    let place = rig.nextFrame
    rig.faults.order(.overrun(frames: frames))
    let end = 2 + Double(frames) / 48_000
    rig.run(to: end + 0.1)
    rig.end(1, at: end)
    rig.runUntilOver(1)
    let first = rig.frame(0.45)
    let gap = Gap(frame: Int64(place - first), frames: Int64(frames), cause: .overrun)
    #expect(rig.report(1)?.integrity.gaps == [gap])
    let expected = delivered(
      example, from: first, count: rig.frame(end) - first, silent: place..<place + frames)
    #expect(try Listening.flac(rig.file(1), bits: 24) == expected)
  }

  @Test(
    "A card that fills up keeps what fits, whole", arguments: [60_000, 131_072, 200_001])
  func full(room: Int) throws {
    let example = Case(48_000, 1, .int16, bits: 16)
    let rig = try Rig(example.setup)
    rig.card.room = room
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 9)
    let report = try #require(rig.report(1))
    #expect(report.integrity.stopReason == .cardFull && rig.file(1).count <= room)
    #expect(report.sound.frames > 0)
    let heard = try Listening.flac(rig.file(1), bits: 16, isClosed: false)
    let first = rig.frame(0.5)
    #expect(heard == delivered(example, from: first, count: Int(report.sound.frames)))
    #expect(try Repair.examine(try rig.card.open("1")).verdict == .whole)
    #expect(rig.file(1).count > room - 20_000)
  }

  @Test("A card without room for a header keeps nothing, and says so")
  func fuller() throws {
    let rig = try Rig(Case(48_000, 1, .int16, bits: 16).setup)
    rig.card.room = 9_000
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 3)
    let report = try #require(rig.report(1))
    #expect(report.integrity.stopReason == .cardFull && report.sound.frames == 0)
  }

  @Test("A minute's stall of the card costs nothing")
  func stall() throws {
    let example = Case(48_000, 1, .int16, bits: 16)
    let rig = try Rig(example.setup)
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 2)
    rig.isWriterStalled = true
    rig.run(to: 62)
    rig.isWriterStalled = false
    rig.run(to: 62.95)
    rig.end(1, at: 62.9)
    rig.runUntilOver(1)
    #expect(rig.report(1)?.integrity.gaps == [])
    let first = rig.frame(0.5)
    let heard = try Listening.flac(rig.file(1), bits: 16)
    let expected = delivered(example, from: first, count: rig.frame(62.9) - first)
    let differs = zip(heard, expected).enumerated().first { $1.0 != $1.1 }
    #expect(heard == expected, "\(heard.count), \(expected.count): \(String(describing: differs))")
  }
}
