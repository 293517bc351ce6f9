// The playing room as it runs on a board: its real threads, a virtual speaker at full speed, and a
// main thread that sends commands as fast as it can. ThreadSanitizer and RealtimeSanitizer are run
// over these.
import Glibc
import Realtime
import Testing

@testable import Audio
@testable import Recorder

/// The room's events, for a thread that waits for them.
private final class PlayNews: Sendable {
  private let events = Locked<[SoundEvent]>([])

  func add(_ event: SoundEvent) { events.withLock { $0.append(event) } }

  /// Copied element by element: ThreadSanitizer does not see an array's reference count.
  var all: [SoundEvent] { events.withLock { $0.map(\.self) } }

  func count(where isWanted: (SoundEvent) -> Bool) -> Int {
    events.withLock { $0.count(where: isWanted) }
  }

  /// Returns true once there are `count` of them; false if there were fewer for ten seconds.
  func wait(_ count: Int = 1, for isWanted: (SoundEvent) -> Bool) -> Bool {
    for _ in 0..<10_000 {
      if self.count(where: isWanted) >= count { return true }
      usleep(1000)  // Between two polls.
    }
    return false
  }
}

@Suite struct PlayThreadTests {
  private let folder = PlayFolder()
  private let news = PlayNews()
  private let faults = SpeakerFaults()

  private func start(_ pace: SpeakerPace) throws -> PlayRoom<VirtualSpeaker> {
    let (news, faults) = (news, faults)
    let file = try SpeakerFile(folder.path + "/heard.wav", .int16())
    return try PlayRoom.start(
      PlaySettings(
        open: folder.toRead, volumePercent: 100, speakerWaits: true),
      open: { try VirtualSpeaker.open(.int16(), pace: pace, into: file, faults: faults) },
      report: { news.add($0) })
  }

  private func cue(_ number: UInt64, frames: Int) -> Cue {
    Cue(
      id: ItemID(high: 1, low: number), item: ItemID(high: 2, low: 2), startFrame: 0,
      lengthFrames: Int64(frames), rate: 48_000)
  }

  private func load(_ cue: Cue) -> DeckCommand {
    .load(cue, CardPath(components: ["take.wav"]), startsPaused: false)
  }

