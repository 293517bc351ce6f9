// A library whose indexes are all lost is found again from its files alone, as docs/card.md
// promises. Random libraries: folders in folders, parts, marks, gaps, clipping, takes that were cut
// short, deleted, renamed, moved and described ones. REEL_SEED=… runs one of them.

import Seeds
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct RebuildTests {
  @Test(
    "without its indexes a library is as it was, in all that its files tell",
    arguments: MemoryCard.Kind.allCases)
  func rebuilt(kind: MemoryCard.Kind) throws {
    for seed in Seeds("rebuild", count: 12) {
      do { try run(seed, kind) } catch let broken as Broken {
        let kept = Seeds.keep("rebuild", "\(seed)", because: "\(kind): \(broken)")
        Issue.record("REEL_SEED=\(seed), \(kind): \(broken)\n\(kept)")
        return
      }
    }
  }

  private func run(_ seed: UInt64, _ kind: MemoryCard.Kind) throws {
    let story = try LibraryStory(kind, seed: seed)
    for _ in 0..<60 { try story.step() }
    let before = try Shelf(of: story.rig)
    let card = story.rig.system
    try loseIndexes(of: card)
    let rebuilt = StoreRig(card)
    try rebuilt.open()
    let after = try Shelf(of: rebuilt)
    try compare(before, after, renamed: story.renamed)
    // A second start changes nothing.
    let bytes = card.everything.map(\.bytes)
    try StoreRig(card).open()
    try Broken.unless(card.everything.map(\.bytes) == bytes, "a second start changed the card")
    try verify(rebuilt, before)
  }

  /// Verification finds the same hashes again.
  private func verify(_ rig: StoreRig<MemoryCard>, _ before: Shelf) throws {
    for id in [ItemID.root, .trash] {
      guard case .done(.verified(let report)) = rig.work(.long(.verify(id))), report.isWell else {
        throw Broken(description: "a file is not as it should be")
      }
    }
    let after = try Shelf(of: rig)
    for (id, (path, old)) in before.recordings {
      let hash = after.recordings[id]?.recording.sound.hash
      try Broken.unless(hash == old.sound.hash && hash != nil, "\(path) has another hash")
    }
  }

  private func loseIndexes(of card: MemoryCard) throws {
    for (path, bytes) in card.everything where bytes != nil {
      let path = String(decoding: path, as: UTF8.self)
      if FileName.isIndex(String(path.split(separator: "/").last ?? "")) { try card.remove(path) }
    }
  }

  private func compare(_ before: Shelf, _ after: Shelf, renamed: Set<ItemID>) throws {
    try Broken.unless(
      before.directories == after.directories,
      "folders: \(before.directories.sorted()) and \(after.directories.sorted())")
    try Broken.unless(
      Set(before.recordings.keys) == Set(after.recordings.keys), "other recordings are found")
    for (id, (path, old)) in before.recordings {
      guard let (place, new) = after.recordings[id] else { continue }
      try Broken.unless(path == place, "\(path) is at \(place)")
      if renamed.contains(id) {
        // It is in the tags if they were written since.
        let own = FileName.parts(old.file ?? "").title
        try Broken.unless(
          [old.title, own].contains(new.title),
          "\(path) is called \(new.title), and was \(old.title)")
      }
      let (told, found) = (
        old.promised(renamed.contains(id)), new.promised(renamed.contains(id))
      )
      try Broken.unless(told == found, "\(path) is\n  \(found) and was\n  \(told)")
      try Broken.unless(!new.isHeard && new.thrownFrom == nil, "\(path) knows too much")
    }
  }
}

