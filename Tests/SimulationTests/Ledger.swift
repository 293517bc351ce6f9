// The promises of the card: every answer it gave the appliance is recorded when it is given, and
// compared with the card whenever that is examined. While a request is unanswered, both the state
// before it and the state after it are allowed. One thread.

@testable import Library
@testable import Recorder

struct Fact {
  var isFolder = false
  /// Nil: any folder.
  var parents: [ItemID]?
  /// Nil: any title.
  var titles: [String]?
  /// Whether the title was given by a rename: an entry kept later does not change it.
  var isNamed = false
  /// The length, once it is finished and saved.
  var frames: Int64?
  var gaps: [Gap]?
  var mayBeMissing = false
  /// The minimum length of a saved recording whose end is owed.
  var owedFrames: Int64?
}

final class Ledger {
  weak var world: World?
  private(set) var facts: [ItemID: Fact] = [:]
  private var keeps: [ItemID: [Recording]] = [:]
  private var works: [Int: CardWork] = [:]
  /// The folder that each take was begun in.
  private var begunIn: [ItemID: ItemID] = [:]
  /// Checksums of files whose sound was checked frame by frame.
  var soundSeen: [ItemID: UInt64] = [:]
  /// Takes that were not synced when a cut came.
  var torn: Set<ItemID> = []
  /// Whether failed operations may have taken effect all the same.
  private var isDoubtful = false

  /// Starts with a new daemon: no request is pending.
  func begin() {
    keeps = [:]
    works = [:]
  }

  var isQuiet: Bool { keeps.values.allSatisfy(\.isEmpty) && works.isEmpty }

  private var isInTrouble: Bool {
    guard let world else { return false }
    return world.trouble.isRecent(at: world.now, withinSeconds: 5)
  }

  // MARK: Requests

  func handle(_ command: CardCommand) {
    switch command {
    case .begin(let recording):
      checkFolder(of: recording)
      begunIn[recording.id] = recording.folder
      facts[recording.id] = Fact(
        parents: [recording.folder], titles: [recording.title], mayBeMissing: true)
    case .keep(let recording):
      guard facts[recording.id] != nil else { return }
      keeps[recording.id, default: []].append(recording)
      if facts[recording.id]?.isNamed == false {
        facts[recording.id]?.titles?.append(recording.title)
      }
    case .forget(let id): facts[id]?.mayBeMissing = true
    case .work(let ticket, let work):
      works[ticket] = work
      begin(work)
    case .recycle: for id in facts.keys where facts[id]?.isFolder == false { doubt(id) }
    case .open, .read, .cancel: break
    }
  }

  private func begin(_ work: CardWork) {
    switch work {
    case .makeFolder(let id, let name, let parent):
      facts[id] = Fact(isFolder: true, parents: [parent], titles: [name], mayBeMissing: true)
    case .rename(let id, let title): facts[id]?.titles?.append(title)
    case .move(let id, let target, _):
      facts[id]?.parents?.append(target)
      facts[id]?.titles = nil
    case .throwAway(let id): facts[id]?.parents?.append(.trash)
    case .restore(let id):
      facts[id]?.parents = nil
      facts[id]?.titles = nil
    case .purge: for id in facts.keys where isThrown(id) { doubt(id) }
    case .sort, .search, .copies, .noteCopy, .openFile, .manifest, .exportMode, .importFile, .long:
      break
    }
  }

  /// Expects a part in the folder of the part before it, as long as that folder exists.
  private func checkFolder(of part: Recording) {
    guard let folder = part.continues.flatMap({ begunIn[$0] }), part.folder != folder else {
      return
    }
    let fact = facts[folder]
    let isThere = folder == .root || (fact?.mayBeMissing == false && !isThrown(folder))
    let state = world?.daemon?.state ?? State()
    let count = state.library.folders[folder]?.items.count ?? 0
    if isThere, count < state.settings.itemsPerFolder, !isDoubtful, !isInTrouble {
      world?.fail("part \(part.part) is in \(part.folder), and the part before it in \(folder)")
    }
  }

