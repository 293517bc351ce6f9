// The card of the random sequences: it keeps a tree of its own, performs its commands, and answers
// as the real one does. Some works fail, and some files cannot be made.

import Loop

@testable import Recorder

struct CardModel {
  private(set) var folders: [ItemID: Folder] = [:]
  private(set) var recordings: [ItemID: Recording] = [:]
  private var nextSequence = 1
  /// Where each item in the trash came from.
  private var origins: [ItemID: ItemID] = [:]
  /// No work fails from now on.
  var isReliable = false

  /// Begins with some random folders and recordings.
  init(_ random: inout SplitMix64) {
    for id in [ItemID.root, .trash] { folders[id] = Folder(id: id, parent: nil, name: "") }
    for number in 0..<random.below(7) {
      let id = ItemID(high: 0xF0, low: UInt64(number))
      let folder = Folder(
        id: id, parent: pickFolder(&random), name: Self.title(&random),
        order: random.pick(Folder.SortOrder.allCases))
      folders[id] = folder
    }
    for number in 0..<random.below(12) {
      let id = ItemID(high: 0xFE, low: UInt64(number))
      recordings[id] = Recording(
        id: id, folder: pickFolder(&random), sequence: nextSequence,
        title: Self.title(&random),
        began: Moment(
          boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
          quality: .synchronised), file: "\(number).opus",
        sound: Sound(frames: Int64(random.below(5_000_000))), isHeard: random.chance(40))
      nextSequence += 1
    }
  }

  /// A name as the real card keeps it.
  private static func title(_ random: inout SplitMix64) -> String {
    Text.title(random.pick(Nonsense.titles)) ?? "x"
  }

  private func pickFolder(_ random: inout SplitMix64) -> ItemID {
    random.pick(folders.keys.sorted())
  }

  var report: CardReport {
    CardReport(nextSequence: nextSequence, root: tally(of: .root), trash: tally(of: .trash))
  }

  private func tally(of id: ItemID) -> Tally {
    var sum = Tally()
    for recording in recordings.values where recording.folder == id { sum = sum + recording.tally }
    for folder in folders.values where folder.parent == id { sum = sum + tally(of: folder.id) }
    return sum
  }

  private func latest(of id: ItemID) -> WallTime? {
    let dates =
      recordings.values.filter { $0.folder == id }.map(\.date)
      + folders.values.filter { $0.parent == id }.map { latest(of: $0.id) }
    return dates.compactMap { $0 }.max()
  }

  private func path(to id: ItemID) -> [ItemID] {
    var path = [id]
    while let parent = folders[path[0]]?.parent { path.insert(parent, at: 0) }
    return path
  }

  func listing(of id: ItemID) -> Listing {
    let inside = folders.values.filter { $0.parent == id }.sorted { $0.id < $1.id }
    return Listing(
      folders: inside.map {
        Folder(
          id: $0.id, parent: id, name: $0.name, directory: $0.name, tally: tally(of: $0.id),
          latest: latest(of: $0.id), order: $0.order)
      },
      recordings: recordings.values.filter { $0.folder == id }.sorted { $0.id < $1.id },
      order: folders[id]?.order ?? .byDate)
  }

  // MARK: Commands

  mutating func perform(_ command: CardCommand, _ random: inout SplitMix64) -> [CardEvent] {
    switch command {
    case .open: return [.opened(report), .space(freeBytes: 1 << 33, totalBytes: 1 << 35)]
    case .read(let id):
      return random.chance(95) ? [.listed(id, listing(of: id))] : [.unreadable(id, why: "torn")]
    case .begin(let recording):
      if random.chance(4) { return [.take(recording.id, .failed("no file"))] }
      recordings[recording.id] = recording
      nextSequence = max(nextSequence, (recording.sequence ?? 0).clampedAdding(1))
      return [.take(recording.id, .made(file: "\(recording.sequence ?? 0).opus"))]
    case .keep(let recording):
      recordings[recording.id] = recording
      return [.take(recording.id, random.chance(97) ? .kept : .failed("not written"))]
    case .forget(let id):
      recordings[id] = nil
      return []
    case .work(let ticket, let work):
      let news = !isReliable && random.chance(10) ? .failed("it did not work") : done(work, &random)
      return [.work(ticket: ticket, .progress(permille: 500)), .work(ticket: ticket, news)]
    // The work is done already: its answer is under way.
    case .cancel: return []
    case .recycle: return recycle()
    }
  }

