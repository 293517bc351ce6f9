// The short tones that report what a press did, so that no display is needed: two notes up for
// started, two down for stopped, two low ones for refused. Each can be a file instead, of any
// length, or off. Made by ordinary threads, once for each speaker format; then only read, by the
// realtime one.
import Glibc
import Realtime
import Recorder
import Tape

/// All tones, in the format of one speaker. Written while it is made, then only read.
final class ToneBank: Sendable {
  /// The place of a tone among all samples.
  struct Place: Sendable {
    let start: Int
    let frames: Int
  }

  /// In the order of `Tone.allCases`.
  let places: Buffer<Place>
  /// 16-bit samples, interleaved as the speaker's are.
  let samples: Buffer<Int16>
  let format: StreamFormat
  /// Files that cannot be played; the built-in tone takes their place.
  let complaints: [String]

  init(_ settings: ToneSettings, for format: StreamFormat) {
    var complaints: [String] = []
    var places: [Place] = []
    var all: [Int16] = []
    for tone in Tone.allCases {
      let samples = Self.samples(tone, settings[tone], format, &complaints)
      places.append(Place(start: all.count, frames: samples.count / format.channels))
      all += samples
    }
    samples = Buffer(copying: all + [0])
    self.places = Buffer(copying: places)
    self.format = format
    self.complaints = complaints
  }

  private static func samples(
    _ tone: Tone, _ choice: ToneSettings.Choice, _ format: StreamFormat,
    _ complaints: inout [String]
  ) -> [Int16] {
    switch choice {
    case .off: return []
    case .builtIn: return tone.melody.samples(format)
    case .file(let path):
      do {
        return try decoded(path, format)
      } catch {
        complaints.append("The tone for \(tone.rawValue) is the built-in one: \(error.sentence)")
        return tone.melody.samples(format)
      }
    }
  }

  private static func decoded(
    _ path: String, _ format: StreamFormat
  ) throws(TapeError) -> [Int16] {
    var reader = try SoundReader.open(path)
    let target = StreamFormat(
      rate: format.rate, channels: format.channels, samples: .int16, periodFrames: 0)
    var converter = try PlayConverter.open(reader, to: target)
    let block = Buffer<Int16>(count: converter.mostFrames * format.channels)
    try converter.begin(at: 0, &reader)
    var samples: [Int16] = []
    while true {
      let made = try converter.next(&reader, into: UnsafeMutableRawBufferPointer(block.all))
      samples += block.all[..<(made.frames * format.channels)]
      if made.isLast { return samples }
    }
  }
}

/// Notes, one after the other.
struct Melody {
  struct Note {
    let hertz: Double
    let milliseconds: Int
    /// The pause before the next note.
    var pauseMilliseconds = 0
  }

  let notes: [Note]
  /// The strength of the overtones: a pure tone sounds friendly, a rich one does not.
  let overtones: [Double]

  /// A quarter of full scale.
  private static let height = 8_192.0

  func samples(_ format: StreamFormat) -> [Int16] {
    notes.flatMap { note in
      sound(note, format)
        + [Int16](
          repeating: 0, count: note.pauseMilliseconds * format.rate / 1000 * format.channels)
    }
  }

  private func sound(_ note: Note, _ format: StreamFormat) -> [Int16] {
    let frames = note.milliseconds * format.rate / 1000
    let edge = min(frames / 2, 12 * format.rate / 1000)
    let sum = 1 + overtones.reduce(0, +)
    return (0..<frames).flatMap { frame -> [Int16] in
      let phase = 2 * Double.pi * note.hertz * Double(frame) / Double(format.rate)
      var wave = sin(phase)
      for (index, strength) in overtones.enumerated() {
        wave += strength * sin(phase * Double(index + 2))
      }
      let nearest = min(frame, frames - 1 - frame)
      let rise = nearest < edge ? 0.5 - 0.5 * cos(.pi * Double(nearest) / Double(edge)) : 1
      let sample = Int16(Self.height * rise * wave / sum)
      return [Int16](repeating: sample, count: format.channels)
    }
  }
}

extension Tone {
  var melody: Melody {
    switch self {
    case .started:
      Melody(
        notes: [.init(hertz: 880, milliseconds: 70), .init(hertz: 1318.5, milliseconds: 90)],
        overtones: [0.15])
    case .stopped:
      Melody(
        notes: [.init(hertz: 1318.5, milliseconds: 70), .init(hertz: 880, milliseconds: 90)],
        overtones: [0.15])
    case .refused:
      Melody(
        notes: [
          .init(hertz: 330, milliseconds: 80, pauseMilliseconds: 40),
          .init(hertz: 330, milliseconds: 110),
        ],
        overtones: [0.5, 0.4, 0.2])
    }
  }
}
