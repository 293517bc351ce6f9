// A store on a card in memory, and a writer of the sound: commands in, events out, each performed
// to its end. Used by the tests of power cuts and of random histories.

import Digest
import Tape
import Testing

@testable import Library
@testable import Recorder

final class StoreRig<System: FileSystem> {
  let system: System
  let store: Store<System>
  private let mail: Mail
  private var seconds: Int64 = 1_700_000_000

  private final class Mail { var events: [CardEvent] = [] }

  let tracks: [TrackPlan]

  init(_ system: System, tracks: [TrackPlan] = [.usual], key: SigningKey? = nil) {
    let mail = Mail()
    (self.system, self.mail, self.tracks) = (system, mail, tracks)
    store = Store(system: system, tracks: tracks, key: key) { mail.events.append($0) }
    // So that short histories have snapshots and copies in steps, too.
    store.snapshotPace.times = 1
    store.copiedAtOnceBytes = 0
  }

  /// Performs a command and all background steps that follow; returns the events.
  @discardableResult
  func give(_ command: CardCommand) -> [CardEvent] {
    seconds += 1
    mail.events = []
    let now = WallTime(milliseconds: seconds * 1000)
    store.perform(command, now: now)
    while store.step() {}
    return mail.events
  }

  /// Returns the events of the store while `work` runs.
  func events(of work: (Store<System>) -> Void) -> [CardEvent] {
    mail.events = []
    work(store)
    return mail.events
  }

  /// Opens the store, and runs recovery to its end.
  @discardableResult
  func open() throws -> [CardEvent] {
    let events = give(.open)
    for case .failed(let why) in events { throw Broken(description: "cannot be opened: \(why)") }
    try Broken.unless(
      events.contains { if case .opened = $0 { true } else { false } }, "was never opened")
    return events
  }

  func work(_ work: CardWork) -> WorkEvent? {
    var last: WorkEvent?
    for case .work(_, let event) in give(.work(ticket: 1, work)) { last = event }
    return last
  }

  // MARK: Reading

  /// Everything the store lists, from the root and the trash down.
  func found() throws -> [ItemID: FoundItem] {
    var found: [ItemID: FoundItem] = [:]
    for (start, path) in [(ItemID.root, ""), (.trash, ".trash")] {
      try look(into: start, at: path, &found)
    }
    return found
  }

  @discardableResult
  private func look(
    into id: ItemID, at path: String, _ found: inout [ItemID: FoundItem]
  ) throws -> Summary {
    let listing = try self.listing(of: id)
    var sum = Summary()
    for recording in listing.recordings {
      let file = recording.file ?? ""
      let item = FoundItem(
        parent: id, title: recording.title,
        kind: .recording(try content(of: recording, at: path.isEmpty ? file : path + "/" + file)))
      try Broken.unless(found.updateValue(item, forKey: recording.id) == nil, "listed twice")
      sum.tally =
        sum.tally
        + Tally(
          recordings: 1, unheard: recording.isHeard ? 0 : 1,
          copied: recording.copies.isEmpty ? 0 : 1)
      sum.latest = [sum.latest, recording.date].compactMap { $0 }.max()
    }
    for folder in listing.folders {
      let below = path.isEmpty ? folder.directory : path + "/" + folder.directory
      let inside = try self.listing(of: folder.id)
      let item = FoundItem(parent: id, title: folder.name, kind: .folder(inside.order))
      try Broken.unless(found.updateValue(item, forKey: folder.id) == nil, "listed twice")
      let counted = try look(into: folder.id, at: below, &found)
      try Broken.unless(
        counted == folder.summary, "\(folder.name) has \(folder.summary), not \(counted)")
      sum.tally = sum.tally + counted.tally
      sum.latest = [sum.latest, counted.latest].compactMap { $0 }.max()
    }
    return sum
  }

