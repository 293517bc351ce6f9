// The settings of a recording, and the sizes of the rings that follow from them. Plain values; any
// thread.

import Realtime
import Recorder
import Tape

/// The settings of a recording, from the configuration.
public struct RecordSettings: Equatable, Sendable {
  /// The tracks of a take, one or several; a recording has the sound of the first.
  public var tracks = [TrackSettings()]
  public var prerollMilliseconds: Int64 = 2000
  /// How often the files are synced, against a power cut.
  public var syncMilliseconds: Int64 = 1000
  /// How much sound the memory holds while the card stalls.
  public var stallSeconds = 600
  /// Priority of the capture thread; nil for an ordinary one.
  public var realtimePriority: Int?
  public var residency = Residency.prefaulted
  /// If the ring is full, wait rather than lose frames: for a virtual microphone that is faster
  /// than the encoder.
  public var microphoneWaits = false
  /// Whether the room measures what encoding costs. A simulation must not: it has no processor of
  /// its own.
  public var measuresEncoding = false

  public init() {}

  /// The format of the first track.
  public var format: TapeFormat {
    get { (tracks.first ?? TrackSettings()).format }
    set {
      if tracks.isEmpty { tracks = [TrackSettings()] }
      tracks[0].format = newValue
    }
  }
}

extension RecordSettings {
  /// Throws if a stream cannot be recorded like that; the sentence says why.
  func validate(for stream: StreamFormat) throws(TapeError) {
    guard 1...Tracks.most ~= tracks.count else {
      throw TapeError(
        .badSettings, "A take has one to \(Tracks.most) tracks; \(tracks.count) are asked for.")
    }
    for track in tracks { try track.validate(for: stream) }
  }

  /// The tracks as that stream has them.
  func tracks(of stream: StreamFormat) -> [TrackSettings] { tracks.map { $0.adapted(to: stream) } }

  // MARK: Sizes

  /// What the pages of a stall take, but no more than this.
  static let mostPageBytes = 64 << 20

  /// The bytes of the ring of pages while the card keeps up: it may still wait for some seconds.
  func usualPageBytes(_ stream: StreamFormat) -> Int {
    let formats = tracks(of: stream).map(\.format)
    return max(1 << 16, formats.reduce(0) { $0 + $1.mostBytesPerSecond * 3 })
  }

  /// The bytes of the ring of pages for stalls: those of a stall of all tracks.
  func pageBytes(_ stream: StreamFormat) -> Int {
    let formats = tracks(of: stream).map(\.format)
    let stall = formats.reduce(0) { $0 + $1.mostBytesPerSecond * stallSeconds }
    // Twice, so that a page of every track finds room while the last ones are written.
    let atOnce = formats.reduce(0) { $0 + 2 * $1.mostBytesAtOnce }
    return min(max(1 << 20, atOnce, stall), Self.mostPageBytes)
  }

  /// A page may be little more than half as long as it is allowed to be; a FLAC frame, of which the
  /// length is given, is at least a twentieth of a second long.
  func pageCount(_ stream: StreamFormat) -> Int {
    let pagesInTwoSeconds = tracks(of: stream).reduce(0) { sum, track in
      switch track.format {
      case .opus(let settings): sum + 2000 / settings.pageMilliseconds + 1
      case .flac: sum + 2000 / 100 + 1
      }
    }
    return max(16_384, stallSeconds * pagesInTwoSeconds)
  }

  /// The pre-roll of the next press, and some more.
  var keepMilliseconds: Int64 { prerollMilliseconds + 2000 }

  func sampleFrames(_ stream: StreamFormat) -> Int {
    Int(keepMilliseconds * 3 + 2000) * stream.rate / 1000
  }

  /// Even with blocks half as long as usual, the samples fill up before the headers do.
  func headerCount(_ stream: StreamFormat) -> Int {
    max(4096, 2 * sampleFrames(stream) / max(1, stream.periodFrames))
  }
}
