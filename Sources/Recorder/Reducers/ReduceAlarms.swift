// Alarms: the instants that the state subscribes to, and what follows when one has come. An alarm
// may come late, or after the state has changed: each is checked against the state.

extension State {
  var alarms: [(Alarm, Instant)] {
    var alarms: [(Alarm, Instant)] = []
    if let refusal = transport.refusal { alarms.append((.refusalShown, refusal.until)) }
    if let due = host.rememberDue { alarms.append((.rememberDue, due)) }
    if case .opening(_, let since) = device.capture {
      alarms.append((.openOverdue, since.adding(milliseconds: Device.openMilliseconds)))
    }
    if let due = soundDue { alarms.append((.soundOverdue, due)) }
    if let due = pairingDue { alarms.append((.pairingOver, due)) }
    if let due = stopDue { alarms.append((.stopOverdue, due)) }
    if case .waitingForDevice(_, let until) = transport.take {
      alarms.append((.deviceWaitOver, until))
    }
    if case .greeting(_, let until) = transport.take { alarms.append((.greetingOver, until)) }
    if let due = splitDue, let take = transport.take.running {
      alarms.append((.splitDue(take.id), due))
    }
    for console in consoles {
      for until in [console.message?.until, console.arrival?.until].compactMap({ $0 }) {
        alarms.append((.messageShown(console: console.id), until))
      }
      if case .nameTake(_, _, let until) = console.dialog {
        alarms.append((.nameOverdue(console: console.id), until))
      }
    }
    for command in commands {
      if let due = command.due { alarms.append((.commandOverdue(command.origin), due)) }
    }
    return alarms
  }

  mutating func handle(_ alarm: Alarm, _ step: inout Step) {
    switch alarm {
    case .refusalShown:
      if let refusal = transport.refusal, refusal.until <= now { transport.refusal = nil }
    case .splitDue(let id):
      guard let take = transport.take.running, take.id == id, let due = splitDue, due <= now else {
        return
      }
      // If the alarm is late because the setting changed, the frames are written and cannot be
      // split.
      let isExact = now.milliseconds(since: due) < 2000
      split(take, at: isExact ? .length(milliseconds: splitMilliseconds) : .instant(now), &step)
    case .deviceWaitOver:
      guard case .waitingForDevice(let order, let until) = transport.take, until <= now else {
        return
      }
      transport.take = .none
      // The part before this one has its own notice.
      if order.continues == nil {
        note(.takeFailed, item: nil, "the sound device did not come back", &step)
      }
    case .greetingOver:
      if case .greeting(let order, let until) = transport.take, until <= now {
        beginAfterGreeting(order, at: now, &step)
      }
    case .rememberDue: remember(&step)
    case .openOverdue:
      guard case .opening(let info, let since) = device.capture,
        since.adding(milliseconds: Device.openMilliseconds) <= now
      else { return }
      lose("\(info.name) does not answer", &step)
    case .soundOverdue: break  // `settle` closes the device.
    case .stopOverdue:
      guard let due = stopDue, due <= now else { return }
      giveUp(&step)
    case .pairingOver: endPairing(&step)
    case .commandOverdue(let origin): giveUpCommand(of: origin, &step)
    case .nameOverdue(let id):
      guard case .nameTake(let take, let input, let until) = console(id)?.dialog, until <= now
      else { return }
      nameTake(take, input.text, on: id, &step)
    case .messageShown(let id):
      let now = self.now
      withConsole(id) { console in
        if let message = console.message, message.until <= now { console.message = nil }
        if let arrival = console.arrival, arrival.until <= now { console.arrival = nil }
      }
    }
  }

  private var splitMilliseconds: Int64 { max(settings.splitEveryMilliseconds, 1000) }

  /// When to split the running take: 50 ms after the frame at which it is split, so that a stop
  /// pressed before that frame comes first. An alarm may be 20 ms late, and the encoder holds back
  /// the last 100 ms only: what is encoded cannot be split any more.
  var splitDue: Instant? {
    guard settings.splitEveryMilliseconds > 0, let take = transport.take.running,
      case .at(let start) = take.start
    else { return nil }
    return start.adding(milliseconds: splitMilliseconds + 50)
  }
}
