// The sound of a virtual speaker, as a WAV file: made by the main thread, then written by the
// virtual speaker that is open, on its thread. It outlives them, as the speaker is opened and
// closed many times. Its header is true after each second of sound and whenever a speaker is
// closed.
import Glibc
import Realtime

/// Why the virtual speaker cannot write.
public struct SpeakerFileError: Error, CustomStringConvertible {
  public let description: String
}

/// The WAV file of a virtual speaker.
public final class SpeakerFile: Sendable {
  private let descriptor: Int32
  private let format: StreamFormat
  private let state = Locked(State())

  private struct State {
    var byteCount = 0
    /// The byte count in the header.
    var byteCountTold = 0
  }

  private static let headerBytes = 44

  /// Creates the file, or empties it.
  public init(_ path: String, _ format: StreamFormat) throws(SpeakerFileError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    self.format = format
    guard descriptor >= 0 else {
      throw SpeakerFileError(
        description: "\(path) cannot be written: \(systemWords(for: errno)).")
    }
    complete()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    state.withLock { state in
      // A full disk takes no more: a test's speaker cannot report it.
      let written = pwrite(
        descriptor, start, bytes.count, off_t(Self.headerBytes + state.byteCount))
      state.byteCount += max(0, written)
      let second = format.rate * format.frameBytes
      if state.byteCount - state.byteCountTold >= second { writeHeader(&state) }
    }
  }

  /// Updates the header to what the file holds.
  func complete() { state.withLock { writeHeader(&$0) } }

  private func writeHeader(_ state: inout State) {
    let count = UInt32(clamping: state.byteCount)
    var header = Array("RIFF".utf8)
    header += bytes(count <= .max - 36 ? count + 36 : .max) + Array("WAVEfmt ".utf8) + bytes(16)
    let isFloat: UInt32 = format.samples == .float ? 3 : 1
    header += bytes(isFloat | UInt32(format.channels) << 16) + bytes(UInt32(format.rate))
    header += bytes(UInt32(format.rate * format.frameBytes))
    let sampleBits = UInt32(8 * format.frameBytes / format.channels)
    header += bytes(UInt32(format.frameBytes) | sampleBits << 16)
    header += Array("data".utf8) + bytes(count)
    _ = pwrite(descriptor, header, header.count, 0)
    state.byteCountTold = state.byteCount
  }

  private func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
