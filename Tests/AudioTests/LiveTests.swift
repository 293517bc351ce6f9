// Live sound at the level of the room: what a listener gets is what the microphone delivered, a
// take is the same with and without one, and one that does not read costs only its own sound.

import Realtime
import Recorder
import Testing

@testable import Audio

@Suite struct LiveTests {
  /// The samples of the microphone as one channel of 16 bits.
  private func expected(_ rig: Rig, _ frames: Range<Int64>) -> [Int16] {
    let (setup, channels) = (rig.setup, rig.setup.format.channels)
    return frames.map { frame in
      let values = (0..<channels).map { channel in
        VirtualMicrophone.value(
          of: setup.sound, at: frame, rate: setup.format.rate, channel: channel)
      }
      if setup.format.samples == .float {
        let sum = values.reduce(Float(0)) { $0 + Float($1) }
        return Int16(max(-32_768, min(32_767, (sum / Float(channels) * 32_768).rounded())))
      }
      let sum = values.reduce(0) { $0 + Int(max(-32_768, min(32_767, ($1 * 32_768).rounded()))) }
      return Int16(sum / channels)
    }
  }

  @Test(
    "a listener hears every sample that was delivered, mixed to one channel, and when it was heard",
    arguments: [
      StreamFormat(rate: 16_000, channels: 1, samples: .int16, periodFrames: 320),
      StreamFormat(rate: 48_000, channels: 2, samples: .int16, periodFrames: 441),
      StreamFormat(rate: 48_000, channels: 2, samples: .float, periodFrames: 960),
    ])
  func everySample(format: StreamFormat) throws {
    // given a microphone that has run for a while, with no listener
    let rig = try Rig(Rig.Setup().with { $0.format = format })
    let line = try LiveLine(rate: format.rate)
    rig.run(to: 1)
    // when one listens for three seconds, and is read now and then
    rig.listen(line)
    var blocks: [LiveBlock] = []
    for second in stride(from: 1.0, through: 4, by: 0.3) {
      rig.run(to: second)
      blocks += line.read()
    }
    // then the pieces follow each other, and are what the microphone delivered
    let first = try #require(blocks.first)
    let heard = blocks.flatMap(\.samples)
    #expect(heard.count > 2 * format.rate)
    for (block, next) in zip(blocks, blocks.dropFirst()) {
      #expect(next.firstFrame == block.firstFrame + Int64(block.samples.count))
    }
    let frames = first.firstFrame..<first.firstFrame + Int64(heard.count)
    Listening.expectSame(heard, expected(rig, frames))
    for block in blocks {
      let told = rig.instant(Double(block.firstFrame) / Double(format.rate)).nanoseconds
      #expect(abs(block.nanoseconds - told) < 2_000_000)
    }
    // and after the end nothing more comes
    rig.listen(nil)
    rig.run(to: 4.5)
    _ = line.read()
    rig.run(to: 5)
    #expect(line.read().isEmpty)
  }

  @Test("a take is the same, byte for byte, beside a listener that never reads")
  func untouched() throws {
    func recordedFile(listens: Bool) throws -> [UInt8] {
      let rig = try Rig()
      rig.run(to: 1)
      if listens { rig.listen(try LiveLine(rate: rig.setup.format.rate)) }
      rig.begin(1, pressed: 1)
      rig.run(to: 8)
      rig.end(1, at: 8)
      rig.runUntilOver(1)
      #expect(rig.report(1)?.integrity.gaps.isEmpty == true)
      return rig.file(1)
    }
    let alone = try recordedFile(listens: false)
    #expect(try recordedFile(listens: true) == alone && !alone.isEmpty)
  }

  @Test("a line whose listener is late keeps whole pieces only, and goes on with new ones")
  func late() throws {
    let rig = try Rig()
    let line = try LiveLine(rate: rig.setup.format.rate)
    rig.run(to: 0.5)
    rig.listen(line)
    // given that nothing is read for five seconds, which is more than it holds
    rig.run(to: 5.5)
    let kept = line.read()
    let count = kept.reduce(0) { $0 + $1.samples.count }
    #expect(count <= 16_384 && count > 15_000)
    // when it is read again
    rig.run(to: 6)
    let later = line.read()
    // then each piece is what it says, with a hole between
    let begin = try #require(later.first?.firstFrame)
    let end = try #require(kept.last.map { $0.firstFrame + Int64($0.samples.count) })
    #expect(begin > end)
    for block in kept + later {
      let frames = block.firstFrame..<block.firstFrame + Int64(block.samples.count)
      Listening.expectSame(block.samples, expected(rig, frames))
    }
  }
}
