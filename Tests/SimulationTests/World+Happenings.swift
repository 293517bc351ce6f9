// The effect of each happening. A happening without a target has none, so that a history stays
// valid when some of its lines are removed. One thread.

import Glibc

@testable import Console
@testable import Library
@testable import Panel
@testable import Recorder

extension Happening.Kind {
  /// Whether it affects devices or the card, also while the recorder does not run.
  var concernsThings: Bool {
    switch self {
    case .unplug, .plug, .mute, .cardStall, .cardFull, .cardRoom, .readOnly: true
    default: false
    }
  }
}

extension World {
  func happen(_ happening: Happening) {
    tally.happenings[happening.kind, default: 0] += 1
    let (a, b) = (happening.a, happening.b)
    switch happening.kind {
    case .press: press(Int(a) % SimDaemon.controls.count, milliseconds: max(1, a == 7 ? 1200 : b))
    case .spike: spike(Int(a) % SimDaemon.controls.count, microseconds: b)
    case .say: say(a, b)
    case .unplug:
      device.unplug()
      speakerFaults.pullOut()
    case .plug:
      device.isPlugged = true
      endSilence()
      speakerFaults.plugIn()
      after(milliseconds: below(400)) { [unowned self] in daemon?.look() }
    case .mute: mute(milliseconds: a, hangs: b % 2 != 0)
    case .overrun, .stall, .late: disturbSound(happening.kind, milliseconds: a)
    case .starve:
      watch.excuse(milliseconds: a)
      delayEncoders(until: now + a * 1_000_000)
    case .cardStall, .cardErrors, .cardFull, .cardRoom, .readOnly: disturbCard(happening)
    case .clockSet, .clockJump, .settings: tellDaemon(happening)
    case .cut, .cutWithin, .kill, .killWithin, .stop: endDaemon(happening)
    }
  }

  private func endDaemon(_ happening: Happening) {
    let (a, b) = (happening.a, happening.b)
    switch happening.kind {
    case .cut: goDown(.cut(seed: UInt64(max(0, b)), milliseconds: a))
    case .cutWithin: within = (max(1, a), .cut(seed: UInt64(max(0, b)), milliseconds: 5000))
    case .kill: goDown(.killed(milliseconds: a))
    case .killWithin: within = (max(1, a), .killed(milliseconds: 1000))
    default:
      if stopRequested == nil { stopRequested = (now, a) }
      daemon?.send(.request(.system(.shutDown), from: .appliance))
    }
  }

  // MARK: Hands

  /// Presses and releases a button, with chatter after both edges.
  func press(_ button: Int, milliseconds: Int64) {
    tally.presses += 1
    watch.pressed(button, at: now)
    bounce(button, isActive: true)
    at(now + milliseconds * 1_000_000) { [unowned self] in bounce(button, isActive: false) }
  }

  private func bounce(_ button: Int, isActive: Bool) {
    edge(button, isActive)
    // Contacts chatter for some milliseconds, and then settle.
    var time = now + 2_100_000
    for _ in 0..<below(5) {
      time += 20_000 + below(900_000)
      let back = time + 10_000 + below(400_000)
      at(time) { [unowned self] in edge(button, !isActive) }
      at(back) { [unowned self] in edge(button, isActive) }
      time = back
    }
  }

  private func spike(_ button: Int, microseconds: Int64) {
    edge(button, true)
    at(now + microseconds * 1000) { [unowned self] in edge(button, false) }
  }

  private func edge(_ button: Int, _ isActive: Bool) {
    daemon?.handle(Edge(isActive: isActive, at: Instant(nanoseconds: mono)), ofButton: button)
  }

  /// Runs a command line, as a client on the socket does.
  private func say(_ kind: Int64, _ choice: Int64) {
    guard let daemon else { return }
    let line = Person(state: daemon.state).line(kind, choice)
    let number = watch.asked(line)
    daemon.say(line, request: number)
  }

  // MARK: Sound

  private func disturbSound(_ kind: Happening.Kind, milliseconds: Int64) {
    let frames = milliseconds * Int64(device.format.rate) / 1000
    switch kind {
    case .overrun:
      watch.excuse(milliseconds: milliseconds)
      device.lose(frames, saysSo: true)
    case .stall:
      watch.excuse(milliseconds: milliseconds)
      device.lose(max(frames, 4 * Int64(device.format.periodFrames)), saysSo: false)
    default:
      watch.excuse(milliseconds: milliseconds)
      device.hold(until: now + milliseconds * 1_000_000)
    }
  }

