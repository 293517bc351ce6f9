// The set-up of the encode thread, and what it shares with other threads. Values that are made once
// a stream.

import Realtime
import Recorder
import Tape

/// What the encode thread is asked to do. A `file` is the number of the first track's file; those
/// of the others follow it.
enum EncodeOrder: Sendable {
  case begin(TakePlan, TakeLabel, file: Int32)
  case mark(ItemID, at: Recorder.Instant, name: String)
  case split(ItemID, at: SplitPoint, TakeLabel, file: Int32)
  case end(ItemID, at: Recorder.Instant, StopReason)
  /// One of its files cannot be written, for that reason.
  case abandon(ItemID, StopReason)
  case meter(Bool)
  /// Passes on what is heard; nil ends that.
  case live(LiveLine?)
}

/// The set-up of the encode thread.
struct EncodePlan: Sendable {
  /// As the stream has them; at least one.
  let tracks: [TrackSettings]
  let format: StreamFormat
  let deviceName: String
  let line: CaptureLine
  let orders: Mailbox<EncodeOrder>
  let writing: Mailbox<WriteOrder>
  let tell: @Sendable (SoundEvent) -> Void
  /// How much past sound is kept, for the pre-roll of the next press.
  let keepMilliseconds: Int64
  /// The clock by which the device delivers; nil for a microphone that waits for the encoder.
  let now: (@Sendable () -> Int64)?
  /// The processor time of the encode thread; nil if it is not to be measured.
  var processorNanoseconds: (@Sendable () -> Int64)?
}

extension EncodePlan {
  /// The rate of the first track's files, at which frames, marks and gaps are reported.
  var fileRate: Int { tracks[0].format.fileRate }

  /// Of all tracks together.
  var bitsPerSecond: Int { tracks.reduce(0) { $0 + $1.format.bitsPerSecond } }

  /// The most bytes of the pages that a tenth of a second of all tracks makes.
  var mostBytesAtOnce: Int { tracks.reduce(0) { $0 + $1.format.mostBytesAtOnce } }

  func place(_ index: Int) -> TrackPlace {
    TrackPlace(index: index, count: tracks.count, plan: tracks[index].plan)
  }

  /// The tags that a track's file has from its first page on.
  func tags(_ label: TakeLabel, track index: Int) -> Tags {
    var tags = Tags()
    tags.apply(label, track: place(index))
    tags.id = label.recording.id.description
    tags.device = deviceName
    tags.sampleRate = format.rate
    tags.channels = tracks[index].channels.count
    tags.software = "Reel"
    return tags
  }

  func sound(frames: Int64 = 0, track index: Int) -> Sound {
    let format = tracks[index].format
    return Sound(
      frames: frames, rate: format.fileRate, channels: tracks[index].channels.count,
      bits: format.bits)
  }
}

extension Tags {
  /// Sets the tags that are known later than the first page: the time of the first frame, those of
  /// a take that begins before its card is open, and at its end what was measured.
  mutating func apply(
    _ label: TakeLabel, _ integrity: Integrity? = nil, track place: TrackPlace
  ) {
    let (recording, began) = (label.recording, label.recording.began)
    sequence = recording.sequence
    title = recording.title
    folder = label.folder
    bootID = began.boot.description
    monotonicNanoseconds = UInt64(max(0, began.instant.nanoseconds))
    date = CalendarDate(began.wall, utcOffsetSeconds: 0).iso8601
    timeQuality = TimeQuality(rawValue: began.quality.rawValue)
    var known = RecordingFacts(recording, integrity)
    known.track = place.fact
    facts = known.facts.map { Comment(key: $0.key, value: $0.value) }
  }
}
