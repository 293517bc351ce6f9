// Recording, decided: when a take may begin, what it is called, how it ends, what follows when the
// device goes away in the middle of one. A press keeps the time of its edge, however late it is
// heard of.

extension State {
  mutating func wish(
    _ wish: TakeWish, from origin: Origin, at pressed: Instant, _ turn: inout Turn
  ) {
    switch (wish, transport.take) {
    case (.start(let title), .none):
      start(title: title, from: origin, at: pressed, &turn)
    case (.toggle, .none):
      start(title: nil, from: origin, at: pressed, &turn)
    case (.start, _):
      answer(origin, .refused(.alreadyRecording), &turn)
    case (.stop, .recording(let take)), (.toggle, .recording(let take)):
      end(take, at: pressed, .pressed, &turn)
      answer(origin, .done(take.id), &turn)
    case (.stop, .arming), (.toggle, .arming), (.stop, .waitingForDevice),
      (.toggle, .waitingForDevice), (.stop, .greeting), (.toggle, .greeting):
      cancelGreeting(&turn)
      transport.take = .none
      answer(origin, .done(nil), &turn)
    case (.mark(let name), .recording(let take)):
      mark(take, name: name, from: origin, at: pressed, &turn)
    case (.mark(let name), _):
      markPlaying(name: name, from: origin, &turn)
    case (.split, .recording(let take)):
      split(take, at: .instant(pressed), &turn)
      answer(origin, .done(take.id), &turn)
    case (.stop, .none), (.split, _):
      answer(origin, .refused(.notRecording), &turn)
    }
  }

  /// Why a recording cannot begin now; nil when it can, or can as soon as something is ready.
  public var refusalToRecord: Refusal? {
    if host.isEnding { return .shuttingDown }
    switch library.phase {
    case .failed: return .cardFailed
    case .exported: return .cardExported
    case .closed, .opening, .ready: break
    }
    if card.isReadOnly { return .cardReadOnly }
    if case .absent = device.capture { return .noDevice }
    return leftMilliseconds == 0 ? .cardFull : nil
  }

  private mutating func start(
    title: String?, from origin: Origin, at pressed: Instant, _ turn: inout Turn
  ) {
    if let refusal = refusalToRecord { return answer(origin, .refused(refusal), &turn) }
    let folder = folderForTakes(place(of: origin).folder)
    if (library.folders[folder]?.items.count ?? 0) >= settings.itemsPerFolder {
      return answer(origin, .refused(.folderFull), &turn)
    }
    if let title, Text.title(title) == nil {
      return answer(origin, .refused(.noName), &turn)
    }
    let order = TakeOrder(
      id: turn.newID(), folder: folder, pressed: min(pressed, now),
      prerollMilliseconds: settings.prerollMilliseconds, continues: nil, part: 1,
      title: title.flatMap(Text.title))
    if canGreet { greet(before: order, &turn) } else { transport.take = .arming(order) }
    answer(origin, .done(order.id), &turn)
  }

  // MARK: The greeting

  /// It is heard from the speaker while the microphone is open already.
  private var canGreet: Bool {
    settings.sound.greeting != nil && device.canPlay && device.canPlayWhileRecording
  }

  private mutating func greet(before order: TakeOrder, _ turn: inout Turn) {
    unload(&turn)
    // Whoever plays it says when it is over; a recording is not to depend on that alone.
    transport.take = .greeting(order, until: now.adding(milliseconds: 120_000))
    turn.emit(.sound(.greet(order.id)))
  }

  /// The recording begins at the greeting's end: nothing of the greeting is in it.
  mutating func beginAfterGreeting(
    _ order: TakeOrder, at instant: Instant, _ turn: inout Turn
  ) {
    cancelGreeting(&turn)
    transport.take = .arming(order.now(min(instant, now)))
  }

  /// Falls silent, if it is heard still.
  mutating func cancelGreeting(_ turn: inout Turn) {
    if case .greeting = transport.take { turn.emit(.deck(.unload)) }
  }

  /// Where a take is wished to be, unless that is gone, in the trash, or on its way there.
  private func folderForTakes(_ wanted: ItemID) -> ItemID {
    if library.folders[wanted] == nil || library.isInTrash(wanted) { return .root }
    let isGoing = library.pending.values.contains {
      if case .throwAway(let id) = $0.work { library.isBelow(id, wanted) } else { false }
    }
    return isGoing ? .root : wanted
  }

  /// Begins what was armed, once the device is there. The card may take its time: until it is open
  /// the sound is kept in memory, as in any stall.
  mutating func beginArmedTake(_ turn: inout Turn) {
    guard case .arming(let order) = transport.take else { return }
    if let refusal = refusalToRecord {
      transport.take = .none
      return note(.takeFailed, item: nil, refusal.sentence, &turn)
    }
    guard case .running(let info) = device.capture else { return }
    let label = begin(order, info, &turn)
    turn.emit(.sound(.begin(order, label)))
    turn.emit(.sound(.tone(.started)))
  }

  private mutating func begin(
    _ order: TakeOrder, _ info: CaptureInfo, _ turn: inout Turn
  ) -> TakeLabel {
    let start = order.pressed.adding(milliseconds: -order.prerollMilliseconds)
    transport.take = .recording(
      RunningTake(request: order, start: .expected(start), rate: Sound.fileRate))
    let recording = entry(for: order, at: start, info)
    if recording.began.quality == .unsynchronised { library.unsettledTimes.append(order.id) }
    library.insert(recording, &turn)
    return recording.waitsForCard ? label(recording) : handOver(recording, &turn)
  }

