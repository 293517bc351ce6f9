// Decides when a take may begin, what it is called, how it ends, and what follows if the device is
// lost during it. A press keeps the time of its edge, however late it is handled.

extension State {
  mutating func handle(
    _ request: TakeRequest, from origin: Origin, at pressed: Instant, _ step: inout Step
  ) {
    switch (request, transport.take) {
    case (.start(let title, let folder, let asksForName), _):
      start(title: title, in: folder, asksForName, from: origin, at: pressed, &step)
    case (.toggle, .none):
      start(title: nil, in: nil, nil, from: origin, at: pressed, &step)
    case (.stop, .recording(let take)), (.toggle, .recording(let take)):
      end(take, at: pressed, .pressed, &step)
      askForName(of: take)
      answer(origin, .done(take.id), &step)
    case (.stop, .arming), (.toggle, .arming), (.stop, .waitingForDevice),
      (.toggle, .waitingForDevice), (.stop, .greeting), (.toggle, .greeting):
      cancelGreeting(&step)
      transport.take = .none
      answer(origin, .done(nil), &step)
    case (.mark(let name), .recording(let take)):
      mark(take, name: name, from: origin, at: pressed, &step)
    case (.mark(let name), _):
      markPlaying(name: name, from: origin, &step)
    case (.split, .recording(let take)):
      split(take, at: .instant(pressed), &step)
      answer(origin, .done(take.id), &step)
    case (.stop, .none), (.split, _): break  // refused before
    }
  }

  private mutating func start(
    title: String?, in folder: ItemID?, _ asksForName: Bool?, from origin: Origin,
    at pressed: Instant, _ step: inout Step
  ) {
    let folder = folderForTakes(folder ?? place(of: origin).folder)
    let order = TakePlan(
      id: step.newID(), folder: folder, pressed: min(pressed, now),
      prerollMilliseconds: settings.prerollMilliseconds, continues: nil, part: 1,
      title: title.flatMap(Text.title), asksForName: asksForName ?? settings.asksForName)
    if canGreet { greet(before: order, &step) } else { transport.take = .arming(order) }
    answer(origin, .done(order.id), &step)
  }

  // MARK: The greeting

  /// The greeting plays while the microphone is already open.
  private var canGreet: Bool {
    settings.sound.greeting != nil && device.canPlay && device.canPlayWhileRecording
  }

  private mutating func greet(before order: TakePlan, _ step: inout Step) {
    unload(&step)
    // The player reports the end with `.greeted`; the deadline is for the case that it never does.
    transport.take = .greeting(order, until: now.adding(milliseconds: 120_000))
    step.emit(.sound(.greet(order.id)))
  }

  /// The recording begins at the greeting's end, without a pre-roll: nothing of the greeting is in
  /// it.
  mutating func beginAfterGreeting(
    _ order: TakePlan, at instant: Instant, _ step: inout Step
  ) {
    cancelGreeting(&step)
    transport.take = .arming(order.now(min(instant, now)))
  }

  /// Stops the greeting if it is playing.
  mutating func cancelGreeting(_ step: inout Step) {
    if case .greeting = transport.take { step.emit(.deck(.unload)) }
  }

  /// Returns the requested folder, or the root if that is gone, in the trash or being deleted.
  func folderForTakes(_ wanted: ItemID) -> ItemID {
    if library.folders[wanted] == nil || library.isInTrash(wanted) { return .root }
    let isGoing = library.pending.values.contains {
      if case .throwAway(let id) = $0.work { library.isBelow(id, wanted) } else { false }
    }
    return isGoing ? .root : wanted
  }

  /// Begins the armed take once the device is open. Until the card is open the sound is kept in
  /// memory, as in any stall.
  mutating func beginArmedTake(_ step: inout Step) {
    guard case .arming(let order) = transport.take else { return }
    if let refusal = refusalToRecord {
      transport.take = .none
      return note(.takeFailed, item: nil, refusal.sentence, &step)
    }
    guard case .running(let info) = device.capture else { return }
    let label = begin(order, info, &step)
    step.emit(.sound(.begin(order, label)))
    step.emit(.sound(.tone(.started)))
  }

  private mutating func begin(
    _ order: TakePlan, _ info: CaptureInfo, _ step: inout Step
  ) -> TakeLabel {
    let start = order.pressed.adding(milliseconds: -order.prerollMilliseconds)
    transport.take = .recording(
      RunningTake(request: order, start: .expected(start), rate: Sound.fileRate))
    var recording = entry(for: order, at: start, info)
    if recording.began.quality == .unsynchronised { library.unsettledTimes.append(order.id) }
    if canHandOverTakes { recording.folder = folderWithRoom(recording.folder, &step) }
    library.insert(recording, &step)
    warnIfFilling(recording.folder, &step)
    if transport.folderSearch?.target == order.folder {
      transport.folderSearch?.takes.append(order.id)
    }
    return recording.waitsForCard ? label(recording) : handOver(recording, &step)
  }