  func listing(of id: ItemID) throws -> Listing {
    for event in give(.read(id)) {
      switch event {
      case .listed(let told, let listing) where told == id: return listing
      case .unreadable(_, let why): throw Broken(description: "cannot be read: \(why)")
      default: break
      }
    }
    throw Broken(description: "a folder was never listed")
  }

  private func content(of recording: Recording, at path: String) throws -> FoundItem.Take {
    let directory = path.split(separator: "/").dropLast().map(String.init)
    var files: [Int: FoundItem.File] = [:]
    let tracks = recording.tracks.others
    let sounds = [recording.sound] + tracks.map(\.sound)
    for (index, name) in recording.fileNames(recording.file ?? "").enumerated() {
      let file = try system.open((directory + [name]).joined(separator: "/"), .read)
      try expectHash(sounds[index].hash, of: file, recording)
      files[index == 0 ? 1 : tracks[index - 1].number] = FoundItem.File(
        frames: sounds[index].frames, bytes: try file.all(),
        isPlayable: try Repair.examine(file).verdict == .whole)
    }
    return FoundItem.Take(
      sequence: recording.sequence ?? 0, isHeard: recording.isHeard,
      copies: Set(recording.copies.map(\.target)), marks: recording.marks,
      stage: recording.stage, files: files)
  }
}

extension StoreRig {
  /// Throws if an entry has a hash, and the sound of its file has another.
  private func expectHash(
    _ hash: SoundHash?, of file: System.File, _ recording: Recording
  ) throws {
    guard let hash else { return }
    let found = SoundHash(try SoundHasher.reading(file).sum)
    try Broken.unless(found == hash, "“\(recording.title)” has the hash of another sound")
  }
}

extension Recording {
  /// Returns a recording called "Take 3" if its identity ends in 3.
  static func take(
    _ id: ItemID, in folder: ItemID = .root, stage: Recording.Stage = .recording
  ) -> Recording {
    Recording(
      id: id, folder: folder, sequence: Int(id.low), title: "Take \(id.low)",
      began: Moment(
        boot: .root, instant: Instant(nanoseconds: 0),
        wall: WallTime(milliseconds: 1_800_000_000_000), quality: .synchronised),
      stage: stage, sound: Sound(frames: 9_000, sizeBytes: 100))
  }
}

extension Store where System == MemoryCard {
  /// Makes a take from its beginning to its end, in the folder at that path.
  func record(
    _ id: ItemID, in folder: ItemID, at path: String, _ now: WallTime
  ) throws {
    let begun = Recording.take(id, in: folder)
    perform(.begin(begun), now: now)
    let file = try system.open(path + "000\(id.low) Take \(id.low).opus", .change)
    try file.put(TakeSound.of(begun, folder: "").bytes, at: 0)
    try file.sync()
    perform(.keep(Recording.take(id, in: folder, stage: .finished)), now: now)
  }
}

extension StoreRig where System == MemoryCard {
  func record(_ id: ItemID, in folder: ItemID = .root, at path: String = "") throws {
    try store.record(id, in: folder, at: path, WallTime(milliseconds: 1_800_000_000_000))
    while store.step() {}
  }
}

/// The sound of a take, as its writer puts it on the card.
struct TakeSound {
  struct Page {
    let bytes: [UInt8]
    let playableFrames: Int64
  }

  private(set) var pages: [Page] = []
  private var part = 0
  /// What closes a FLAC file.
  private(set) var seal: FlacSeal?
  var bytes: [UInt8] { pages.flatMap(\.bytes) }
  var frames: Int64 { pages.last?.playableFrames ?? 0 }
  private var hasher = SoundHasher()
  /// As its writer computes it.
  var hash: SoundHash? { SoundHash(hasher.sum) }

