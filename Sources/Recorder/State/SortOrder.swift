// The order of the items of a folder, for the heart's lists and for the card's index. Pure; any
// thread.

extension Folder {
  /// `byDate` sorts by sequence number, which a wrong clock cannot upset. Folders come first in
  /// every order but the user's own.
  public enum SortOrder: String, Codable, CaseIterable, Sendable {
    case byName, byDate, byLength, byHand
  }

  /// Folders are sorted by name, then by id.
  public func comesBefore(_ other: Folder) -> Bool {
    let byName = Text.order(name, other.name)
    return byName == 0 ? id < other.id : byName < 0
  }
}

extension Recording {
  /// Ties are sorted by sequence number, then by id.
  public func comesBefore(_ other: Recording, in order: Folder.SortOrder) -> Bool {
    switch order {
    case .byName:
      let byName = Text.order(title, other.title)
      if byName != 0 { return byName < 0 }
    case .byLength where sound.frames != other.sound.frames:
      return sound.frames < other.sound.frames
    case .byLength, .byDate, .byHand: break
    }
    return (sequence ?? 0, id) < (other.sequence ?? 0, other.id)
  }
}
