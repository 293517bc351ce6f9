// The playing room on one thread and a virtual clock: the same deck and worker as on a board,
// stepped in an order that a seed decides, with a virtual speaker that writes what it plays to a
// file. Used by the thread of one test.
import Glibc
import Realtime
import Synchronization
import Tape
import Testing

@testable import Audio
@testable import Recorder

final class PlayClock: Sendable {
  private let nanoseconds = Atomic<Int64>(1_000_000_000)
  var now: Int64 { nanoseconds.load(ordering: .relaxed) }
  func advance(_ more: Int64) { nanoseconds.wrappingAdd(more, ordering: .relaxed) }
}

final class PlayFolder: Sendable {
  private let folder = Folder()
  var path: String { folder.path }
  var toRead: OpenRecording { folder.toRead }

  /// Writes a 16-bit WAV file.
  func record(
    _ samples: [Int16], _ name: String = "take.wav", rate: Int = 48_000, channels: Int = 1
  ) throws {
    let file = try SpeakerFile(path + "/" + name, .int16(rate, channels))
    samples.withUnsafeBytes { file.append($0) }
    file.complete()
  }

  func write(_ bytes: [UInt8], _ name: String) throws {
    let file = try #require(fopen(path + "/" + name, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    let file = try #require(fopen(path + "/" + name, "r"))
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    fclose(file)
    return bytes
  }

  func samples(_ name: String) throws -> [Int16] {
    var reader = try SoundReader.open(path + "/" + name)
    let block = Buffer<Int16>(count: 65_536)
    var samples: [Int16] = []
    while case let count = try reader.read(into: block.all), count > 0 {
      samples += block.all[..<(count * reader.channels)]
    }
    return samples
  }
}

extension StreamFormat {
  static func int16(_ rate: Int = 48_000, _ channels: Int = 1) -> StreamFormat {
    StreamFormat(rate: rate, channels: channels, samples: .int16, periodFrames: rate / 100)
  }
}

enum PlaySignal {
  private static let long = made(200_000)

  /// A sweep with clicks and a little noise, nowhere zero: no two stretches are alike.
  static func sweep(frames: Int) -> [Int16] { Array(long[..<frames]) }

  private static func made(_ frames: Int) -> [Int16] {
    var random = PlayRandom(seed: 5)
    return (0..<frames).map { frame in
      let time = Double(frame) / 48_000
      let tone = 4_000 * sin((100 + 300 * time) * 2 * .pi * time)
      let click = frame % 4_801 == 4_800 ? 20_000.0 : 0
      let sample = Int16(tone + click) + Int16(random.below(401) - 200)
      return sample == 0 ? 1 : sample
    }
  }
}

final class PlayBench {
  struct Heard: Equatable { let at: Int64, event: SoundEvent }

  static let fade = 240
  let folder: PlayFolder
  let clock = PlayClock()
  let faults = SpeakerFaults()
  let format: StreamFormat
  private(set) var events: [Heard] = []
  private(set) var openings = 0
  /// When the first frame of the speaker's file was heard.
  private(set) var startedAt: Int64 = 0
  private(set) var rest = PlayDeck.Rest.now
  private var deck: PlayDeck
  private var worker: PlayWorker<VirtualSpeaker>?
  private let file: SpeakerFile
  private var random: PlayRandom?
  private var cues: UInt64 = 0

  /// - Parameter seed: decides the order and number of the workers' steps; nil: evenly.
  init(
    _ format: StreamFormat = .int16(), volume: Int = 100, tones: ToneSettings = ToneSettings(),
    seed: UInt64? = nil
  ) throws {
    let (folder, bell) = (PlayFolder(), try WakeUp())
    file = try SpeakerFile(folder.path + "/heard.wav", format)
    self.folder = folder
    self.format = format
    random = seed.map { PlayRandom(seed: $0) }
    let settings = PlaySettings(open: folder.toRead, tones: tones, volumePercent: volume)
    deck = PlayDeck(settings, bell: bell)
  }

  // MARK: What the main loop does

  /// Loads a file of the folder; returns the cue's id.
  func load(
    _ name: String = "take.wav", at frame: Int64 = 0, frames: Int, rate: Int = 48_000,
    isPaused: Bool = false
  ) -> ItemID {
    cues += 1
    let cue = Cue(
      id: ItemID(high: 1, low: cues), item: ItemID(high: 2, low: 2), startFrame: frame,
      lengthFrames: Int64(frames), rate: rate)
    deck.perform(.load(cue, CardPath(components: [name]), startsPaused: isPaused))
    return cue.id
  }

