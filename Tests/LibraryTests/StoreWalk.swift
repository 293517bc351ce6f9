// A random history of a store: users make folders and rename, move and delete items, takes begin,
// are written and end. It keeps the model beside it, and notes in the cut log what had been
// acknowledged when. The same seed gives the same history.

import Tape

@testable import Library
@testable import Recorder

/// What a state after a cut may show: each item as before or as after the operation.
struct Fact {
  let before: ModelLibrary
  let after: ModelLibrary
  let doing: String
}

enum Deed: CaseIterable, Sendable {
  case makeFolder, begin, write, end, forget, rename, move, arrange, throwAway, restore, purge
  case purgeAll, sort, hear, mark, correct, search, export, reopen
  case copy

  /// Those of most histories. Kept seeds follow from their number and order.
  static let usual = allCases.filter { $0 != .copy }
}

final class StoreWalk<System: FileSystem> {
  let rig: StoreRig<System>
  private(set) var model = ModelLibrary()
  private(set) var facts: [Fact] = []
  var random: SplitMix64
  var titles: [String] = ["Kitchen", "kitchen", "Küche", "CON", "a/b: c?", "Ein langer Abend."]
  private let log: CutLog?
  /// The recordings as the reducer knows them.
  private(set) var recordings: [ItemID: Recording] = [:]
  /// The names of files and directories, as the store reported them.
  private var names: [ItemID: String] = [.root: "", .trash: ".trash"]
  private var writing: [ItemID: [Writing]] = [:]
  private var lastID: UInt64 = 100
  private var sequence = 0
  private let deeds: [Deed]

  /// The file of a running take's track.
  private struct Writing {
    let file: System.File
    let sound: TakeSound
    var next = 0
    var end: Int64 = 0

    var safeFrames: Int64 { next == 0 ? 0 : sound.pages[next - 1].playableFrames }
    var isAtEnd: Bool { next == sound.pages.count }

    mutating func write(pages count: Int) throws {
      for page in sound.pages[next...].prefix(count) {
        try file.put(page.bytes, at: end)
        end += Int64(page.bytes.count)
        next += 1
      }
    }
  }

  init(
    _ rig: StoreRig<System>, seed: UInt64, log: CutLog? = nil, doing deeds: [Deed] = Deed.usual
  ) throws {
    (self.rig, self.log, self.deeds) = (rig, log, deeds)
    random = SplitMix64(seed: seed)
    know(model, model, "opening")
    try rig.open()
  }

  // MARK: Facts

  private func know(_ before: ModelLibrary, _ after: ModelLibrary, _ doing: String) {
    facts.append(Fact(before: before, after: after, doing: doing))
    log?.know(facts.count - 1)
  }

  private func settle(_ after: ModelLibrary, _ doing: String) {
    model = after
    know(after, after, "after \(doing)")
  }

  private func newID() -> ItemID {
    lastID += 1
    return ItemID(high: 5, low: lastID)
  }

  private func pick(_ ids: [ItemID]) -> ItemID? { ids.isEmpty ? nil : ids[random.below(ids.count)] }

  private var openFolders: [ItemID] { [.root] + model.folders.filter { !model.isThrown($0) } }

  func path(of id: ItemID) -> String {
    let name = names[id] ?? ""
    guard let parent = model[id]?.parent, parent != .root else { return name }
    return path(of: parent) + "/" + name
  }

  // MARK: Operations

  /// Does one random operation that is possible.
  func step() throws {
    for _ in 0..<50 where try attempt(deeds[random.below(deeds.count)]) { return }
  }

  func attempt(_ deed: Deed) throws -> Bool {
    switch deed {
    case .makeFolder:
      guard model.folders.count < 8, let parent = pick(openFolders) else { return false }
      try work(.makeFolder(newID(), name: title(), in: parent))
    case .begin, .forget: return try begin(thenForget: deed == .forget)
    case .write: return try write()
    case .end: return try end()
    case .rename:
      guard let id = pick(model.movable + model.running) else { return false }
      try work(.rename(id, to: title()))
    case .move:
      guard let id = pick(model.movable), let target = pick(openFolders),
        !model.isBelow(id, target)
      else { return false }
      try work(.move(id, to: target, at: random.below(3) == 0 ? 0 : nil))
    case .arrange:
      guard let id = pick(model.movable), let parent = model[id]?.parent else { return false }
      try work(.move(id, to: parent, at: random.below(4)))
    case .throwAway:
      guard let id = pick(model.movable) else { return false }
      try work(.throwAway(id))
    case .restore:
      guard let id = pick(thrown) else { return false }
      try work(.restore(id))
    case .purge:
      guard let id = pick(thrown) else { return false }
      try work(.purge(.item(id)))
    case .purgeAll:
      guard !thrown.isEmpty else { return false }
      try work(.purge(.everything))
    case .sort:
      guard let id = pick(openFolders.filter { $0 != .root }) else { return false }
      try work(.sort(id, Folder.SortOrder.allCases[random.below(4)]))
    case .hear, .mark, .correct: return try keep(deed)
    case .search: try work(.search("k"))
    case .copy:
      let takes = model.takes.filter { !model.isThrown($0) }
      guard let id = pick(takes), let parent = model[id]?.parent,
        let note = try note(of: id, in: parent)
      else { return false }
      try work(.noteCopy(note))
    case .export: return try export()
    case .reopen:
      guard model.running.isEmpty else { return false }
      try reopen()
    }
    return true
  }