extension Recording {
  /// What the files promise: not its folder's identity, nor whether it was heard, nor from where it
  /// was deleted; marks to the millisecond; and not a title that was given later.
  fileprivate func promised(_ isRenamed: Bool) -> Recording {
    var told = Recording(
      id: id, folder: .root, sequence: sequence, title: isRenamed ? "" : title,
      titleIsDefault: !isRenamed && titleIsDefault, began: began, stage: stage, file: file,
      sound: unhashed, marks: marks.map { Mark(frame: $0.frame / 48 * 48, name: $0.name) },
      details: details, integrity: integrity, continues: continues, part: part)
    told.revision = 0
    return told
  }

  /// Of what is found without an index the hash is computed when it is verified.
  private var unhashed: Sound {
    var sound = sound
    sound.hash = nil
    return sound
  }
}

/// Everything on a card, by the paths of directories and files.
private struct Shelf {
  private(set) var directories: Set<String> = []
  private(set) var recordings: [ItemID: (path: String, recording: Recording)] = [:]
  private(set) var folders: [ItemID: String] = [:]

  init(of rig: StoreRig<MemoryCard>) throws {
    try add(.root, at: "", rig)
    try add(.trash, at: ".trash/", rig)
  }

  private mutating func add(_ id: ItemID, at path: String, _ rig: StoreRig<MemoryCard>) throws {
    folders[id] = path
    let listing = try rig.listing(of: id)
    for recording in listing.recordings {
      let known = recordings.updateValue(
        (path + (recording.file ?? ""), recording), forKey: recording.id)
      try Broken.unless(known == nil, "listed twice")
    }
    for folder in listing.folders {
      directories.insert(path + folder.directory)
      try add(folder.id, at: path + folder.directory + "/", rig)
    }
  }
}

/// What people, the sound path and power cuts do to a library.
private final class LibraryStory {
  private(set) var rig: StoreRig<MemoryCard>
  /// Recordings whose title was given after the take.
  private(set) var renamed: Set<ItemID> = []
  private var random: SplitMix64
  private var number = 0
  private var last: ItemID?

  init(_ kind: MemoryCard.Kind, seed: UInt64) throws {
    rig = StoreRig(MemoryCard(kind))
    random = SplitMix64(seed: seed)
    try rig.open()
  }

  private let titles = [
    "Kitchen", "kitchen", "Küche", "CON", "a/b: c?", "Ein langer Abend.", "…", "日本語の録音",
    String(repeating: "é", count: 300), "2026-11-20 14.03.22",
  ]

  func step() throws {
    let shelf = try Shelf(of: rig)
    let open = shelf.folders.filter { !$0.value.hasPrefix(".trash") }
    let movable = items(of: shelf, inTrash: false)
    let folder = random.pick(open.keys.sorted())
    switch random.below(13) {
    case 0:
      number += 1
      let id = ItemID(high: 2, low: UInt64(number))
      try work(.makeFolder(id, name: random.pick(titles), in: folder))
    case 1, 2, 3: try record(in: folder, at: open[folder] ?? "", isCut: false)
    case 4: try record(in: folder, at: open[folder] ?? "", isCut: true)
    default: try change(movable, folder, shelf)
    }
  }

  private func items(of shelf: Shelf, inTrash: Bool) -> [Recording] {
    shelf.recordings.values.filter { $0.path.hasPrefix(".trash/") == inTrash }
      .map(\.recording).sorted { $0.id < $1.id }
  }

  private func change(_ movable: [Recording], _ folder: ItemID, _ shelf: Shelf) throws {
    guard !movable.isEmpty else { return }
    var recording = random.pick(movable)
    switch random.below(9) {
    case 0:
      try work(.rename(recording.id, to: random.pick(titles)))
      renamed.insert(recording.id)
    case 1: try work(.move(recording.id, to: folder, at: nil))
    case 2: try work(.throwAway(recording.id))
    case 3:
      let thrown = items(of: shelf, inTrash: true)
      if let id = thrown.first?.id { try work(.restore(id)) }
    case 4:
      guard folder != .root else { return }
      try work(random.below(3) == 0 ? .throwAway(folder) : .rename(folder, to: random.pick(titles)))
    case 5:
      recording.isHeard.toggle()
      rig.give(.keep(recording))
    case 6:
      recording.marks = marks(upTo: recording.sound.frames)
      rig.give(.keep(recording))
    case 7:
      recording.began.wall = WallTime(milliseconds: 1_750_000_000_123)
      if recording.began.quality == .unsynchronised {
        recording.began.quality = .corrected
        rig.give(.keep(recording))
      }
    default:
      recording.details = Recording.Details(
        notes: random.pick(["", "one\ntwo"]), place: random.pick(["", "Küche"]),
        speaker: random.pick(["", "Käthe"]))
      rig.give(.keep(recording))
    }
  }