  /// Gives a take to the card, which makes its file.
  private mutating func handOver(_ recording: Recording, _ turn: inout Turn) -> TakeLabel {
    library.nextSequence = recording.sequence.clampedAdding(1)
    turn.emit(.card(.begin(recording)))
    return label(recording)
  }

  private func label(_ recording: Recording) -> TakeLabel {
    TakeLabel(recording: recording, folder: library.title(of: recording.folder) ?? "")
  }

  private func entry(for order: TakeOrder, at start: Instant, _ info: CaptureInfo) -> Recording {
    let began = moment(of: start)
    let sequence = library.phase == .ready ? library.nextSequence : 0
    let title = order.title ?? defaultTitle(began, sequence: sequence)
    return Recording(
      id: order.id, folder: folderForTakes(order.folder), sequence: sequence,
      title: order.part > 1 && order.title != nil ? "\(title) part \(order.part)" : title,
      titleIsDefault: order.title == nil, began: began, stage: .recording,
      sound: Sound(channels: info.channels),
      integrity: Integrity(device: info.name), continues: order.continues, part: order.part)
  }

  /// An instant of this boot, with its wall time as the clock goes now.
  func moment(of instant: Instant) -> Moment {
    Moment(
      boot: clock.boot, instant: instant,
      wall: wall.adding(milliseconds: instant.milliseconds(since: now)),
      quality: clock.isSynchronised ? .synchronised : .unsynchronised)
  }

  /// A clock that was never set would name every recording after 1970: then the number speaks.
  func defaultTitle(_ began: Moment, sequence: Int) -> String {
    if began.quality != .unsynchronised { return calendar(began.wall).title }
    return sequence > 0 ? "Recording \(sequence)" : "Recording"
  }

  // MARK: While the card is being opened

  /// Takes that have begun and that the card does not know of, the oldest first.
  var takesWaitingForCard: [ItemID] {
    let takes = transport.closing + [transport.take.running?.id].compactMap { $0 }
    return takes.filter { library.recordings[$0]?.waitsForCard == true }
  }

  /// The card is open: they get their numbers, and their files.
  mutating func handOverTakes(_ turn: inout Turn) {
    guard library.phase == .ready else { return }
    for id in takesWaitingForCard {
      guard var take = library.recordings[id] else { continue }
      library.remove(id, &turn)
      take.sequence = library.nextSequence
      take.folder = folderForTakes(take.folder)
      if take.titleIsDefault { take.title = defaultTitle(take.began, sequence: take.sequence) }
      library.insert(take, &turn)
      turn.emit(.sound(.label(id, handOver(take, &turn))))
    }
  }

  // MARK: Marks, splits, ends

  private mutating func mark(
    _ take: RunningTake, name: String, from origin: Origin, at pressed: Instant,
    _ turn: inout Turn
  ) {
    if (library.recordings[take.id]?.marks.count ?? 0) >= settings.marksPerRecording {
      return answer(origin, .refused(.tooManyMarks), &turn)
    }
    let name = Text.title(name) ?? ""
    turn.emit(.sound(.mark(take.id, at: min(pressed, now), name: name)))
    answer(origin, .done(take.id), &turn)
  }

  private mutating func markPlaying(name: String, from origin: Origin, _ turn: inout Turn) {
    guard let cue = transport.deck.cue else {
      return answer(origin, .refused(.notRecording), &turn)
    }
    let mark = Mark(frame: transport.deck.frame(at: now), name: Text.title(name) ?? "")
    answer(
      origin, addMark(mark, to: cue.item, &turn) ? .done(cue.item) : .refused(.tooManyMarks), &turn)
  }

  /// Adds a mark in its place; false when there are as many as may be.
  @discardableResult
  mutating func addMark(_ mark: Mark, to id: ItemID, _ turn: inout Turn) -> Bool {
    guard let recording = library.recordings[id],
      recording.marks.count < settings.marksPerRecording
    else { return false }
    let index = recording.marks.firstIndex { $0.frame > mark.frame } ?? recording.marks.count
    library.update(id, &turn) { $0.marks.insert(mark, at: index) }
    keep(id, &turn)
    return true
  }

  mutating func split(_ take: RunningTake, at point: SplitPoint, _ turn: inout Turn) {
    guard let info = device.captureInfo else { return }
    let next = TakeOrder(
      id: turn.newID(), folder: take.request.folder, pressed: splitInstant(take, point),
      prerollMilliseconds: 0, continues: take.id, part: take.request.part + 1,
      title: take.request.title)
    close(take.id, &turn)
    let label = begin(next, info, &turn)
    turn.emit(.sound(.split(take.id, at: point, next: next, label)))
  }

  private func splitInstant(_ take: RunningTake, _ point: SplitPoint) -> Instant {
    switch point {
    case .instant(let instant): min(instant, now)
    case .length(let milliseconds): take.start.instant.adding(milliseconds: milliseconds)
    }
  }

  mutating func end(
    _ take: RunningTake, at instant: Instant, _ reason: StopReason, _ turn: inout Turn
  ) {
    turn.emit(.sound(.end(take.id, at: min(instant, now), reason)))
    transport.take = .none
    close(take.id, &turn)
    turn.emit(.sound(.tone(.stopped)))
  }

  mutating func close(_ id: ItemID, _ turn: inout Turn) {
    transport.closing.append(id)
    library.update(id, &turn) { $0.stage = .closing }
  }
}
