// Reads the card as a finder of it would: a store of its own opens a copy of it, recovers and reads
// all, and every sound file is compared with what the device heard. The recorder sees nothing of
// this. One thread.

import Tape

@testable import Library
@testable import Recorder
@testable import Tape

enum LookReason { case cut, kill }

/// An item found on the card.
struct SeenItem {
  let parent: ItemID
  let title: String
  let isFolder: Bool
  var frames: Int64 = 0
  var gaps: [Gap] = []
  var sequence = 0
  var path = ""
  /// The files of the tracks beside the first.
  var otherTracks: [(path: String, sound: Sound)] = []
  var isRecovered = false
  var hash: SoundHash?
  var began = Instant(nanoseconds: 0)
}

extension Ledger {
  func look(at card: MemoryCard, after end: LookReason?) throws {
    world?.tally.looks += 1
    let reader = CardReader(card)
    let found = try reader.everything()
    let known = facts
    try compare(with: found, after: end)
    let recordings = found.filter { !$0.value.isFolder }.sorted {
      ($0.value.sequence, $0.key) < ($1.value.sequence, $1.key)
    }
    for (id, item) in recordings {
      try listen(to: id, item, on: card, wasFinished: known[id]?.frames != nil, after: end)
    }
    guard end != nil, let world else { return }
    for (id, truth) in world.watch.takes where found[id] == nil && truth.report == nil {
      if known[id]?.frames == nil { try checkLoss(of: id, truth, seen: nil, world) }
    }
    world.watch.forgetTakesBefore(world.now)
  }

  /// Checks the file of a recording: whole, of the right length, and frame by frame what was heard.
  private func listen(
    to id: ItemID, _ item: SeenItem, on card: MemoryCard, wasFinished: Bool,
    after end: LookReason?
  ) throws {
    guard let bytes = card.bytes(at: item.path) else {
      throw Broken("“\(item.title)” has no file at \(item.path)")
    }
    let sum = Self.sum(of: bytes)
    if soundSeen[id] == sum { return }
    let file = try card.open(item.path, .read)
    let examination = try examine(
      file, named: "“\(item.title)”", frames: item.frames, hash: item.hash)
    if soundSeen[id] != nil, let damage = try Repair.measure(file),
      damage != Repair.Damage()
    {
      throw Broken("the sound of “\(item.title)” is damaged: \(damage)")
    }
    // Their frames are compared with those of the first track.
    for track in item.otherTracks {
      _ = try examine(
        card.open(track.path, .read), named: track.path, frames: track.sound.frames,
        hash: track.sound.hash)
    }
    // A take with an owed end is not remembered: the next cut may tear its unsynced pages.
    if facts[id]?.frames != nil { soundSeen[id] = sum }
    guard let world, let truth = world.watch.takes[id] else { return }
    world.tally.takesExamined += 1
    guard world.setup.countsFrames, truth.session != nil, item.frames > 0 else { return }
    world.tally.takesCounted += 1
    let content =
      if case .flac = world.setup.encoding {
        try flac(item.path, frames: item.frames, on: card)
      } else {
        try SoundContent(
          file, from: examination.startFrame, playableTicks: item.frames,
          lookaheadTicks: world.lookaheadTicks, rate: world.setup.format.rate)
      }
    let others = try item.otherTracks.map {
      try flac($0.path, frames: $0.sound.frames, on: card)
    }
    try hold(content, others, item, truth, id, wasFinished: wasFinished, after: end, world)
  }

  /// Checks that a file is whole, and has the length and the hash that its entry says.
  private func examine(
    _ file: MemoryCardFile, named name: String, frames: Int64, hash: SoundHash?
  ) throws -> Repair.Examination {
    if let hash {
      guard SoundHash(try SoundHasher.reading(file).sum) == hash else {
        throw Broken("\(name) has the hash of another sound")
      }
      world?.tally.hashesCompared += 1
    }
    let examination = try Repair.examine(file)
    guard examination.verdict == .whole, examination.frames == frames else {
      throw Broken("\(name) is \(examination.verdict), \(examination.frames) frames")
    }
    return examination
  }

  private func flac(
    _ path: String, frames: Int64, on card: MemoryCard
  ) throws -> SoundContent {
    guard let bytes = card.bytes(at: path) else { throw Broken("there is no \(path)") }
    let content = try SoundContent(flac: .nameless(bytes, of: path))
    if content.frames == frames { return content }
    throw Broken("\(path) says \(frames) frames, and holds \(content.frames)")
  }

  private func hold(
    _ content: SoundContent, _ others: [SoundContent], _ item: SeenItem, _ truth: TakeTruth,
    _ id: ItemID, wasFinished: Bool, after end: LookReason?, _ world: World
  ) throws {
    let check = TakeCheck(
      truth: truth, device: world.device, setup: world.setup, title: item.title,
      lookaheadTicks: world.lookaheadTicks)
    // A cut may tear unsynced pages of a take whose end the card refused.
    if end == .cut, !wasFinished { torn.insert(id) }
    let before = truth.order.continues.flatMap { world.watch.takes[$0] }
    let wasCut = item.isRecovered || torn.contains(id)
    let seen = try check.check(
      content, gaps: item.gaps, wasCut: wasCut, began: item.began, continues: before)
    for other in others {
      let same = try check.check(
        other, gaps: item.gaps, wasCut: wasCut, began: item.began, continues: before)
      // A cut may leave the last moments of one track and not those of another.
      if same.lowerBound != seen.lowerBound || !wasCut && wasFinished && same != seen {
        throw Broken("the tracks of “\(item.title)” hold the frames \(seen) and \(same)")
      }
    }
    world.watch.note(seen, of: id, endsInSound: content.stretches.last?.place != nil)
    world.tally.framesFound += content.sounds.reduce(0) { $0 + $1.frames }
    if wasFinished {
      try check.checkEnd(seen)
    } else if end != nil, truth.report == nil {
      try checkLoss(of: id, truth, seen: seen, world)
    }
  }