  private func work(_ work: CardWork) throws {
    guard case .failed(let why) = rig.work(work) else { return }
    // A folder into itself, and the like.
    try Broken.unless(!why.isEmpty, "work failed without a word")
  }

  private func marks(upTo frames: Int64) -> [Mark] {
    (0..<random.below(4)).map { index in
      Mark(
        frame: Int64(random.below(Int(max(1, frames)))),
        name: random.pick(["", "here", "Tür \(index)"]))
    }.sorted { $0.frame < $1.frame }
  }

  // MARK: Takes

  private func record(in folder: ItemID, at path: String, isCut: Bool) throws {
    number += 1
    let begun = recording(ItemID(high: 1, low: UInt64(number)), in: folder)
    var name: String?
    for case .take(begun.id, .made(let file)) in rig.give(.begin(begun)) { name = file }
    guard let name else { throw Broken(description: "a take was never made") }
    // The room that the recorder keeps for tags.
    let sound = try TakeSound.of(begun, folder: "", tagSpace: 4096)
    let pages =
      isCut ? sound.pages.prefix(2 + random.below(sound.pages.count - 2)) : sound.pages[...]
    let file = try rig.system.open(path + name, .change)
    try file.put(pages.flatMap(\.bytes), at: 0)
    try file.sync()
    last = begun.id
    if isCut {
      // The daemon dies, and starts again.
      rig = StoreRig(rig.system)
      try rig.open()
    } else {
      var ended = begun
      ended.finish()
      ended.sound = Sound(
        frames: sound.frames, sizeBytes: Int64(sound.bytes.count), hash: sound.hash)
      ended.integrity = integrity(frames: sound.frames)
      ended.marks = marks(upTo: sound.frames)
      rig.give(.keep(ended))
    }
  }

  private func recording(_ id: ItemID, in folder: ItemID) -> Recording {
    let qualities: [ClockQuality] = [.synchronised, .unsynchronised]
    return Recording(
      id: id, folder: folder, sequence: number, title: random.pick(titles),
      titleIsDefault: random.below(2) == 0,
      began: Moment(
        boot: ItemID(high: 3, low: 3), instant: Instant(nanoseconds: Int64(number)),
        wall: WallTime(milliseconds: 1_700_000_000_000 + Int64(random.below(1_000_000))),
        quality: random.pick(qualities)), stage: .recording, integrity: Integrity(device: "Mic"),
      continues: random.below(3) == 0 ? last : nil, part: 1 + random.below(3))
  }

  private func integrity(frames: Int64) -> Integrity {
    let reasons: [StopReason] = [.pressed, .split, .deviceLost, .shutdown]
    let gaps = random.below(3) == 0 ? [Gap(frame: 480, frames: 960, cause: .overrun)] : []
    return Integrity(
      device: "Mic", gaps: gaps, clippedFrames: Int64(random.below(2) * 77),
      peakMillibels: -random.below(600), loudnessCentiLUFS: random.below(2) == 0 ? nil : -2345,
      microphoneSeemsDead: random.below(5) == 0, deadChannel: random.below(5) == 0 ? 2 : nil,
      stopReason: random.pick(reasons))
  }
}

extension SplitMix64 {
  fileprivate mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }
}
