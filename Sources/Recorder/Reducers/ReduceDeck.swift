// Decides what is played next, where a recording resumes, and when it counts as heard.

extension State {
  mutating func handle(_ request: DeckRequest, from origin: Origin, _ step: inout Step) {
    switch request {
    case .play(let item): play(item, from: origin, &step)
    case .toggle: toggle(from: origin, &step)
    case .pause: pause(from: origin, &step)
    case .resume: resume(from: origin, &step)
    case .stop:
      let cue = transport.deck.cue
      unload(&step)
      answer(origin, .done(cue?.item), &step)
    case .seek(let target): seek(target, from: origin, &step)
    case .next: skip(1, from: origin, &step)
    case .previous: skip(-1, from: origin, &step)
    case .nextMark: seekMark(1, from: origin, &step)
    case .previousMark: seekMark(-1, from: origin, &step)
    case .volume(let percent): setVolume(percent, from: origin, &step)
    case .volumeBy(let steps):
      let change = steps.clampedMultiplied(by: settings.volumeStepPercent)
      setVolume(device.volumePercent.clampedAdding(change), from: origin, &step)
    }
  }

  /// Returns why an item cannot be played now; nil if it can.
  public func refusalToPlay(_ id: ItemID) -> Refusal? {
    guard let recording = library.recordings[id] else { return .notFound }
    if !recording.isSettled { return .stillInUse }
    if recording.file == nil { return .notFound }
    if library.phase != .ready { return library.phase == .exported ? .cardExported : .notReady }
    let isRecording = transport.take != .none
    return device.canPlay && (!isRecording || device.canPlayWhileRecording) ? nil : .noSpeaker
  }

  // MARK: Starting and stopping

  private mutating func play(_ item: ItemID?, from origin: Origin, _ step: inout Step) {
    let (choice, followedBy) = item.map { ($0, .next) } ?? choice(for: origin)
    guard let id = choice else { return }
    let frame = item == nil ? bookmarkedFrame(of: id) : 0
    load(id, at: frame, startsPaused: false, followedBy, &step)
    answer(origin, .done(id), &step)
  }

  /// The recording to play if none is named: the one that a person selected, else the oldest
  /// unheard one of the folder, else the newest.
  func choice(for origin: Origin) -> (ItemID?, Cue.Follower) {
    let place = place(of: origin)
    if let chosen = place.chosen, library.recordings[chosen] != nil { return (chosen, .next) }
    if let unheard = oldestUnheard(in: place.folder) { return (unheard, .nextUnheard) }
    return (finished(in: place.folder, fromNewest: true) { _ in true }, .next)
  }

  /// A dashboard asks for it with every picture, so a folder of recordings that were all heard is
  /// not searched.
  private func oldestUnheard(in id: ItemID) -> ItemID? {
    guard let folder = library.folders[id] else { return nil }
    let inner = folder.items.prefix { library.folders[$0] != nil }
    let below = inner.reduce(0) { $0 + (library.folders[$1]?.tally.unheard ?? 0) }
    if folder.tally.unheard <= below { return nil }
    return finished(in: id, fromNewest: false) { !$0.isHeard }
  }

  /// Returns the oldest or the newest finished recording of a folder that is wanted.
  private func finished(
    in id: ItemID, fromNewest: Bool, where isWanted: (Recording) -> Bool
  ) -> ItemID? {
    guard let folder = library.folders[id] else { return nil }
    func isCandidate(_ item: ItemID) -> Bool {
      library.recordings[item].map { $0.isSettled && isWanted($0) } ?? false
    }
    if folder.order == .byDate {
      return fromNewest
        ? folder.items.last(where: isCandidate) : folder.items.first(where: isCandidate)
    }
    func isOlder(_ one: ItemID, _ other: ItemID) -> Bool {
      library.comesBefore(one, other, in: .byDate)
    }
    let candidates = folder.items.filter(isCandidate)
    return fromNewest ? candidates.max(by: isOlder) : candidates.min(by: isOlder)
  }

  private func bookmarkedFrame(of id: ItemID) -> Int64 {
    guard let bookmark = transport.bookmark, bookmark.item == id else { return 0 }
    return bookmark.frame
  }

