// Events from the sound path: devices that come and go, and what happens within a take.

extension State {
  mutating func handle(_ event: SoundEvent, _ step: inout Step) {
    switch event {
    case .found(let info):
      greetDevice(&step)
      device.capture = .closed(info)
    case .opened(let info):
      greetDevice(&step)
      device.capture = .running(info)
    case .delivers(let does): deliver(does, &step)
    case .closed:
      if let info = device.captureInfo { device.capture = .closed(info) }
    case .lost(let why): lose(why, &step)
    case .output(let canPlay, let whileRecording):
      device.canPlay = canPlay
      device.canPlayWhileRecording = canPlay && whileRecording
    case .denied(let denials):
      // Both halves of the sound path report, each for itself and again whenever it is opened.
      for denial in denials.prefix(8) where !device.denials.contains(denial) {
        device.denials.append(denial)
      }
      device.denials = Array(device.denials.suffix(16))
    case .encoding(let permille): weigh(permille, &step)
    case .greeted(let id, let instant):
      if case .greeting(let order, _) = transport.take, order.id == id {
        beginAfterGreeting(order, at: instant ?? now, &step)
      }
    case .take(let id, let event):
      handle(event, of: id, &step)
    case .deck(let cue, let event):
      handle(event, ofCue: cue, &step)
    }
  }

  /// Reports encoding that is nearly too much for the processor, once until it is well again.
  private mutating func weigh(_ permille: Int, _ step: inout Step) {
    let before = device.encoding
    let load = EncodingLoad(permille: permille, after: before)
    device.encoding = load
    if !load.isHeavy { return acknowledge(.encodingHeavy, &step) }
    if before?.isHeavy != true {
      note(.encodingHeavy, item: nil, "\(load.percent) % of a core", &step)
    }
  }

  private mutating func greetDevice(_ step: inout Step) {
    if device.captureInfo != nil { return }
    acknowledge(.deviceLost, &step)
    acknowledge(.deviceSilent, &step)
  }

  /// The take goes on meanwhile: missing frames become silence in it. If the device stays silent
  /// too long, the sound path gives it up.
  private mutating func deliver(_ does: Bool, _ step: inout Step) {
    switch device.capture {
    case .running(let info) where !does:
      device.capture = .silent(info)
      note(.deviceSilent, item: transport.take.running?.id, info.name, &step)
    case .silent(let info) where does:
      device.capture = .running(info)
      acknowledge(.deviceSilent, &step)
    case .unknown, .absent, .closed, .opening, .running, .silent: break
    }
  }

  /// Handles a lost device. The loss itself and the end of the take may be reported in either
  /// order.
  mutating func lose(_ why: String?, _ step: inout Step) {
    if device.captureInfo != nil, !device.isSilent {
      note(.deviceLost, item: nil, why ?? "", &step)
    }
    device.capture = .absent(why)
    switch transport.take {
    case .recording(let take):
      transport.take = .none
      showClosing(take.id, &step)
      waitForDevice(take.nextPart(step.newID(), at: now))
    case .arming(let order): waitForDevice(order)
    case .greeting(let order, _):
      cancelGreeting(&step)
      transport.take = .arming(order)
      waitForDevice(order)
    case .none, .waitingForDevice: break
    }
  }

  private mutating func waitForDevice(_ order: TakePlan) {
    guard settings.reconnectMilliseconds > 0, host.phase == .running else { return }
    transport.take = .waitingForDevice(
      order, until: now.adding(milliseconds: settings.reconnectMilliseconds))
  }

  /// Lets a take that waits for the device go on in its next part once the device is present.
  mutating func resumeTake(_ step: inout Step) {
    guard case .waitingForDevice(let order, _) = transport.take, device.captureInfo != nil else {
      return
    }
    // After a crash there was no lost device that could be reported as back.
    if let earlier = order.continues, notices.kept.contains(where: { $0.kind == .deviceLost }) {
      note(.deviceBack, item: earlier, "", &step)
    }
    transport.take = .arming(order.now(now))
  }

  private mutating func handle(_ event: TakeEvent, of id: ItemID, _ step: inout Step) {
    switch event {
    case .marked(let mark): addMark(mark, to: id, &step)
    case .ended(let report): ended(id, report, &step)
    case .began(let instant, let rate): began(id, at: instant, rate: rate, &step)
    case .progress(let frames, let behindMilliseconds):
      let isRunning = changeTake(id) { $0.frames = max($0.frames, frames) } != nil
      if isRunning || closing.contains(id) { handleBacklog(behindMilliseconds, &step) }
    case .gap(let gap): lost(gap, in: id, &step)
    case .clipped(let frames, let track): clipped(frames, track, in: id, &step)
    case .microphoneSeemsDead(let isDead):
      guard changeTake(id, { $0.microphoneSeemsDead = isDead }) != nil else { return }
      if isDead {
        note(.microphoneDead, item: id, "", &step)
      } else {
        acknowledge(.microphoneDead, &step)
      }
    case .channelSeemsDead(let channel, let count):
      guard changeTake(id, { $0.deadChannel = channel }) != nil else { return }
      acknowledge(.channelDead, &step)
      if let channel { note(.channelDead, item: id, "channel \(channel) of \(count)", &step) }
    }
  }

