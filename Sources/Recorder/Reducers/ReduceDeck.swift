// Playing, decided: what is played next, where a recording goes on, when it counts as heard.

extension State {
  mutating func wish(_ wish: DeckWish, from origin: Origin, _ turn: inout Turn) {
    switch wish {
    case .play(let item): play(item, from: origin, &turn)
    case .toggle: toggle(from: origin, &turn)
    case .pause: pause(from: origin, &turn)
    case .resume: resume(from: origin, &turn)
    case .stop:
      let cue = transport.deck.cue
      unload(&turn)
      answer(origin, cue == nil ? .refused(.nothingPlaying) : .done(cue?.item), &turn)
    case .seek(let target): seek(target, from: origin, &turn)
    case .next: step(1, from: origin, &turn)
    case .previous: step(-1, from: origin, &turn)
    case .volume(let percent): setVolume(percent, from: origin, &turn)
    case .volumeBy(let steps):
      let change = steps.clampedMultiplied(by: settings.volumeStepPercent)
      setVolume(device.volumePercent.clampedAdding(change), from: origin, &turn)
    }
  }

  /// Why an item cannot be played now.
  public func refusalToPlay(_ id: ItemID) -> Refusal? {
    guard let recording = library.recordings[id] else { return .notFound }
    if !recording.isSettled { return .stillInUse }
    if recording.file == nil { return .notFound }
    if library.phase != .ready { return library.phase == .exported ? .cardExported : .notReady }
    let isRecording = transport.take != .none
    return device.canPlay && (!isRecording || device.canPlayWhileRecording) ? nil : .noSpeaker
  }

  // MARK: Starting and stopping

  private mutating func play(_ item: ItemID?, from origin: Origin, _ turn: inout Turn) {
    guard let id = item ?? choice(for: origin) else {
      return answer(origin, .refused(.nothingToPlay), &turn)
    }
    if let refusal = refusalToPlay(id) { return answer(origin, .refused(refusal), &turn) }
    load(id, at: item == nil ? bookmarkedFrame(of: id) : 0, startsPaused: false, &turn)
    answer(origin, .done(id), &turn)
  }

  /// What play means when nothing is named: what is selected, else the oldest that nobody has heard
  /// here, else the newest.
  private func choice(for origin: Origin) -> ItemID? {
    let place = place(of: origin)
    if let selection = place.selection, library.recordings[selection] != nil { return selection }
    let items = library.folders[place.folder]?.items ?? ItemOrder()
    var newest: ItemID?
    for id in items {
      guard let recording = library.recordings[id], recording.isSettled else { continue }
      if !recording.isHeard { return id }
      newest = id
    }
    return newest
  }

  private func bookmarkedFrame(of id: ItemID) -> Int64 {
    guard let bookmark = transport.bookmark, bookmark.item == id else { return 0 }
    return bookmark.frame
  }

  private mutating func load(
    _ id: ItemID, at frame: Int64, startsPaused: Bool, _ turn: inout Turn
  ) {
    guard let recording = library.recordings[id], let path = library.place(of: id) else { return }
    placeBookmark(&turn)
    let length = recording.sound.frames
    let cue = Cue(
      id: turn.newID(), item: id, startFrame: frame < length ? max(0, frame) : 0,
      lengthFrames: length, rate: recording.sound.rate)
    transport.deck = .loading(cue, startsPaused: startsPaused)
    turn.emit(.deck(.load(cue, path, startsPaused: startsPaused)))
  }

  private mutating func toggle(from origin: Origin, _ turn: inout Turn) {
    switch transport.deck {
    case .playing, .loading: pause(from: origin, &turn)
    case .paused: resume(from: origin, &turn)
    case .empty: play(nil, from: origin, &turn)
    }
  }

  private mutating func pause(from origin: Origin, _ turn: inout Turn) {
    switch transport.deck {
    case .playing(let cue, _):
      transport.deck = .paused(cue, frame: transport.deck.frame(at: now))
      turn.emit(.deck(.pause(cue: cue.id)))
      placeBookmark(&turn)
    case .loading(let cue, _):
      transport.deck = .loading(cue, startsPaused: true)
      turn.emit(.deck(.pause(cue: cue.id)))
    case .paused: break
    case .empty: return answer(origin, .refused(.nothingPlaying), &turn)
    }
    answer(origin, .done(transport.deck.cue?.item), &turn)
  }

  private mutating func resume(from origin: Origin, _ turn: inout Turn) {
    switch transport.deck {
    case .empty: return answer(origin, .refused(.nothingPlaying), &turn)
    case .playing: break
    case .loading(let cue, _):
      transport.deck = .loading(cue, startsPaused: false)
      turn.emit(.deck(.resume(cue: cue.id)))
    case .paused(let cue, let frame):
      if transport.take != .none, !device.canPlayWhileRecording {
        return answer(origin, .refused(.noSpeaker), &turn)
      }
      transport.deck = .playing(cue, Anchor(frame: frame, instant: now))
      turn.emit(.deck(.resume(cue: cue.id)))
    }
    answer(origin, .done(transport.deck.cue?.item), &turn)
  }