  /// Gives a take to the card, which makes its file.
  private mutating func handOver(_ recording: Recording, _ step: inout Step) -> TakeLabel {
    library.nextSequence = (recording.sequence ?? library.nextSequence).clampedAdding(1)
    step.emit(.card(.begin(recording)))
    return label(recording)
  }

  func label(_ recording: Recording) -> TakeLabel {
    TakeLabel(recording: recording, folder: library.title(of: recording.folder) ?? "")
  }

  private func entry(for order: TakePlan, at start: Instant, _ info: CaptureInfo) -> Recording {
    let began = moment(of: start)
    let sequence = canHandOverTakes ? library.nextSequence : nil
    let title = defaultTitle(began, sequence: sequence)
    return Recording(
      id: order.id, folder: folderForTakes(order.folder), sequence: sequence,
      title: order.title.map { Recording.title(ofPart: order.part, of: $0) } ?? title,
      titleIsDefault: order.title == nil, began: began, stage: .recording,
      sound: Sound(channels: info.channels),
      integrity: Integrity(device: info.name), continues: order.continues, part: order.part)
  }

  /// Returns an instant of this boot with its wall time by the present clock.
  func moment(of instant: Instant) -> Moment {
    Moment(
      boot: clock.boot, instant: instant,
      wall: wall.adding(milliseconds: instant.milliseconds(since: now)),
      quality: clock.isSynchronised ? .synchronised : .unsynchronised)
  }

  /// If the clock was never set, the title is the sequence number instead of a date in 1970.
  func defaultTitle(_ began: Moment, sequence: Int?) -> String {
    if began.quality != .unsynchronised { return calendar(began.wall).title }
    return sequence.map { "Recording \($0)" } ?? "Recording"
  }

  // MARK: While the card is being opened

  /// Takes that were not handed to the card yet, the oldest first.
  var takesWaitingForCard: [ItemID] {
    library.takes.filter { library.recordings[$0]?.waitsForCard == true }
  }

  /// Hands the waiting takes to the open card; each gets its sequence number and its file.
  mutating func handOverTakes(_ step: inout Step) {
    guard canHandOverTakes else { return }
    for id in takesWaitingForCard {
      guard var take = library.recordings[id] else { continue }
      library.remove(id, &step)
      take.life = .take(Recording.CardEntry(sequence: library.nextSequence))
      take.folder = folderWithRoom(folderForTakes(take.folder), &step)
      if take.titleIsDefault { take.title = defaultTitle(take.began, sequence: take.sequence) }
      library.insert(take, &step)
      warnIfFilling(take.folder, &step)
      step.emit(.sound(.label(id, handOver(take, &step))))
    }
  }

  // MARK: Marks, splits, ends

  private mutating func mark(
    _ take: RunningTake, name: String, from origin: Origin, at pressed: Instant,
    _ step: inout Step
  ) {
    let name = Text.title(name) ?? ""
    step.emit(.sound(.mark(take.id, at: min(pressed, now), name: name)))
    answer(origin, .done(take.id), &step)
  }

  private mutating func markPlaying(name: String, from origin: Origin, _ step: inout Step) {
    guard let cue = transport.deck.cue else { return }
    let mark = Mark(frame: transport.deck.frame(at: now), name: Text.title(name) ?? "")
    addMark(mark, to: cue.item, from: origin, &step)
    answer(origin, .done(cue.item), &step)
  }

  mutating func split(_ take: RunningTake, at point: SplitPoint, _ step: inout Step) {
    guard let info = device.captureInfo else { return }
    let next = take.nextPart(step.newID(), at: splitInstant(take, point))
    let label = begin(next, info, &step)
    showClosing(take.id, &step)
    step.emit(.sound(.split(take.id, at: point, next: next, label)))
  }

  private func splitInstant(_ take: RunningTake, _ point: SplitPoint) -> Instant {
    switch point {
    case .instant(let instant): min(instant, now)
    case .length(let milliseconds): take.start.instant.adding(milliseconds: milliseconds)
    }
  }

  mutating func end(
    _ take: RunningTake, at instant: Instant, _ reason: StopReason, _ step: inout Step
  ) {
    step.emit(.sound(.end(take.id, at: min(instant, now), reason)))
    transport.take = .none
    showClosing(take.id, &step)
    step.emit(.sound(.tone(.stopped)))
  }

  /// Announces a take's row, which shows from now on that the take is being written out.
  mutating func showClosing(_ id: ItemID, _ step: inout Step) { library.update(id, &step) { _ in } }
}
