// What follows from the state, whichever action brought it about: armed takes begin when everything
// is ready, places that are gone are left, folders on show are read, a full card ends a take, and a
// shutdown is over when nothing is under way. Runs after each action and changes nothing the second
// time.

extension State {
  mutating func settle(_ turn: inout Turn) {
    settleTimes(&turn)
    resumeTake(&turn)
    beginArmedTake(&turn)
    makeRoom(&turn)
    armDevice(&turn)
    settleDeck(&turn)
    settleBacklog()
    settlePlaces()
    goBack()
    readWhatIsShown(&turn)
    noticeWhatToRemember(&turn)
    finishShutdown(&turn)
  }

  /// The device is open while it is armed or needed, and closed otherwise.
  private mutating func armDevice(_ turn: inout Turn) {
    let isWanted = host.phase == .running && (settings.isArmed || transport.take != .none)
    switch device.capture {
    case .closed(let info) where isWanted:
      device.capture = .opening(info)
      turn.emit(.sound(.open))
    case .running(let info) where !isWanted && (transport.closing.isEmpty || isSoundOverdue):
      device.capture = .closed(info)
      turn.emit(.sound(.close))
    default: break
    }
  }

  private var isSoundOverdue: Bool { soundDue.map { $0 <= now } ?? false }

  /// A take that fills the card is closed while there is still room to close it well.
  private mutating func makeRoom(_ turn: inout Turn) {
    guard let left = leftMilliseconds else { return }
    let isTight = settings.whenFull == .stop ? left == 0 : isShortOfSpace
    guard isTight else { return }
    if settings.whenFull == .recycleOldestHeard, !card.isRecycling, library.phase == .ready,
      card.freeBytes != card.recycledAtFreeBytes
    {
      // Asked again only when there is news of the room: a card with nothing to give says so once.
      card.isRecycling = true
      card.recycledAtFreeBytes = card.freeBytes
      turn.emit(.card(.recycle))
    }
    if left == 0, let take = transport.take.running {
      note(.cardFull, item: take.id, "", &turn)
      end(take, at: now, .cardFull, &turn)
    }
  }

  /// What plays exists, and its file is to be had.
  private mutating func settleDeck(_ turn: inout Turn) {
    if let cue = transport.deck.cue, library.recordings[cue.item] == nil { unload(&turn) }
    if transport.take != .none, !device.canPlayWhileRecording || !device.canPlay {
      switch transport.deck {
      case .playing, .loading: unload(&turn)
      case .paused, .empty: break
      }
    }
  }

  /// With nothing left to write, the card is not behind.
  private mutating func settleBacklog() {
    if transport.take.running == nil, transport.closing.isEmpty { card.behindMilliseconds = nil }
  }

  /// A place whose folder is gone, or was thrown away, falls back to the nearest folder above it
  /// that is still there. Before the card is open nothing is known to be gone.
  private mutating func settlePlaces() {
    guard library.root != nil else { return }
    let library = self.library
    withEachPlace { $0.settle(in: library) }
    for index in consoles.indices {
      if let item = consoles[index].dialog?.item, !library.contains(item) {
        consoles[index].dialog = nil
      }
    }
  }

  /// The panel goes back to where it was before the restart, as far as that still exists.
  private mutating func goBack() {
    while var wayBack = panel.wayBack, let here = library.folders[panel.place.folder] {
      switch here.reading {
      case .unread, .reading: return
      case .read, .failed: break
      }
      if let next = wayBack.folders.first, library.folders[next]?.parent == here.id {
        wayBack.folders.removeFirst()
        panel.place = Place(folder: next, trail: panel.place.trail + [here.id])
        panel.wayBack = wayBack
      } else {
        if wayBack.folders.isEmpty, let item = wayBack.selection,
          library.parent(of: item) == here.id
        {
          panel.place.selection = item
        }
        panel.wayBack = nil
      }
    }
  }

  private mutating func readWhatIsShown(_ turn: inout Turn) {
    guard library.phase == .ready else { return }
    let shown = consoles.map { place(of: $0).folder }
    for id in [ItemID.root, panel.place.folder] + shown
    where library.folders[id]?.reading == .unread {
      library.setReading(of: id, .reading, &turn)
      turn.emit(.card(.read(id)))
    }
  }

  private mutating func finishShutdown(_ turn: inout Turn) {
    guard case .stopping = host.phase, transport.closing.isEmpty, library.pending.isEmpty else {
      return
    }
    host.phase = .stopped
    turn.emit(.host(.finish))
  }
}

extension Place {
  fileprivate mutating func settle(in library: Library) {
    let wasInTrash = folder == .trash || trail.first == .trash
    while library.folders[folder] == nil || (library.isInTrash(folder) && !wasInTrash) {
      folder = trail.popLast() ?? .root
      selection = nil
    }
    if let item = selection, library.parent(of: item) != folder { selection = nil }
    if !isTrailTrue(in: library) { trail = library.path(to: folder).dropLast().map(\.id) }
  }

  /// A folder may have moved, or one above it.
  private func isTrailTrue(in library: Library) -> Bool {
    var above = library.parent(of: folder)
    for step in trail.reversed() {
      if step != above { return false }
      above = library.parent(of: step)
    }
    return above == nil
  }
}

/// What must go on while the state wants it.
public enum Subscription: Hashable, Codable, Sendable {
  case alarm(Alarm, at: Instant)
  /// Something on show changes with time alone.
  case ticks(everyMilliseconds: Int64)
  /// Level frames, past the reducer, for a console that shows a meter.
  case levels(console: Int)
  /// How often it is looked whether a device has come.
  case device(everyMilliseconds: Int64)
  /// How often the card is asked for its room.
  case space(everyMilliseconds: Int64)
}

extension Appliance {
  public static func subscriptions(_ state: State) -> Set<Subscription> {
    var wanted = Set(state.alarms.map { Subscription.alarm($0.0, at: $0.1) })
    if state.host.phase == .stopped { return [] }
    let isRecording = state.transport.take.running != nil
    if state.library.phase == .ready {
      wanted.insert(.space(everyMilliseconds: isRecording ? 2000 : 60_000))
    }
    if case .absent = state.device.capture, state.host.phase == .running {
      wanted.insert(.device(everyMilliseconds: 1000))
    }
    for console in state.consoles where console.showsScreen {
      if state.showsTime { wanted.insert(.ticks(everyMilliseconds: 500)) }
      if state.device.isRunning { wanted.insert(.levels(console: console.id)) }
    }
    return wanted
  }
}

extension State {
  fileprivate var showsTime: Bool {
    if case .playing = transport.deck { return true }
    return transport.take != .none
  }

  fileprivate var alarms: [(Alarm, Instant)] {
    var alarms: [(Alarm, Instant)] = []
    if let refusal = transport.refusal { alarms.append((.refusalShown, refusal.until)) }
    if let due = host.rememberDue { alarms.append((.rememberDue, due)) }
    if let due = soundDue { alarms.append((.soundOverdue, due)) }
    if let due = stopDue { alarms.append((.stopOverdue, due)) }
    if case .waitingForDevice(_, let until) = transport.take {
      alarms.append((.deviceWaitOver, until))
    }
    if case .greeting(_, let until) = transport.take { alarms.append((.greetingOver, until)) }
    if let due = splitDue, let take = transport.take.running {
      alarms.append((.splitDue(take.id), due))
    }
    for console in consoles {
      if let message = console.message {
        alarms.append((.messageShown(console: console.id), message.until))
      }
    }
    return alarms
  }
}
