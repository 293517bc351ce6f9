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
    arguments.count == 6, let format = streamFormat(arguments[1...3], mostChannels: 2),
    let complexity = Int(arguments[4]), (0...10).contains(complexity)
  else { return nil }
  var opus = OpusSettings()
  opus.complexity = complexity
  return try record(arguments[0], format, as: .opus(opus), to: arguments[5])
}

/// The same as FLAC of as many bits.
func recordFlac(_ arguments: [String]) throws -> String? {
  guard arguments.count == 5, let format = streamFormat(arguments[1...3], mostChannels: 8)
  else { return nil }
  let coding = TapeFormat.flac(flac(bits: format.samples == .int16 ? 16 : 24))
  return try record(arguments[0], format, as: coding, to: arguments[4])
}

/// From channels, bits and rate. What a device of 24 bits delivers, the capture has made floats.
private func streamFormat(_ words: ArraySlice<String>, mostChannels: Int) -> StreamFormat? {
  let numbers = words.compactMap { Int($0) }
  guard numbers.count == 3, 1...mostChannels ~= numbers[0], [16, 24].contains(numbers[1]),
    8_000...192_000 ~= numbers[2]
  else { return nil }
  return StreamFormat(
    rate: numbers[2], channels: numbers[0], samples: numbers[1] == 16 ? .int16 : .float,
    periodFrames: numbers[2] / 50)
}

private func record(
  _ source: String, _ format: StreamFormat, as coding: TapeFormat, to path: String
) throws -> String? {
  let descriptor = open(source, O_RDONLY | O_CLOEXEC)
  var status = stat()
  guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
  var settings = RecordSettings()
  settings.format = coding
  let fileRate = coding.adapted(rate: format.rate, channels: format.channels).fileRate
  let taken = try Taken(rate: format.rate, fileRate: fileRate)
  let take = try WholeTake(
    frames: Int64(Int(status.st_size) / format.frameBytes), to: path, settings: settings,
    rate: format.rate, channels: format.channels, time: FastTime(), heard: { taken.tell($0) },
    open: { RawMicrophone(descriptor: descriptor, format, taken: taken) })
  return "\(try take.run())"
}

/// Returns the frames recorded from a device at its own pace; nil if the arguments make no sense.
func recordLive(_ arguments: [String]) throws -> String? {
  let codings: [String: (TapeFormat, [AlsaSampleFormat])] = [
    "opus": (.opus(OpusSettings()), AlsaSampleFormat.allCases),
    "flac16": (.flac(flac(bits: 16)), AlsaSampleFormat.allCases),
    "flac24": (.flac(flac(bits: 24)), AlsaSampleFormat.byDepth),
  ]
  guard arguments.count == 5, let seconds = Int64(arguments[1]), seconds > 0,
    let rate = Int(arguments[2]), 8_000...192_000 ~= rate,
    let (coding, formats) = codings[arguments[3]]
  else { return nil }
  var request = AlsaRequest(pcmName: arguments[0])
  (request.formats, request.rate) = (formats, rate)
  var settings = RecordSettings()
  settings.format = coding
  let take = try WholeTake(
    frames: seconds * Int64(rate), to: arguments[4], settings: settings, rate: rate, channels: 1,
    time: RealTime(), heard: { _ in }, open: { [request] in try AlsaCapture.open(request) })
  return "\(try take.run())"
}

private func flac(bits: Int) -> FlacSettings {
  var settings = FlacSettings()
  settings.bits = bits
  return settings
}

/// One take from the first frame to the last, controlled by the appliance's heart.
private final class WholeTake<Stream: CaptureStream & ~Copyable> {
  struct Wrong: Error { let what: String }

  /// Of the file.
  private let frames: Int64
  private let fileRate: Int
  private let path: String
  private let bell: WakeUp
  private let room: RecordRoom<Stream>
  private let info: CaptureInfo
  private let heard: (Int64) -> Void
  private let time: any VirtualTime
  private let pressed: Int64
  /// When the last frame is heard.
  private let due: Int64
  private var state = State()
  private var waiting: [Stamped<Action>] = []
  private var report: TakeReport?
  private var isStopped = false

  /// `frames` are those of the device.
  init(
    frames: Int64, to path: String, settings: RecordSettings, rate: Int, channels: Int,
    time: any VirtualTime, heard: @escaping (Int64) -> Void,
    open: @escaping @Sendable () throws -> Stream
  ) throws {
    fileRate = settings.format.adapted(rate: rate, channels: channels).fileRate
    self.frames = scaled(frames, from: rate, to: fileRate)
    self.path = path
    self.heard = heard
    self.time = time
    // In real time, a second after the device was opened.
    pressed = time is FastTime ? 0 : time.nowNanoseconds() + 1_000_000_000
    due = pressed + self.frames * 1_000_000_000 / Int64(fileRate)
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
      _ = bell.wait(milliseconds: untilDue)
      if untilDue == 0 { stop() }
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

  /// In real time, how long until the stop is due, as when a button is pressed; otherwise nil.
  private var untilDue: Int? {
    if time is FastTime || isStopped { return nil }
    return max(0, Int((due - time.nowNanoseconds() + 999_999) / 1_000_000))
  }

  /// At full speed, requests the stop ahead of time, but not by more than the microphone may be
  /// ahead: a device that delivers nothing for a second after a stop counts as stalled.
  private func stop(whenRecorded recorded: Int64) {
    if time is FastTime, !isStopped, recorded >= frames - 2 * Int64(fileRate) { stop() }
  }

  private func stop() {
    isStopped = true
    send(.request(.take(.stop), from: .appliance), at: due)
  }
}
