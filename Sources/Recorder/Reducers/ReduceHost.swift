// The appliance as a whole: its start and end, its configuration and its clock.

extension State {
  mutating func handle(_ event: HostEvent, _ step: inout Step) {
    switch event {
    case .booted(let boot): start(boot, &step)
    case .configured(let settings):
      if settings.sound != self.settings.sound { step.emit(.sound(.configure(settings.sound))) }
      self.settings = settings.withinBounds
      host.configurationsRead &+= 1
      trimNotices()
      acknowledge(.configurationRefused, &step)
    case .configurationRefused(let why):
      host.configurationsRead &+= 1
      note(.configurationRefused, item: nil, why, &step)
    case .recalled(let remembered): recall(remembered, &step)
    case .setAside(let why): note(.memoryDamaged, item: nil, why, &step)
    case .clock(let isSynchronised): clock.isSynchronised = isSynchronised
    case .zone(let zone): clock.zone = zone
    case .health(let isUnderVoltage, let isThrottled, let temperatureCelsius):
      if isUnderVoltage, !host.isUnderVoltage { note(.powerLow, item: nil, "", &step) }
      host.isUnderVoltage = isUnderVoltage
      host.isThrottled = isThrottled
      host.temperatureCelsius = temperatureCelsius
    }
  }

  mutating func handle(_ request: SystemRequest, from origin: Origin, _ step: inout Step) {
    switch request {
    case .acknowledge: acknowledge(nil, &step)
    case .lock(let isLocked): lock(isLocked)
    case .reload: step.emit(.host(.reload))
    case .exportMode(let isOn):
      unload(&step)
      library.phase = .exported
      hand(.exportMode(isOn), from: origin, &step)
      return
    case .copying(let report):
      guard let console = origin.console else { break }
      copying.follow(report, from: console, at: wall)
      if let how = report.editedTwice { note(.editedTwice, item: report.item, how, &step) }
    case .askForCode: askForCode(from: origin)
    case .pairing(let report):
      if let console = origin.console { follow(report, from: console) }
    case .shutDown: shutDown(&step)
    }
    answer(origin, .done(nil), &step)
  }

  // MARK: Starting and ending

  private mutating func start(_ boot: Boot, _ step: inout Step) {
    guard host.phase == .starting else { return }
    host.phase = .running
    host.version = boot.version
    host.root = boot.root
    host.startedAt = now
    clock.boot = boot.id
    library.phase = .opening
    step.emit(.card(.open))
    step.emit(.deck(.volume(percent: device.volumePercent)))
    // A take that began before `booted` runs on; it is not replaced.
    if case .none = transport.take, let continuation = boot.continuation {
      goOn(with: continuation.withinBounds, &step)
    }
  }

  /// Closes the takes first; `settle` ends the shutdown when all is written.
  private mutating func shutDown(_ step: inout Step) {
    if case .stopping(let since) = host.phase,
      now.milliseconds(since: since) >= Host.patienceMilliseconds
    {
      return giveUp(&step)
    }
    if host.isEnding { return }
    host.phase = .stopping(since: now)
    for (ticket, pending) in library.pending.sorted(by: { $0.key < $1.key }) {
      if pending.work.isLong { step.emit(.card(.cancel(ticket: ticket))) }
    }
    if case .recording(let take) = transport.take { end(take, at: now, .shutdown, &step) }
    cancelGreeting(&step)
    transport.take = .none
    unload(&step)
  }

  /// Ends without the rooms, because the card or a driver does not answer.
  mutating func giveUp(_ step: inout Step) {
    host.phase = .stopped
    step.emit(.host(.giveUp))
  }

  var stopDue: Instant? {
    guard case .stopping(let since) = host.phase else { return nil }
    return since.adding(milliseconds: Host.stopMilliseconds)
  }

  /// The deadline for a take that is ending to receive the frames it still waits for.
  var soundDue: Instant? {
    guard case .stopping(let since) = host.phase, device.isRunning, !closing.isEmpty
    else { return nil }
    return since.adding(milliseconds: Host.soundMilliseconds)
  }

  func refusalToExport(_ isOn: Bool) -> Refusal? {
    switch library.phase {
    case .ready: break
    case .exported where isOn: return .cardExported
    case .exported: return library.pending.isEmpty ? nil : .busy
    case .closed, .opening: return .notReady
    case .failed: return .cardFailed
    }
    if !isOn { return .notReady }
    let isIdle =
      transport.take == .none && closing.isEmpty && library.pending.isEmpty
    return isIdle ? nil : .busy
  }

  // MARK: The clock

  /// Once the clock is synchronised, corrects the times of this boot's earlier recordings, and the
  /// default titles made from them.
  mutating func settleTimes(_ step: inout Step) {
    guard clock.isSynchronised, library.phase == .ready, !library.unsettledTimes.isEmpty else {
      return
    }
    for id in library.unsettledTimes {
      guard let recording = library.recordings[id], recording.began.boot == clock.boot else {
        continue
      }
      var began = moment(of: recording.began.instant)
      began.quality = .corrected
      let title = recording.titleIsDefault ? calendar(began.wall).title : recording.title
      library.update(id, &step) {
        $0.began = began
        $0.title = title
      }
      keep(id, &step)
    }
    library.unsettledTimes = []
  }
}
