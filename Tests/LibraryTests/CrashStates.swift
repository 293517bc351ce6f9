// Checks one state after a power cut: the store opens, acknowledged changes are there, the change
// under way is done wholly or not at all, every finished take has its bytes, and a second recovery
// changes nothing.

import Digest
import Library
import Tape

@testable import Recorder

struct CrashStates {
  /// How many states were examined.
  private(set) var count = 0
  private let kind: MemoryCard.Kind
  /// With it, each state must have a manifest that is whole.
  private let key: SigningKey?

  init(kind: MemoryCard.Kind, key: SigningKey? = nil) { (self.kind, self.key) = (kind, key) }

  /// Examines every moment of a history, under these outcomes each.
  mutating func examine(
    _ moments: [CutLog.Moment], _ facts: [Fact],
    outcomes: [UInt64]
  ) throws {
    for (number, moment) in moments.enumerated() {
      let fact = facts[moment.fact]
      for outcome in moment.cut.unsyncedChanges == 0 ? [0] : outcomes {
        count += 1
        do {
          try examine(moment.cut.outcome(outcome), fact.before, fact.after)
          if outcome % 8 == 5 {
            try cutRecovery(of: moment.cut.outcome(outcome), outcome, fact.before, fact.after)
          }
        } catch let broken as Broken {
          throw Broken(
            description: """
              \(kind) card, cut \(number) before \(moment.next), outcome \(outcome), \
              \(fact.doing): \(broken)
              found after the cut:
              \(listing(moment.cut.outcome(outcome)))
              """)
        }
      }
    }
  }

  /// Examines one state by itself, such as that of a card that failed.
  mutating func examine(_ card: MemoryCard, _ fact: Fact) throws {
    count += 1
    let found = card.ifCutNow
    do { try examine(card, fact.before, fact.after) } catch let broken as Broken {
      throw Broken(description: "\(broken)\nfound:\n\(listing(found.outcome(1)))")
    }
  }

  private func examine(
    _ card: MemoryCard, _ before: ModelLibrary, _ after: ModelLibrary
  ) throws {
    let rig = StoreRig(card, key: key)
    try rig.open()
    try compare(try rig.found(), before, after)
    if let key { try rig.expectManifest(of: key) }
    try examineAgain(card)
  }

  private func examineAgain(_ card: MemoryCard) throws {
    let first = card.everything
    let log = CutLog()
    log.watch(card)
    let again = StoreRig(card, key: key)
    try again.open()
    let changes = log.moments.map(\.next)
    if changes.isEmpty { return }
    let second = card.everything
    let isSame =
      first.count == second.count
      && zip(first, second).allSatisfy { $0.path == $1.path && $0.bytes == $1.bytes }
    try Broken.unless(
      isSame, "a second recovery changed the card: \(changes) \(difference(first, second))")
  }

  /// A listing of the card, for the report of a failure.
  private func listing(_ card: MemoryCard) -> String {
    let found = card.everything
    let log = CutLog()
    log.watch(card)
    StoreRig(card).give(.open)
    let changes = "  recovery: " + log.moments.map(\.next).joined(separator: ", ")
    return changes + "\n"
      + found.map { path, bytes in
        let name = String(decoding: path, as: UTF8.self)
        let text =
          name.contains("folder.") ? "\n" + String(decoding: bytes ?? [], as: UTF8.self) : ""
        return "  \(name) \(bytes.map { "\($0.count)" } ?? "/") \(text)"
      }
      .joined(separator: "\n")
  }

  private func difference(
    _ first: [(path: [UInt8], bytes: [UInt8]?)], _ second: [(path: [UInt8], bytes: [UInt8]?)]
  ) -> String {
    second.filter { new in !first.contains { $0.path == new.path && $0.bytes == new.bytes } }
      .map { path, bytes in
        let end = String(decoding: (bytes ?? []).suffix(700), as: UTF8.self)
        return "\(String(decoding: path, as: UTF8.self)): \(end)"
      }
      .joined(separator: "\n")
  }