  func rename(_ id: ItemID, to title: String) throws { try work(.rename(id, to: title)) }

  /// Nil if the sound has no hash yet.
  private func note(of id: ItemID, in folder: ItemID) throws -> CopyNote? {
    let target = ["nas", "stick"][random.below(2)]
    if random.below(4) == 0 { return CopyNote(id, in: folder, at: target, .gone) }
    let path = path(of: id)
    let known = try rig.listing(of: folder).recordings.first { $0.id == id }
    guard let hashes = known?.soundHashes else { return nil }
    return CopyNote(
      id, in: folder, at: target, .verified(remote: path, file: path, hashes: hashes))
  }

  private var thrown: [ItemID] { model.items.keys.filter { model[$0]?.parent == .trash }.sorted() }

  private func title() -> String { titles[random.below(titles.count)] }

  private func work(_ work: CardWork) throws {
    know(model, model.foreseen(work), "\(work)")
    switch rig.work(work) {
    case .done(let result):
      note(result)
      settle(model.told(result, of: work), "\(work)")
    case .failed(let why): throw Broken(description: "\(work) failed: \(why)")
    case .progress, nil: throw Broken(description: "\(work) never ended")
    }
  }

  private func note(_ result: WorkResult) {
    switch result {
    case .made(let folder): names[folder.id] = folder.directory
    case .renamed(let id, let name, let file):
      names[id] = file
      recordings[id]?.title = name
      recordings[id]?.titleIsDefault = false
    case .moved(let id, let path, _, _, let file):
      names[id] = file
      recordings[id]?.folder = path.last ?? .root
    case .thrown(let id, let file, _):
      names[id] = file
      recordings[id]?.folder = .trash
    case .purged, .sorted, .searched, .uncopied, .copied, .opened, .manifest, .imported, .told,
      .verified, .waveform, .exportMode:
      break
    }
  }

  private func export() throws -> Bool {
    guard model.running.isEmpty else { return false }
    try work(.exportMode(true))
    try work(.exportMode(false))
    try reopen()
    return true
  }

  /// Listing comes first: items are requested only after their folders were read.
  private func reopen() throws {
    try rig.open()
    _ = try rig.found()
  }

  // MARK: Takes

  private func begin(thenForget: Bool) throws -> Bool {
    guard model.running.count < 2, model.items.count < 16, let folder = pick(openFolders) else {
      return false
    }
    sequence += 1
    let began = Moment(
      boot: ItemID(high: 3, low: 3), instant: Instant(nanoseconds: Int64(sequence)),
      wall: WallTime(milliseconds: 1_700_000_000_000), quality: .unsynchronised)
    let recording = Recording(
      id: newID(), folder: folder, sequence: sequence, title: title(), titleIsDefault: true,
      began: began, stage: .recording)
    var after = model
    after.items[recording.id] = ModelLibrary.Item(
      parent: folder, title: recording.title,
      kind: .recording(ModelLibrary.Take(sequence: sequence)))
    know(model, after, "begin \(recording.title)")
    try told(rig.give(.begin(recording)), recording)
    recordings[recording.id] = recording
    if thenForget { return forget(recording.id, after) }
    settle(after, "begin")
    writing[recording.id] = try files(of: recording)
    return true
  }

  private func files(of recording: Recording) throws -> [Writing] {
    let recording = recording.with(Tracks(rig.tracks))
    let path = path(of: recording.id).split(separator: "/").map(String.init)
    let names = recording.fileNames(path.last ?? "")
    return try zip(rig.tracks, names).enumerated().map { index, track in
      let file = (path.dropLast() + [track.1]).joined(separator: "/")
      let sound: TakeSound =
        track.0.ending == ".flac"
        ? try .flac(of: recording, folder: "Folder", track: index + 1)
        : try .of(recording, folder: "Folder", track: index + 1)
      return Writing(file: try rig.system.open(file, .change), sound: sound)
    }
  }

