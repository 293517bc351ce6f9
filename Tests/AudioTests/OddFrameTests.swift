// Proves that frames whose size doesn't divide the ring come through whole, over many laps of it.

import Realtime
import Testing

@testable import Audio

@Suite struct OddFrameTests {
  @Test(
    "Frames of 6 to 14 and of 24 bytes are never dropped, and never torn",
    arguments: [3, 5, 6, 7, 12])
  func laps(channels: Int) throws {
    // Given a ring of 4096 bytes, and a device whose frames don't divide it
    let format = StreamFormat(rate: 48_000, channels: channels, samples: .int16, periodFrames: 48)
    let frames = try FrameLine(
      format, bytes: 4096, blocks: 256, residency: .onDemand, waker: try WakeUp().makeWaker(),
      line: CaptureLine())
    var publisher = frames.publisher
    var history = frames.history
    var (sent, heard): (Int64, Int64) = (0, 0)
    // When numbered frames go through for a hundred laps
    while sent * Int64(format.frameBytes) < 409_600 {
      let room = publisher.room(atMost: 48 * format.frameBytes)
      let count = room.count / format.frameBytes
      try #require(count > 0)
      for (index, place) in room.bindMemory(to: Int16.self).indices.enumerated() {
        room.bindMemory(to: Int16.self)[place] = number(of: sent + Int64(index / channels))
      }
      publisher.publish(count, atNanoseconds: sent * 1_000_000_000 / 48_000, isBehind: false)
      sent += Int64(count)
      heard = listen(&history, from: heard)
    }
    // Then each frame arrives, in order
    #expect(heard == sent)
  }

  private func number(of frame: Int64) -> Int16 { Int16(truncatingIfNeeded: frame) }

  /// Reads and releases all that has arrived; returns the frame after the last, or -1 if one is
  /// wrong.
  private func listen(_ history: inout History, from first: Int64) -> Int64 {
    history.update()
    var next = first
    while let block = history.block(from: next) {
      var isRight = true
      let count = Int(block.endFrame - next)
      history.withSamples(of: block, from: next, count: count) { bytes in
        let channels = channelCount(bytes.count, count)
        let numbers = bytes.bindMemory(to: Int16.self)
        for (index, value) in numbers.enumerated() {
          isRight = isRight && value == number(of: next + Int64(index / channels))
        }
      }
      if !isRight { return -1 }
      next = block.endFrame
    }
    history.release(before: next)
    return next
  }

  private func channelCount(_ bytes: Int, _ frames: Int) -> Int { bytes / 2 / frames }
}
