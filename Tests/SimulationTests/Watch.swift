// The observer of the recorder in a simulation: sees its lights, waits for its answers, knows what
// was asked for, and reports broken promises. One thread.

import Loop

@testable import Console
@testable import Recorder

final class Watch {
  weak var world: World?
  private(set) var takes: [ItemID: TakeTruth] = [:]
  /// The frames that the device had heard when the daemon last went down, and of which opening.
  private(set) var heardFrames: (session: Int, frames: Int64)?
  private(set) var isTaking = false
  private(set) var isQuiet = true
  private var light = PanelView(State())

  /// Presses of the record button, and when a user last typed.
  private var presses: [Int64] = []
  private var typedAt: Int64 = -1
  private var restartedAt: Int64 = -1

  private var questions: [Int: (at: Int64, line: String)] = [:]
  private var lastQuestion = 0
  private var verdicts: [String] = []

  /// Since when it has been recording, and when it last made progress.
  private var recordingSince: (id: ItemID, at: Int64)?
  private var progressAt: Int64 = 0
  private var isSilent = false
  private var excusedUntil: Int64 = 0
  private var closingSince: Int64?
  private var nextLook: Int64 = 0

  // MARK: A daemon's life

  /// - Parameter mayBeginAnew: A take goes on that has no part yet to link to.
  func begin(mayBeginAnew: Bool) {
    guard let world else { return }
    (questions, recordingSince, closingSince) = ([:], nil, nil)
    (isTaking, isQuiet) = (false, true)
    restartedAt = mayBeginAnew ? world.now : -1
    lookAgain()
  }

  func noteWhatIsHeard() {
    guard let world, let session = world.device.sessions.last else { return }
    heardFrames = (session.number, world.device.nextFrame)
  }

  /// Notes that something other than the recorder causes a delay of that length.
  func excuse(milliseconds: Int64) {
    guard let world else { return }
    excusedUntil = max(excusedUntil, world.now + (milliseconds + 3000) * 1_000_000)
    if world.now > heldUpUntil + 10_000_000_000 { heldUpFrom = world.now }
    heldUpUntil = excusedUntil
  }

  /// The last time of such a delay.
  private(set) var heldUpFrom: Int64 = -1
  private(set) var heldUpUntil: Int64 = -1

  /// After a cut, running takes will not end any more. The last takes are kept for parts that
  /// continue them.
  func forgetTakesBefore(_ time: Int64) {
    for id in takes.keys where takes[id]?.report == nil { takes[id]?.report = TakeTruth.nothing }
    if takes.count > 400 {
      let old = takes.filter { $0.value.pressedNanoseconds < time - 86_400_000_000_000 }
      for id in old.keys { takes[id] = nil }
    }
  }
  func note(_ seen: Range<Int64>, of id: ItemID, endsInSound: Bool) {
    takes[id]?.seen = seen
    takes[id]?.endsInSound = endsInSound
  }

  // MARK: A device that delivers nothing

  /// Expects that two seconds later the recorder does not claim any more that the device works.
  func muted() {
    guard let world, let daemon = world.daemon, let session = world.device.session else { return }
    world.after(milliseconds: 2000) { [unowned self, unowned world] in
      guard world.device.isMute, world.device.session?.number == session.number,
        world.daemon === daemon, world.now > heldUpUntil + 2_000_000_000
      else { return }
      world.tally.silencesTold += 1
      if case .running = daemon.state.device.capture {
        world.fail(
          "the device has delivered nothing for two seconds, and the state is that it runs")
      }
    }
  }

