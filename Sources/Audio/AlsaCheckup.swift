// Checks whether a sound card can be used, for a caller that has none open: finds it as the
// recorder does, opens it, and listens for a moment. Ordinary threads only; takes as long as it
// listens.

import Realtime
import Recorder
import Tape

extension AlsaDevice {
  /// Opens a microphone and measures its peak.
  public func listen(milliseconds: Int64) -> MicrophoneFacts {
    do throws(AlsaError) {
      let found = try find()
      let (request, _) = try prepare()
      var stream = try AlsaCapture.open(request)
      let format = stream.format
      let peak = Self.peak(of: &stream, milliseconds: milliseconds)
      return .open(
        name: found.choice.name, rate: format.rate, channels: format.channels,
        periodFrames: format.periodFrames, peakDecibels: peak.map(PeakLevel.decibels))
    } catch {
      return .none(error.sentence)
    }
  }

  /// Checks whether a speaker can be opened.
  public func tryOut() -> SpeakerFacts {
    do throws(AlsaError) { return SpeakerFacts(name: try find().choice.name) } catch {
      return SpeakerFacts(name: nil)
    }
  }

  /// Returns the highest peak; nil if no frame arrived.
  private static func peak(of stream: inout AlsaCapture, milliseconds: Int64) -> Float? {
    let format = stream.format
    var levels = Levels(channels: format.channels, sampleRate: format.rate)
    let block = UnsafeMutableRawBufferPointer.allocate(
      byteCount: format.rate / 4 * format.frameBytes, alignment: 16)
    defer { block.deallocate() }
    var left = Int64(format.rate) * milliseconds / 1000
    var peak: Float?
    // Each read of a device that delivers nothing waits half a second.
    for _ in 0..<200 where left > 0 {
      guard case .frames(let count, _, _) = stream.read(into: block) else {
        left -= Int64(format.rate) / 2
        continue
      }
      left -= Int64(count)
      let bytes = UnsafeRawBufferPointer(rebasing: block[..<(count * format.frameBytes)])
      switch format.samples {
      case .int16: levels.add(bytes.bindMemory(to: Int16.self))
      case .float: levels.add(bytes.bindMemory(to: Float.self))
      }
      let reading = levels.read()
      peak = max(peak ?? 0, reading.left.peak, reading.right.peak)
    }
    return peak
  }
}
