// A store on a directory of the test's own, and a caller that gives it commands, writes the sound,
// and lists the directory as a file manager does.

import Digest
import FoundationEssentials
import Glibc
import Recorder
import Tape
import Testing

@testable import Library

final class StoreDesk {
  let scratch: Scratch
  private(set) var store: Store<PosixCard>
  private let mail: Mail
  private var lastID: UInt64 = 0
  private var lastSequence = 0
  private var ticket = 0
  var now = WallTime(milliseconds: 1_800_000_000_000)

  private final class Mail { var events: [CardEvent] = [] }

  private var key: SigningKey?

  /// - Parameter path: where the card's directory is made; nil for a directory of its own.
  init(in path: String? = nil, key: SigningKey? = nil) throws {
    scratch = Scratch(at: path)
    mail = Mail()
    self.key = key
    store = try Self.store(scratch.path, key, mail)
    give(.open)
  }

  private static func store(
    _ path: String, _ key: SigningKey?, _ mail: Mail
  ) throws -> Store<PosixCard> {
    Store(system: try PosixCard.open(path), key: key) { mail.events.append($0) }
  }

  // MARK: Commands

  /// Performs a command and the background steps that follow; returns the events.
  @discardableResult
  func give(_ command: CardCommand) -> [CardEvent] {
    mail.events = []
    store.perform(command, now: now)
    while store.step() {}
    return mail.events
  }

  /// Opens the card with a new store, as after a restart.
  @discardableResult
  func reopen(with key: SigningKey? = nil) throws -> [CardEvent] {
    self.key = key ?? self.key
    store = try Self.store(scratch.path, self.key, mail)
    return give(.open)
  }

  @discardableResult
  func work(_ work: CardWork) throws -> WorkResult {
    ticket += 1
    for case .work(_, let event) in give(.work(ticket: ticket, work)) {
      switch event {
      case .done(let result): return result
      case .failed(let why): throw Failed(why: why)
      case .progress: break
      }
    }
    throw Failed(why: "nobody answered")
  }

  struct Failed: Error { let why: String }

  func newID() -> ItemID {
    lastID += 1
    return ItemID(high: 0xABCD, low: lastID)
  }

  func makeFolder(_ name: String, in parent: ItemID = .root) throws -> ItemID {
    let id = newID()
    try work(.makeFolder(id, name: name, in: parent))
    return id
  }

  // MARK: Takes

  func recording(_ title: String, in folder: ItemID = .root) -> Recording {
    lastSequence += 1
    return Recording(
      id: newID(), folder: folder, sequence: lastSequence, title: title, titleIsDefault: true,
      began: Moment(
        boot: ItemID(high: 9, low: 9), instant: Instant(nanoseconds: 5_000_000_000),
        wall: now, quality: .synchronised), stage: .recording)
  }

  /// Begins a take; returns the path of its file.
  func begin(_ recording: Recording) throws -> String {
    for case .take(recording.id, let event) in give(.begin(recording)) {
      if case .made(let file) = event {
        return try path(of: recording.folder) + file
      }
      if case .failed(let why) = event { throw Failed(why: why) }
    }
    throw Failed(why: "nobody answered")
  }

  /// Makes a take from its beginning to its end.
  @discardableResult
  func record(_ title: String, in folder: ItemID = .root, seconds: Int = 1) throws -> Recording {
    let recording = recording(title, in: folder)
    let path = try begin(recording)
    let bytes = try sound(of: recording, seconds: seconds)
    try put(path, Data(bytes))
    let sum = try SoundHasher.reading(PosixFile.open(scratch.path + "/" + path, .read)).sum
    return try end(recording, bytes: bytes.count, seconds: seconds, SoundHash(sum))
  }

  func end(
    _ recording: Recording, bytes: Int, seconds: Int, _ hash: SoundHash? = nil
  ) throws -> Recording {
    let finished = Recording(
      id: recording.id, folder: recording.folder, sequence: recording.sequence,
      title: recording.title, titleIsDefault: recording.titleIsDefault, began: recording.began,
      sound: Sound(frames: Int64(seconds) * 48_000, sizeBytes: Int64(bytes), hash: hash),
      integrity: Integrity(device: "Mic", stopReason: .pressed))
    let events = give(.keep(finished))
    #expect(events.contains(.take(recording.id, .kept)))
    return finished
  }

  /// Returns an Opus file as the sound path writes it.
  func sound(of recording: Recording, seconds: Int) throws -> [UInt8] {
    var tags = Tags()
    tags.id = "\(recording.id)"
    tags.sequence = recording.sequence
    tags.title = recording.title
    tags.device = "Mic"
    tags.channels = 1
    tags.date = "2027-01-15T08:00:00Z"
    tags.timeQuality = .synchronised
    var bytes: [UInt8] = []
    var settings = OpusSettings()
    settings.complexity = 0
    var writer = try OggOpusWriter.begin(
      settings, tags: tags, serial: recording.id.serial
    ) { (page) throws(TapeError) in bytes += page.bytes }
    let samples = (0..<48_000 * seconds).map { Int16(truncatingIfNeeded: $0 * 97 % 6000) }
    try samples.withUnsafeBufferPointer { samples in
      try writer.write(samples) { (page) throws(TapeError) in bytes += page.bytes }
    }
    try writer.finish { (page) throws(TapeError) in bytes += page.bytes }
    return bytes
  }

  // MARK: Reading

  func listing(_ id: ItemID = .root) throws -> Listing {
    for event in give(.read(id)) {
      if case .listed(id, let listing) = event { return listing }
      if case .unreadable(_, let why) = event { throw Failed(why: why) }
    }
    throw Failed(why: "nobody answered")
  }

  func titles(_ id: ItemID = .root) throws -> [String] {
    let listing = try listing(id)
    return (listing.folders.map { $0.name + "/" } + listing.recordings.map(\.title)).sorted()
  }

  /// All paths as a file manager shows them, without the index files.
  var names: [String] {
    // A folder that does not exist holds nothing.
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: scratch.path)) ?? []
    return all.filter { !($0.split(separator: "/").last ?? "").hasPrefix("folder.") }.sorted()
  }

  func file(_ name: String) -> Data {
    FileManager.default.contents(atPath: scratch.path + "/" + name) ?? Data()
  }

  /// The root's journal up to the zeros at its end.
  var journal: Data {
    let bytes = file("folder.journal")
    return bytes.prefix(bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)
  }

  func put(_ name: String, _ bytes: Data) throws {
    try bytes.write(to: URL(filePath: scratch.path + "/" + name))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: scratch.path + "/" + name)
  }

  func moveByHand(_ name: String, to target: String) {
    #expect(rename(scratch.path + "/" + name, scratch.path + "/" + target) == 0)
  }

  private func path(of folder: ItemID) throws -> String {
    if folder == .root { return "" }
    for candidate in try listing(.root).folders where candidate.id == folder {
      return candidate.directory + "/"
    }
    throw Failed(why: "only folders of the root are recorded into here")
  }
}

extension [CardEvent] {
  var findings: [CardFinding] {
    compactMap { if case .found(let finding) = $0 { finding } else { nil } }
  }

  var report: CardReport? {
    for case .opened(let report) in self { return report }
    return nil
  }
}