  private mutating func load(
    _ id: ItemID, at frame: Int64, startsPaused: Bool, _ followedBy: Cue.Follower,
    _ step: inout Step
  ) {
    guard let recording = library.recordings[id], let path = library.place(of: id) else { return }
    placeBookmark(&step)
    let length = recording.sound.frames
    let cue = Cue(
      id: step.newID(), item: id, startFrame: frame < length ? max(0, frame) : 0,
      lengthFrames: length, rate: recording.sound.rate, followedBy: followedBy)
    transport.deck = .loading(cue, startsPaused: startsPaused)
    step.emit(.deck(.load(cue, path, startsPaused: startsPaused)))
  }

  private mutating func toggle(from origin: Origin, _ step: inout Step) {
    switch transport.deck {
    case .playing, .loading: pause(from: origin, &step)
    case .paused: resume(from: origin, &step)
    case .empty: play(nil, from: origin, &step)
    }
  }

  private mutating func pause(from origin: Origin, _ step: inout Step) {
    switch transport.deck {
    case .playing(let cue, _):
      transport.deck = .paused(cue, frame: transport.deck.frame(at: now))
      step.emit(.deck(.pause(cue: cue.id)))
      placeBookmark(&step)
    case .loading(let cue, _):
      transport.deck = .loading(cue, startsPaused: true)
      step.emit(.deck(.pause(cue: cue.id)))
    case .paused, .empty: break
    }
    answer(origin, .done(transport.deck.cue?.item), &step)
  }

  private mutating func resume(from origin: Origin, _ step: inout Step) {
    switch transport.deck {
    case .empty, .playing: break
    case .loading(let cue, _):
      transport.deck = .loading(cue, startsPaused: false)
      step.emit(.deck(.resume(cue: cue.id)))
    case .paused(let cue, let frame):
      transport.deck = .playing(cue, Anchor(frame: frame, instant: now))
      step.emit(.deck(.resume(cue: cue.id)))
    }
    answer(origin, .done(transport.deck.cue?.item), &step)
  }

  /// Unloads the deck and keeps a bookmark.
  mutating func unload(_ step: inout Step) {
    if transport.deck == .empty { return }
    placeBookmark(&step)
    transport.deck = .empty
    step.emit(.deck(.unload))
  }

  /// Remembers the position. A recording counts as heard once playback has passed its middle.
  private mutating func placeBookmark(_ step: inout Step) {
    guard let cue = transport.deck.cue, library.recordings[cue.item] != nil else { return }
    let frame = transport.deck.frame(at: now)
    transport.bookmark =
      frame < cue.lengthFrames ? Bookmark(item: cue.item, frame: frame) : nil
    if frame >= cue.lengthFrames / 2, cue.lengthFrames > 0 { setHeard(cue.item, true, &step) }
  }

  mutating func setHeard(_ id: ItemID, _ isHeard: Bool, _ step: inout Step) {
    guard let recording = library.recordings[id], recording.isHeard != isHeard else { return }
    library.update(id, &step) { $0.isHeard = isHeard }
    keep(id, &step)
  }

  // MARK: Moving about

  private mutating func seek(_ target: Seek, from origin: Origin, _ step: inout Step) {
    guard let cue = transport.deck.cue else { return }
    let here = transport.deck.frame(at: now)
    let wanted =
      switch target {
      case .to(let milliseconds): Frames.count(milliseconds: milliseconds, rate: cue.rate)
      case .by(let milliseconds):
        here.clampedAdding(Frames.count(milliseconds: milliseconds, rate: cue.rate))
      }
    seek(cue, frame: wanted, &step)
    answer(origin, .done(cue.item), &step)
  }

  private mutating func seek(_ cue: Cue, frame wanted: Int64, _ step: inout Step) {
    let frame = min(max(wanted, 0), cue.lengthFrames)
    step.emit(.deck(.seek(cue: cue.id, frame: frame)))
    switch transport.deck {
    case .playing(let cue, _):
      transport.deck = .playing(cue, Anchor(frame: frame, instant: now))
    case .paused(let cue, _):
      transport.deck = .paused(cue, frame: frame)
    case .loading, .empty: break
    }
  }