  private func doubt(_ id: ItemID) { facts[id]?.mayBeMissing = true }

  /// Whether it or an ancestor is or may be in the trash.
  private func isThrown(_ id: ItemID, depth: Int = 0) -> Bool {
    guard id != .trash, depth < 64 else { return id == .trash }
    guard let fact = facts[id] else { return false }
    return fact.parents.map { $0.contains { isThrown($0, depth: depth + 1) } } ?? true
  }

  // MARK: Answers

  func handle(_ event: CardEvent) {
    switch event {
    case .take(let id, let event): handle(event, id)
    case .work(let ticket, let event): handle(event, ticket)
    case .found(let finding): handle(finding)
    case .recycled(let gone):
      for item in gone { remove(item.id) }
    case .failed, .unreadable: isDoubtful = isDoubtful || isInTrouble
    case .opened, .listed, .space, .condition: break
    }
  }

  private func handle(_ event: TakeFileEvent, _ id: ItemID) {
    switch event {
    case .madeElsewhere(let folder, _):
      facts[id]?.parents = [folder]
      begunIn[id] = folder
    case .kept: settleFirstKeep(of: id)
    case .failed:
      isDoubtful = isDoubtful || isInTrouble
      _ = takeFirstKeep(of: id)
    case .made: break
    }
  }

  private func settleFirstKeep(of id: ItemID) {
    guard let kept = takeFirstKeep(of: id) else { return }
    if facts[id]?.isNamed == false {
      facts[id]?.titles = [kept.title] + keeps[id, default: []].map(\.title)
    }
    guard kept.isSettled else { return }
    settle(id, kept)
    // Only a settled recording must be there; an unsettled one may have no sound yet.
    facts[id]?.mayBeMissing = false
  }

  /// A function of its own because Swift 6.0.3 does not compile this inline.
  private func takeFirstKeep(of id: ItemID) -> Recording? {
    guard let first = keeps[id]?.first else { return nil }
    keeps[id]?.removeFirst()
    return first
  }

  private func settle(_ id: ItemID, _ kept: Recording) {
    if kept.integrity.endIsOwed {
      // Its end may have been written since this request.
      if facts[id]?.frames == nil { facts[id]?.owedFrames = kept.sound.frames }
    } else {
      facts[id]?.frames = kept.sound.frames
      facts[id]?.owedFrames = nil
    }
    facts[id]?.gaps = kept.integrity.gaps
  }

  private func handle(_ event: WorkEvent, _ ticket: Int) {
    switch event {
    case .progress: break
    case .failed:
      works[ticket] = nil
      isDoubtful = isDoubtful || isInTrouble
    case .done(let result):
      works[ticket] = nil
      settle(result)
    }
  }

  private func settle(_ result: WorkResult) {
    switch result {
    case .made(let folder):
      facts[folder.id] = Fact(
        isFolder: true, parents: folder.parent.map { [$0] }, titles: [folder.name])
    case .renamed(let id, let name, _):
      facts[id]?.titles = [name]
      facts[id]?.isNamed = true
    case .moved(let id, let path, _, let name, _):
      facts[id]?.parents = path.last.map { [$0] }
      facts[id]?.titles = [name]
    case .thrown(let id, _, let newName):
      facts[id]?.parents = [.trash]
      if let newName { facts[id]?.titles = [newName] }
    case .purged(let gone, _): for id in gone { remove(id) }
    case .sorted, .searched, .uncopied, .copied, .opened, .manifest, .imported, .told, .verified,
      .waveform, .exportMode:
      break
    }
  }

