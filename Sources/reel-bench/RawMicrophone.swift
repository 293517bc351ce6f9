// A virtual microphone that gives what a file of bare 16-bit samples holds as fast as it is taken,
// at a time of its own, so that the record path can be measured without a device. It waits where a
// real one would be waited for: when it is three seconds ahead of what has been encoded.
import Audio
import Glibc
import Realtime
import Synchronization

/// How far the recording is, for the microphone.
final class Taken: Sendable {
  /// Stored by the main thread.
  private let frames = Atomic<Int64>(0)
  /// Heard by the capture thread.
  private let bell: WakeUp

  init() throws(Refusal) { bell = try WakeUp() }

  func tell(_ count: Int64) {
    frames.store(count, ordering: .releasing)
    bell.makeWaker().wake()
  }

  /// Waits until the frame may be heard; false after half a second in vain. Once it has to wait it
  /// does so until two seconds may be heard at once: waking up is no part of what is measured.
  func waits(for frame: Int64) -> Bool {
    if frame <= frames.load(ordering: .acquiring) + 3 * 48_000 { return true }
    while frame > frames.load(ordering: .acquiring) + 1 * 48_000 {
      if !bell.wait(milliseconds: 500) { return false }
    }
    return true
  }
}

// Sendable though it holds pointers: there is only one, and it can't be copied.
struct RawMicrophone: CaptureStream, ~Copyable, @unchecked Sendable {
  let format: StreamFormat
  private let descriptor: CInt
  private let taken: Taken
  /// What was read of the file and not yet heard.
  private let buffer: UnsafeMutableRawBufferPointer
  private var waiting = 0..<0
  private var frame: Int64 = 0

  init(descriptor: CInt, channels: Int, taken: Taken) {
    format = StreamFormat(rate: 48_000, channels: channels, samples: .int16, periodFrames: 960)
    self.descriptor = descriptor
    self.taken = taken
    // Whole periods, about 64 KiB.
    buffer = .allocate(byteCount: 1_920 * 34, alignment: 16)
  }

  deinit { buffer.deallocate() }

  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival {
    guard taken.waits(for: frame) else { return .nothing }
    if waiting.isEmpty {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count <= 0 {
        taken.waitForEver()
        return .nothing
      }
      waiting = 0..<count
    }
    let count = min(waiting.count, target.count) / format.frameBytes * format.frameBytes
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[waiting.prefix(count)]))
    waiting = waiting.dropFirst(count)
    let frames = count / format.frameBytes
    defer { frame += Int64(frames) }
    return .frames(frames, firstAtNanoseconds: frame * 62_500 / 3, isBehind: false)
  }
}

extension Taken {
  /// There is nothing more to hear.
  fileprivate func waitForEver() { _ = bell.wait(milliseconds: 500) }
}
