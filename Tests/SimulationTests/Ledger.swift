// What the card has promised: every word it gave the appliance is written down at the moment it was
// given, and held against the card whenever the card is looked at. While something is asked for and
// not answered, both are allowed, as before and as after. One thread.

@testable import Library
@testable import Recorder

struct Fact {
  var isFolder = false
  /// Nil: wherever it is.
  var parents: [ItemID]?
  /// Nil: whatever it is called.
  var titles: [String]?
  /// Finished and kept, of this length.
  var frames: Int64?
  var gaps: [Gap]?
  var mayBeMissing = false
  /// Kept without an end, which its file is to be given: at least so long.
  var owedFrames: Int64?
}

final class Ledger {
  weak var world: World?
  private(set) var facts: [ItemID: Fact] = [:]
  private var keeps: [ItemID: [Recording]] = [:]
  private var works: [Int: CardWork] = [:]
  /// Files whose sound has been looked at, frame by frame, and what they were.
  var soundSeen: [ItemID: UInt64] = [:]
  /// Things the card could not do may have been done all the same.
  private var isDoubtful = false

  /// A new daemon: nothing is under way.
  func begin() {
    keeps = [:]
    works = [:]
  }

  var isQuiet: Bool { keeps.values.allSatisfy(\.isEmpty) && works.isEmpty }

  private var isInTrouble: Bool {
    guard let world else { return false }
    return world.trouble.isRecent(at: world.now, withinSeconds: 5)
  }

  // MARK: Asked

  func hear(_ command: CardCommand) {
    switch command {
    case .begin(let recording):
      facts[recording.id] = Fact(
        parents: [recording.folder], titles: [recording.title], mayBeMissing: true)
    case .keep(let recording):
      guard facts[recording.id] != nil else { return }
      keeps[recording.id, default: []].append(recording)
      facts[recording.id]?.titles?.append(recording.title)
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
    case .sort, .search, .exportMode, .importFile, .long: break
    }
  }

  private func doubt(_ id: ItemID) { facts[id]?.mayBeMissing = true }

  /// It, or something above it, is or may be in the trash.
  private func isThrown(_ id: ItemID, depth: Int = 0) -> Bool {
    guard id != .trash, depth < 64 else { return id == .trash }
    guard let fact = facts[id] else { return false }
    return fact.parents.map { $0.contains { isThrown($0, depth: depth + 1) } } ?? true
  }

  // MARK: Answered

  func hear(_ event: CardEvent) {
    switch event {
    case .take(let id, let event): hear(event, id)
    case .work(let ticket, let event): hear(event, ticket)
    case .found(let finding): hear(finding)
    case .recycled(let gone):
      for item in gone { remove(item.id) }
    case .failed, .unreadable: isDoubtful = isDoubtful || isInTrouble
    case .opened, .listed, .space, .condition: break
    }
  }

  private func hear(_ event: TakeFileEvent, _ id: ItemID) {
    switch event {
    case .madeElsewhere(let folder, _): facts[id]?.parents = [folder]
    case .kept:
      guard var waiting = keeps[id], !waiting.isEmpty else { return }
      let kept = waiting.removeFirst()
      keeps[id] = waiting
      facts[id]?.titles = [kept.title] + waiting.map(\.title)
      guard kept.isSettled else { return }
      settle(id, kept)
      // What has no sound in it is not worth a word.
      facts[id]?.mayBeMissing = false
    case .failed:
      isDoubtful = isDoubtful || isInTrouble
      if keeps[id]?.isEmpty == false { keeps[id]?.removeFirst() }
    case .made: break
    }
  }

  private func settle(_ id: ItemID, _ kept: Recording) {
    if kept.integrity.endIsOwed {
      // It may have been given its end since this was written.
      if facts[id]?.frames == nil { facts[id]?.owedFrames = kept.sound.frames }
    } else {
      facts[id]?.frames = kept.sound.frames
      facts[id]?.owedFrames = nil
    }
    facts[id]?.gaps = kept.integrity.gaps
  }

  private func hear(_ event: WorkEvent, _ ticket: Int) {
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
    case .renamed(let id, let name, _): facts[id]?.titles = [name]
    case .moved(let id, let path, _, let name, _):
      facts[id]?.parents = path.last.map { [$0] }
      facts[id]?.titles = [name]
    case .thrown(let id, _, let newName):
      facts[id]?.parents = [.trash]
      if let newName { facts[id]?.titles = [newName] }
    case .purged(let gone, _): for id in gone { remove(id) }
    case .sorted, .searched, .imported, .told, .waveform, .exportMode: break
    }
  }

  private func hear(_ finding: CardFinding) {
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
    case .rebuilt, .tornLine, .miscounted: break
    }
  }

  private func remove(_ id: ItemID) {
    facts[id] = nil
    soundSeen[id] = nil
    for below in facts.keys where facts[below]?.parents?.contains(id) == true { remove(below) }
  }

  // MARK: Held against the card

  /// Everything that was found; from now on that is how it is.
  func compare(with found: [ItemID: SeenItem], after end: LookReason?) throws {
    for (id, fact) in facts.sorted(by: { $0.key < $1.key }) {
      guard let item = found[id] else {
        let isDoubtfulFolder = isDoubtful && fact.isFolder
        // Of what was never made safe nothing may be left.
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
      // A folder whose making was cut short may be there, and be anybody.
      if !item.isFolder, !isDoubtful, end == nil {
        throw Broken("nobody recorded “\(item.title)”")
      }
      facts[id] = Fact()
      collapse(id, item)
      // Its identity may be one that was thrown for it just now, and will be thrown again.
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
    if !item.isFolder, !isUnderWay, facts[id]?.owedFrames == nil {
      facts[id]?.frames = item.frames
      facts[id]?.gaps = item.gaps
    }
  }
}