  /// Cuts the power again, somewhere in recovery.
  private mutating func cutRecovery(
    of card: MemoryCard, _ seed: UInt64, _ before: ModelLibrary, _ after: ModelLibrary
  ) throws {
    let log = CutLog()
    log.watch(card)
    let rig = StoreRig(card, key: key)
    try rig.open()
    _ = try rig.found()
    let moments = log.moments
    guard !moments.isEmpty else { return }
    let chosen = moments[Int(seed / 8 % UInt64(moments.count))]
    for again in [seed, seed &+ 17] {
      count += 1
      do { try examine(chosen.cut.outcome(again), before, after) } catch let broken as Broken {
        throw Broken(
          description: """
            and again in recovery before \(chosen.next), \(again): \(broken)
            found after the second cut:
            \(listing(chosen.cut.outcome(again)))
            """)
      }
    }
  }

  private func compare(
    _ found: [ItemID: FoundItem], _ before: ModelLibrary, _ after: ModelLibrary
  ) throws {
    for id in Set(before.items.keys).union(after.items.keys).sorted() {
      let allowed = [before[id], after[id]]
      if let item = found[id] {
        // A folder whose purging failed is empty, and has lost its order with its index.
        let isPurged = after[id] == nil
        let isRight = allowed.contains { $0?.isShown(by: item, inAnyOrder: isPurged) ?? false }
        try Broken.unless(isRight, "\(id) is \(item.summary), not \(allowed.map(summary))")
      } else {
        let isExcused = allowed.contains { expected in expected.map(self.mayBeMissing) ?? true }
        try Broken.unless(isExcused, "\(id) is lost: \(allowed.map(summary))")
      }
    }
    for (id, item) in found where before[id] == nil && after[id] == nil {
      try Broken.unless(
        isBegun(item, before, after, found), "nobody made \(id): \(item.summary)")
    }
  }

  /// A new folder whose directory was made before its snapshot may appear, empty, under another new
  /// identity; and a track of a take of which nothing was synced as a recording of its own, if it
  /// reached the card before the first track did.
  private func isBegun(
    _ item: FoundItem, _ before: ModelLibrary, _ after: ModelLibrary, _ found: [ItemID: FoundItem]
  ) -> Bool {
    guard case .folder = item.kind else {
      return before.items.values.contains { take in
        if case .recording(let take) = take.kind { take.isUnsafe } else { false }
      }
    }
    return after.folders.contains { id in
      before[id] == nil && found[id] == nil && after[id]?.parent == item.parent
    }
  }

  /// A take of which nothing was synced may be missing.
  private func mayBeMissing(_ item: ModelLibrary.Item) -> Bool {
    if case .recording(let take) = item.kind { take.isUnsafe } else { false }
  }

  private func summary(_ item: ModelLibrary.Item?) -> String {
    guard let item else { return "absent" }
    guard case .recording(let take) = item.kind else { return "\(item.title) in \(item.parent)" }
    let state =
      take.files.map { "\($0.map(\.count)) bytes" } ?? "running, \(take.safeFrames) frames safe"
    return
      "\(item.title) in \(item.parent), \(state), \(take.marks.count) marks, "
      + "heard \(take.isHeard), copies \(take.copies.sorted())"
  }
}

extension FoundItem {
  var summary: String {
    guard case .recording(let take) = kind else { return "\(title) in \(parent)" }
    let files = take.files.sorted { $0.key < $1.key }.map { number, file in
      "\(number): \(file.bytes.count) bytes, \(file.frames) frames, playable \(file.isPlayable)"
    }
    return
      "\(title) in \(parent), \(take.stage), \(files), \(take.marks.count) marks, "
      + "heard \(take.isHeard), copies \(take.copies.sorted())"
  }
}
