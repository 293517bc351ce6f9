// Moving about in the library: each console and the panel has a place of its own, which always
// names a folder that exists. Folders are read from the card when somebody gets there.

extension State {
  mutating func wish(_ wish: BrowseWish, from origin: Origin, _ turn: inout Turn) {
    let place = place(of: origin)
    switch wish {
    case .enter(let id): enter(id, from: origin, &turn)
    case .up: goUp(from: origin, &turn)
    case .open: open(place.selection, from: origin, &turn)
    case .select(let id):
      guard library.parent(of: id) == place.folder else {
        return answer(origin, .refused(.notFound), &turn)
      }
      withPlace(of: origin) { $0.selection = id }
      answer(origin, .done(id), &turn)
    case .selectBy(let steps):
      let selection = selection(steps, from: place)
      withPlace(of: origin) { $0.selection = selection }
      answer(origin, .done(selection), &turn)
    case .nextFolder: enterNextFolder(from: origin, &turn)
    case .read(let id): read(id, from: origin, &turn)
    }
  }

  private mutating func read(_ id: ItemID, from origin: Origin, _ turn: inout Turn) {
    guard let folder = library.folders[id] else {
      return answer(origin, .refused(.notFound), &turn)
    }
    guard library.phase == .ready else {
      return answer(origin, .refused(library.phase == .exported ? .cardExported : .notReady), &turn)
    }
    switch folder.reading {
    case .reading, .read: break
    case .unread, .failed:
      library.setReading(of: id, .reading, &turn)
      turn.emit(.card(.read(id)))
    }
    answer(origin, .done(id), &turn)
  }

  private mutating func enter(_ id: ItemID, from origin: Origin, _ turn: inout Turn) {
    guard library.folders[id] != nil else {
      return answer(origin, .refused(.notFound), &turn)
    }
    let trail = library.path(to: id).dropLast().map(\.id)
    withPlace(of: origin) {
      $0 = Place(folder: id, selection: nil, trail: Array(trail))
    }
    answer(origin, .done(id), &turn)
  }

  /// One folder up, with the one left behind selected.
  private mutating func goUp(from origin: Origin, _ turn: inout Turn) {
    let left = place(of: origin).folder
    guard let parent = library.folders[left]?.parent ?? (left == .trash ? .root : nil) else {
      return answer(origin, .done(left), &turn)
    }
    enter(parent, from: origin, &turn)
    let isBelow = library.parent(of: left) == parent
    withPlace(of: origin) { $0.selection = isBelow ? left : nil }
  }

  private mutating func open(_ selection: ItemID?, from origin: Origin, _ turn: inout Turn) {
    guard let id = selection else { return answer(origin, .refused(.notFound), &turn) }
    if library.folders[id] != nil { return enter(id, from: origin, &turn) }
    wish(.deck(.play(id)), from: origin, at: now, &turn)
  }

  /// Stops at either end. Nothing selected is before the first on the way down, and behind the last
  /// on the way up.
  private func selection(_ steps: Int, from place: Place) -> ItemID? {
    guard let items = library.folders[place.folder]?.items, !items.isEmpty else { return nil }
    let index = place.selection.flatMap(library.index) ?? (steps < 0 ? items.count : -1)
    return items[min(max(index.clampedAdding(steps), 0), items.count - 1)]
  }

  private mutating func enterNextFolder(from origin: Origin, _ turn: inout Turn) {
    let folders = (library.root?.items ?? ItemOrder()).prefix { library.folders[$0] != nil }
    let here = place(of: origin).folder
    guard let index = folders.firstIndex(where: { library.isBelow($0, here) }) else {
      return enter(folders.first ?? .root, from: origin, &turn)
    }
    enter(index + 1 < folders.endIndex ? folders[index + 1] : .root, from: origin, &turn)
  }

  mutating func withPlace(of origin: Origin, _ change: (inout Place) -> Void) {
    if let id = origin.console, var place = console(id)?.ownPlace {
      change(&place)
      withConsole(id) { $0.ownPlace = place }
    } else {
      panel.wayBack = nil
      change(&panel.place)
    }
  }

  /// Everybody's place, for what happens to all of them.
  mutating func withEachPlace(_ change: (inout Place) -> Void) {
    change(&panel.place)
    for index in consoles.indices {
      guard var place = consoles[index].ownPlace else { continue }
      change(&place)
      consoles[index].ownPlace = place
    }
  }

  /// Whoever has selected an item that leaves its folder is left with its neighbour.
  mutating func stepAside(from id: ItemID) {
    let next = neighbour(of: id, 1) ?? neighbour(of: id, -1)
    withEachPlace { if $0.selection == id { $0.selection = next } }
  }
}
