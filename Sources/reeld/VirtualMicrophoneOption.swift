// What the virtual microphone hears, as the command line says it. Pure, but that it hands out the
// source the sound room opens.

import Audio
import Recorder
import Tape

struct VirtualMicrophoneOption: Equatable {
  let sound: VirtualSound
  let words: String

  static let standard = VirtualMicrophoneOption(sound: .tone(hertz: 440), words: "tone")

  static let rate = 48_000
}

extension VirtualMicrophoneOption {
  init(_ text: String) throws(Arguments.Mistake) {
    switch text {
    case "silence": self.init(sound: .silence, words: text)
    case "sweep": self.init(sound: .sweep, words: text)
    case "tone": self = .standard
    case _ where text.hasPrefix("tone:"):
      guard let hertz = Double(text.dropFirst(5)), (1...20_000).contains(hertz) else {
        throw Arguments.Mistake(
          description: "--mic tone:HZ needs a number from 1 to 20000, not “\(text.dropFirst(5))”")
      }
      self.init(sound: .tone(hertz: hertz), words: text)
    default: self.init(sound: .file(text), words: text)
    }
  }

  var source: CaptureSource<VirtualMicrophone> {
    let info = CaptureInfo(name: "Virtual microphone (\(words))", rate: Self.rate, channels: 1)
    let format = StreamFormat(
      rate: Self.rate, channels: 1, samples: .int16, periodFrames: Self.rate / 50)
    let sound = sound
    return CaptureSource(
      look: { .success(info) },
      open: { try VirtualMicrophone.open(sound, format: format) })
  }
}
