// How to record without loss, and whether that can be done, in sentences for users. Any thread; it
// never calls a library.

/// Settings of the lossless encoder.
public struct FlacSettings: Equatable, Sendable {
  /// Frames a second, of the input and of the file.
  public var sampleRate = 48_000
  public var channels = 1
  /// Of a FLAC file; what is imported from more is mixed.
  public static let mostChannels = 8
  /// Bits of a sample in the file: 16 or 24.
  public var bits = 16
  /// 0 is cheapest, 8 makes the smallest files.
  public var level = 5

  public init() {}

  /// Every FLAC frame but a part's last has this many sample frames: at most a tenth of a second,
  /// which is what a killed process can lose. Only lengths for which decoders are well prepared.
  var blockFrames: Int {
    let lengths = [576, 1_152, 2_304, 4_096, 4_608, 8_192, 16_384]
    return lengths.last { $0 <= sampleRate / 10 } ?? lengths[0]
  }

  /// Throws if a setting is out of range; the sentence says what is allowed.
  public func validate() throws(TapeError) {
    let limits: [(Bool, String)] = [
      ((8_000...192_000).contains(sampleRate), "a sample rate from 8000 to 192000 Hz"),
      ((1...Self.mostChannels).contains(channels), "one to eight channels"),
      ([16, 24].contains(bits), "16 or 24 bits"),
      ((0...8).contains(level), "a level from 0 to 8"),
    ]
    for (holds, wanted) in limits where !holds {
      throw TapeError(.badSettings, "FLAC needs \(wanted); \(self) asks for something else.")
    }
  }
}

extension FlacSettings: CustomStringConvertible {
  public var description: String {
    "\(sampleRate) Hz, \(channels) channels, \(bits) bits, level \(level)"
  }
}
