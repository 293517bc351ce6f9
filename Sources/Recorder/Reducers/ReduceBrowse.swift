// Navigation in the library: each console and the panel has a place, which always names a folder
// that exists. A folder is read from the card when it is first shown.

extension State {
  mutating func handle(_ request: BrowseRequest, from origin: Origin, _ step: inout Step) {
    let place = place(of: origin)
    switch request {
    case .enter(let id): enter(id, from: origin, &step)
    case .up: goUp(from: origin, &step)
    case .open: open(place.selection, from: origin, &step)
    case .select(let id):
      withPlace(of: origin) { $0.choose(id) }
      answer(origin, .done(id), &step)
    case .selectBy(let steps):
      let selection = selection(steps, from: place)
      withPlace(of: origin) { $0.choose(selection) }
      answer(origin, .done(selection), &step)
    case .nextFolder: enterNextFolder(from: origin, &step)
    case .read(let id): read(id, from: origin, &step)
    }
  }

  /// Reads folders, so that names in them can be looked up.
  mutating func read(_ ids: [ItemID], _ step: inout Step) {
    guard library.phase == .ready else { return }
    for id in ids { read(id, from: .appliance, &step) }
  }

  private mutating func read(_ id: ItemID, from origin: Origin, _ step: inout Step) {
    switch library.folders[id]?.reading {
    case .reading, .read, nil: break
    case .unread, .failed:
      library.setReading(of: id, .reading, &step)
      step.emit(.card(.read(id)))
    }
    answer(origin, .done(id), &step)
  }

  private mutating func enter(_ id: ItemID, from origin: Origin, _ step: inout Step) {
    let trail = library.path(to: id).dropLast().map(\.id)
    withPlace(of: origin) {
      $0 = Place(folder: id, trail: Array(trail))
    }
    answer(origin, .done(id), &step)
  }

  /// Enters the folder above and selects the one it came from.
  private mutating func goUp(from origin: Origin, _ step: inout Step) {
    let left = place(of: origin).folder
    guard let parent = library.folders[left]?.parent ?? (left == .trash ? .root : nil) else {
      return answer(origin, .done(left), &step)
    }
    enter(parent, from: origin, &step)
    let isBelow = library.parent(of: left) == parent
    withPlace(of: origin) { $0.choose(isBelow ? left : nil) }
  }

  private mutating func open(_ selection: ItemID?, from origin: Origin, _ step: inout Step) {
    guard let id = selection else { return }
    if library.folders[id] != nil { return enter(id, from: origin, &step) }
    handle(.deck(.play(id)), from: origin, at: now, &step)
  }

  /// Stops at either end. Without a selection, down begins at the first item and up at the last.
  private func selection(_ steps: Int, from place: Place) -> ItemID? {
    guard let items = library.folders[place.folder]?.items, !items.isEmpty else { return nil }
    let index = place.selection.flatMap(library.index) ?? (steps < 0 ? items.count : -1)
    return items[min(max(index.clampedAdding(steps), 0), items.count - 1)]
  }

  private mutating func enterNextFolder(from origin: Origin, _ step: inout Step) {
    let folders = (library.root?.items ?? ItemOrder()).prefix { library.folders[$0] != nil }
    let here = place(of: origin).folder
    guard let index = folders.firstIndex(where: { library.isBelow($0, here) }) else {
      return enter(folders.first ?? .root, from: origin, &step)
    }
    enter(index + 1 < folders.endIndex ? folders[index + 1] : .root, from: origin, &step)
  }

  mutating func withPlace(of origin: Origin, _ change: (inout Place) -> Void) {
    if let id = origin.console, console(id)?.ownPlace != nil {
      withConsole(id) { $0.withPlace(change) }
    } else {
      panel.placeToRestore = nil
      change(&panel.place)
    }
  }

  /// Changes the places of the panel and of every console.
  mutating func withEachPlace(_ change: (inout Place) -> Void) {
    change(&panel.place)
    for index in consoles.indices { consoles[index].withPlace(change) }
  }

  /// Replaces each selection of an item that leaves its folder by the item's neighbour.
  mutating func moveSelection(awayFrom id: ItemID) {
    let next = neighbour(of: id, 1) ?? neighbour(of: id, -1)
    withEachPlace { if $0.selection == id { $0.replaceSelection(by: next) } }
  }
}
