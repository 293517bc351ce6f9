// What the card could not write down of a recording is given to it again when it works: the end of
// a take above all, which would otherwise come back as one that was cut short. Told of once.

extension State {
  /// Writes an entry to the card as it is now.
  func keep(_ id: ItemID, _ turn: inout Turn) {
    guard let recording = library.recordings[id], !recording.waitsForCard else { return }
    turn.emit(.card(.keep(recording)))
  }

  mutating func wasKept(_ id: ItemID) {
    library.unkept.removeAll { $0 == id }
    library.keptAgain.removeAll { $0 == id }
  }

  mutating func wasNotKept(_ id: ItemID, _ why: String, _ turn: inout Turn) {
    let isKnown = library.unkept.contains(id) || library.keptAgain.contains(id)
    if !isKnown { note(.workFailed, item: id, why, &turn) }
    wasKept(id)
    library.unkept.append(id)
  }

  /// The card has been heard of.
  mutating func keepAgain(_ turn: inout Turn) {
    guard library.phase == .ready, !card.isReadOnly else { return }
    for id in library.unkept where library.recordings[id] != nil {
      library.keptAgain.append(id)
      keep(id, &turn)
    }
    library.unkept = []
  }
}
