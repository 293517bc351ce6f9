// What the folder store costs, by the size of the folder: bytes and operations a change sends to
// the card, counted on one in memory, and how long opening a card and listing a folder take beside
// reading the same index files plainly. Used on the main thread; writes only below the directory it
// is given.
import CAllocations
import Glibc
import Library
import Recorder
import Tape

func measureStore(_ arguments: [String]) throws -> String? {
  let numbers = arguments.compactMap { Int($0) }
  switch (arguments.first, arguments.count, numbers.count) {
  case ("changes", 3, 2): return try costOfChanges(items: numbers[0], changes: numbers[1])
  case ("fill", 4, 2):
    return try fill(arguments[1], recordings: numbers[0], folders: max(1, numbers[1]))
  case ("open", 2, _): return try timeToOpen(arguments[1])
  case ("list", 2, _): return try timeToList(arguments[1])
  default: return nil
  }
}

// MARK: Changes

private func costOfChanges(items: Int, changes: Int) throws -> String {
  let card = MemoryCard(.journalling)
  let desk = Desk(card)
  let folder = desk.makeFolder(1)
  let recordings = (0..<items).map { desk.take($0, in: folder) }
  var lines: [String] = []
  func measure(_ name: String, _ change: (Int) -> Void) {
    let (before, start) = (card.counts, processor_microseconds())
    for number in 0..<changes { change(number) }
    let (after, end) = (card.counts, processor_microseconds())
    let figures = [
      ("bytes", after.bytesWritten - before.bytesWritten),
      ("operations", after.changes - before.changes), ("syncs", after.syncs - before.syncs),
      ("ns", Int((end - start) * 1000)),
    ]
    lines += figures.map { "\(name) \($0.0) \(($0.1 + changes / 2) / changes)" }
  }
  measure("heard") { number in
    desk.give(.keep(recordings[number % items].copy(isHeard: number / items % 2 == 0)))
  }
  measure("rename") { number in
    let id = recordings[number % items].id
    desk.give(.work(ticket: 1, .rename(id, to: "Kitchen \(number)")))
  }
  measure("make") { number in
    let made = desk.take(items + number, in: folder)
    desk.give(.work(ticket: 1, .throwAway(made.id)))
    desk.give(.work(ticket: 1, .purge(.item(made.id))))
  }
  return lines.joined(separator: "\n")
}

/// Somebody who gives a store commands and waits for what comes of them.
private final class Desk<System: FileSystem> {
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
    if isOpened { give(.open) }
  }

  func give(_ command: CardCommand) {
    give(command, isWaitedFor: true)
    switch mail.event {
    case .failed(let why), .unreadable(_, let why), .take(_, .failed(let why)),
      .work(_, .failed(let why)):
      preconditionFailure("a card in memory does not fail: \(why)")
    default: break
    }
  }

  func give(_ command: CardCommand, isWaitedFor: Bool) {
    store.carryOut(command, now: now)
    if isWaitedFor { while store.step() {} }
  }

  var listing: Listing? {
    if case .listed(_, let listing) = mail.event { listing } else { nil }
  }

  func makeFolder(_ number: Int) -> ItemID {
    let id = ItemID(high: 7, low: UInt64(number))
    give(.work(ticket: 1, .makeFolder(id, name: "Folder \(number)", in: .root)))
    return id
  }

  func take(_ number: Int, in folder: ItemID) -> Recording {
    let began = Moment(
      boot: ItemID(high: 1, low: 1), instant: Instant(nanoseconds: Int64(number) * 1_000_000_000),
      wall: now.adding(milliseconds: Int64(number) * 1000), quality: .synchronised)
    func recording(_ stage: Recording.Stage, _ sound: Sound) -> Recording {
      Recording(
        id: ItemID(high: 9, low: UInt64(number)), folder: folder, sequence: number + 1,
        title: "Recording \(number)", began: began, stage: stage, sound: sound,
        integrity: Integrity(device: "Microphone", peakCentibels: -312, loudnessCentiLUFS: -2300))
    }
    give(.begin(recording(.recording, Sound())))
    let finished = recording(.finished, Sound(frames: 14_400_000, sizeBytes: 2_400_000))
    give(.keep(finished))
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

/// A card as the store leaves it, put into a directory: the first folder holds what is left over
/// when the others hold as many as each other.
private func fill(_ directory: String, recordings: Int, folders: Int) throws -> String {
  let card = MemoryCard(.journalling)
  let desk = Desk(card)
  let ids = (1...folders).map { desk.makeFolder($0) }
  for number in 0..<recordings { _ = desk.take(number, in: ids[number % folders]) }
  desk.give(.work(ticket: 1, .exportMode(true)))
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

private let indexFiles = ["folder.0.json", "folder.1.json", "folder.journal"]

/// "ours" and "plainly": nanoseconds, and the bytes that both read.
private func timeToOpen(_ directory: String) throws -> String {
  let card = try PosixCard.open(directory)
  let plain = try readPlainly(card, below: ["", ".trash"])
  let start = ContinuousClock.now
  Desk(card, isOpened: false).give(.open, isWaitedFor: false)
  return report(start.duration(to: .now), plain)
}

private func timeToList(_ directory: String) throws -> String {
  let card = try PosixCard.open(directory)
  let desk = Desk(card, isOpened: false)
  desk.give(.open, isWaitedFor: false)
  let plain = try readPlainly(card, below: ["Folder 1"])
  let start = ContinuousClock.now
  desk.give(.read(ItemID(high: 7, low: 1)), isWaitedFor: false)
  let taken = start.duration(to: .now)
  guard let count = desk.listing?.recordings.count, count > 0 else {
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
  // Once before, so that both find the files in memory.
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
