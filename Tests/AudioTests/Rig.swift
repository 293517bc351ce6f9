// The recording path without its threads: the three workers on virtual time, stepped in an order
// that a seed decides. What a test does happens at an instant, in seconds since the microphone was
// opened, however late the workers learn of it.

import Realtime
import Recorder
import Synchronization
import Tape

@testable import Audio
@testable import Recorder

final class Rig {
  let setup: Setup
  let card: TestCard
  let faults = VirtualFaults()
  let line = CaptureLine()
  let meter: SnapshotReader<MeterReading>
  private(set) var events: [SoundEvent] = []
  private(set) var encodeSteps = 0
  /// False once the encode worker has said that it has nothing left to do.
  private(set) var isEncoding = true
  private(set) var isCapturing = true
  var isWriterStalled = false
  /// Whether the card makes files as soon as they are asked for.
  var attachesAtOnce = true
  private let time: FastTime
  private let opened: Int64
  private let news = Mailbox<SoundEvent>()
  private let orders = Mailbox<EncodeOrder>()
  private let writing = Mailbox<WriteOrder>()
  private var capture: CaptureWorker<VirtualMicrophone>
  private let encode: EncodeWorker
  private let encoderBell: WakeUp
  private let write: WriteWorker<CardFile>
  private var random: SystemlessRandom

  struct Setup {
    var format = StreamFormat(rate: 16_000, channels: 1, samples: .int16, periodFrames: 320)
    var sound = VirtualSound.sweep
    var settings = RecordSettings.quick
    var startNanoseconds: Int64 = 5_000_000_000_001
    var seed: UInt64 = 1
  }

  init(_ setup: Setup = Setup()) throws {
    self.setup = setup
    let (format, settings, news, orders, writing) = (
      setup.format, setup.settings, news, orders, writing
    )
    let time = FastTime(startNanoseconds: setup.startNanoseconds)
    (self.time, opened) = (time, setup.startNanoseconds)
    random = SystemlessRandom(seed: setup.seed)
    card = TestCard { time.nowNanoseconds() / 1_000_000 }
    let meter = Snapshot(MeterReading())
    self.meter = meter.reader
    encoderBell = try WakeUp()
    let frames = try FrameLine(
      settings, format, residency: .onDemand, waker: encoderBell.makeWaker(), line: line)
    let writerBell = try WakeUp()
    let pages = try PageLine(settings, format, waker: writerBell.makeWaker())
    write = WriteWorker(
      pages: pages.consumer,
      orders: writing, syncMilliseconds: settings.syncMilliseconds,
      now: { [card] in card.milliseconds }, abandon: { orders.post(.abandon($0, $1)) },
      tell: { news.post($0) },
      open: { [card] path throws(TapeError) in
        try card.open(path.components.joined(separator: "/"))
      })
    encode = EncodeWorker(
      EncodePlan(
        tracks: settings.tracks(of: format), format: format, deviceName: "Test microphone",
        line: line, orders: orders, writing: writing, tell: { news.post($0) },
        keepMilliseconds: settings.keepMilliseconds, now: { time.nowNanoseconds() }),
      EncodeParts(
        history: frames.history, pages: pages.producer, meter: meter.writer))
    capture = CaptureWorker(
      try VirtualMicrophone.open(setup.sound, format: format, time: time, faults: faults),
      publisher: frames.publisher)
  }

  // MARK: Time

  func instant(_ seconds: Double) -> Instant {
    Instant(nanoseconds: opened + Int64((seconds * 1e9).rounded()))
  }

  /// The frame heard that many seconds after the opening, by a device without drift.
  func frame(_ seconds: Double) -> Int { Int((seconds * Double(setup.format.rate)).rounded()) }

  /// Frames from one instant to another.
  func frames(_ from: Double, _ to: Double) -> Int { frame(to) - frame(from) }

  /// Converts frames to the 48 kHz of every Opus file.
  func ticks(_ frames: Int) -> Int {
    Int((Double(frames) * 48_000 / Double(setup.format.rate)).rounded())
  }

  var seconds: Double { Double(time.nowNanoseconds() - opened) / 1e9 }
  var nextFrame: Int { frame(seconds) }

  /// Steps all workers, in random order, until that instant.
  func run(to end: Double) {
    while seconds < end - 1e-7 { tick() }
  }

  /// Runs until all these takes have been reported as ended.
  func runUntilOver(_ numbers: Int..., within limit: Double = 30) {
    let end = seconds + limit
    while !numbers.allSatisfy({ report($0) != nil }), seconds < end { tick() }
  }

  private func tick() {
    if isCapturing { isCapturing = capture.step() } else { time.sleep(untilNanoseconds: later) }
    for _ in 0..<random.below(4) {
      if random.below(2) == 0 { stepEncoder() } else if !isWriterStalled { write.step() }
    }
    events += news.drain()
  }

  private var later: Int64 { time.nowNanoseconds() + 20_000_000 }

  func stepWriter() { write.step() }

  func stepEncoder() {
    guard isEncoding else { return }
    encodeSteps += 1
    isEncoding = encode.step()
  }

  /// Steps only the capture worker, as if the encoder's thread were not scheduled.
  func starveEncoder(to end: Double) {
    while seconds < end - 1e-7 { isCapturing = capture.step() }
  }

  /// Steps the encoder only when it is woken or has slept as long as it may.
  func runByBells(to end: Double) {
    var wakesAt = seconds
    while seconds < end - 1e-7 {
      isCapturing = capture.step()
      if !encoderBell.listen(), seconds < wakesAt { continue }
      stepEncoder()
      write.step()
      wakesAt = seconds + Double(encode.restMilliseconds) / 1000
    }
    events += news.drain()
  }

