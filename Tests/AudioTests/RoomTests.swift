// Proves that the room's three real threads do what the stepped workers do: every frame of a take
// is accounted for, in real time, with files on a real disk; and no thread is left however it ends.

import Glibc
import Recorder
import Testing

@testable import Audio
@testable import Recorder
@testable import Tape

@Suite(.serialized) struct RoomTests {
  /// A room with a virtual microphone, and a caller that collects its events.
  final class Desk {
    let folder: String
    let faults = VirtualFaults()
    private(set) var events: [SoundEvent] = []
    private var room: RecordRoom<VirtualMicrophone>?

    init(
      _ folder: borrowing Folder, cannotOpen: Bool = false, others: [TrackSettings] = [],
      measures: Bool = false
    ) {
      self.folder = folder.path
      var settings = RecordSettings.quick
      settings.syncMilliseconds = 200
      settings.tracks += others
      settings.measuresEncoding = measures
      let format = StreamFormat(rate: 48_000, channels: 1, samples: .int16, periodFrames: 480)
      let faults = faults
      let source = CaptureSource(
        look: {
          faults.isPluggedIn
            ? .success(CaptureInfo(name: "Test", rate: 48_000, channels: 1))
            : .failure(Absence("It is not plugged in."))
        },
        open: {
          if cannotOpen { throw TapeError(.cannotOpen, "It cannot be opened.") }
          return try VirtualMicrophone.open(.sweep, format: format, faults: faults)
        })
      room = RecordRoom(source, settings: settings, open: folder.toWrite, wake: {})
    }

    var now: Instant { Instant(nanoseconds: RealTime().nowNanoseconds()) }

    func perform(_ command: SoundCommand) { room?.perform(command) }
    func announce() { room?.announce() }
    func drop() { room = nil }

    /// Collects events for that time, or until `isSo` holds; the default allows for a very busy
    /// machine.
    @discardableResult
    func listen(milliseconds: Int = 20_000, until isSo: () -> Bool = { false }) -> Bool {
      let end = RealTime().nowNanoseconds() + Int64(milliseconds) * 1_000_000
      while RealTime().nowNanoseconds() < end {
        events += room?.collect() ?? []
        if isSo() { return true }
        usleep(2_000)  // Between two polls.
      }
      return false
    }

    func begin(_ number: Int, at pressed: Instant) throws {
      let order = TakePlan(
        id: Rig.id(number), folder: .root, pressed: pressed, prerollMilliseconds: 300,
        continues: nil, part: 1, title: nil)
      perform(.begin(order, Rig.label(number)))
      try makeFile(number)
    }

    func split(_ number: Int, at instant: Instant, next: Int) throws {
      let order = TakePlan(
        id: Rig.id(next), folder: .root, pressed: instant, prerollMilliseconds: 0,
        continues: Rig.id(number), part: 2, title: nil)
      perform(.split(Rig.id(number), at: .instant(instant), next: order, Rig.label(next)))
      try makeFile(next)
    }

    /// Makes the file of a take and attaches it, as the card does.
    func makeFile(_ number: Int) throws {
      _ = try PosixFile.open(path(number), .create)
      perform(.attach(Rig.id(number), CardPath(components: ["\(number).opus"])))
    }

    func path(_ number: Int) -> String { "\(folder)/\(number).opus" }

    func report(_ number: Int) -> TakeReport? {
      events.lazy.compactMap { event in
        if case .take(Rig.id(number), .ended(let report)) = event { report } else { nil }
      }.first
    }

    func began(_ number: Int) -> Instant? {
      events.lazy.compactMap { event in
        if case .take(Rig.id(number), .began(let instant, _)) = event { instant } else { nil }
      }.first
    }

    func isOpen() -> Bool {
      events.contains { if case .opened = $0 { true } else { false } }
    }

    func open() -> Bool {
      perform(.open)
      return listen(until: isOpen)
    }
  }

  /// The names of the threads of this process that a room starts.
  private func roomThreads() -> [String] {
    let names = String(decoding: run("cat /proc/\(getpid())/task/*/comm 2>&1"), as: UTF8.self)
    return names.split(separator: "\n").map(String.init).filter { $0.hasPrefix("reel-") }
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let file = try PosixFile.open(path, .read)
    return try file.bytes(at: 0, count: Int(try file.byteCount()))
  }

  @Test func theCostOfEncodingIsMeasuredOnceAndAsideOfTheRoom() throws {
    // Given a room that is to measure
    let folder = Folder()
    let desk = Desk(folder, measures: true)
    // When its device is opened, it can record at once
    #expect(desk.open())
    let pressed = desk.now
    try desk.begin(1, at: pressed)
    #expect(desk.listen { desk.began(1) != nil })
    // Then the figure comes, once, and the take is as any other
    let costs = {
      desk.events.compactMap { if case .encoding(let permille) = $0 { permille } else { nil } }
    }
    #expect(desk.listen { !costs().isEmpty })
    desk.perform(.open)
    desk.perform(.end(Rig.id(1), at: desk.now, .pressed))
    #expect(desk.listen { desk.report(1) != nil })
    #expect(desk.report(1)?.integrity.gaps == [])
    #expect(costs().count == 1 && costs().allSatisfy { $0 > 0 })
    // And no thread is left
    desk.drop()
    #expect(roomThreads() == [])
  }

