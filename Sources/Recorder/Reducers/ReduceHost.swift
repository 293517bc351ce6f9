// The appliance as a whole: starting, ending, the clock, the panel's gestures, alarms; and what is
// remembered from one run to the next.

extension State {
  mutating func hear(_ event: HostEvent, _ turn: inout Turn) {
    switch event {
    case .booted(let boot): start(boot, &turn)
    case .configured(let settings):
      if settings.sound != self.settings.sound { turn.emit(.sound(.configure(settings.sound))) }
      self.settings = settings.withinBounds
      trimNotices()
      acknowledge(.configurationRefused, &turn)
    case .configurationRefused(let why):
      note(.configurationRefused, item: nil, why, &turn)
    case .recalled(let remembered): recall(remembered, &turn)
    case .clock(let isSynchronised, let utcOffsetSeconds):
      clock.utcOffsetSeconds = min(max(utcOffsetSeconds, -86_400), 86_400)
      clock.isSynchronised = isSynchronised
    case .health(let isUnderVoltage, let isThrottled, let temperatureCelsius):
      if isUnderVoltage, !host.isUnderVoltage { note(.powerLow, item: nil, "", &turn) }
      host.isUnderVoltage = isUnderVoltage
      host.isThrottled = isThrottled
      host.temperatureCelsius = temperatureCelsius
    }
  }

  mutating func wish(_ wish: SystemWish, from origin: Origin, _ turn: inout Turn) {
    switch wish {
    case .acknowledge: acknowledge(nil, &turn)
    case .lock(let isLocked): panel.isLocked = isLocked
    case .reload: turn.emit(.host(.reload))
    case .exportMode(let isOn):
      if let refusal = refusalToExport(isOn) { return answer(origin, .refused(refusal), &turn) }
      unload(&turn)
      library.phase = .exported
      return hand(.exportMode(isOn), from: origin, &turn)
    case .shutDown: shutDown(&turn)
    }
    answer(origin, .done(nil), &turn)
  }

  // MARK: Starting and ending

  private mutating func start(_ boot: Boot, _ turn: inout Turn) {
    guard host.phase == .starting else { return }
    host.phase = .running
    host.version = boot.version
    host.root = boot.root
    host.startedAt = now
    clock.boot = boot.id
    library.phase = .opening
    turn.emit(.card(.open))
    turn.emit(.deck(.volume(percent: device.volumePercent)))
    guard boot.wasInterrupted else { return }
    transport.take = .waitingForDevice(
      TakeOrder(
        id: turn.newID(), folder: .root, pressed: now, prerollMilliseconds: 0, continues: nil,
        part: 1, title: nil),
      until: now.adding(milliseconds: max(settings.reconnectMilliseconds, 60_000)))
  }

  /// Takes are closed and written out first; `settle` sees when all is done.
  private mutating func shutDown(_ turn: inout Turn) {
    if case .stopping(let since) = host.phase,
      now.milliseconds(since: since) >= Host.patienceMilliseconds
    {
      return giveUp(&turn)
    }
    if host.isEnding { return }
    host.phase = .stopping(since: now)
    for (ticket, pending) in library.pending.sorted(by: { $0.key < $1.key }) {
      if pending.work.isLong { turn.emit(.card(.cancel(ticket: ticket))) }
    }
    if case .recording(let take) = transport.take { end(take, at: now, .shutdown, &turn) }
    cancelGreeting(&turn)
    transport.take = .none
    unload(&turn)
  }

  /// The rooms do not answer: the card hangs, or a driver does.
  private mutating func giveUp(_ turn: inout Turn) {
    host.phase = .stopped
    turn.emit(.host(.giveUp))
  }

  var stopDue: Instant? {
    guard case .stopping(let since) = host.phase else { return nil }
    return since.adding(milliseconds: Host.stopMilliseconds)
  }

  /// A take that was told to end waits for what was heard up to there; so long, and no longer.
  var soundDue: Instant? {
    guard case .stopping(let since) = host.phase, device.isRunning, !transport.closing.isEmpty
    else { return nil }
    return since.adding(milliseconds: Host.soundMilliseconds)
  }

  private func refusalToExport(_ isOn: Bool) -> Refusal? {
    switch library.phase {
    case .ready: break
    case .exported where isOn: return .cardExported
    case .exported: return library.pending.isEmpty ? nil : .busy
    case .closed, .opening: return .notReady
    case .failed: return .cardFailed
    }
    if !isOn { return .notReady }
    let isIdle =
      transport.take == .none && transport.closing.isEmpty && library.pending.isEmpty
    return isIdle ? nil : .busy
  }