  func letGo() {
    capture.end()
    isCapturing = false
  }

  // MARK: Orders

  func begin(_ number: Int, pressed: Double, preroll: Int64 = 500) {
    let order = TakePlan(
      id: Rig.id(number), folder: .root, pressed: instant(pressed), prerollMilliseconds: preroll,
      continues: nil, part: 1, title: nil)
    orders.post(.begin(order, Rig.label(number), file: fileNumber(number)))
    if attachesAtOnce { attach(number) }
  }

  func split(_ number: Int, at point: SplitPoint, next: Int) {
    orders.post(.split(Rig.id(number), at: point, Rig.label(next), file: fileNumber(next)))
    if attachesAtOnce { attach(next) }
  }

  func end(_ number: Int, at seconds: Double, _ reason: StopReason = .pressed) {
    orders.post(.end(Rig.id(number), at: instant(seconds), reason))
  }

  func mark(_ number: Int, at seconds: Double, _ name: String = "") {
    orders.post(.mark(Rig.id(number), at: instant(seconds), name: name))
  }

  func meter(_ isOn: Bool) { orders.post(.meter(isOn)) }

  func listen(_ line: LiveLine?) { orders.post(.live(line)) }

  private var tracks: [TrackSettings] { setup.settings.tracks }

  /// The number of the file of a take's track.
  private func fileNumber(_ number: Int, track: Int = 0) -> Int32 {
    Int32((number - 1) * tracks.count + track + 1)
  }

  /// The name of the file of a take's track.
  func name(_ number: Int, track: Int = 0) -> String {
    tracks[track].path(track, beside: CardPath(components: ["\(number)"])).components[0]
  }

  /// Attaches the files of all tracks, or of some.
  func attach(_ number: Int, tracks some: Range<Int>? = nil) {
    for track in some ?? tracks.indices {
      let path = CardPath(components: [name(number, track: track)])
      writing.post(.attach(file: fileNumber(number, track: track), Rig.id(number), path))
    }
  }

  /// Gives the take its number and title late.
  func label(_ number: Int, as other: Int) {
    let known = Rig.label(other)
    for track in tracks.indices {
      writing.post(.label(file: fileNumber(number, track: track), known))
    }
  }

  func discard(_ number: Int) {
    orders.post(.abandon(Rig.id(number), .cardFailed))
    for track in tracks.indices {
      writing.post(.discard(file: fileNumber(number, track: track)))
    }
  }

  // MARK: Results

  func events(of number: Int) -> [TakeEvent] {
    events.compactMap { event in
      if case .take(Rig.id(number), let event) = event { event } else { nil }
    }
  }

  func reports(_ number: Int) -> [TakeReport] {
    events(of: number).compactMap { if case .ended(let report) = $0 { report } else { nil } }
  }

  func report(_ number: Int) -> TakeReport? { reports(number).first }

  func tags(_ number: Int, track: Int = 0) throws -> Tags? {
    try Tags.read(from: try card.open(name(number, track: track)))
  }

  func facts(_ number: Int, track: Int = 0) throws -> RecordingFacts? {
    try tags(number, track: track).map { tags in
      RecordingFacts(tags.facts.map { Fact(key: $0.key, value: $0.value) })
    }
  }

  /// What the tags of a file say of its integrity.
  func told(_ number: Int, track: Int = 0) throws -> Integrity? {
    var told = try facts(number, track: track)?.integrity
    told?.device = try tags(number, track: track)?.device ?? ""
    return told
  }

  func gaps(_ number: Int) -> [Gap] {
    events(of: number).compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
  }

  func file(_ number: Int, track: Int = 0) -> [UInt8] {
    card.files[name(number, track: track)] ?? []
  }

  static func id(_ number: Int) -> ItemID { ItemID(high: 7, low: UInt64(number)) }

  static func label(_ number: Int) -> TakeLabel {
    let moment = Moment(
      boot: ItemID(high: 9, low: 9), instant: Instant(nanoseconds: 1),
      wall: WallTime(milliseconds: 1_800_000_000_000), quality: .synchronised)
    return TakeLabel(
      recording: Recording(
        id: id(number), folder: .root, sequence: number, title: "Take \(number)", began: moment,
        stage: .recording),
      folder: "Tests")
  }
}

extension Rig.Setup {
  /// The Opus settings as the pipeline makes them.
  var opus: OpusSettings {
    var opus = settings.opus
    (opus.sampleRate, opus.channels) = (format.rate, format.channels)
    return opus
  }

  func with(_ change: (inout Rig.Setup) -> Void) -> Rig.Setup {
    var setup = self
    change(&setup)
    return setup
  }
}

extension RecordSettings {
  /// Enough bits for clicks to stay sharp, with little work for the machine.
  static var quick: RecordSettings {
    var settings = RecordSettings()
    settings.opus.bitsPerSecond = 96_000
    settings.opus.complexity = 3
    settings.prerollMilliseconds = 500
    return settings
  }
}

extension RecordSettings {
  /// The settings of an Opus take; those of Opus by default while it is another's.
  var opus: OpusSettings {
    get { if case .opus(let settings) = format { settings } else { OpusSettings() } }
    set { format = .opus(newValue) }
  }
}

/// Numbers that are the same on every run.
struct SystemlessRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }

  mutating func within(_ range: ClosedRange<Double>) -> Double {
    let share = Double(below(1_000_001)) / 1_000_000
    return range.lowerBound + share * (range.upperBound - range.lowerBound)
  }
}
