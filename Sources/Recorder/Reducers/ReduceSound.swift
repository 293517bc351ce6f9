// News from the sound path: devices that come and go, and what happens within a take.

extension State {
  mutating func hear(_ event: SoundEvent, _ turn: inout Turn) {
    switch event {
    case .found(let info):
      greetDevice(&turn)
      device.capture = .closed(info)
    case .opened(let info):
      greetDevice(&turn)
      device.capture = .running(info)
    case .closed:
      if let info = device.captureInfo { device.capture = .closed(info) }
    case .lost(let why): lose(why, &turn)
    case .output(let canPlay, let whileRecording):
      device.canPlay = canPlay
      device.canPlayWhileRecording = canPlay && whileRecording
    case .denied(let denials):
      // Both halves of the sound path report, each for itself and again whenever it is opened.
      for denial in denials.prefix(8) where !device.denials.contains(denial) {
        device.denials.append(denial)
      }
      device.denials = Array(device.denials.suffix(16))
    case .greeted(let id, let instant):
      if case .greeting(let order, _) = transport.take, order.id == id {
        beginAfterGreeting(order, at: instant ?? now, &turn)
      }
    case .take(let id, let event):
      hear(event, of: id, &turn)
    case .deck(let cue, let event):
      hear(event, ofCue: cue, &turn)
    }
  }

  private mutating func greetDevice(_ turn: inout Turn) {
    if case .absent = device.capture { acknowledge(.deviceLost, &turn) }
  }

  /// The device is away, whichever is heard first: that it is, or that the take has ended for it.
  private mutating func lose(_ why: String?, _ turn: inout Turn) {
    if device.captureInfo != nil { note(.deviceLost, item: nil, why ?? "", &turn) }
    device.capture = .absent(why)
    switch transport.take {
    case .recording(let take):
      transport.take = .none
      close(take.id, &turn)
      waitForDevice(
        TakeOrder(
          id: turn.newID(), folder: take.request.folder, pressed: now, prerollMilliseconds: 0,
          continues: take.id, part: take.request.part + 1, title: take.request.title))
    case .arming(let order): waitForDevice(order)
    case .greeting(let order, _):
      cancelGreeting(&turn)
      waitForDevice(order)
    case .none, .waitingForDevice: break
    }
  }

  private mutating func waitForDevice(_ order: TakeOrder) {
    guard settings.reconnectMilliseconds > 0, host.phase == .running else { return }
    transport.take = .waitingForDevice(
      order, until: now.adding(milliseconds: settings.reconnectMilliseconds))
  }

  /// The device that a take waits for is there: it goes on in its next part.
  mutating func resumeTake(_ turn: inout Turn) {
    guard case .waitingForDevice(let order, _) = transport.take, device.captureInfo != nil else {
      return
    }
    if let earlier = order.continues { note(.deviceBack, item: earlier, "", &turn) }
    transport.take = .arming(order.now(now))
  }

  private mutating func hear(_ event: TakeEvent, of id: ItemID, _ turn: inout Turn) {
    switch event {
    case .marked(let mark): addMark(mark, to: id, &turn)
    case .ended(let report): ended(id, report, &turn)
    case .began(let instant, _): began(id, at: instant, &turn)
    case .progress(_, let behindMilliseconds) where transport.closing.contains(id):
      hearOfBacklog(behindMilliseconds, &turn)
    case .progress, .gap, .clipped, .microphoneSeemsDead:
      guard case .recording(var take) = transport.take, take.id == id else { return }
      hear(event, in: &take, &turn)
      transport.take = .recording(take)
    }
  }

  private mutating func began(_ id: ItemID, at instant: Instant, _ turn: inout Turn) {
    if case .recording(var take) = transport.take, take.id == id {
      take.start = .at(instant)
      transport.take = .recording(take)
    }
    guard let recording = library.recordings[id], !recording.isSettled else { return }
    let moment = self.moment(of: instant)
    library.update(id, &turn) { $0.began = moment }
  }

