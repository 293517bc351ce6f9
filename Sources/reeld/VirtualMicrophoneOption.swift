// The virtual microphone's sound and its faults, as the command line gives them. Pure, except that
// it makes the source that the sound room opens.

import Audio
import Host
import Recorder
import Tape

struct VirtualMicrophoneOption: Equatable {
  let sound: VirtualSound
  let words: String

  static let standard = VirtualMicrophoneOption(sound: .tone(hertz: 440), words: "tone")

  static let rate = 48_000
}

extension VirtualMicrophoneOption {
  init(_ text: String) throws(Arguments.UsageError) {
    switch text {
    case "silence": self.init(sound: .silence, words: text)
    case "sweep": self.init(sound: .sweep, words: text)
    case "tone": self = .standard
    case _ where text.hasPrefix("tone:"):
      guard let hertz = Double(text.dropFirst(5)), (1...20_000).contains(hertz) else {
        throw Arguments.UsageError(
          description: "--mic tone:HZ needs a number from 1 to 20000, not “\(text.dropFirst(5))”")
      }
      self.init(sound: .tone(hertz: hertz), words: text)
    default: self.init(sound: .file(text), words: text)
    }
  }

  /// The microphone opens like a device that has what is asked for; a file has its own rate, and
  /// the channels that are in it. With a clock, a file is played once, as fast as the clock allows.
  func source(
    _ faults: VirtualFaults, _ clock: FastClock?, _ configuration: Configuration
  ) -> CaptureSource<VirtualMicrophone> {
    let info = CaptureInfo(name: "Virtual microphone (\(words))", rate: Self.rate, channels: 1)
    let (sound, request) = (sound, AlsaRequest(configuration))
    let isDeep = configuration.wantsDepth
    let hasTracks = !configuration.tracks.isEmpty
    return CaptureSource(
      look: {
        faults.isPluggedIn
          ? .success(info) : .failure(Absence("The virtual microphone is unplugged."))
      },
      open: {
        let format = try Self.format(sound, request, isDeep: isDeep, hasTracks: hasTracks)
        guard let clock else {
          return try VirtualMicrophone.open(
            sound, format: format, picks: request.picks, faults: faults)
        }
        return try VirtualMicrophone.open(
          sound, format: format, picks: request.picks, time: clock.start(), faults: faults,
          ended: { clock.end(atNanoseconds: $0) })
      })
  }

  private static func format(
    _ sound: VirtualSound, _ request: AlsaRequest, isDeep: Bool, hasTracks: Bool
  ) throws(TapeError) -> StreamFormat {
    var (rate, channels) = (Self.rate, hasTracks ? request.channels : 1)
    if case .file(let path) = sound {
      let reader = try SoundReader.open(path)
      rate = reader.sampleRate
      channels = request.picks?.count ?? min(request.channels, reader.channels)
    }
    return StreamFormat(
      rate: rate, channels: channels, samples: isDeep ? .float : .int16, periodFrames: rate / 50)
  }
}

/// A fault of the virtual microphone, some time after the start.
struct VirtualFaultOption: Equatable {
  enum What: Equatable {
    case fault(VirtualFaults.Fault)
    case plugIn
  }

  let what: What
  let afterMilliseconds: Int64

  func happen(to faults: VirtualFaults) {
    switch what {
    case .fault(let fault): faults.order(fault)
    case .plugIn: faults.plugIn()
    }
  }
}

extension VirtualFaultOption {
  /// `WHAT@SECONDS`, for example `overrun:4800@10` or `unplug@2.5`.
  init(_ text: String) throws(Arguments.UsageError) {
    let parts = text.split(separator: "@", maxSplits: 1).map(String.init)
    guard parts.count == 2, let what = Self.what(parts[0]), let seconds = Double(parts[1]),
      (0...1e6).contains(seconds)
    else {
      throw Arguments.UsageError(
        description: "--fault needs overrun:FRAMES, stall:FRAMES, drift:PPM, unplug or plug, "
          + "and when, such as unplug@10, not “\(text)”")
    }
    self.init(what: what, afterMilliseconds: Int64(seconds * 1000))
  }

  private static func what(_ text: String) -> What? {
    let words = text.split(separator: ":", maxSplits: 1).map(String.init)
    let number = words.count == 2 ? Double(words[1]) : nil
    switch (words.first, number) {
    case ("unplug", nil) where words.count == 1: return .fault(.unplug)
    case ("plug", nil) where words.count == 1: return .plugIn
    case ("overrun", let frames?) where isCount(frames):
      return .fault(.overrun(frames: Int(frames)))
    case ("stall", let frames?) where isCount(frames): return .fault(.stall(frames: Int(frames)))
    case ("drift", let millionths?) where abs(millionths) <= 5000:
      return .fault(.drift(partsPerMillion: millionths))
    default: return nil
    }
  }

  private static func isCount(_ number: Double) -> Bool {
    (1...1e9).contains(number) && number == number.rounded()
  }
}