  /// Returns the take before the change; nil, without changing anything, if it is not running any
  /// more.
  @discardableResult
  private mutating func changeTake(
    _ id: ItemID, _ change: (inout RunningTake) -> Void
  ) -> RunningTake? {
    guard case .recording(let before) = transport.take, before.id == id else { return nil }
    var take = before
    change(&take)
    transport.take = .recording(take)
    return before
  }

  private mutating func began(
    _ id: ItemID, at instant: Instant, rate: Int, _ step: inout Step
  ) {
    changeTake(id) { ($0.start, $0.rate) = (.at(instant), rate) }
    guard let recording = library.recordings[id], !recording.isSettled else { return }
    let moment = self.moment(of: instant)
    library.update(id, &step) {
      $0.began = moment
      $0.sound = Sound(rate: rate, channels: $0.sound.channels)
    }
    // The tags of its file are to have this moment, too.
    if let begun = library.recordings[id], !begun.waitsForCard {
      step.emit(.sound(.label(id, label(begun))))
    }
  }

  private mutating func lost(_ gap: Gap, in id: ItemID, _ step: inout Step) {
    let lost = changeTake(id) { $0.lostFrames = $0.lostFrames.clampedAdding(max(0, gap.frames)) }
    guard let take = lost else { return }
    let length = Duration.words(milliseconds: Frames.milliseconds(gap.frames, rate: take.rate))
    note(.framesLost, item: id, "\(length) at \(position(gap.frame, take))", &step)
    keep(gap, of: id, &step)
  }

  /// Each track is named once.
  private mutating func clipped(
    _ frames: Int64, _ track: String?, in id: ItemID, _ step: inout Step
  ) {
    guard frames > 0 else { return }
    let before = changeTake(id) {
      $0.clippedFrames = max($0.clippedFrames, frames)
      if let track, !$0.clippedTracks.contains(track) { $0.clippedTracks.append(track) }
    }
    guard let before else { return }
    let isKnown = track.map(before.clippedTracks.contains) ?? (before.clippedFrames > 0)
    if !isKnown { note(.clipping, item: id, track ?? "", &step) }
  }

  /// Written at once: after a power cut nothing else tells where silence replaced sound. At most
  /// 100 gaps, so that a device that stutters does not wear out the card.
  private mutating func keep(_ gap: Gap, of id: ItemID, _ step: inout Step) {
    guard let known = library.recordings[id]?.integrity.gaps.count, known < 100 else { return }
    library.update(id, &step) {
      // A gap that grew is reported again, from its beginning.
      $0.integrity.gaps.removeAll { $0.frame == gap.frame }
      $0.integrity.gaps.append(gap)
    }
    keep(id, &step)
  }

  private func position(_ frame: Int64, _ take: RunningTake) -> String {
    Duration.clock(milliseconds: Frames.milliseconds(frame, rate: take.rate))
  }

  /// Reports a stalled card once a stall, and only from 5 s on.
  private mutating func handleBacklog(_ milliseconds: Int64?, _ step: inout Step) {
    if let milliseconds, milliseconds >= 5000, card.behindMilliseconds == nil {
      note(.cardStalled, item: nil, "", &step)
    }
    card.behindMilliseconds = milliseconds.flatMap { $0 >= 5000 ? $0 : nil }
  }

  /// The last page of a take is written: it was stopped, or had to end.
  private mutating func ended(_ id: ItemID, _ report: TakeReport, _ step: inout Step) {
    guard let recording = library.recordings[id], !recording.isSettled else { return }
    let reason = report.integrity.stopReason ?? .failed
    if transport.take.running?.id == id {
      if reason == .deviceLost { lose(nil, &step) } else { transport.take = .none }
    }
    let isNothing = report.sound.frames == 0 && reason.isCutShort
    if isNothing || recording.waitsForCard { return cameToNothing(id, reason, &step) }
    library.update(id, &step) {
      $0.finish()
      $0.sound = report.sound
      $0.tracks = report.tracks
      $0.integrity = report.integrity
      $0.cutToLength()
    }
    keep(id, &step)
    if reason.isCutShort { note(.takeCutShort, item: id, words(for: reason), &step) }
    selectFinished(id)
    arrived(id, from: nil)
  }

  /// Drops a take that was cut short before its first frame, or that ended before the card was
  /// open.
  private mutating func cameToNothing(
    _ id: ItemID, _ reason: StopReason, _ step: inout Step
  ) {
    note(.takeFailed, item: nil, words(for: reason), &step)
    step.emit(.card(.forget(id)))
    moveSelection(awayFrom: id)
    library.remove(id, &step)
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

  /// Selects the new recording at every place in its folder where no person has selected another.
  private mutating func selectFinished(_ id: ItemID) {
    guard let folder = library.recordings[id]?.folder else { return }
    withEachPlace { place in
      if place.folder == folder { place.offer(id) }
    }
  }
}