  // MARK: The clock

  /// The time is known now: what this boot recorded before gets its true time, and default titles
  /// follow it.
  mutating func settleTimes(_ turn: inout Turn) {
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
      library.update(id, &turn) {
        $0.began = began
        $0.title = title
      }
      keep(id, &turn)
    }
    library.unsettledTimes = []
  }

  // MARK: The panel

  mutating func hear(_ event: PanelEvent, _ turn: inout Turn) {
    switch event {
    case .hold(let isLocked): panel.isLocked = isLocked
    case .faults(let faults):
      for fault in faults where !panel.faults.contains(fault) {
        note(.panelFault, item: nil, fault, &turn)
      }
      panel.faults = faults
      if faults.isEmpty { acknowledge(.panelFault, &turn) }
    case .gesture(let control, let gesture, let instant):
      for binding in settings.bindings where binding.control == control {
        if binding.gesture == gesture {
          wish(binding.request, from: .panel, at: instant, &turn)
        }
      }
    }
  }

  // MARK: Alarms

  mutating func hear(_ alarm: Alarm, _ turn: inout Turn) {
    switch alarm {
    case .refusalShown:
      if let refusal = transport.refusal, refusal.until <= now { transport.refusal = nil }
    case .splitDue(let id):
      guard let take = transport.take.running, take.id == id, let due = splitDue, due <= now else {
        return
      }
      // Much too late, because the setting has changed: what is written cannot be divided any more.
      let isExact = now.milliseconds(since: due) < 2000
      split(take, at: isExact ? .length(milliseconds: splitMilliseconds) : .instant(now), &turn)
    case .deviceWaitOver:
      guard case .waitingForDevice(_, let until) = transport.take, until <= now else { return }
      transport.take = .none
    case .greetingOver:
      if case .greeting(let order, let until) = transport.take, until <= now {
        beginAfterGreeting(order, at: now, &turn)
      }
    case .rememberDue: remember(&turn)
    case .soundOverdue: break  // `settle` lets go of the device.
    case .stopOverdue:
      guard let due = stopDue, due <= now else { return }
      giveUp(&turn)
    case .messageShown(let id):
      let now = self.now
      withConsole(id) { console in
        if let message = console.message, message.until <= now { console.message = nil }
      }
    }
  }

  private var splitMilliseconds: Int64 { max(settings.splitEveryMilliseconds, 1000) }

  /// When the running take goes on in a new file: a little later than the frame it is to happen at.
  var splitDue: Instant? {
    guard settings.splitEveryMilliseconds > 0, let take = transport.take.running,
      case .at(let start) = take.start
    else { return nil }
    return start.adding(milliseconds: splitMilliseconds + 100)
  }

  // MARK: What is remembered

  /// Taken as it was; `settle` moves what points at something that is gone.
  private mutating func recall(_ remembered: Remembered, _ turn: inout Turn) {
    host.remembered = remembered
    panel.wayBack = WayBack(
      folders: Array(remembered.path.drop { $0 == .root }), selection: remembered.selection)
    device.volumePercent = min(max(remembered.volumePercent, 0), 100)
    turn.emit(.deck(.volume(percent: device.volumePercent)))
    if let item = remembered.playing {
      transport.bookmark = Bookmark(item: item, frame: max(0, remembered.playingFrame))
    }
    if remembered.hasUnseenFault, !notices.contains(.takeCutShort) {
      note(.takeCutShort, item: nil, "before the last start", &turn)
    }
  }

  private var toRemember: Remembered {
    Remembered(
      path: panel.place.trail + [panel.place.folder], selection: panel.place.selection,
      volumePercent: device.volumePercent, playing: transport.bookmark?.item,
      playingFrame: transport.bookmark?.frame ?? 0,
      hasUnseenFault: notices.contains(.takeCutShort))
  }

  private mutating func remember(_ turn: inout Turn) {
    host.rememberDue = nil
    if toRemember == host.remembered { return }
    host.remembered = toRemember
    turn.emit(.host(.remember(host.remembered)))
  }

  /// Written rarely: some seconds after the first change, with all that followed it, and at the
  /// end.
  mutating func noticeWhatToRemember(_ turn: inout Turn) {
    if case .stopping = host.phase, panel.wayBack == nil { return remember(&turn) }
    guard host.phase == .running, library.phase == .ready, panel.wayBack == nil else { return }
    if toRemember == host.remembered {
      host.rememberDue = nil
    } else if host.rememberDue == nil {
      host.rememberDue = now.adding(milliseconds: 5000)
    }
  }
}
