// A virtual microphone that delivers a file of bare samples as fast as they are read, on a
// clock of its own, so that the record path can be measured without a device. It waits when it is
// three seconds ahead of what has been encoded.
import Audio
import Glibc
import Realtime
import Synchronization
import Tape

/// The progress of the recording, for the microphone.
final class Taken: Sendable {
  /// In frames of the microphone. Stored by the main thread.
  private let frames = Atomic<Int64>(0)
  /// The capture thread waits for it.
  private let bell: WakeUp
  private let rate: Int
  private let fileRate: Int

  init(rate: Int, fileRate: Int) throws(RealtimeError) {
    bell = try WakeUp()
    (self.rate, self.fileRate) = (rate, fileRate)
  }

  /// Called with the frames of the file, which may have another rate.
  func tell(_ count: Int64) {
    frames.store(scaled(count, from: fileRate, to: rate), ordering: .releasing)
    bell.makeWaker().wake()
  }

  /// Waits until the frame may be delivered; returns false after a minute without progress, which
  /// is long also where instructions are counted on a loaded machine.
  /// Once it waits, it waits for room for a second of sound, so that waking up is not measured.
  func waits(for frame: Int64) -> Bool {
    if frame <= frames.load(ordering: .acquiring) + 3 * Int64(rate) { return true }
    while frame > frames.load(ordering: .acquiring) + 2 * Int64(rate) {
      if !bell.wait(milliseconds: 60_000) { return false }
    }
    return true
  }
}

// Sendable though it holds pointers: there is only one, and it can't be copied.
struct RawMicrophone: CaptureStream, ~Copyable, @unchecked Sendable {
  let format: StreamFormat
  private let descriptor: CInt
  private let taken: Taken
  /// Bytes read from the file; `waiting` is the range that was not delivered yet.
  private let buffer: UnsafeMutableRawBufferPointer
  private var waiting = 0..<0
  private var frame: Int64 = 0

  init(descriptor: CInt, _ format: StreamFormat, taken: Taken) {
    self.format = format
    self.descriptor = descriptor
    self.taken = taken
    // Whole periods, about 64 KiB.
    let period = format.periodFrames * format.frameBytes
    buffer = .allocate(byteCount: max(1, 65_536 / period) * period, alignment: 16)
  }

  deinit { buffer.deallocate() }

  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival {
    guard taken.waits(for: frame) else { return .nothing }
    if waiting.isEmpty {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count <= 0 {
        taken.waitForMore()
        return .nothing
      }
      waiting = 0..<count
    }
    let count = min(waiting.count, target.count) / format.frameBytes * format.frameBytes
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[waiting.prefix(count)]))
    waiting = waiting.dropFirst(count)
    let frames = count / format.frameBytes
    defer { frame += Int64(frames) }
    return .frames(
      frames, firstAtNanoseconds: frame * 1_000_000_000 / Int64(format.rate), isBehind: false)
  }
}

extension Taken {
  /// Called at the end of the file, again and again, until the run ends. The end of the run waits
  /// for this, and wakes up often while it does.
  fileprivate func waitForMore() { _ = bell.wait(milliseconds: 20) }
}