  private func forget(_ id: ItemID, _ after: ModelLibrary) -> Bool {
    know(after, model, "forget")
    rig.give(.forget(id))
    settle(model, "forget")
    return true
  }

  private func told(_ events: [CardEvent], _ recording: Recording) throws {
    for case .take(recording.id, let event) in events {
      switch event {
      case .made(let file): names[recording.id] = file
      case .madeElsewhere: throw Broken(description: "a take went to another folder")
      case .failed(let why): throw Broken(description: "a take failed: \(why)")
      case .kept: break
      }
    }
    try Broken.unless(names[recording.id] != nil, "a take was never made")
  }

  /// Writes two more pages of each track, and syncs them half the time.
  private func write() throws -> Bool {
    guard let id = pick(model.running), var take = writing[id],
      take.contains(where: { !$0.isAtEnd })
    else { return false }
    for index in take.indices { try take[index].write(pages: 2) }
    writing[id] = take
    if random.below(2) == 0 { try sync(id) }
    return true
  }

  private func sync(_ id: ItemID) throws {
    guard let take = writing[id] else { throw Broken(description: "a take has no files") }
    for (index, track) in take.enumerated() where track.next > 0 {
      try track.file.sync()
      var after = model
      after.change(id) {
        if $0.safeFrames.isEmpty { $0.safeFrames = take.map { _ in 0 } }
        $0.safeFrames[index] = track.safeFrames
      }
      settle(after, "sync")
    }
  }

  private func end() throws -> Bool {
    guard let id = pick(model.running), var all = writing[id] else { return false }
    for index in all.indices { try all[index].write(pages: .max) }
    writing[id] = all
    try sync(id)
    guard let take = writing.removeValue(forKey: id), var recording = recordings[id] else {
      return false
    }
    for track in take { try track.sound.seal?.write(into: track.file) }
    recording.finish()
    let sounds = take.map { track in
      Sound(
        frames: track.sound.frames, rate: 8000, sizeBytes: Int64(track.sound.bytes.count),
        bits: track.sound.seal == nil ? nil : 16, hash: track.sound.hash)
    }
    recording.sound = sounds[0]
    var tracks = Tracks(rig.tracks)
    for index in tracks.others.indices { tracks.others[index].sound = sounds[index + 1] }
    recording = recording.with(tracks)
    recordings[id] = recording
    var after = model
    let told = try retagged(try take.map { try $0.sound.closed() }, recording)
    after.change(id) { $0.files = told }
    try keep(recording, after, "end")
    return true
  }

  /// The files of a recording's tracks with tags that tell of it.
  private func retagged(_ files: [[UInt8]], _ recording: Recording) throws -> [[UInt8]] {
    try files.enumerated().map { try TakeSound.retagged($1, recording, track: $0 + 1) }
  }

  private func keep(_ deed: Deed) throws -> Bool {
    let takes = deed == .correct ? model.takes.filter { !model.isThrown($0) } : model.takes
    guard let id = pick(takes), var recording = recordings[id] else { return false }
    var after = model
    switch deed {
    case .hear:
      recording.isHeard.toggle()
      after.change(id) { $0.isHeard = recording.isHeard }
    case .mark:
      // Long names, so that a snapshot is soon due.
      recording.marks = (0..<40).map { number in
        Mark(
          frame: Int64(number),
          name: "mark \(random.below(1000)) " + String(repeating: "m", count: 60))
      }
      let told = try model.take(id)?.files.map { try retagged($0, recording) }
      after.change(id) {
        $0.marks = recording.marks
        $0.files = told ?? $0.files
      }
    default:
      recording.began.wall = WallTime(milliseconds: 1_800_000_000_000)
      recording.began.quality = .corrected
      if recording.titleIsDefault { recording.title = "2027-01-15 \(random.below(24)).00" }
      after.items[id]?.title = recording.title
      if recording.began != recordings[id]?.began {
        let told = try retagged(model.take(id)?.files ?? [], recording)
        after.change(id) { $0.files = told }
      }
    }
    recordings[id] = recording
    try keep(recording, after, "\(deed)")
    return true
  }

  private func keep(_ recording: Recording, _ after: ModelLibrary, _ doing: String) throws {
    know(model, after, doing)
    let events = rig.give(.keep(recording))
    try told(events, recording)
    try Broken.unless(
      events.contains { if case .take(recording.id, .kept) = $0 { true } else { false } },
      "\(doing) was never acknowledged")
    settle(after, doing)
  }
}