  private mutating func recycle() -> [CardEvent] {
    let heard = recordings.values.filter { $0.isHeard && $0.isSettled }
    let oldest = heard.min { ($0.sequence ?? 0, $0.id) < ($1.sequence ?? 0, $1.id) }
    guard let oldest else { return [.recycled([])] }
    recordings[oldest.id] = nil
    let gone = Whereabouts(id: oldest.id, path: path(to: oldest.folder), tally: oldest.tally)
    return [.recycled([gone]), .space(freeBytes: 1 << 31, totalBytes: 1 << 35)]
  }

  private mutating func done(_ work: CardWork, _ random: inout SplitMix64) -> WorkEvent {
    switch work {
    case .makeFolder(let id, let name, let parent):
      guard folders[parent] != nil else { return .failed("no such folder") }
      let folder = Folder(id: id, parent: parent, name: name, directory: name, reading: .read)
      folders[id] = folder
      return .done(.made(folder))
    case .rename(let id, let name):
      folders[id]?.name = name
      recordings[id]?.title = name
      return .done(.renamed(id, name: name, file: name + ".opus"))
    case .move(let id, let target, let index):
      put(id, into: target)
      return .done(
        .moved(id, path: path(to: target), at: index, name: title(of: id), file: "moved"))
    case .throwAway(let id):
      origins[id] = folders[id]?.parent ?? recordings[id]?.folder
      put(id, into: .trash)
      return .done(.thrown(id, file: "thrown"))
    case .restore(let id):
      let origin = origins[id].flatMap { folders[$0]?.id }
      let target = origin.map { path(to: $0)[0] == .root ? $0 : .root } ?? .root
      put(id, into: target)
      return .done(
        .moved(id, path: path(to: target), at: nil, name: title(of: id), file: "restored"))
    case .purge: return .done(purge())
    case .sort(let id, let order):
      folders[id]?.order = order
      return .done(.sorted(id, order))
    case .search: return .done(.searched([]))
    case .copies: return .done(.uncopied(CopyPage([], next: nil, count: 0)))
    case .noteCopy(let note): return noted(note)
    case .openFile: return .failed("There is no such file.")
    case .manifest(let query):
      return .done(.manifest(query, ManifestFacts(keyID: "0123456789ABCDEF", publicKey: "RWkey")))
    case .exportMode(let isOn): return .done(.exportMode(isOn))
    case .importFile(let id, let sequence, _, let folder, _):
      guard folders[folder] != nil else { return .failed("no such folder") }
      let recording = imported(id, sequence, into: folder)
      recordings[id] = recording
      return .done(.imported(recording))
    case .long: return .done(.told("done"))
    }
  }

  private mutating func noted(_ note: CopyNote) -> WorkEvent {
    guard let old = recordings[note.id], old.isSettled else { return .failed("no such recording") }
    var copy: RecordingCopy?
    if case .verified(let remote, let file, _) = note.change {
      copy = RecordingCopy(
        target: note.target, remote: remote, file: file,
        verifiedAt: WallTime(milliseconds: 1_800_000_000_000))
    }
    let new = old.with(old.copies(with: copy, at: note.target))
    recordings[note.id] = new
    return .done(
      .copied(
        CopyResult(
          note.id, new.copies, path: path(to: new.folder), difference: new.tally - old.tally)))
  }

  private func imported(_ id: ItemID, _ sequence: Int, into folder: ItemID) -> Recording {
    Recording(
      id: id, folder: folder, sequence: sequence, title: "imported",
      began: Moment(
        boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
        quality: .synchronised), file: "imported.opus")
  }

  private func title(of id: ItemID) -> String { folders[id]?.name ?? recordings[id]?.title ?? "?" }

  private mutating func put(_ id: ItemID, into target: ItemID) {
    if path(to: target).contains(id) { return }
    folders[id]?.parent = target
    recordings[id]?.folder = target
  }

  private mutating func purge() -> WorkResult {
    let gone = recordings.values.filter { $0.folder == .trash }.map(\.id).sorted()
    for id in gone { recordings[id] = nil }
    return .purged(gone, left: tally(of: .trash))
  }
}
