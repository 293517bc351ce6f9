// Memory for a device's own frames, and the repair that both directions of a PCM share. Made by an
// ordinary thread, used by the realtime thread that has the stream.
import CALSA
import Glibc
import Realtime

struct AlsaBuffer: ~Copyable {
  let frames: Int
  private let bytes: Buffer<UInt8>

  init(frames: Int, _ setup: AlsaSetup) {
    self.frames = frames
    bytes = Buffer(count: frames * setup.deviceChannels * setup.sampleFormat.byteCount)
  }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  func start() -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(bytes.start) }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  func clear() { start().initializeMemory(as: UInt8.self, repeating: 0, count: bytes.count) }
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
