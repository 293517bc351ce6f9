// A full folder never stops a take. The take goes into a folder beside it with a number,
// "Interviews 2", which is made if there is none; a notice warns before the folder is full. Pure,
// like every reducer.

extension State {
  /// Returns the first folder with room of "Kitchen", "Kitchen 2", "Kitchen 3". If the root is
  /// full, the numbered folders are in it.
  mutating func folderWithRoom(_ wanted: ItemID, _ step: inout Step) -> ItemID {
    guard library.phase == .ready, let full = library.folders[wanted], isFull(full) else {
      return wanted
    }
    let parent = full.parent ?? wanted
    var beside: [String: ItemID] = [:]
    for id in library.folders[parent]?.items ?? ItemOrder() {
      if let name = library.folders[id]?.name { beside[name] = id }
    }
    for number in 2...beside.count + 2 {
      let name = Text.title("\(full.name) \(number)") ?? "Recordings \(number)"
      guard let id = beside[name] else {
        return overflow(into: name, in: parent, from: full, &step)
      }
      if let folder = library.folders[id], !isFull(folder), folderForTakes(id) == id { return id }
    }
    return wanted
  }

  private func isFull(_ folder: Folder) -> Bool {
    // Of an unread folder only the number of recordings below it is known.
    let count = folder.reading == .read ? folder.items.count : folder.tally.recordings
    return count >= settings.itemsPerFolder
  }

  /// Inserts the folder before the card has made it, because the take that needs it begins now.
  private mutating func overflow(
    into name: String, in parent: ItemID, from full: Folder, _ step: inout Step
  ) -> ItemID {
    let id = step.newID()
    var folder = Folder(id: id, parent: parent, name: name, directory: name)
    folder.reading = .read
    library.insert(folder, &step)
    hand(.makeFolder(id, name: name, in: parent), from: .appliance, &step)
    note(.folderFilling, item: id, "“\(full.name)” is full; takes go into “\(name)”", &step)
    return id
  }

  /// Moves the items of a folder that the card could not make to the top of the card.
  mutating func dropOverflow(_ id: ItemID, _ step: inout Step) {
    guard let folder = library.folders[id] else { return }
    for item in Array(folder.items) { library.move(item, to: .root, &step) }
    moveSelection(awayFrom: id)
    library.remove(id, &step)
  }

  /// Warns once, when nine tenths are used.
  mutating func warnIfFilling(_ id: ItemID, _ step: inout Step) {
    let limit = settings.itemsPerFolder
    guard let folder = library.folders[id], folder.items.count == limit - limit / 10 else { return }
    note(
      .folderFilling, item: id, "“\(folder.name)” holds \(folder.items.count) of \(limit)", &step)
  }
}
