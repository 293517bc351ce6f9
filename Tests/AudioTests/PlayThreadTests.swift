// The playing room as it runs on a board: its real threads, a virtual speaker as fast as it goes,
// and a main thread that is in a hurry. ThreadSanitizer and RealtimeSanitizer are run over these.
import Glibc
import Realtime
import Synchronization
import Testing

@testable import Audio
@testable import Recorder

/// What the room tells, for a thread that waits for it.
private final class PlayNews: Sendable {
  private let events = Mutex<[SoundEvent]>([])

  func add(_ event: SoundEvent) { events.withLock { $0.append(event) } }

  var all: [SoundEvent] { events.withLock { $0 } }

  /// True once there is one; false if there was none in ten seconds.
  func wait(for isWanted: (SoundEvent) -> Bool) -> Bool {
    for _ in 0..<10_000 {
      if all.contains(where: isWanted) { return true }
      usleep(1000)
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
        directory: folder.path, volumePercent: 100, speakerWaits: true),
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
      room.carryOut(load(cue))
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

  @Test("any hurry of the main thread comes out well", .timeLimit(.minutes(5)))
  func hurry() throws {
    // Given a recording that plays
    let signal = PlaySignal.sweep(frames: 150_000)
    try folder.record(signal)
    let room = try start(.max)
    let cue = cue(1, frames: 10_000_000)
    room.carryOut(load(cue))
    // When commands come faster than they can be carried out
    var random = PlayRandom(seed: 3)
    for _ in 0..<400 {
      switch random.below(6) {
      case 0: room.carryOut(.pause(cue: cue.id))
      case 1: room.carryOut(.resume(cue: cue.id))
      case 2: room.carryOut(.volume(percent: random.below(101)))
      case 3: room.sound(.started)
      default: room.carryOut(.seek(cue: cue.id, frame: Int64(random.below(100_000))))
      }
      if random.below(4) == 0 { usleep(UInt32(random.below(2000))) }
    }
    // And then a recording is to be heard as it is, behind one in which the volume gets there
    room.carryOut(.volume(percent: 100))
    room.carryOut(.unload)
    for number in 2...3 as ClosedRange<UInt64> {
      let last = self.cue(number, frames: signal.count)
      room.carryOut(load(last))
      #expect(news.wait(for: isEnd(last.id)))
    }
    _ = consume room
    // Then it is
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
    room.carryOut(load(cue))
    #expect(news.wait(for: isEnd(cue.id)))
    // Then by now it has been heard to its end, by the last anchor told
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

  @Test("with nothing to play there is no playback thread, and nobody wakes up")
  func idle() throws {
    // Given a room that has sounded a tone
    let name = "deck"
    let room = try start(.max)
    room.sound(.started)
    let opened = SoundEvent.output(canPlay: true, whileRecording: true)
    #expect(news.wait { $0 == opened })
    // When a while has passed
    usleep(400_000)
    // Then the deck's thread sleeps, for as long as one likes to look; other tests have theirs
    let before = wakings(ofThreads: name)
    usleep(200_000)
    let after = wakings(ofThreads: name)
    let sleeping = before.filter { after[$0.key] == $0.value }
    #expect(!sleeping.isEmpty)
    _ = consume room
    #expect(!(try folder.samples("heard.wav").trimmed.isEmpty))
  }

  @Test("a speaker that is pulled out takes its thread with it", .timeLimit(.minutes(5)))
  func gone() throws {
    // Given a recording that plays at a speaker's pace
    try folder.record(PlaySignal.sweep(frames: 190_000))
    let room = try start(.real)
    let cue = cue(1, frames: 190_000)
    room.carryOut(load(cue))
    #expect(news.wait(for: isAnyDeck(cue.id)))
    // When the speaker is pulled out, and plugged in again
    faults.pullOut()
    let none = SoundEvent.output(canPlay: false, whileRecording: false)
    #expect(news.wait { $0 == none })
    faults.plugIn()
    room.look()
    // Then both are told, and a tone sounds again
    for _ in 0..<1000 where news.all.count < 5 { usleep(1000) }
    let found = SoundEvent.output(canPlay: true, whileRecording: true)
    #expect(news.all.filter { $0 == found }.count == 2)
    #expect(news.all.last == found)
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