  /// Expects a stop to end within a second, also with a device that delivers nothing. With a faulty
  /// card it may take longer.
  private func mustEndSoon(_ id: ItemID, _ world: World) {
    guard world.device.isMute, let daemon = world.daemon else { return }
    world.after(milliseconds: 1000) { [unowned self, unowned world] in
      guard world.daemon === daemon, !world.trouble.isRecent(at: world.now, withinSeconds: 60),
        world.now > heldUpUntil, daemon.state.library.phase == .ready
      else { return }
      world.tally.stopsInSilence += 1
      if takes[id]?.report == nil {
        world.fail("a stop has not been answered for a second, while the device delivers nothing")
      }
    }
  }

  // MARK: People

  func pressed(_ button: Int, at now: Int64) {
    guard button == 0 else { return }
    presses.append(now)
    if presses.count > 32 { presses.removeFirst() }
  }

  func asked(_ line: String) -> Int {
    guard let world else { return 0 }
    lastQuestion += 1
    typedAt = world.now
    questions[lastQuestion] = (world.now, line)
    world.tally.commands += 1
    return lastQuestion
  }

  func answered(_ number: Int, _ answer: Answer) {
    guard let (_, line) = questions.removeValue(forKey: number), let world else {
      world?.fail("command \(number) was answered twice")
      return
    }
    if line.hasPrefix("verify"), case .verified(let report) = answer {
      if !report.isWell, !world.trouble.isRecent(at: world.now, withinSeconds: 150) {
        world.fail("\(line) says: \(report)")
      }
    }
  }

  // MARK: What the heart decided

  func lit(_ view: PanelView) { light = view }

  func ordered(_ command: SoundCommand) {
    guard let world else { return }
    switch command {
    case .begin(let order, _): begin(order, isSplit: false, world)
    case .split(_, _, let order, _): begin(order, isSplit: true, world)
    case .end(let id, let instant, let reason):
      let ended = instant.nanoseconds + world.poweredAt
      takes[id]?.end = (ended, reason)
      if reason == .pressed, !presses.contains(ended), !isTyped(ended) {
        world.fail("a recording ended that nobody requested to end, as of \(world.seconds(ended))")
      }
      if reason == .pressed { mustEndSoon(id, world) }
      // It has no file: no report will come.
      if reason == .cardFailed { takes[id]?.report = TakeTruth.nothing }
    default: break
    }
  }

  private func begin(_ order: TakePlan, isSplit: Bool, _ world: World) {
    let pressed = order.pressed.nanoseconds + world.poweredAt
    takes[order.id] = TakeTruth(
      order: order, session: world.device.session, pressedNanoseconds: pressed,
      orderedNanoseconds: world.now, isSplit: isSplit)
    world.tally.takes += 1
    if let before = order.continues.flatMap({ takes[$0] }), order.part != before.order.part + 1 {
      world.fail("part \(order.part) continues part \(before.order.part)")
    }
    if order.part == 1, !isWished(pressed, world) {
      world.fail("a recording began that nobody asked for, as of \(world.seconds(pressed))")
    }
  }

  /// Whether the take begins at the edge of a press, was typed a moment ago, or resumes after a
  /// crash.
  private func isWished(_ pressed: Int64, _ world: World) -> Bool {
    let isAgain = restartedAt >= 0 && pressed - restartedAt < 400_000_000_000
    // If it was pressed before the device came, it begins when the device is there.
    let opened = world.device.session?.openedNanoseconds ?? 0
    let isOpening = abs(pressed - opened) < 2_000_000_000
    return presses.contains { $0 == pressed || (isOpening && $0 < pressed) }
      || isTyped(pressed) || isAgain
  }

  private func isTyped(_ time: Int64) -> Bool {
    typedAt >= 0 && time - typedAt < 20_000_000_000
  }

  func handle(_ event: SoundEvent) {
    guard let world, case .take(let id, let event) = event else { return }
    switch event {
    case .progress, .began: if recordingSince?.id == id { progressAt = world.now }
    case .gap(let gap):
      world.tally.gaps += 1
      world.tally.secondsSilent += Double(gap.frames) / Double(world.setup.fileRate)
    case .ended(let report):
      takes[id]?.report = report
      world.tally.secondsRecorded += Double(report.sound.frames) / Double(report.sound.rate)
    default: break
    }
  }

