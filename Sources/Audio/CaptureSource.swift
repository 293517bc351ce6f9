// Where the recording room gets its microphone from: how a device is found, opened and probed. Its
// closures run on a thread that may wait.

import Realtime
import Recorder

/// A microphone that can be opened: what it is, and how.
public struct CaptureSource<Stream: CaptureStream & ~Copyable>: Sendable {
  /// Returns the device to open, or why there is none. Called every second while there is none.
  public let look: @Sendable () -> Result<CaptureInfo, Absence>
  /// Opens the device. May take its time.
  public let open: @Sendable () throws -> Stream
  /// Like the scan, but a device that delivers nothing counts as none. May take some seconds.
  public let probe: @Sendable () -> Result<CaptureInfo, Absence>

  /// Without a `probe`, the device is opened and read until its first frame.
  public init(
    look: @escaping @Sendable () -> Result<CaptureInfo, Absence>,
    open: @escaping @Sendable () throws -> Stream,
    probe: (@Sendable () -> Result<CaptureInfo, Absence>)? = nil
  ) {
    self.look = look
    self.open = open
    self.probe = probe ?? { look().flatMap { Self.awaitFirstFrame(of: $0, open) } }
  }

  private static func awaitFirstFrame(
    of info: CaptureInfo, _ open: () throws -> Stream
  ) -> Result<CaptureInfo, Absence> {
    do {
      var stream = try open()
      var block = [UInt8](
        repeating: 0, count: stream.format.periodFrames * stream.format.frameBytes)
      let latest = RealTime().nowNanoseconds() + DeliveryWatch.silentNanoseconds
      while RealTime().nowNanoseconds() < latest {
        let arrival = block.withUnsafeMutableBytes { stream.read(into: $0) }
        if case .frames = arrival { return .success(info) }
        if case .gone(let number) = arrival {
          return .failure(Absence("\(info.name): \(systemWords(for: number))."))
        }
      }
      return .failure(Absence("\(info.name) delivers no sound."))
    } catch {
      return .failure(Absence("\(error)"))
    }
  }
}

/// Why there is no device.
public struct Absence: Error, Sendable {
  public let sentence: String
  public init(_ sentence: String) { self.sentence = sentence }
}