  /// The device delivers nothing, without an error.
  private func mute(milliseconds: Int64, hangs: Bool) {
    device.mute(hangs: hangs)
    watch.muted()
    after(milliseconds: milliseconds, isLasting: true) { [unowned self] in endSilence() }
  }

  private func endSilence() {
    guard device.isMute else { return }
    device.speak(at: now)
    for pipeline in pipelines { pipeline.resumeCapture(at: now) }
    let returned = hanging
    hanging = []
    for work in returned { work() }
  }

  // MARK: The card

  private func disturbCard(_ happening: Happening) {
    switch happening.kind {
    case .cardStall:
      trouble.stalledUntil = max(trouble.stalledUntil, now + happening.a * 1_000_000)
      trouble.note(from: now, to: trouble.stalledUntil)
    case .cardErrors:
      let first = card.counts.operations + Int(max(0, happening.b))
      for number in first..<(first + Int(max(1, happening.a))) {
        card.faults.failures[number] = number % 5 == 0 ? ENOSPC : EIO
      }
      trouble.hasFailed = true
      trouble.note(from: now, to: now + 60_000_000_000)
      after(milliseconds: 60_000, isLasting: true) { [unowned self] in card.faults.failures = [:] }
    case .cardFull:
      trouble.note(from: now, to: now)
      trouble.roomBytes = happening.a * 1000
      trouble.fill(card, observed { $0.freeBytes })
    case .cardRoom:
      trouble.roomBytes = nil
      trouble.makeRoom(on: card)
      trouble.note(from: now, to: now)
    default:
      trouble.isReadOnly = true
      trouble.hasFailed = true
      trouble.apply(to: card)
      trouble.note(from: now, to: now + happening.a * 1_000_000)
      after(milliseconds: happening.a, isLasting: true) { [unowned self] in
        trouble.isReadOnly = false
        trouble.apply(to: card)
      }
    }
  }

  // MARK: Clock and settings

  private func tellDaemon(_ happening: Happening) {
    switch happening.kind {
    case .clockSet:
      wallOffset = Self.epoch
      isClockSet = true
      daemon?.send(.host(.clock(isSynchronised: true)))
    case .clockJump: wallOffset += happening.a * 1000
    default:
      var random = SplitMix64(seed: UInt64(bitPattern: happening.a) &+ script.seed)
      var settings = Setup.settings(&random)
      settings.reserveBytes = setup.settings.reserveBytes
      daemon?.send(.host(.configured(settings)))
    }
  }
}

/// The faults of the card, and when it last had one.
struct CardTrouble {
  var stalledUntil: Int64 = 0
  var roomBytes: Int64?
  var isReadOnly = false
  /// Whether an operation failed or was refused: unacknowledged changes may not have happened.
  var hasFailed = false
  private(set) var from: Int64 = -1
  private(set) var to: Int64 = -1

  mutating func note(from start: Int64, to end: Int64) {
    if !isRecent(at: start, withinSeconds: 10) { from = start }
    to = max(to, end)
  }

  func isRecent(at now: Int64, withinSeconds seconds: Int64) -> Bool {
    from >= 0 && (roomBytes != nil || now < to + seconds * 1_000_000_000)
  }

  mutating func end(on world: World) {
    let now = world.now
    (stalledUntil, roomBytes, isReadOnly) = (0, nil, false)
    world.card.faults.failures = [:]
    makeRoom(on: world.card)
    apply(to: world.card)
    if from >= 0 { to = now }
  }

  func apply(to card: MemoryCard) { card.faults.isReadOnly = isReadOnly }

  /// A card after a cut begins with its full capacity, so the limits are applied again.
  func applyAnew(to card: MemoryCard, _ freeBytes: Int64?) {
    apply(to: card)
    fill(card, freeBytes)
  }

  func fill(_ card: MemoryCard, _ freeBytes: Int64?) {
    guard let freeBytes, let roomBytes else { return }
    card.faults.capacity = max(0, card.faults.capacity - Int(freeBytes - roomBytes))
  }

  func makeRoom(on card: MemoryCard) { card.faults.capacity = 1 << 32 }
}

extension MemoryCard {
  var freeBytes: Int64? {
    do { return try space().freeBytes } catch { return nil }
  }
}