  @Test func aTakeWithASplitInRealTimeIsWholeToTheFrame() throws {
    // Given a room whose microphone has run for half a second
    let folder = Folder()
    let desk = Desk(folder)
    #expect(desk.open())
    desk.listen(milliseconds: 500)
    // When a take is begun, marked, split and ended
    let pressed = desk.now
    try desk.begin(1, at: pressed)
    desk.listen(milliseconds: 700)
    desk.perform(.mark(Rig.id(1), at: desk.now, name: "here"))
    let cut = desk.now
    try desk.split(1, at: cut, next: 2)
    desk.listen(milliseconds: 700)
    let stop = desk.now
    desk.perform(.end(Rig.id(2), at: stop, .pressed))
    #expect(desk.listen { desk.report(1) != nil && desk.report(2) != nil })
    // Then the parts are as long as the instants say
    let (one, two) = (try #require(desk.report(1)), try #require(desk.report(2)))
    #expect(one.integrity.gaps == [] && two.integrity.gaps == [])
    let start = try #require(desk.began(1))
    #expect(abs(start.nanoseconds - pressed.nanoseconds + 300_000_000) < 1_000_000)
    for (frames, from, to) in [(one.sound.frames, start, cut), (two.sound.frames, cut, stop)] {
      let wanted = Double(to.nanoseconds - from.nanoseconds) * 48e-6
      #expect(abs(Double(frames) - wanted) < 48, "\(frames) frames, \(wanted) wanted")
    }
    // And joined they are the signal, with every frame in its place
    let joined =
      try Listening.opusdec(bytes(desk.path(1))) + Listening.opusdec(bytes(desk.path(2)))
    #expect(joined.count == Int(one.sound.frames + two.sound.frames))
    let clicks = joined.indices.filter { joined[$0] > 24_000 }
    let first = try #require(clicks.first)
    let setup = Rig.Setup().with {
      $0.format = StreamFormat(rate: 48_000, channels: 1, samples: .int16, periodFrames: 480)
    }
    // The first click tells where in the signal the take begins.
    let differences = try (first - 3...first + 2).map { click in
      let whole = try Listening.expected(
        setup, from: (48_000 - click % 48_000) % 48_000, count: joined.count)
      return Listening.difference(whole, joined)
    }
    #expect((differences.min() ?? 32_767) <= 100, "\(differences)")
  }

  @Test func aTakeOfTwoTracksHasTwoFilesBesideEachOther() throws {
    // Given a room that records a second track
    let folder = Folder()
    let desk = Desk(folder, others: [.flac("copy", [])])
    #expect(desk.open())
    desk.listen(milliseconds: 400)
    // When a take is begun, split and ended
    for number in [1, 2] { _ = try folder.put([], "\(number) (1).flac") }
    try desk.begin(1, at: desk.now)
    desk.listen(milliseconds: 500)
    try desk.split(1, at: desk.now, next: 2)
    desk.perform(.label(Rig.id(2), Rig.label(7)))
    desk.listen(milliseconds: 500)
    desk.perform(.end(Rig.id(2), at: desk.now, .pressed))
    #expect(desk.listen { desk.report(1) != nil && desk.report(2) != nil })
    // Then each part has a file of each track, as long as reported
    for number in [1, 2] {
      let report = try #require(desk.report(number))
      let copy = try #require(report.tracks.others.first)
      #expect(copy.plan == TrackPlan(name: "copy", ending: ".flac"))
      #expect(copy.sound.frames == report.sound.frames && copy.sound.frames > 0)
      let path = "\(desk.folder)/\(number) (1).flac"
      #expect(try Listening.flac(bytes(path), bits: 16).count == Int(copy.sound.frames))
      let file = try PosixFile.open(path, .read)
      #expect(try Tags.read(from: file)?.title == (number == 1 ? "Take 1" : "Take 7"))
    }
  }

  @Test func tracksThatTheDeviceDoesNotHaveAreRefusedWhenItIsOpened() throws {
    let folder = Folder()
    let desk = Desk(folder, others: [.flac("guitar", [1])])
    desk.perform(.open)
    let sentence = "The track guitar needs channel 2, and the device has 1."
    #expect(desk.listen { desk.events == [.lost(sentence)] })
    // And a take begun all the same fails with the tracks it was to have
    try desk.begin(1, at: desk.now)
    #expect(desk.listen { desk.report(1)?.integrity.stopReason == .failed })
    #expect(desk.report(1)?.tracks.others.map(\.plan.name) == ["guitar"])
  }

  @Test func aClosedRoomLeavesNoThread() throws {
    let folder = Folder()
    let desk = Desk(folder)
    #expect(desk.open())
    // The thread that opened the device is not joined: it may still be ending.
    let working = ["reel-capture", "reel-encode", "reel-write"]
    #expect(desk.listen { roomThreads().sorted() == working })
    desk.perform(.close)
    #expect(desk.listen { roomThreads().isEmpty })
    // And it can be opened again
    #expect(desk.open())
    #expect(desk.listen { roomThreads().sorted() == working })
    desk.drop()
    #expect(roomThreads() == [])
  }

  @Test func aRoomClosedInATakeEndsItWell() throws {
    let folder = Folder()
    let desk = Desk(folder)
    #expect(desk.open())
    desk.listen(milliseconds: 400)
    try desk.begin(1, at: desk.now)
    desk.listen(milliseconds: 300)
    desk.perform(.close)
    #expect(desk.listen { desk.report(1) != nil })
    #expect(desk.report(1)?.integrity.stopReason == .deviceLost)
    let heard = try Listening.opusdec(bytes(desk.path(1)))
    #expect(heard.count == Int(desk.report(1)?.sound.frames ?? 0) && heard.count > 24_000)
  }

  @Test(arguments: [true, false])
  func aRoomDroppedInATakeWritesWhatItHas(isMade: Bool) throws {
    // Given a take, whose file the card has made or not
    let folder = Folder()
    let desk = Desk(folder)
    #expect(desk.open())
    desk.listen(milliseconds: 400)
    if isMade {
      try desk.begin(1, at: desk.now)
    } else {
      let order = TakePlan(
        id: Rig.id(1), folder: .root, pressed: desk.now, prerollMilliseconds: 300,
        continues: nil, part: 1, title: nil)
      desk.perform(.begin(order, Rig.label(1)))
    }
    desk.listen(milliseconds: 300)
    // When the room is dropped
    desk.drop()
    // Then no thread is left, and the file is whole
    #expect(roomThreads() == [])
    if isMade {
      try Listening.opusinfo(bytes(desk.path(1)))
      #expect(try Listening.opusdec(bytes(desk.path(1))).count > 24_000)
    }
  }

  @Test func aMicrophoneThatComesBackIsOpenedAgainWhileTheOldTakeIsWritten() throws {
    // Given a take whose microphone is unplugged before its file is made
    let folder = Folder()
    let desk = Desk(folder)
    #expect(desk.open())
    desk.listen(milliseconds: 400)
    let order = TakePlan(
      id: Rig.id(1), folder: .root, pressed: desk.now, prerollMilliseconds: 300,
      continues: nil, part: 1, title: nil)
    desk.perform(.begin(order, Rig.label(1)))
    desk.listen(milliseconds: 300)
    desk.faults.order(.unplug)
    #expect(desk.listen { desk.events.contains(.lost("Test was unplugged or failed")) })
    desk.announce()
    #expect(desk.listen { desk.events.contains(.lost("It is not plugged in.")) })
    // When it is back
    desk.faults.plugIn()
    desk.announce()
    desk.perform(.open)
    #expect(desk.listen { desk.events.count { if case .opened = $0 { true } else { false } } == 2 })
    try desk.begin(2, at: desk.now)
    desk.listen(milliseconds: 300)
    desk.perform(.end(Rig.id(2), at: desk.now, .pressed))
    // Then both takes are written
    try desk.makeFile(1)
    #expect(desk.listen { desk.report(1) != nil && desk.report(2) != nil })
    #expect(desk.report(1)?.integrity.stopReason == .deviceLost)
    #expect(desk.report(2)?.integrity.stopReason == .pressed)
  }

  @Test func ordersThatComeTooLateAreAnswered() throws {
    // Given an unplugged microphone, and a room that does not know it yet
    let folder = Folder()
    let desk = Desk(folder)
    #expect(desk.open())
    desk.listen(milliseconds: 100)
    desk.faults.order(.unplug)
    usleep(300_000)  // The capture thread meets the fault, and the room is not asked.
    // When a take begins
    try desk.begin(1, at: desk.now)
    // Then the take is reported as failed
    #expect(desk.listen { desk.report(1) != nil })
    #expect(desk.report(1)?.sound.frames == 0)
    #expect(desk.listen { roomThreads().isEmpty })
  }

  @Test func aMicrophoneThatCannotBeOpenedIsSaidInWords() throws {
    let folder = Folder()
    let desk = Desk(folder, cannotOpen: true)
    desk.perform(.open)
    #expect(desk.listen { desk.events == [.lost("It cannot be opened.")] })
    #expect(roomThreads() == [])
    // And a take begun all the same fails at once
    try desk.begin(1, at: desk.now)
    #expect(desk.listen { desk.report(1)?.integrity.stopReason == .failed })
  }

  @Test func openingTwiceIsAnsweredTwiceByOneMicrophone() throws {
    let folder = Folder()
    let desk = Desk(folder)
    desk.perform(.open)
    desk.perform(.open)
    #expect(desk.listen(until: desk.isOpen))
    desk.perform(.open)
    #expect(desk.listen { desk.events.count { if case .opened = $0 { true } else { false } } == 2 })
    #expect(roomThreads().count == 3)
  }
}