  /// Takes off what is on the deck.
  mutating func unload(_ turn: inout Turn) {
    if transport.deck == .empty { return }
    placeBookmark(&turn)
    transport.deck = .empty
    turn.emit(.deck(.unload))
  }

  /// Where it was left is remembered; what was heard to its half has been heard.
  private mutating func placeBookmark(_ turn: inout Turn) {
    guard let cue = transport.deck.cue, library.recordings[cue.item] != nil else { return }
    let frame = transport.deck.frame(at: now)
    transport.bookmark =
      frame < cue.lengthFrames ? Bookmark(item: cue.item, frame: frame) : nil
    if frame >= cue.lengthFrames / 2, cue.lengthFrames > 0 { setHeard(cue.item, true, &turn) }
  }

  mutating func setHeard(_ id: ItemID, _ isHeard: Bool, _ turn: inout Turn) {
    guard let recording = library.recordings[id], recording.isHeard != isHeard else { return }
    library.update(id, &turn) { $0.isHeard = isHeard }
    keep(id, &turn)
  }

  // MARK: Moving about

  private mutating func seek(_ target: Seek, from origin: Origin, _ turn: inout Turn) {
    guard let cue = transport.deck.cue else {
      return answer(origin, .refused(.nothingPlaying), &turn)
    }
    let here = transport.deck.frame(at: now)
    let wanted =
      switch target {
      case .to(let milliseconds): Frames.count(milliseconds: milliseconds, rate: cue.rate)
      case .by(let milliseconds):
        here.clampedAdding(Frames.count(milliseconds: milliseconds, rate: cue.rate))
      }
    let frame = min(max(wanted, 0), cue.lengthFrames)
    turn.emit(.deck(.seek(cue: cue.id, frame: frame)))
    switch transport.deck {
    case .playing(let cue, _):
      transport.deck = .playing(cue, Anchor(frame: frame, instant: now))
    case .paused(let cue, _):
      transport.deck = .paused(cue, frame: frame)
    case .loading, .empty: break
    }
    answer(origin, .done(cue.item), &turn)
  }

  /// On to the next or back to the previous recording; back first goes to the beginning of this
  /// one.
  private mutating func step(_ direction: Int, from origin: Origin, _ turn: inout Turn) {
    guard let cue = transport.deck.cue else {
      return wish(.selectBy(direction), from: origin, &turn)
    }
    let here = Frames.milliseconds(transport.deck.frame(at: now), rate: cue.rate)
    if direction < 0, here > 3000 { return seek(.to(milliseconds: 0), from: origin, &turn) }
    guard let next = neighbour(of: cue.item, direction, where: { refusalToPlay($0) == nil }) else {
      return answer(origin, .refused(.nothingToPlay), &turn)
    }
    load(next, at: 0, startsPaused: transport.deck.isPaused, &turn)
    answer(origin, .done(next), &turn)
  }

  /// The next item in the folder's order that will do.
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

  private mutating func setVolume(_ percent: Int, from origin: Origin, _ turn: inout Turn) {
    device.volumePercent = min(max(percent, 0), 100)
    turn.emit(.deck(.volume(percent: device.volumePercent)))
    answer(origin, .done(nil), &turn)
  }

  // MARK: News

  mutating func hear(_ event: DeckEvent, ofCue id: ItemID, _ turn: inout Turn) {
    guard let cue = transport.deck.cue, cue.id == id else { return }
    // What was wished last counts: news of an earlier wish may still be on the way.
    switch event {
    case .playing(let anchor):
      if !transport.deck.isPaused { transport.deck = .playing(cue, anchor) }
    case .paused(let frame):
      let known = transport.deck.frame(at: now)
      // It tells more exactly what is known already. What is far from that is about an earlier
      // pause or seek, and would put a place back that somebody has left since.
      let isNear = frame.clampedSubtracting(known).magnitude <= cue.rate.magnitude
      guard transport.deck.isPaused, isNear else { return }
      transport.deck = .paused(cue, frame: min(max(frame, 0), cue.lengthFrames))
    case .reachedEnd:
      finishPlaying(cue, &turn)
    case .failed(let why):
      note(.playbackFailed, item: cue.item, why, &turn)
      transport.deck = .empty
    }
  }

  private mutating func finishPlaying(_ cue: Cue, _ turn: inout Turn) {
    transport.bookmark = nil
    setHeard(cue.item, true, &turn)
    let isPaused = transport.deck.isPaused
    transport.deck = .empty
    guard settings.afterPlaying == .next,
      let next = neighbour(of: cue.item, 1, where: { refusalToPlay($0) == nil })
    else { return turn.emit(.deck(.unload)) }
    load(next, at: 0, startsPaused: isPaused, &turn)
  }
}
