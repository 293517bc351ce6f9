// Why a request is refused, decided in one place: a reducer asks before it acts, and a view asks to
// show beforehand what cannot be done now. Pure.

extension State {
  /// Returns why a request would be refused now; nil if it would be granted.
  public func refusal(to request: Request, from origin: Origin) -> Refusal? {
    if let refusal = refusal(to: origin, asking: request) { return refusal }
    return switch request {
    case .take(let request): refusal(to: request, from: origin)
    case .deck(let request): refusal(to: request, from: origin)
    case .item(let request): refusal(to: request, from: origin)
    case .browse(let request): refusal(to: request, from: origin)
    case .system(.exportMode(let isOn)): refusalToExport(isOn)
    case .system: nil
    }
  }

  private func refusal(to origin: Origin, asking request: Request) -> Refusal? {
    if host.isEnding, request.isWork { return .shuttingDown }
    if origin == .panel, panel.isLocked { return .locked }
    guard let id = origin.console else { return nil }
    // Requests of a console that has closed meanwhile may still arrive.
    guard let console = console(id) else { return .mayNotChange }
    return console.access == .control || request.isHarmless ? nil : .mayNotChange
  }

  // MARK: Recording

  /// Why a recording cannot begin now; nil if it can, or can as soon as something is ready.
  public var refusalToRecord: Refusal? {
    if host.isEnding { return .shuttingDown }
    switch library.phase {
    case .failed: return .cardFailed
    case .exported: return .cardExported
    case .closed, .opening, .ready: break
    }
    if card.isReadOnly { return .cardReadOnly }
    if case .absent = device.capture { return .noDevice }
    if device.isSilent { return .deviceSilent }
    return leftMilliseconds == 0 ? .cardFull : nil
  }

  /// Returns why a request was refused, in more words where more is known.
  func error(for refusal: Refusal) -> CommandError {
    guard refusal == .noDevice, case .absent(let why?) = device.capture else {
      return CommandError(refusal)
    }
    return CommandError(refusal.rawValue, "There is no sound device to record from: \(why)")
  }

  private func refusal(to request: TakeRequest, from origin: Origin) -> Refusal? {
    switch (request, transport.take) {
    case (.start(let title, let folder, _), .none):
      if let refusal = refusalToRecord { return refusal }
      if let folder, library.folders[folder] == nil { return .notFound }
      return title.map { Text.title($0) == nil } == true ? .noName : nil
    case (.toggle, .none): return refusalToRecord
    case (.start, _): return .alreadyRecording
    case (.stop, .none), (.split, .none): return .notRecording
    case (.stop, _), (.toggle, _), (.split, .recording): return nil
    case (.split, _): return .notRecording
    case (.mark, .recording(let take)): return refusalToMark(take.id)
    case (.mark, _):
      return transport.deck.cue.map { refusalToMark($0.item) } ?? .notRecording
    }
  }

  private func refusalToMark(_ id: ItemID) -> Refusal? {
    let marks = library.recordings[id]?.marks.count ?? 0
    return marks >= settings.marksPerRecording ? .tooManyMarks : nil
  }

  // MARK: Playing

  private func refusal(to request: DeckRequest, from origin: Origin) -> Refusal? {
    let cue = transport.deck.cue
    switch request {
    case .play(let item):
      return (item ?? choice(for: origin).0).map(refusalToPlay) ?? .nothingToPlay
    case .toggle:
      return cue == nil ? refusal(to: .play(nil), from: origin) : refusalToToggle
    case .resume: return cue == nil ? .nothingPlaying : refusalToToggle
    case .stop, .pause, .seek: return cue == nil ? .nothingPlaying : nil
    case .next: return cue.flatMap { refusalToSkip(from: $0, 1) }
    case .previous: return cue.flatMap { refusalToSkip(from: $0, -1) }
    case .nextMark:
      guard let cue else { return .nothingPlaying }
      let here = transport.deck.frame(at: now)
      return markedFrame(1, in: cue.item, from: here) == nil ? .noMark : nil
    case .previousMark: return cue == nil ? .nothingPlaying : nil
    case .volume, .volumeBy: return nil
    }
  }

  /// A paused player goes on only if the device can play now.
  private var refusalToToggle: Refusal? {
    guard case .paused = transport.deck else { return nil }
    return transport.take != .none && !device.canPlayWhileRecording ? .noSpeaker : nil
  }

  private func refusalToSkip(from cue: Cue, _ direction: Int) -> Refusal? {
    if direction < 0, isPastBeginning(of: cue) { return nil }
    return neighbour(of: cue.item, direction, where: { refusalToPlay($0) == nil }) == nil
      ? .nothingToPlay : nil
  }

  // MARK: Going about

  private func refusal(to request: BrowseRequest, from origin: Origin) -> Refusal? {
    let place = place(of: origin)
    switch request {
    case .enter(let id): return library.folders[id] == nil ? .notFound : nil
    case .open:
      guard let id = place.selection else { return .notFound }
      return library.folders[id] == nil ? refusal(to: .deck(.play(id)), from: origin) : nil
    case .select(let id): return library.parent(of: id) == place.folder ? nil : .notFound
    case .nextFolder: return library.root == nil ? .notFound : nil
    case .read(let id): return refusalToRead(id)
    case .up, .selectBy: return nil
    }
  }

  private func refusalToRead(_ id: ItemID) -> Refusal? {
    if library.folders[id] == nil { return .notFound }
    if library.phase == .ready { return nil }
    return library.phase == .exported ? .cardExported : .notReady
  }
}