  @Test("recordings are heard whole, one after the other", .timeLimit(.minutes(5)))
  func whole() throws {
    // Given a room and a recording
    let signal = PlaySignal.sweep(frames: 190_000)
    try folder.record(signal)
    let room = try start(.max)
    // When it is played three times
    for number in 1...3 as ClosedRange<UInt64> {
      let cue = cue(number, frames: signal.count)
      room.perform(load(cue))
      #expect(news.wait(for: isEnd(cue.id)))
    }
    _ = consume room
    // Then it was heard three times, and nothing failed
    let heard = try folder.samples("heard.wav").filter { $0 != 0 }
    #expect(isSame(heard[...], (signal + signal + signal)[...]))
    #expect(
      !news.all.contains {
        if case .deck(_, .failed) = $0 { true } else { false }
      })
  }

  @Test("commands faster than they can be performed end well", .timeLimit(.minutes(5)))
  func hurry() throws {
    // Given a recording that plays
    let signal = PlaySignal.sweep(frames: 150_000)
    try folder.record(signal)
    let room = try start(.max)
    let cue = cue(1, frames: 10_000_000)
    room.perform(load(cue))
    // When commands come faster than they can be performed
    var random = PlayRandom(seed: 3)
    for _ in 0..<400 {
      switch random.below(6) {
      case 0: room.perform(.pause(cue: cue.id))
      case 1: room.perform(.resume(cue: cue.id))
      case 2: room.perform(.volume(percent: random.below(101)))
      case 3: room.sound(.started)
      default: room.perform(.seek(cue: cue.id, frame: Int64(random.below(100_000))))
      }
      // A pause of up to 2 ms now and then.
      if random.below(4) == 0 { usleep(UInt32(random.below(2000))) }
    }
    // And then a recording is played at full volume, after one during which the volume gets there
    room.perform(.volume(percent: 100))
    room.perform(.unload)
    for number in 2...3 as ClosedRange<UInt64> {
      let last = self.cue(number, frames: signal.count)
      room.perform(load(last))
      #expect(news.wait(for: isEnd(last.id)))
    }
    _ = consume room
    // Then that is heard as it is
    let heard = try folder.samples("heard.wav").trimmed.suffix(signal.count)
    #expect(isSame(heard, signal[...]))
  }

  @Test("at a speaker's own pace the end comes when the anchor says", .timeLimit(.minutes(5)))
  func realPace() throws {
    // Given a recording of a third of a second
    let signal = PlaySignal.sweep(frames: 16_000)
    try folder.record(signal)
    let room = try start(.real)
    let cue = cue(1, frames: signal.count)
    // When it is played
    room.perform(load(cue))
    #expect(news.wait(for: isEnd(cue.id)))
    // Then by the last anchor it has been heard to its end by now
    let anchors = news.all.compactMap {
      if case .deck(_, .playing(let anchor)) = $0 { anchor } else { nil }
    }
    let anchor = try #require(anchors.last)
    let end = anchor.instant.nanoseconds + (16_000 - anchor.frame) * 1_000_000_000 / 48_000
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let late = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - end
    #expect((0..<1_000_000_000).contains(late))
    _ = consume room
    #expect(isSame(try folder.samples("heard.wav").filter { $0 != 0 }[...], signal[...]))
  }

  @Test("with nothing to play there is no playback thread, and the deck's thread sleeps")
  func idle() throws {
    // Given a room that has sounded a tone
    let name = "deck"
    let room = try start(.max)
    room.sound(.started)
    let opened = SoundEvent.output(canPlay: true, whileRecording: true)
    #expect(news.wait { $0 == opened })
    // When the tone has ended, which takes longer on a busy machine
    var sleeping = asleep(name, forMicroseconds: 200_000)
    for _ in 0..<50 where sleeping.isEmpty {
      sleeping = asleep(name, forMicroseconds: 200_000)
    }
    // Then the deck's thread sleeps on; other tests have threads of that name, too
    #expect(!asleep(name, forMicroseconds: 400_000).isEmpty)
    _ = consume room
    #expect(!(try folder.samples("heard.wav").trimmed.isEmpty))
  }

  @Test("an unplugged speaker ends its thread", .timeLimit(.minutes(5)))
  func gone() throws {
    // Given a recording that plays at a speaker's pace
    try folder.record(PlaySignal.sweep(frames: 190_000))
    let room = try start(.real)
    let cue = cue(1, frames: 190_000)
    room.perform(load(cue))
    #expect(news.wait(for: isAnyDeck(cue.id)))
    // When the speaker is unplugged, and plugged in again
    faults.pullOut()
    let none = SoundEvent.output(canPlay: false, whileRecording: false)
    #expect(news.wait { $0 == none })
    faults.plugIn()
    room.poll()
    // Then both are reported, and a tone sounds again
    let found = SoundEvent.output(canPlay: true, whileRecording: true)
    #expect(news.wait(2) { $0 == found })
    #expect(news.count { $0 == found || $0 == none } == 3)
  }

  /// The threads of that name which do not wake up within that time.
  private func asleep(_ name: String, forMicroseconds microseconds: UInt32) -> [String] {
    let before = wakings(ofThreads: name)
    usleep(microseconds)  // Only time can show that a thread does not wake up.
    let after = wakings(ofThreads: name)
    return before.filter { after[$0.key] == $0.value }.map(\.key)
  }

  /// How often each thread of that name went to sleep.
  private func wakings(ofThreads name: String) -> [String: String] {
    var found: [String: String] = [:]
    guard let tasks = opendir("/proc/self/task") else { return found }
    defer { closedir(tasks) }
    while let entry = readdir(tasks) {
      let id = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard text("/proc/self/task/\(id)/comm") == name + "\n" else { continue }
      let lines = text("/proc/self/task/\(id)/status").split(separator: "\n")
      found[id] = lines.first { $0.hasPrefix("voluntary") }.map { String($0) }
    }
    return found
  }

  private func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
