// Proves that the appliance's flight log replays with a large library, within its bounds: a listing
// is written once, checkpoints refer to it, and every row is read back as it was written.

import Testing

@testable import Loop
@testable import Recorder

@Suite struct FlightRowsTests {
  /// An appliance with a flight log of its real size.
  private final class Flight {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Appliance.flightLogBytes, alignment: 16)
    let driver: Driver<Appliance>
    private var ticks: Int64 = 0

    init() {
      let effects = Effects<Appliance>(
        perform: { _ in }, start: { _ in }, stop: { _ in })
      driver = Driver(
        State(), now: stampZero,
        flight: FlightRecorder<Appliance>(memory: memory, tapeBytes: Appliance.flightTapeBytes))
      driver.begin(with: effects)
    }

    deinit { memory.deallocate() }

    func send(_ action: Action) {
      ticks += 1
      driver.send(
        Stamped(
          action,
          at: Stamp(
            monotonicNanoseconds: ticks * 1_000_000, wallMilliseconds: 1_790_000_000_000 + ticks,
            freshHigh: UInt64(ticks), freshLow: UInt64(ticks) &* 0x9E37_79B9_7F4A_7C15)))
    }

    /// Replays the log; returns its notes, the number of actions, rows, and the last digest.
    func replayed() throws -> (notes: [String], actions: Int, rows: [Int], last: Digest?) {
      var (notes, rows): ([String], [Int]) = ([], [])
      var (actions, last): (Int, Digest?) = (0, nil)
      try Replay<Appliance>(Array(memory)).run { event, _ in
        switch event {
        case .checkpoint(_, let agrees): notes.append("checkpoint \(agrees)")
        case .elided(let what): notes.append("elided \(what)")
        case .action(_, _, let rowCount): if rowCount > 0 { rows.append(rowCount) }
        case .outcome(_, _, let digest):
          actions += 1
          last = digest
        }
        return true
      }
      return (notes, actions, rows, last)
    }
  }

  private static func id(_ number: Int) -> ItemID {
    // Ids as random as real ones.
    var bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return ItemID(high: bits, low: bits &* 0x94D0_49BB_1331_11EB | 2)
  }

  private static func hash(_ number: Int) -> SoundHash {
    let (one, other) = (id(number), id(number + 9_000_000))
    return SoundHash(
      one.high, one.low, other.high, other.low, soundFrom: UInt32(4_000 + number % 400))
  }

  private static func recording(_ number: Int, in folder: ItemID) -> Recording {
    let title = "2026-11-\(10 + number % 20) 21.\(10 + number % 50)"
    return Recording(
      id: id(number), folder: folder, sequence: number, title: title, titleIsDefault: true,
      began: Moment(
        boot: id(3_000_000 + number / 40), instant: Instant(nanoseconds: Int64(number) << 33),
        wall: WallTime(milliseconds: 1_780_000_000_000 + Int64(number) * 700_000),
        quality: .synchronised), file: "\(10_000 + number) \(title).opus",
      sound: Sound(
        frames: Int64(number) * 480_001, sizeBytes: Int64(number) * 80_003, hash: hash(number)),
      isHeard: number % 3 == 0,
      integrity: Integrity(
        device: "USB Audio", peakMillibels: -300 - number % 700, loudnessCentiLUFS: -2000,
        stopReason: .pressed))
  }

  /// A root of 10,000 items; nine are folders of 10,000 each that have not been read.
  private static func root() -> Listing {
    Listing(
      folders: (1...9).map {
        Folder(
          id: id(1_000_000 + $0), parent: .root, name: "Box \($0)",
          tally: Tally(recordings: 10_000))
      }, recordings: (1...9991).map { recording($0, in: .root) })
  }

  @Test("With 100,000 recordings and a root of 10,000 every action of both segments is replayed")
  func largeLibrary() throws {
    let flight = Flight()
    flight.send(.card(.opened(CardReport(nextSequence: 9992, root: Tally(recordings: 99_991)))))
    flight.send(.card(.listed(.root, Self.root())))
    #expect(flight.driver.store.state.library.recordings.count == 9991)
    var sent = 2
    // Recordings are heard, renamed or lost; long titles fill the segments soon.
    for number in 1...2400 {
      let title = String(repeating: "Long name ", count: 60) + "\(number)"
      flight.send(.request(.take(.start(title: title)), from: .panel))
      sent += 1
      guard number % 60 == 0 else { continue }
      let gone = Whereabouts(
        id: Self.id(number), path: [.root], tally: Tally(recordings: 1, unheard: 0))
      flight.send(.card(.found(.vanished([gone]))))
      flight.send(
        .card(.found(.adopted(Self.recording(20_000 + number, in: .root), path: [.root]))))
      sent += 2
    }
    let replay = try flight.replayed()
    #expect(replay.notes == ["checkpoint true", "checkpoint true"])
    #expect(replay.actions > 400 && replay.actions < sent)
    let digest = try Replay<Appliance>.digest(of: flight.driver.store.state)
    #expect(replay.last == digest)
  }

  @Test("A listing is logged whole: replayed from the beginning it gives the same state")
  func listing() throws {
    let flight = Flight()
    flight.send(.card(.opened(CardReport(nextSequence: 9992, root: Tally(recordings: 99_991)))))
    flight.send(.card(.listed(.root, Self.root())))
    let replay = try flight.replayed()
    #expect(replay.notes == ["checkpoint true"])
    #expect(replay.actions == 2 && replay.rows == [10_000])
    let digest = try Replay<Appliance>.digest(of: flight.driver.store.state)
    #expect(replay.last == digest)
  }

  @Test("More rows than the log holds are left out, and that is reported")
  func tooLarge() throws {
    let flight = Flight()
    flight.send(.card(.opened(CardReport(nextSequence: 1, root: Tally(recordings: 99_991)))))
    let listing = Listing(recordings: (1...60_000).map { Self.recording($0, in: .root) })
    flight.send(.card(.listed(.root, listing)))
    #expect(try flight.replayed().notes.last == "elided an action with 60000 rows")
  }

  @Test("Every field of a folder and of a recording is in its row")
  func fields() throws {
    func names(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
    let recording = Self.full
    // If one of these fails, a field was added: write it in RowFormat, give it a value below, and
    // name it here.
    #expect(
      names(recording) == [
        "id", "folder", "life", "title", "titleIsDefault", "began", "sound", "trackBox", "isHeard",
        "marks", "details", "integrity", "copies", "continues", "part", "thrownFrom", "revision",
      ])
    #expect(names(recording.began) == ["boot", "instant", "wall", "quality"])
    #expect(
      names(recording.sound) == [
        "frames", "sizeBytes", "hash", "smallBits", "smallChannels", "smallRate",
      ])
    #expect(names(recording.tracks) == ["firstName", "others"])
    #expect(names(recording.tracks.others[0]) == ["number", "plan", "sound"])
    #expect(names(recording.tracks.others[0].plan) == ["name", "ending"])
    #expect(
      names(recording.integrity) == [
        "device", "gaps", "clippedFrames", "peakMillibels", "loudnessCentiLUFS",
        "microphoneSeemsDead", "deadChannel", "stopReason", "recoveredCutBytes", "endIsOwed",
      ])
    #expect(names(recording.integrity.gaps[0]) == ["frame", "frames", "cause"])
    #expect(names(recording.marks[0]) == ["frame", "name"])
    #expect(
      names(Self.fullFolder) == [
        "id", "parent", "name", "directory", "reading", "items", "tally", "newest", "order",
        "thrownFrom", "revision",
      ])
    #expect(names(Self.fullFolder.tally) == ["recordings", "unheard", "copied"])
  }

  @Test("A row is read back as it was, alone and after another")
  func roundTrip() throws {
    let flight = Flight()
    var bare = Self.recording(2, in: .trash)
    bare.life = .take(nil)
    bare.title = ""
    let recordings = [Self.full, bare, Self.full] + (3...20).map { Self.recording($0, in: .root) }
    let listing = Listing(
      folders: [Self.fullFolder, Folder(id: Self.id(77), parent: nil, name: "")],
      recordings: recordings, order: .byHand)
    let action = Action.card(.listed(.root, listing))
    flight.send(action)
    let record = try #require(
      try FlightTape.read(Array(flight.memory)).joined().last { $0.kind == .action })
    #expect(String(decoding: record.payload, as: UTF8.self).contains("\"rows\""))
    // The row is read back the same, including its revision.
    var read: Action?
    let driver = flight.driver
    try Replay<Appliance>(Array(flight.memory)).run { event, _ in
      if case .action(_, let outline, _) = event { read = outline.action }
      return true
    }
    var restored = try #require(read)
    try LibraryTables.restore(Self.rows(of: action), to: &restored)
    #expect(restored == action)
    withExtendedLifetime(driver) {}
  }

  private static func rows(of action: Action) -> RowReader {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { memory.deallocate() }
    var writer = RowWriter(memory)
    LibraryTables.write(action, to: &writer)
    return RowReader(Array(memory[..<writer.count]))
  }

  /// With something in every field.
  private static var full: Recording {
    var recording = Recording(
      id: id(1), folder: .trash, sequence: 7, title: "Tante Käthe", titleIsDefault: true,
      began: Moment(
        boot: id(5), instant: Instant(nanoseconds: .max), wall: WallTime(milliseconds: .min),
        quality: .corrected), stage: .recovered, file: "0007 Tante Käthe.opus",
      sound: Sound(frames: .max, rate: 44_100, channels: 2, sizeBytes: 99, bits: 24, hash: hash(1)),
      isHeard: true,
      marks: [Mark(frame: 1, name: "eins"), Mark(frame: 2)],
      details: Recording.Details(notes: "one\ntwo", place: "Küche", speaker: "Käthe"),
      integrity: Integrity(
        device: "Mic", gaps: [Gap(frame: 3, frames: 4, cause: .suspended)], clippedFrames: 5,
        peakMillibels: -6, loudnessCentiLUFS: -7, microphoneSeemsDead: true, deadChannel: 2,
        stopReason: .cardFull, recoveredCutBytes: 8, endIsOwed: true),
      continues: id(9), part: 3, thrownFrom: id(10))
    recording.tracks = Tracks(
      firstName: "voice",
      others: [
        Track(
          2, TrackPlan(name: "room", ending: ".flac"),
          sound: Sound(frames: 6, bits: 16, hash: hash(2))),
        Track(4, TrackPlan(name: "guitar", ending: ".opus"), sound: Sound(rate: 8, channels: 3)),
      ])
    recording.copies = [
      RecordingCopy(
        target: "nas", remote: "box/a.opus", file: "a.opus",
        verifiedAt: WallTime(milliseconds: 11), texts: "0123456789abcdef")
    ]
    recording.revision = .max
    return recording
  }

  private static var fullFolder: Folder {
    var folder = Folder(
      id: id(21), parent: .root, name: "Küche", directory: "Küche~1",
      tally: Tally(recordings: 5, unheard: 4), latest: WallTime(milliseconds: 13), order: .byHand,
      reading: .failed("why"), thrownFrom: id(22))
    folder.items = ItemOrder([id(23), id(24)])
    folder.revision = 12
    return folder
  }
}
