// Work that takes a while: verification, export and import; with progress, and cancellable while
// other commands get through.

import FoundationEssentials
import Glibc
import Realtime
import Recorder
import Tape
import Testing

@testable import Library

@Suite struct StoreLongWorkTests {
  @Test("verifying a sound card finds no fault, with progress on the way")
  func verified() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    for number in 1...4 { try desk.record("Take \(number)", in: number < 3 ? .root : folder) }
    _ = try desk.reopen()
    let events = desk.give(.work(ticket: 7, .long(.verify(.root))))
    #expect(
      events.last
        == .work(
          ticket: 7, .done(.verified(VerifyReport(checked: 4, faultCount: 0, faults: [])))))
    #expect(events.dropLast().contains(.work(ticket: 7, .progress(permille: 500))))
  }

  @Test("missing, truncated and damaged recordings are reported by their titles")
  func faults() throws {
    let desk = try StoreDesk()
    for title in ["Whole", "Gone", "Short", "Rotten"] { try desk.record(title, seconds: 3) }
    try desk.remove("0002 Gone.opus")
    try desk.put("0003 Short.opus", desk.file("0003 Short.opus").dropLast(1000))
    var rotten = desk.file("0004 Rotten.opus")
    rotten[rotten.count / 2] ^= 1
    try desk.put("0004 Rotten.opus", rotten)
    guard case .verified(let report) = try desk.work(.long(.verify(.root))) else {
      Issue.record("no report")
      return
    }
    #expect(report.sentence == "4 recordings checked, 3 faults found." && !report.isWell)
    let faults = report.faults.sorted { $0.file ?? "" < $1.file ?? "" }
    #expect(
      faults.map(\.file) == ["0002 Gone.opus", "0003 Short.opus", "0004 Rotten.opus"])
    #expect(faults[0].sentence == "“Gone” has no file.")
    #expect(faults[1].sentence.hasPrefix("“Short” is"))
    #expect(faults[2].sentence == "“Rotten” lacks 200 ms of sound.")
  }

  @Test("verifying can be cancelled, and lets commands through on the way")
  func cancelled() throws {
    let desk = try StoreDesk()
    // Long enough to be read in more than one piece
    let long = try desk.record("Long", seconds: 200)
    var events: [CardEvent] = []
    let store = Store(
      system: try PosixCard.open(desk.scratch.path)
    ) { events.append($0) }
    store.perform(.open, now: desk.now)
    while store.step() {}
    store.perform(.read(.root), now: desk.now)
    store.perform(.work(ticket: 1, .long(.verify(long.id))), now: desk.now)
    var calls = 0
    store.pause = {
      calls += 1
      store.perform(.work(ticket: 2, .sort(.root, .byName)), now: desk.now)
      store.perform(.cancel(ticket: 1), now: desk.now)
    }
    while store.step() {}
    store.pause = {}
    #expect(calls == 1)
    #expect(events.contains(.work(ticket: 2, .done(.sorted(.root, .byName)))))
    #expect(events.contains(.work(ticket: 1, .failed("Cancelled."))))
  }

  @Test("a waveform has as many points as requested, and is as loud as the sound")
  func waveform() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take", seconds: 20)
    let events = desk.give(.work(ticket: 5, .long(.waveform(take.id, points: 100))))
    guard case .work(5, .done(.waveform(let waveform))) = events.last else {
      Issue.record("no waveform, but \(events)")
      return
    }
    #expect(waveform.rate == 48_000 && waveform.frames == 960_000)
    #expect(waveform.peaks.count == 100 && waveform.rms.count == 100)
    // The sound is a saw tooth from 0 to 6000, as well as Opus keeps one.
    for (peak, rms) in zip(waveform.peaks, waveform.rms) {
      #expect((2000...16_000).contains(peak) && (1000...6000).contains(rms) && rms < peak)
    }
    let told = events.dropLast().filter { if case .work(5, .progress) = $0 { true } else { false } }
    #expect(told.count >= 3)
    #expect(throws: StoreDesk.Failed.self) {
      try desk.work(.long(.waveform(take.id, points: 10_001)))
    }
    #expect(throws: StoreDesk.Failed.self) {
      try desk.work(.long(.waveform(desk.newID(), points: 10)))
    }
  }

  @Test("drawing a waveform can be cancelled between two of its steps")
  func waveformCancelled() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take", seconds: 20)
    desk.store.perform(.work(ticket: 5, .long(.waveform(take.id, points: 100))), now: desk.now)
    #expect(desk.store.step())
    #expect(desk.give(.cancel(ticket: 5)) == [.work(ticket: 5, .failed("Cancelled."))])
  }

  @Test(
    "a recording is exported as another kind of file, with its title",
    arguments: ["wav", "flac24", "mp3", "opus"])
  func exported(format: String) throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    try desk.work(.rename(take.id, to: "Aunt Käthe"))
    let name = "\(desk.scratch.path)/.out.\(format)"
    let result = try desk.work(.long(.export(take.id, format: format, to: "\(name)")))
    #expect(result == .told("Exported to \(name)."))
    let reader = try SoundReader.open(name)
    // MP3 is padded to whole frames of its own
    #expect(abs((reader.frames ?? 0) - 48_000) < (format == "mp3" ? 3000 : 1))
    #expect(reader.tags.title == "Aunt Käthe")
    #expect(throws: StoreDesk.Failed.self) {
      try desk.work(.long(.export(take.id, format: "tape", to: "\(name)")))
    }
  }

  @Test("a passed open file is written and read; a missing one is reported")
  func passedFiles() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    let outside = Scratch()
    let path = "\(outside.path)/passed.mp3"
    let passed = Locked([1: open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)])
    desk.store.clientFiles = ClientFiles(
      claim: { number in passed.withLock { $0.removeValue(forKey: number) } }, offer: { _ in 0 })
    let target = OutsideFile("/media/usb/kitchen.mp3", passed: 1)
    let result = try desk.work(.long(.export(take.id, format: "mp3", to: target)))
    #expect(result == .told("Exported to /media/usb/kitchen.mp3."))
    #expect(passed.withLock { $0.isEmpty })
    #expect(abs((try SoundReader.open(path).frames ?? 0) - 48_000) < 3000)
    #expect(throws: StoreDesk.Failed.self) {
      try desk.work(.long(.export(take.id, format: "wav", to: target)))
    }

    passed.withLock { $0 = [2: open(path, O_RDONLY | O_CLOEXEC)] }
    let source = OutsideFile("/media/usb/Bells.mp3", passed: 2)
    let made = try desk.work(.importFile(desk.newID(), sequence: 9, from: source, into: .root))
    guard case .imported(let recording) = made else {
      Issue.record("\(made)")
      return
    }
    #expect(recording.title == "Bells" && passed.withLock { $0.isEmpty })
  }

  @Test("imported as FLAC, a file keeps its bits and every sample", arguments: [16, 24])
  func importedWithoutLoss(bits: Int) throws {
    // Given a WAV file
    let desk = try StoreDesk()
    let take = try desk.record("Take", seconds: 2)
    let outside = Scratch()
    let wave = "\(outside.path)/Bells.wav"
    try desk.work(
      .long(.export(take.id, format: bits == 24 ? "wav24" : "wav", to: "\(wave)")))
    // When it is imported without loss
    let result = try desk.work(
      .importFile(desk.newID(), sequence: 9, from: "\(wave)", into: .root, format: "flac"))
    guard case .imported(let recording) = result else {
      Issue.record("\(result)")
      return
    }
    // Then the file has the same samples, and its entry tells what it is
    let sound = recording.sound
    #expect(recording.file == "0009 Bells.flac" && sound.frames == 96_000)
    #expect(sound.rate == 48_000 && sound.channels == 1 && sound.bits == bits)
    let flac = desk.scratch.path + "/0009 Bells.flac"
    #expect(try Self.samples(of: flac) == Self.samples(of: wave))
    // And it is sound, also after a start
    _ = try desk.reopen()
    #expect(try desk.listing().recordings.first { $0.title == "Bells" }?.sound == sound)
    guard case .verified(let report) = try desk.work(.long(.verify(recording.id))) else {
      Issue.record("nothing was verified")
      return
    }
    #expect(report.isWell)
  }

  @Test("what a file tells of itself comes along when it is imported", arguments: ["opus", "flac"])
  func importedWithTags(format: String) throws {
    // Given a file with marks, one of them behind its end, a speaker, notes and a date
    let desk = try StoreDesk()
    _ = try desk.record("Take", seconds: 2)
    var tags = Tags()
    (tags.date, tags.speaker, tags.notes) = ("1998-05-17T09:30:00Z", "Käthe", "side A")
    tags.marks = [.init(frame: 48_000, name: "door"), .init(frame: 480_000, name: "late")]
    let outside = Scratch()
    let file = "\(outside.path)/Tape 3.flac"
    let source = "\(desk.scratch.path)/0001 Take.opus"
    try Export.run(from: source, to: file, as: .flac(.bits16), tags: tags)
    // When it is imported
    let result = try desk.work(
      .importFile(desk.newID(), sequence: 9, from: "\(file)", into: .root, format: format))
    guard case .imported(let recording) = result else {
      Issue.record("\(result)")
      return
    }
    // Then the recording and its file have them
    let wall = WallTime(iso8601: "1998-05-17T09:30:00Z")
    #expect(recording.marks == [Mark(frame: 48_000, name: "door")])
    #expect(recording.began.wall == wall && recording.began.quality == .unsynchronised)
    #expect(recording.details.speaker == "Käthe" && recording.details.notes == "side A")
    let written = "\(desk.scratch.path)/\(try #require(recording.file))"
    let told = try SoundReader.open(written).tags
    #expect(told.speaker == "Käthe" && told.notes == "side A" && told.date == tags.date)
    #expect(told.marks.first == tags.marks.first && told.id == "\(recording.id)")
  }

  private static func samples(of path: String) throws -> [Float] {
    var reader = try SoundReader.open(path)
    var samples = [Float](repeating: 0, count: 200_000)
    let count = try samples.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
    return Array(samples[..<count])
  }

  @Test("an imported file becomes a recording, under the number it was given")
  func imported() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take", seconds: 2)
    let outside = Scratch()
    let wave = "\(outside.path)/Bells at noon.wav"
    try desk.work(.long(.export(take.id, format: "wav", to: "\(wave)")))
    let folder = try desk.makeFolder("Inner")
    let id = desk.newID()
    let result = try desk.work(.importFile(id, sequence: 9, from: "\(wave)", into: folder))
    guard case .imported(let recording) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(recording.id == id && recording.sequence == 9 && recording.folder == folder)
    #expect(recording.sound.frames == 96_000 && recording.file == "0009 Bells at noon.opus")
    #expect(try desk.reopen().report?.nextSequence == 10)
    #expect(try desk.titles(folder) == ["Bells at noon"])
    #expect(throws: StoreDesk.Failed.self) {
      try desk.work(.importFile(desk.newID(), sequence: 10, from: "/dev/null", into: folder))
    }
    #expect(try desk.titles(folder) == ["Bells at noon"])
  }
}