  private func handle(_ finding: CardFinding) {
    switch finding {
    case .closed(let recording): settle(recording.id, recording)
    case .recovered(let recording, let path), .adopted(let recording, let path),
      .arrived(let recording, let path):
      var fact = facts[recording.id] ?? Fact()
      fact.parents = path.last.map { [$0] }
      fact.titles = [recording.title]
      if !recording.integrity.endIsOwed { fact.frames = recording.sound.frames }
      facts[recording.id] = fact
    case .vanished(let gone):
      for item in gone {
        if let fact = facts[item.id], !fact.mayBeMissing, fact.frames != nil {
          world?.fail("a finished recording vanished: \(fact.titles ?? [])")
        }
        facts[item.id]?.mayBeMissing = true
      }
    case .folder(let folder, let path):
      facts[folder.id] = Fact(
        isFolder: true, parents: path.last.map { [$0] }, titles: [folder.name])
    case .rebuilt, .tornLine, .miscounted, .left: break
    }
  }

  private func remove(_ id: ItemID) {
    facts[id] = nil
    soundSeen[id] = nil
    for below in facts.keys where facts[below]?.parents?.contains(id) == true { remove(below) }
  }

  // MARK: Comparing with the card

  /// Compares the facts with the items found; from now on these are the facts.
  func compare(with found: [ItemID: SeenItem], after end: LookReason?) throws {
    for (id, fact) in facts.sorted(by: { $0.key < $1.key }) {
      guard let item = found[id] else {
        let isDoubtfulFolder = isDoubtful && fact.isFolder
        // A take of which nothing was synced may be missing.
        let isOwed = (fact.owedFrames ?? 0) > 0 && end != .cut
        let isNothing = fact.frames == nil && !fact.isFolder && !isOwed
        if isDoubtfulFolder || fact.mayBeMissing || isNothing {
          facts[id] = nil
          continue
        }
        throw Broken("\(fact.titles ?? []) is lost, which was in \(fact.parents ?? [])")
      }
      try compare(item, with: fact, after: end)
      collapse(id, item)
    }
    for (id, item) in found where facts[id] == nil {
      // A folder whose creation was interrupted may appear under any identity.
      if !item.isFolder, !isDoubtful, end == nil {
        throw Broken("nobody recorded “\(item.title)”")
      }
      facts[id] = Fact()
      collapse(id, item)
      // Its identity may have been drawn at random by this recovery; the next one draws another.
      facts[id]?.mayBeMissing = true
    }
    isDoubtful = isInTrouble
  }

  private func compare(_ item: SeenItem, with fact: Fact, after end: LookReason?) throws {
    if let owed = fact.owedFrames, item.frames < owed, end != .cut {
      throw Broken("“\(item.title)” was given an end at \(item.frames) instead of \(owed)")
    }
    if let frames = fact.frames, frames != item.frames {
      throw Broken("“\(item.title)” has \(item.frames) frames instead of \(frames)")
    }
    if isDoubtful { return }
    if let parents = fact.parents, !parents.contains(item.parent) {
      throw Broken("“\(item.title)” is in \(item.parent) instead of \(parents)")
    }
    if let titles = fact.titles, !titles.contains(item.title) {
      throw Broken("“\(item.title)” should be called \(titles)")
    }
  }

  private func collapse(_ id: ItemID, _ item: SeenItem) {
    let isUnderWay = keeps[id]?.isEmpty == false
    facts[id]?.isFolder = item.isFolder
    facts[id]?.parents = [item.parent]
    facts[id]?.titles = [item.title]
    facts[id]?.mayBeMissing = false
    if let owed = facts[id]?.owedFrames { facts[id]?.owedFrames = min(owed, item.frames) }
    // If only this check's recovery found it, from unsynced pages, the next cut may lose it.
    let isPromised = !item.isRecovered || facts[id]?.frames != nil
    if !item.isFolder, !isUnderWay, isPromised, facts[id]?.owedFrames == nil {
      facts[id]?.frames = item.frames
      facts[id]?.gaps = item.gaps
    }
  }
}