  /// Returns a bit more than a second of noise, different for each recording. If it is split, as
  /// much was in a part before it, and it begins with a lead-in. There is little room for tags,
  /// unless more is wanted.
  static func of(
    _ recording: Recording, folder: String, track: Int = 1, isSplit: Bool = false,
    tagSpace: Int = 1024
  ) throws -> TakeSound {
    let tags = tags(of: recording, folder, track)
    var sound = TakeSound()
    let samples = noise(of: recording, track)
    var settings = OpusSettings()
    settings.sampleRate = 8000
    settings.bitsPerSecond = 6000
    settings.complexity = 0
    // Each take has a serial of its own, as in the recorder: stale bytes of another take do not
    // match it.
    var writer = try OggOpusWriter.begin(
      settings, tags: tags, serial: recording.id.serial(ofTrack: track), tagSpace: tagSpace
    ) { (page) throws(TapeError) in sound.add(page) }
    let result = samples.withUnsafeBufferPointer { samples in
      Result { () throws(TapeError) in
        try writer.write(samples) { (page) throws(TapeError) in sound.add(page) }
        guard isSplit else { return }
        try writer.split(tags: tags, serial: recording.id.serial, tagSpace: 400)
        try writer.write(samples) { (page) throws(TapeError) in sound.add(page) }
      }
    }
    try result.get()
    try writer.finish { (page) throws(TapeError) in sound.add(page) }
    return sound
  }

  /// The same as FLAC.
  static func flac(of recording: Recording, folder: String, track: Int = 1) throws -> TakeSound {
    var settings = FlacSettings()
    settings.sampleRate = 8000
    var sound = TakeSound()
    var writer = try FlacWriter.begin(
      settings, float: false, tags: tags(of: recording, folder, track),
      serial: recording.id.serial(ofTrack: track)
    ) { (page) throws(TapeError) in sound.add(page) }
    try noise(of: recording, track).withUnsafeBytes { samples in
      Result { () throws(TapeError) in
        try writer.write(samples) { (page) throws(TapeError) in sound.add(page) }
      }
    }.get()
    try writer.finish { (page) throws(TapeError) in sound.add(page) }
    return sound
  }

  private static func noise(of recording: Recording, _ track: Int) -> [Int16] {
    var noise = UInt32(truncatingIfNeeded: recording.id.low &* 77 &+ UInt64(track))
    return (0..<9_000).map { _ in
      noise = noise &* 1_664_525 &+ 1_013_904_223
      return Int16(truncatingIfNeeded: Int32(bitPattern: noise) >> 20)
    }
  }

  private static func tags(of recording: Recording, _ folder: String, _ track: Int) -> Tags {
    var tags = Tags()
    tags.id = recording.id.description
    tags.sequence = recording.sequence
    tags.title = recording.title
    tags.folder = folder
    tags.date = "2023-11-14T22:13:20Z"
    tags.timeQuality = .synchronised
    var facts = RecordingFacts([])
    facts.track = recording.tracks.fact(of: track)
    tags.facts = facts.facts.map { Tags.Comment(key: $0.key, value: $0.value) }
    return tags
  }

  /// The bytes of the file once it is closed.
  func closed() throws -> [UInt8] {
    guard let seal else { return bytes }
    let file = try MemoryCard(.journalling).open("it", .create)
    try file.put(bytes, at: 0)
    try seal.write(into: file)
    return try file.all()
  }

  /// Returns the same file, with tags that tell of the recording. Where a title leaves no room, the
  /// one before it stays.
  static func retagged(
    _ bytes: [UInt8], _ recording: Recording, track: Int = 1
  ) throws -> [UInt8] {
    let file = try MemoryCard(.journalling).open("it", .create)
    try file.put(bytes, at: 0)
    var tags = try #require(try Tags.read(from: file))
    let title = tags.title
    tags.update(from: recording, track: track)
    do { try tags.write(into: file) } catch {
      tags.title = title
      do { try tags.write(into: file) } catch { return bytes }
    }
    return try file.all()
  }

  private mutating func add(_ page: PageOut) {
    // Of several parts, the last one is kept.
    if page.part > part { (part, pages, hasher) = (page.part, [], SoundHasher()) }
    hasher.add(page)
    seal = page.seal
    pages.append(Page(bytes: Array(page.bytes), playableFrames: page.playableFrames))
  }
}
