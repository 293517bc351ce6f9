// What the folder store costs, by the size of the folder: bytes and operations a change sends to
// the card, counted on one in memory, and how long opening a card and listing a folder take beside
// reading the same index files plainly. Used on the main thread; writes only below the directory
// it is given.
import CAllocations
import Glibc
import Library
import Recorder
import Synchronization
import Tape

func measureStore(_ arguments: [String]) throws -> String? {
  let numbers = arguments.compactMap { Int($0) }
  switch (arguments.first, arguments.count, numbers.count) {
  case ("changes", 3, 2): return try costOfChanges(items: numbers[0], atLeast: numbers[1])
  case ("fill", 4, 2), ("fill", 5, 2):
    return try fill(
      arguments[1], recordings: numbers[0], folders: max(1, numbers[1]),
      withLongJournal: arguments.last == "long")
  case ("open", 2, _): return try timeToOpen(arguments[1])
  case ("list", 2, _): return try timeToList(arguments[1])
  default: return nil
  }
}

// MARK: Changes

/// Counts from one snapshot of the folder to another, over at least `changes` changes, so that each
/// change bears its share of what snapshots cost, however rare they are.
private func costOfChanges(items: Int, atLeast changes: Int) throws -> String {
  let card = MemoryCard(.journalling)
  let rig = Rig(card)
  let folder = rig.makeFolder(1)
  let recordings = (0..<items).map { rig.record(10_000 + $0, in: folder) }
  let snapshots = SnapshotCount(of: "Folder 1", on: card)
  var lines: [String] = []
  func measure(_ name: String, _ change: (Int) -> Void) throws {
    var number = 0
    func goOn(atLeast count: Int) throws {
      let (first, seen) = (number, snapshots.count)
      repeat {
        let before = snapshots.count
        while snapshots.count == before {
          change(number)
          number += 1
          // Stands in for the kernel, which writes back unsynced data by itself, sooner or later.
          if number % 1000 == 0 { try card.open("folder.journal", .change).sync() }
        }
      } while number - first < count || snapshots.count == seen
    }
    try goOn(atLeast: 1)
    let (first, before, start) = (number, card.counts, processor_microseconds())
    try goOn(atLeast: changes)
    let (after, end) = (card.counts, processor_microseconds())
    let figures = [
      ("bytes", Double(after.bytesWritten - before.bytesWritten)),
      ("operations", Double(after.changes - before.changes)),
      ("syncs", Double(after.syncs - before.syncs)), ("ns", Double(end - start) * 1000),
    ]
    // In hundredths, because there are few operations.
    lines += figures.map { unit, figure in
      let hundredths = Int((figure * 100 / Double(number - first)).rounded())
      let rest = hundredths % 100
      return "\(name) \(unit) \(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
  }
  try measure("heard") { number in
    rig.perform(.keep(recordings[number % items].copy(isHeard: number / items % 2 == 0)))
  }
  try measure("rename") { number in
    let id = recordings[number % items].id
    rig.perform(.work(ticket: 1, .rename(id, to: "Kitchen \(10_000 + number % 80_000)")))
  }
  try measure("make") { number in
    let made = rig.record(100_000 + number, in: folder)
    rig.perform(.work(ticket: 1, .throwAway(made.id)))
    rig.perform(.work(ticket: 1, .purge(.item(made.id))))
  }
  return lines.joined(separator: "\n")
}

/// Counts how often the index of a folder is written as a new snapshot.
private final class SnapshotCount: Sendable {
  private let seen = Atomic(0)

  var count: Int { seen.load(ordering: .relaxed) }

  init(of directory: String, on card: MemoryCard) {
    card.beforeEach { [self] operation in
      guard operation.kind == .write, operation.path.hasPrefix(directory + "/folder."),
        operation.path.hasSuffix(".json")
      else { return }
      seen.add(1, ordering: .relaxed)
    }
  }
}

/// Gives a store commands and waits for their results.
private final class Rig<System: FileSystem> {
  private let store: Store<System>
  private let mail: Mail
  private let now = WallTime(milliseconds: 1_700_000_000_000)

  private final class Mail { var event: CardEvent? }

  init(_ system: System, isOpened: Bool = true) {
    let mail = Mail()
    self.mail = mail
    store = Store(system: system) { event in
      switch event {
      case .failed, .listed, .unreadable, .take(_, .failed), .work(_, .failed): mail.event = event
      default: break
      }
    }
    if isOpened { perform(.open) }
  }

  func perform(_ command: CardCommand) {
    perform(command, isWaitedFor: true)
    switch mail.event {
    case .failed(let why), .unreadable(_, let why), .take(_, .failed(let why)),
      .work(_, .failed(let why)):
      preconditionFailure("a card in memory does not fail: \(why)")
    default: break
    }
  }

  func perform(_ command: CardCommand, isWaitedFor: Bool) {
    store.perform(command, now: now)
    if isWaitedFor { while store.step() {} }
  }

  var listing: Listing? {
    if case .listed(_, let listing) = mail.event { listing } else { nil }
  }

  func makeFolder(_ number: Int) -> ItemID {
    let id = ItemID(high: 7, low: UInt64(number))
    perform(.work(ticket: 1, .makeFolder(id, name: "Folder \(number)", in: .root)))
    return id
  }

  func record(_ number: Int, in folder: ItemID) -> Recording {
    let began = Moment(
      boot: ItemID(high: 1, low: 1), instant: Instant(nanoseconds: Int64(number) * 1_000_000_000),
      wall: now.adding(milliseconds: Int64(number) * 1000), quality: .synchronised)
    func recording(_ stage: Recording.Stage, _ sound: Sound) -> Recording {
      Recording(
        id: ItemID(high: 9, low: UInt64(number)), folder: folder, sequence: number + 1,
        title: "Recording \(number)", began: began, stage: stage, sound: sound,
        integrity: Integrity(device: "Microphone", peakMillibels: -312, loudnessCentiLUFS: -2300))
    }
    perform(.begin(recording(.recording, Sound())))
    let finished = recording(.finished, Sound(frames: 14_400_000, sizeBytes: 2_400_000))
    perform(.keep(finished))
    return finished
  }
}

extension Recording {
  fileprivate func copy(isHeard: Bool) -> Recording {
    Recording(
      id: id, folder: folder, sequence: sequence, title: title, began: began, stage: stage,
      file: file, sound: sound, isHeard: isHeard, integrity: integrity)
  }
}

// MARK: Opening and listing

/// Fills a directory with a card as the store leaves it.
private func fill(
  _ directory: String, recordings: Int, folders: Int, withLongJournal isLong: Bool
) throws -> String {
  let card = MemoryCard(.journalling)
  let rig = Rig(card)
  let ids = (1...folders).map { rig.makeFolder($0) }
  let each = (recordings + folders - 1) / folders
  let taken = (0..<recordings).map { rig.record($0, in: ids[$0 / each]) }
  if isLong { try growJournal(of: taken, rig, on: card) }
  rig.perform(.work(ticket: 1, .exportMode(true)))
  for (path, bytes) in card.everything {
    let name = directory + "/" + String(decoding: path, as: UTF8.self)
    if let bytes {
      try PosixFile.open(name, .create).write(bytes, at: 0)
    } else if mkdir(name, 0o755) != 0 {
      throw TapeError.system(.cannotWrite, "\(name) cannot be made", errno: errno)
    }
  }
  return "\(recordings) recordings in \(folders) folders"
}

/// Grows the journal to the longest that a reader can find: one more change, and a snapshot is due.
private func growJournal(
  of recordings: [Recording], _ rig: Rig<MemoryCard>, on card: MemoryCard
) throws {
  let journal = "Folder 1/folder.journal"
  // Makes changes until a snapshot truncates the journal, or until it reaches `limit`.
  func grow(until limit: Int64) throws -> Int64 {
    var (longest, number) = (Int64(0), 0)
    while case let count = try card.entry(journal)?.byteCount ?? 0, count >= longest, count < limit
    {
      longest = count
      rig.perform(.keep(recordings[number % recordings.count].copy(isHeard: number % 2 == 0)))
      number += 1
    }
    return longest
  }
  // Twice, because the snapshot before the first cut was that of a smaller folder.
  _ = try grow(until: .max)
  let longest = try grow(until: .max)
  _ = try grow(until: longest - 4096)
}

private let indexFiles = ["folder.0.json", "folder.1.json", "folder.journal"]

/// "ours" and "plainly": nanoseconds, and the bytes that both read.
private func timeToOpen(_ directory: String) throws -> String {
  let card = try PosixCard.open(directory)
  let plain = try readPlainly(card, below: ["", ".trash"])
  let start = ContinuousClock.now
  Rig(card, isOpened: false).perform(.open, isWaitedFor: false)
  return report(start.duration(to: .now), plain)
}

private func timeToList(_ directory: String) throws -> String {
  let card = try PosixCard.open(directory)
  let rig = Rig(card, isOpened: false)
  rig.perform(.open, isWaitedFor: false)
  let plain = try readPlainly(card, below: ["Folder 1"])
  let start = ContinuousClock.now
  rig.perform(.read(ItemID(high: 7, low: 1)), isWaitedFor: false)
  let taken = start.duration(to: .now)
  guard let count = rig.listing?.items.count, count > 0 else {
    throw TapeError(.cannotRead, "The folder lists nothing.")
  }
  return report(taken, plain)
}

private func readPlainly(
  _ card: PosixCard, below folders: [String]
) throws -> (time: Swift.Duration, bytes: Int) {
  func read() throws -> Int {
    var count = 0
    for folder in folders {
      for name in indexFiles {
        let path = folder.isEmpty ? name : folder + "/" + name
        guard try card.entry(path) != nil else { continue }
        let file = try card.open(path, .read)
        count += try file.bytes(at: 0, count: Int(try file.byteCount())).count
      }
    }
    return count
  }
  // Reads once before, so that both find the files in memory.
  _ = try read()
  let start = ContinuousClock.now
  let count = try read()
  return (start.duration(to: .now), count)
}

private func report(_ ours: Swift.Duration, _ plain: (time: Swift.Duration, bytes: Int)) -> String {
  func nanoseconds(_ duration: Swift.Duration) -> Int64 {
    duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
  }
  return """
    ours \(nanoseconds(ours))
    plainly \(nanoseconds(plain.time))
    bytes \(plain.bytes)
    """
}
