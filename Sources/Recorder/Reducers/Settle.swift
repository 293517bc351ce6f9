// What follows from the state, whichever action changed it: armed takes begin when everything is
// ready, places in removed folders move up, folders on show are read, a full card ends a take, and
// a shutdown is over when no work is left. Runs after each action and is idempotent.

extension State {
  mutating func settle(_ step: inout Step) {
    settleTimes(&step)
    resumeTake(&step)
    searchFolder(&step)
    beginArmedTake(&step)
    makeRoom(&step)
    armDevice(&step)
    settleDeck(&step)
    settleBacklog()
    settlePlaces()
    restorePlace()
    settleArrivals()
    readWhatIsShown(&step)
    noticeWhatToRemember(&step)
    finishShutdown(&step)
  }

  /// The device is open while it is armed or needed, and closed otherwise.
  private mutating func armDevice(_ step: inout Step) {
    let isWanted = host.phase == .running && (settings.isArmed || transport.take != .none)
    switch device.capture {
    case .closed(let info) where isWanted:
      device.capture = .opening(info, since: now)
      step.emit(.sound(.open))
    case .running(let info) where !isWanted && mayClose,
      .silent(let info) where !isWanted && mayClose:
      device.capture = .closed(info)
      step.emit(.sound(.close))
    default: break
    }
  }

  private var mayClose: Bool { closing.isEmpty || isSoundOverdue }

  private var isSoundOverdue: Bool { soundDue.map { $0 <= now } ?? false }

  /// Ends a take that fills the card while there is still room to close its file.
  private mutating func makeRoom(_ step: inout Step) {
    guard let left = leftMilliseconds else { return }
    // With `warn: 0` the card is never short of space before it is full.
    let isTight = left == 0 || settings.whenFull != .stop && isShortOfSpace
    guard isTight else { return }
    if let recyclable = settings.whenFull.recyclable, !card.isRecycling, library.phase == .ready,
      card.freeBytes != card.recycledAtFreeBytes
    {
      // Asked again only after the free space has changed, so that a card with nothing to delete is
      // asked once.
      card.isRecycling = true
      card.recycledAtFreeBytes = card.freeBytes
      step.emit(.card(.recycle(recyclable)))
    }
    if left == 0, let take = transport.take.running {
      note(.cardFull, item: take.id, "", &step)
      end(take, at: now, .cardFull, &step)
    }
  }

  /// Unloads the deck if its recording is gone, or if the device cannot play during the take.
  private mutating func settleDeck(_ step: inout Step) {
    if let cue = transport.deck.cue, library.recordings[cue.item] == nil { unload(&step) }
    if transport.take != .none, !device.canPlayWhileRecording || !device.canPlay {
      switch transport.deck {
      case .playing, .loading: unload(&step)
      case .paused, .empty: break
      }
    }
  }

  /// With nothing left to write, the card is not behind.
  private mutating func settleBacklog() {
    if transport.take.running == nil, closing.isEmpty { card.behindMilliseconds = nil }
  }

  /// Moves a place whose folder is gone or was deleted to the nearest folder above it that still
  /// exists. Before the card is open no folder counts as gone.
  private mutating func settlePlaces() {
    guard library.root != nil else { return }
    let library = self.library
    withEachPlace { $0.settle(in: library) }
    for index in consoles.indices {
      if consoles[index].dialog?.isOver(in: library) == true { consoles[index].dialog = nil }
    }
  }

  /// Returns the panel to its place before the restart, as far as that still exists.
  private mutating func restorePlace() {
    while var placeToRestore = panel.placeToRestore, let here = library.folders[panel.place.folder]
    {
      switch here.reading {
      case .unread, .reading: return
      case .read, .failed: break
      }
      if let next = placeToRestore.folders.first, library.folders[next]?.parent == here.id {
        placeToRestore.folders.removeFirst()
        panel.place = Place(folder: next, trail: panel.place.trail + [here.id])
        panel.placeToRestore = placeToRestore
      } else {
        if placeToRestore.folders.isEmpty, let item = placeToRestore.selection,
          library.parent(of: item) == here.id
        {
          panel.place.choose(item)
        }
        panel.placeToRestore = nil
      }
    }
  }

  /// A screen that shows an item's folder need not be told that the item is there.
  private mutating func settleArrivals() {
    for index in consoles.indices {
      guard let item = consoles[index].arrival?.item else { continue }
      let shown = place(of: consoles[index]).folder
      if library.parent(of: item) ?? shown == shown { consoles[index].arrival = nil }
    }
  }

  private mutating func readWhatIsShown(_ step: inout Step) {
    guard library.phase == .ready else { return }
    let shown = consoles.map { place(of: $0).folder }
    for id in [ItemID.root, panel.place.folder] + shown
    where library.folders[id]?.reading == .unread {
      library.setReading(of: id, .reading, &step)
      step.emit(.card(.read(id)))
    }
  }

  private mutating func finishShutdown(_ step: inout Step) {
    guard case .stopping = host.phase, closing.isEmpty, library.pending.isEmpty else {
      return
    }
    host.phase = .stopped
    step.emit(.host(.finish))
  }
}

extension Dialog {
  /// Whether its item is gone, or what it asks for was given elsewhere.
  fileprivate func isOver(in library: Library) -> Bool {
    if case .nameTake(let id, _, _) = self {
      return library.recordings[id]?.titleIsDefault != true
    }
    return item.map { !library.contains($0) } ?? false
  }
}

extension Place {
  fileprivate mutating func settle(in library: Library) {
    let wasInTrash = folder == .trash || trail.first == .trash
    while library.folders[folder] == nil || (library.isInTrash(folder) && !wasInTrash) {
      folder = trail.popLast() ?? .root
      choose(nil)
    }
    if let item = selection, library.parent(of: item) != folder { choose(nil) }
    if !isTrailTrue(in: library) { trail = library.path(to: folder).dropLast().map(\.id) }
  }

  /// False if the folder, or one above it, has moved.
  private func isTrailTrue(in library: Library) -> Bool {
    var above = library.parent(of: folder)
    for step in trail.reversed() {
      if step != above { return false }
      above = library.parent(of: step)
    }
    return above == nil
  }
}