  /// Checks how much of a running take a cut or a kill lost.
  private func checkLoss(
    of id: ItemID, _ truth: TakeTruth, seen: Range<Int64>?, _ world: World
  ) throws {
    guard let session = truth.session, let heard = world.watch.heardFrames,
      heard.session == session.number
    else { return }
    let ended = truth.end.map { Int64(session.frame(atNanoseconds: $0.nanoseconds).rounded()) }
    let last = min(heard.frames, ended ?? .max)
    let first = max(
      0,
      Int64(
        session.frame(
          atNanoseconds: truth.pressedNanoseconds - truth.order.prerollMilliseconds * 1_000_000)))
    let missing = max(0, last - (seen?.upperBound ?? first))
    world.tally.framesLost += missing
    // Sound from before the press counts as lost since the press only.
    let wishedAt = Int64(session.frame(atNanoseconds: truth.pressedNanoseconds))
    let age = last - max(seen?.upperBound ?? 0, wishedAt)
    let milliseconds = age * 1000 / Int64(session.framesPerSecond)
    guard let limit = world.lossLimitMilliseconds else { return }
    world.tally.mostLostMilliseconds = max(world.tally.mostLostMilliseconds, milliseconds)
    if milliseconds > limit {
      throw Broken(
        "\(milliseconds) ms of a take are lost, begun \(world.seconds(truth.pressedNanoseconds))")
    }
  }

  /// The checksum of everything after the tags, which may be rewritten.
  private static func sum(of bytes: [UInt8]) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    bytes.withUnsafeBytes { all in
      var offset = min(all.count, 5000)
      while offset + 8 <= all.count {
        sum = (sum ^ all.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x100_0000_01B3
        sum ^= sum >> 29
        offset += 8
      }
      while offset < all.count {
        sum = (sum ^ UInt64(all[offset])) &* 0x100_0000_01B3
        offset += 1
      }
    }
    return sum ^ UInt64(bytes.count)
  }
}

extension DeviceSession {
  var framesPerSecond: Double { 1e9 / nanosecondsPerFrame }
}

/// Opens a card and reads everything.
private final class CardReader {
  private let store: Store<MemoryCard>
  private let mail = Mail()

  private final class Mail { var events: [CardEvent] = [] }

  init(_ card: MemoryCard) {
    let mail = mail
    store = Store(system: card, key: SimCardRoom.key) { mail.events.append($0) }
  }

  private func give(_ command: CardCommand) -> [CardEvent] {
    mail.events = []
    store.perform(command, now: WallTime(milliseconds: World.epoch))
    while store.step() {}
    return mail.events
  }

  func everything() throws -> [ItemID: SeenItem] {
    for case .failed(let why) in give(.open) { throw Broken("the card cannot be opened: \(why)") }
    var found: [ItemID: SeenItem] = [:]
    try read(.root, at: "", &found)
    try read(.trash, at: ".trash", &found)
    if let manifest = store.manifest, !store.isReadOnly, manifest.isRead {
      // A card that fails to write rests until its next measurement.
      for id in found.keys where found[id]?.hash != nil && !store.manifestWork.isResting {
        if !manifest.keeps(id) { throw Broken("\(id) has no line in the manifest") }
      }
      if manifest.needsSignature, !store.manifestWork.isResting {
        throw Broken("the manifest is not signed")
      }
    }
    return found
  }

  @discardableResult
  private func read(
    _ id: ItemID, at path: String, _ found: inout [ItemID: SeenItem]
  ) throws -> Summary {
    let listing = try listing(of: id)
    var sum = Summary()
    let prefix = path.isEmpty ? "" : path + "/"
    for recording in listing.recordings {
      let file = recording.file ?? ""
      let item = SeenItem(
        parent: id, title: recording.title, isFolder: false, frames: recording.sound.frames,
        gaps: recording.integrity.gaps, sequence: recording.sequence ?? 0,
        path: prefix + file,
        otherTracks: recording.tracks.others.map {
          (prefix + $0.fileName(besides: file), $0.sound)
        },
        isRecovered: recording.stage == .recovered, hash: recording.sound.hash,
        began: recording.began.instant)
      guard found.updateValue(item, forKey: recording.id) == nil else {
        throw Broken("“\(recording.title)” is there twice")
      }
      sum.tally = sum.tally + Tally(recordings: 1, unheard: recording.isHeard ? 0 : 1)
      sum.latest = [sum.latest, recording.date].compactMap { $0 }.max()
    }
    for folder in listing.folders {
      let below = prefix + folder.directory
      let item = SeenItem(parent: id, title: folder.name, isFolder: true)
      guard found.updateValue(item, forKey: folder.id) == nil else {
        throw Broken("the folder “\(folder.name)” is there twice")
      }
      let counted = try read(folder.id, at: below, &found)
      guard counted == folder.summary else {
        throw Broken("“\(folder.name)” says that it holds \(folder.summary), and holds \(counted)")
      }
      sum.tally = sum.tally + counted.tally
      sum.latest = [sum.latest, counted.latest].compactMap { $0 }.max()
    }
    return sum
  }

  private func listing(of id: ItemID) throws -> Listing {
    for event in give(.read(id)) {
      switch event {
      case .listed(let told, let listing) where told == id: return listing
      case .unreadable(_, let why): throw Broken("a folder cannot be read: \(why)")
      default: break
      }
    }
    throw Broken("a folder was never listed")
  }
}