  // MARK: After each step of the heart

  func stepped(_ daemon: SimDaemon) {
    guard let world else { return }
    let transport = daemon.state.transport
    isTaking = transport.take != .none
    isQuiet = !isTaking && daemon.state.closing.isEmpty && transport.deck == .empty
    let running = transport.take.running?.id
    if running != recordingSince?.id {
      recordingSince = running.map { ($0, world.now) }
      progressAt = world.now
    }
    // There is no progress until the device is reported to deliver sound again.
    if isSilent || daemon.state.device.isSilent { progressAt = world.now }
    isSilent = daemon.state.device.isSilent
    checkLight(transport, daemon.state, world)
    closingSince = daemon.state.closing.isEmpty ? nil : closingSince ?? world.now
  }

  /// Expects that the light is steady if and only if it records.
  private func checkLight(_ transport: Transport, _ state: State, _ world: World) {
    let saysRecording =
      switch light.record {
      case .steady, .gaps: true
      case .off, .slowBlink, .fastBlink, .winks, .digits: false
      }
    let isRefusing = transport.refusal != nil
    let isHearing = transport.take.running != nil && !state.device.isSilent
    if saysRecording != (isHearing && !isRefusing) {
      world.fail("the record light is \(light.record) while \(transport.take)")
    }
  }

  // MARK: Now and then

  private func lookAgain() {
    world?.after(milliseconds: 5000) { [unowned self] in
      check()
      lookAgain()
    }
  }

  private func check() {
    guard let world, let daemon = world.daemon else { return }
    let now = world.now
    let isCardWell = !world.trouble.isRecent(at: now, withinSeconds: 60)
    if recordingSince != nil, now >= excusedUntil, isCardWell, now - progressAt > 5_000_000_000 {
      let since = world.seconds(now - progressAt)
      world.fail("it says that it records, and has not got on for \(since)")
    }
    if let closingSince, isCardWell, now >= excusedUntil, now - closingSince > 20_000_000_000 {
      world.fail("takes wait to be written out since \(world.seconds(closingSince))")
    }
    let limit: Int64 = 90_000_000_000
    if isCardWell, let late = questions.values.first(where: { now - $0.at > limit }) {
      world.fail("“\(late.line)” was never answered")
    }
    if !world.trouble.isRecent(at: now, withinSeconds: 150) { checkWhatIsOwed(daemon.state) }
    if isCardWell, let blocks = world.pipelines.map(\.blockCount).max(), blocks > 20_000 {
      world.fail("\(blocks) blocks wait for the encoder")
    }
    if now >= nextLook, isQuiet, world.ledger.isQuiet, daemon.state.library.pending.isEmpty {
      nextLook = now + 6 * 3_600_000_000_000
      do {
        try world.ledger.look(at: world.observed { $0.ifCutNow.outcome(1) }, after: nil)
      } catch {
        world.fail("\(error)")
      }
    }
  }

  /// Expects that what a failing card did not take has been saved since.
  private func checkWhatIsOwed(_ state: State) {
    guard state.library.phase == .ready else { return }
    if let id = state.library.owed.first(where: { !$0.isRetried })?.id {
      world?.fail("what is known of \(id) was never kept")
    }
    let recordings = state.library.recordings.values
    if let recording = recordings.first(where: \.integrity.endIsOwed) {
      world?.fail("“\(recording.title)” was never given its end")
    }
  }

  /// Checks for unanswered commands, and replays the flight log.
  func lookAtTheEnd() throws {
    guard let world, let daemon = world.daemon else { return }
    if let late = questions.values.first { throw Broken("“\(late.line)” was never answered") }
    if let (last, now) = try daemon.replayed(), last != now {
      throw Broken("the flight log, replayed, does not lead to the state there is")
    }
  }
}
