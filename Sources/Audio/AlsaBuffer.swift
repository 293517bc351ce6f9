// Memory for a device's own frames, and the repair that both directions of a PCM share. Made by an
// ordinary thread, used by the realtime thread that has the stream.
import CALSA
import Glibc

// Sendable though it holds a pointer: there is one owner and no copy.
struct AlsaBuffer: ~Copyable, @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let frames: Int
  private let byteCount: Int

  init(frames: Int, _ setup: AlsaSetup) {
    self.frames = frames
    byteCount = frames * setup.deviceChannels * setup.sampleFormat.byteCount
    start = .allocate(byteCount: byteCount, alignment: 64)
    // Touched now, so that the first read does not wait for memory.
    clear()
  }

  deinit { start.deallocate() }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  func clear() { start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
}

extension AlsaPCM {
  /// Prepares a stopped stream to be started again. Returns 0 or a negative errno.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  func prepare(isSuspended: Bool) -> Int {
    if isSuspended {
      // EAGAIN means that the system is still waking up.
      var tries = 0
      while tries < 20, calsa_resume(handle) == -Int(EAGAIN) {
        calsa_pause(20)
        tries += 1
      }
    }
    return calsa_prepare(handle)
  }
}