  /// Before the first mark, previous goes to the beginning.
  private mutating func seekMark(_ direction: Int, from origin: Origin, _ step: inout Step) {
    guard let cue = transport.deck.cue else { return }
    let frame = markedFrame(direction, in: cue.item, from: transport.deck.frame(at: now))
    guard let frame = frame ?? (direction < 0 ? 0 : nil) else { return }
    seek(cue, frame: frame, &step)
    answer(origin, .done(cue.item), &step)
  }

  /// Loads the next or the previous recording. More than 3 s in, previous returns to the beginning
  /// of this one.
  private mutating func skip(_ direction: Int, from origin: Origin, _ step: inout Step) {
    guard let cue = transport.deck.cue else {
      return handle(.selectBy(direction), from: origin, &step)
    }
    if direction < 0, isPastBeginning(of: cue) {
      return seek(.to(milliseconds: 0), from: origin, &step)
    }
    guard let next = neighbour(of: cue.item, direction, where: { refusalToPlay($0) == nil }) else {
      return
    }
    load(next, at: 0, startsPaused: transport.deck.isPaused, cue.followedBy, &step)
    answer(origin, .done(next), &step)
  }

  /// Whether previous returns to the beginning of what plays.
  func isPastBeginning(of cue: Cue) -> Bool {
    Frames.milliseconds(transport.deck.frame(at: now), rate: cue.rate) > 3000
  }

  /// Returns the nearest item in that direction of the folder's order that satisfies `isWanted`.
  func neighbour(
    of id: ItemID, _ direction: Int, where isWanted: (ItemID) -> Bool = { _ in true }
  ) -> ItemID? {
    guard let index = library.index(of: id), let folder = library.parent(of: id),
      let items = library.folders[folder]?.items
    else { return nil }
    var next = index + direction
    while items.indices.contains(next) {
      if isWanted(items[next]) { return items[next] }
      next += direction
    }
    return nil
  }

  private mutating func setVolume(_ percent: Int, from origin: Origin, _ step: inout Step) {
    device.volumePercent = min(max(percent, 0), 100)
    step.emit(.deck(.volume(percent: device.volumePercent)))
    answer(origin, .done(nil), &step)
  }

  // MARK: News

  mutating func handle(_ event: DeckEvent, ofCue id: ItemID, _ step: inout Step) {
    guard let cue = transport.deck.cue, cue.id == id else { return }
    // The last request counts: events of an earlier one may still arrive.
    switch event {
    case .playing(let anchor):
      if !transport.deck.isPaused { transport.deck = .playing(cue, anchor) }
    case .paused(let frame):
      let known = transport.deck.frame(at: now)
      // The event refines the known position. A position more than a second away belongs to an
      // earlier pause or seek, and would undo a later one.
      let isNear = frame.clampedSubtracting(known).magnitude <= cue.rate.magnitude
      guard transport.deck.isPaused, isNear else { return }
      transport.deck = .paused(cue, frame: min(max(frame, 0), cue.lengthFrames))
    case .reachedEnd:
      finishPlaying(cue, &step)
    case .failed(let why):
      note(.playbackFailed, item: cue.item, why, &step)
      transport.deck = .empty
    }
  }

  private mutating func finishPlaying(_ cue: Cue, _ step: inout Step) {
    transport.bookmark = nil
    setHeard(cue.item, true, &step)
    let isPaused = transport.deck.isPaused
    transport.deck = .empty
    withEachPlace { $0.release(cue.item) }
    guard settings.afterPlaying == .next, let next = follower(of: cue) else {
      return step.emit(.deck(.unload))
    }
    load(next, at: 0, startsPaused: isPaused, cue.followedBy, &step)
  }

  private func follower(of cue: Cue) -> ItemID? {
    switch cue.followedBy {
    case .next: return neighbour(of: cue.item, 1) { refusalToPlay($0) == nil }
    case .nextUnheard:
      let next = library.parent(of: cue.item).flatMap(oldestUnheard)
      return next.flatMap { refusalToPlay($0) == nil ? $0 : nil }
    }
  }
}