  func perform(_ command: DeckCommand) { deck.perform(command) }
  func sound(_ tone: Tone) { deck.sound(tone) }
  func greet(_ take: ItemID) { deck.greet(take) }
  func configure(_ settings: SoundSettings) { deck.configure(settings) }
  func look() { deck.poll() }

  // MARK: Time

  func run(milliseconds: Int) {
    let end = clock.now + Int64(milliseconds) * 1_000_000
    while clock.now < end { tick() }
  }

  /// Runs until the event comes, or for a minute.
  func run(until isWanted: (SoundEvent) -> Bool) -> Heard? {
    let known = events.count
    let end = clock.now + 60_000_000_000
    while clock.now < end {
      tick()
      if let found = events[known...].first(where: { isWanted($0.event) }) { return found }
    }
    return nil
  }

  private func tick() {
    guard var random else {
      stepDeck()
      stepWorker()
      clock.advance(1_000_000)
      return
    }
    // One or the other, each many times in a row or not for a while.
    switch random.below(8) {
    case 0...2: for _ in 0..<random.below(6) { stepDeck() }
    case 3...6: for _ in 0..<random.below(6) { stepWorker() }
    default: clock.advance(Int64(random.below(6_000_000)))
    }
    self.random = random
  }

  /// Steps the deck as the room does, without its thread.
  func stepDeck() {
    rest = deck.step(clock.now)
    if deck.mustClose {
      worker = nil
      deck.disconnect()
    } else if deck.wantsSpeaker(clock.now) {
      openSpeaker()
    }
    events += deck.drainEvents().map { Heard(at: clock.now, event: $0) }
  }

  private func openSpeaker() {
    do {
      let stream = try VirtualSpeaker.open(
        format, pace: .driven(by: { [clock] in clock.now }), into: file, faults: faults)
      deck.found()
      guard deck.hasSomethingToPlay else { return }
      let mixer = try deck.connect(format)
      deck.note(refusals: [])
      worker = PlayWorker(stream, mixer)
      openings += 1
    } catch {
      deck.cannotOpen("\(error)", clock.now)
    }
  }

  func stepWorker() {
    if startedAt == 0, worker != nil { startedAt = clock.now }
    _ = worker?.step()
  }

  var position: PlayPosition? { deck.position }

  // MARK: What was heard

  var isOpen: Bool { worker != nil }

  /// Closes everything; returns what the speaker played.
  func finish() throws -> [Int16] {
    worker?.finish()
    worker = nil
    return try folder.samples("heard.wav")
  }

  func anchors(of cue: ItemID) -> [Anchor] {
    events.compactMap {
      if case .deck(cue, .playing(let anchor)) = $0.event { anchor } else { nil }
    }
  }

  func pauses(of cue: ItemID) -> [Int64] {
    events.compactMap {
      if case .deck(cue, .paused(let frame)) = $0.event { frame } else { nil }
    }
  }

  func ends(of cue: ItemID) -> [Int64] {
    events.compactMap { $0.event == .deck(cue: cue, .reachedEnd) ? $0.at : nil }
  }

  func failures(of cue: ItemID) -> [String] {
    events.compactMap {
      if case .deck(cue, .failed(let words)) = $0.event { words } else { nil }
    }
  }

  /// The frame of that instant in the speaker's file, as long as the speaker never stopped.
  func index(of instant: Instant) -> Int {
    Int(((instant.nanoseconds - startedAt) * Int64(format.rate) + 500_000_000) / 1_000_000_000)
  }
}

func isEnd(_ cue: ItemID) -> (SoundEvent) -> Bool {
  { $0 == .deck(cue: cue, .reachedEnd) }
}

func isAnyDeck(_ cue: ItemID) -> (SoundEvent) -> Bool {
  {
    if case .deck(cue, _) = $0 { true } else { false }
  }
}

extension Array where Element == Int16 {
  /// The samples without the silence before and after.
  var trimmed: ArraySlice<Int16> {
    let rest = drop { $0 == 0 }
    return rest.dropLast(rest.reversed().prefix { $0 == 0 }.count)
  }
}

/// Compares two sounds; prints only where they first differ.
func isSame(_ one: ArraySlice<Int16>, _ other: ArraySlice<Int16>) -> Bool {
  let place = zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset
  if let place {
    print("after \(place) of \(one.count) samples: \(one.dropFirst(place).prefix(3))")
  }
  if one.count != other.count { print("\(one.count) samples, not \(other.count)") }
  return place == nil && one.count == other.count
}
