// The whole record path as fast as it goes: a virtual microphone, the capture, encode and write
// threads, the reducer that controls them, and a real file. The cost is measured from outside, by
// Benchmarks/cost.c; a recording that is not right is an error here.
import Audio
import Glibc
import Loop
import Realtime
import Recorder
import Tape

/// Returns the frames recorded from a file as fast as it goes; nil if the arguments make no sense.
func recordFile(_ arguments: [String]) throws -> String? {
  guard
    arguments.count == 4, let channels = Int(arguments[1]), (1...2).contains(channels),
    let complexity = Int(arguments[2]), (0...10).contains(complexity)
  else { return nil }
  var opus = OpusSettings()
  opus.complexity = complexity
  let format = StreamFormat(rate: 48_000, channels: channels, samples: .int16, periodFrames: 960)
  return try record(arguments[0], format, as: .opus(opus), to: arguments[3])
}

/// The same as FLAC, from samples of 16 bits, or from floats if the file is to have 24.
func recordFlac(_ arguments: [String]) throws -> String? {
  guard
    arguments.count == 5, let channels = Int(arguments[1]), (1...2).contains(channels),
    let bits = Int(arguments[2]), [16, 24].contains(bits), let rate = Int(arguments[3])
  else { return nil }
  var flac = FlacSettings()
  flac.bits = bits
  let format = StreamFormat(
    rate: rate, channels: channels, samples: bits == 16 ? .int16 : .float, periodFrames: rate / 50)
  return try record(arguments[0], format, as: .flac(flac), to: arguments[4])
}

private func record(
  _ source: String, _ format: StreamFormat, as coding: TapeFormat, to path: String
) throws -> String? {
  let descriptor = open(source, O_RDONLY | O_CLOEXEC)
  var status = stat()
  guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
  var settings = RecordSettings()
  settings.format = coding
  let taken = try Taken()
  let take = try WholeTake(
    frames: Int64(Int(status.st_size) / format.frameBytes), to: path, settings: settings,
    rate: format.rate, channels: format.channels, time: FastTime(), heard: { taken.tell($0) },
    open: { RawMicrophone(descriptor: descriptor, format, taken: taken) })
  return "\(try take.run())"
}

/// Returns the frames recorded from a device at its own pace; nil if the arguments make no sense.
func recordLive(_ arguments: [String]) throws -> String? {
  guard arguments.count == 3, let seconds = Int64(arguments[1]), seconds > 0 else { return nil }
  let request = AlsaRequest(pcmName: arguments[0])
  let take = try WholeTake(
    frames: seconds * 48_000, to: arguments[2], settings: RecordSettings(),
    rate: 48_000, channels: 1,
    time: RealTime(), heard: { _ in }, open: { try AlsaCapture.open(request) })
  return "\(try take.run())"
}

/// One take from the first frame to the last, controlled by the appliance's heart.
private final class WholeTake<Stream: CaptureStream & ~Copyable> {
  struct Wrong: Error { let what: String }

  private let frames: Int64
  private let path: String
  private let bell: WakeUp
  private let room: RecordRoom<Stream>
  private let info: CaptureInfo
  private let heard: (Int64) -> Void
  private let time: any VirtualTime
  private let pressed: Int64
  private var state = State()
  private var waiting: [Stamped<Action>] = []
  private var report: TakeReport?
  private var isStopped = false

  init(
    frames: Int64, to path: String, settings: RecordSettings, rate: Int, channels: Int,
    time: any VirtualTime, heard: @escaping (Int64) -> Void,
    open: @escaping @Sendable () throws -> Stream
  ) throws {
    self.frames = frames
    self.path = path
    self.heard = heard
    self.time = time
    // In real time, a second after the device was opened.
    pressed = time is FastTime ? 0 : time.nowNanoseconds() + 1_000_000_000
    let (bell, info) = (
      try WakeUp(), CaptureInfo(name: "Microphone", rate: rate, channels: channels)
    )
    room = RecordRoom(
      CaptureSource(look: { .success(info) }, open: open), settings: settings,
      open: { _ throws(TapeError) in try PosixFile.open(path, .change) },
      wake: { bell.makeWaker().wake() })
    (self.bell, self.info) = (bell, info)
  }

  func run() throws -> Int64 {
    var settings = Settings()
    settings.prerollMilliseconds = 0
    send(.host(.configured(settings)))
    send(.host(.booted(Boot(id: ItemID(high: 1, low: 1), version: ""))))
    send(.card(.opened(CardReport(nextSequence: 1))))
    send(.sound(.found(info)))
    while report == nil {
      _ = bell.wait(milliseconds: nil)
      for event in room.collect() { handle(event) }
    }
    // In real time, an instant is a frame to within a millisecond; clicks show the rest.
    let slack: Int64 = time is FastTime ? 0 : 48
    guard let report, abs(report.sound.frames - frames) <= slack, report.integrity.gaps.isEmpty
    else {
      throw Wrong(what: "\(frames) frames became \(String(describing: report))")
    }
    return report.sound.frames
  }

  private func handle(_ event: SoundEvent) {
    send(.sound(event))
    switch event {
    case .opened:
      time.sleep(untilNanoseconds: pressed)
      send(.request(.take(.start(title: nil)), from: .appliance), at: pressed)
    case .lost(let why):
      report = TakeReport(sound: Sound(), integrity: Integrity(device: why ?? ""))
    case .take(_, .progress(let frames, _)):
      heard(frames)
      stop(whenRecorded: frames)
    case .take(_, .ended(let report)): self.report = report
    default: break
    }
  }

  private func send(_ action: Action, at nanoseconds: Int64? = nil) {
    let stamp = Stamp(
      monotonicNanoseconds: nanoseconds ?? pressed, wallMilliseconds: 0, freshHigh: 2,
      freshLow: 2)
    waiting.append(Stamped(action, at: stamp))
    // An action sent while a command is performed is reduced after the commands beside it.
    if waiting.count > 1 { return }
    while let next = waiting.first {
      for command in Appliance.reduce(&state, next) { perform(command) }
      waiting.removeFirst()
    }
  }

  private func perform(_ command: Command) {
    switch command {
    case .sound(let command): room.perform(command)
    case .card(.begin(let recording)): makeFile(recording.id)
    case .card(.read(let id)): send(.card(.listed(id, Listing())))
    default: break
    }
  }

  private func makeFile(_ id: ItemID) {
    close(Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
    send(.card(.take(id, .made(file: path))))
    stop(whenRecorded: 0)
  }

  /// Requests the stop at the last frame ahead of time, but not by more than the microphone may be
  /// ahead: a device that delivers nothing for a second after a stop counts as stalled.
  private func stop(whenRecorded recorded: Int64) {
    let rate = Int64(info.rate)
    guard !isStopped, recorded >= frames - 2 * rate else { return }
    isStopped = true
    send(.request(.take(.stop), from: .appliance), at: pressed + frames * 1_000_000_000 / rate)
  }
}
