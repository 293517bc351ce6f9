// Retries the entries that the card could not write, once it works again. Without the entry of its
// end, a take would come back as one that was cut short. A failure is noted once.

extension State {
  /// Writes a recording's entry to the card as it is now.
  func keep(_ id: ItemID, _ step: inout Step) {
    guard let recording = library.recordings[id], !recording.waitsForCard else { return }
    step.emit(.card(.keep(recording)))
  }

  mutating func wasKept(_ id: ItemID) {
    library.owed.removeAll { $0.id == id }
  }

  mutating func wasNotKept(_ id: ItemID, _ why: String, _ step: inout Step) {
    if !library.owed.contains(where: { $0.id == id }) { note(.workFailed, item: id, why, &step) }
    wasKept(id)
    library.owed.append(OwedEntry(id: id))
  }

  /// Retries the entries after a report from the card.
  mutating func keepAgain(_ step: inout Step) {
    guard library.phase == .ready, !card.isReadOnly else { return }
    library.owed.removeAll { library.recordings[$0.id] == nil }
    for index in library.owed.indices where !library.owed[index].isRetried {
      library.owed[index].isRetried = true
      keep(library.owed[index].id, &step)
    }
  }
}