  private mutating func hear(
    _ event: TakeEvent, in take: inout RunningTake, _ turn: inout Turn
  ) {
    switch event {
    case .progress(let frames, let behindMilliseconds):
      take.frames = max(take.frames, frames)
      hearOfBacklog(behindMilliseconds, &turn)
    case .gap(let gap):
      take.lostFrames = take.lostFrames.clampedAdding(max(0, gap.frames))
      let lost = Duration.words(milliseconds: Frames.milliseconds(gap.frames, rate: take.rate))
      note(.framesLost, item: take.id, "\(lost) at \(position(gap.frame, take))", &turn)
      keep(gap, of: take.id, &turn)
    case .clipped(let frames):
      if take.clippedFrames == 0, frames > 0 { note(.clipping, item: take.id, "", &turn) }
      take.clippedFrames = max(take.clippedFrames, frames)
    case .microphoneSeemsDead(let isDead):
      take.microphoneSeemsDead = isDead
      if isDead {
        note(.microphoneDead, item: take.id, "", &turn)
      } else {
        acknowledge(.microphoneDead, &turn)
      }
    case .began, .marked, .ended:
      preconditionFailure("not news from within a running take")
    }
  }

  /// Written down at once: should the power go, nobody else knows where silence stands for sound.
  /// A device that stutters without end is not to wear out the card.
  private mutating func keep(_ gap: Gap, of id: ItemID, _ turn: inout Turn) {
    guard let known = library.recordings[id]?.integrity.gaps.count, known < 100 else { return }
    library.update(id, &turn) {
      // One that went on is told of again, from its beginning.
      $0.integrity.gaps.removeAll { $0.frame == gap.frame }
      $0.integrity.gaps.append(gap)
    }
    keep(id, &turn)
  }

  private func position(_ frame: Int64, _ take: RunningTake) -> String {
    Duration.clock(milliseconds: Frames.milliseconds(frame, rate: take.rate))
  }

  /// The card is behind: said once a stall, and only when it is long enough to matter.
  private mutating func hearOfBacklog(_ milliseconds: Int64?, _ turn: inout Turn) {
    if let milliseconds, milliseconds >= 5000, card.behindMilliseconds == nil {
      note(.cardStalled, item: nil, "", &turn)
    }
    card.behindMilliseconds = milliseconds.flatMap { $0 >= 5000 ? $0 : nil }
  }

  /// The last page of a take is written, because it was asked to end or because it had to.
  private mutating func ended(_ id: ItemID, _ report: TakeReport, _ turn: inout Turn) {
    guard let recording = library.recordings[id], !recording.isSettled else { return }
    let reason = report.integrity.stopReason ?? .failed
    if transport.take.running?.id == id {
      if reason == .deviceLost { lose(nil, &turn) } else { transport.take = .none }
    }
    transport.closing.removeAll { $0 == id }
    let isNothing = report.sound.frames == 0 && reason.isCutShort
    if isNothing || recording.waitsForCard { return cameToNothing(id, reason, &turn) }
    library.update(id, &turn) {
      $0.stage = .finished
      $0.sound = report.sound
      $0.integrity = report.integrity
      $0.cutToLength()
    }
    keep(id, &turn)
    if reason.isCutShort { note(.takeCutShort, item: id, words(for: reason), &turn) }
    selectFinished(id)
  }

  /// Cut short before anything was heard of it: there is nothing to show, nor to keep a file for.
  private mutating func cameToNothing(
    _ id: ItemID, _ reason: StopReason, _ turn: inout Turn
  ) {
    note(.takeFailed, item: nil, words(for: reason), &turn)
    turn.emit(.card(.forget(id)))
    stepAside(from: id)
    library.remove(id, &turn)
  }

  private func words(for reason: StopReason) -> String {
    switch reason {
    case .pressed, .split, .shutdown: ""
    case .deviceLost: "the sound device went away"
    case .cardFull: "the card is full"
    case .cardFailed: "the card failed"
    case .cut: "the power went"
    case .failed: "the sound path failed"
    }
  }

  /// Whoever stands in its folder finds the new recording selected, ready to be named or played.
  private mutating func selectFinished(_ id: ItemID) {
    guard let folder = library.recordings[id]?.folder else { return }
    withEachPlace { place in
      if place.folder == folder { place.selection = id }
    }
  }
}
