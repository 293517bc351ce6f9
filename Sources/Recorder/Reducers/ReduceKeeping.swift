// Retries the entries that the card could not write, once it works again. Without the entry of its
// end, a take would come back as one that was cut short. A failure is noted once.

extension State {
  /// Writes a recording's entry to the card as it is now.
  func keep(_ id: ItemID, _ step: inout Step) {
    guard let recording = library.recordings[id], !recording.waitsForCard else { return }
    step.emit(.card(.keep(recording)))
  }

  mutating func wasKept(_ id: ItemID) {
    library.unkept.removeAll { $0 == id }
    library.keptAgain.removeAll { $0 == id }
  }

  mutating func wasNotKept(_ id: ItemID, _ why: String, _ step: inout Step) {
    let isKnown = library.unkept.contains(id) || library.keptAgain.contains(id)
    if !isKnown { note(.workFailed, item: id, why, &step) }
    wasKept(id)
    library.unkept.append(id)
  }

  /// Retries the entries after a report from the card.
  mutating func keepAgain(_ step: inout Step) {
    guard library.phase == .ready, !card.isReadOnly else { return }
    for id in library.unkept where library.recordings[id] != nil {
      library.keptAgain.append(id)
      keep(id, &step)
    }
    library.unkept = []
  }
}
