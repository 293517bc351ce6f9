// Proves of the sound device: a take that loses it is closed and reported, and goes on in a linked
// part if the device is back in time, in whatever order the events arrive.

import Testing

@testable import Recorder

@Suite struct DeviceTests {
  let recording = Given().booted().withDevice().recording()

  /// The orders in which the events of an unplugged device may arrive.
  enum News: CaseIterable { case lostThenEnded, endedThenLost, endedLast }

  private func unplugged(_ news: News) -> (Given, first: ItemID) {
    let id = recording.running?.id ?? .root
    let lost = Action.sound(.lost("unplugged"))
    let report = TakeReport(
      sound: Sound(frames: 48_000), integrity: Integrity(stopReason: .deviceLost))
    let ended = Action.sound(.take(id, .ended(report)))
    switch news {
    case .lostThenEnded: return (recording.when([lost, ended, .sound(.found(Given.mic))]), id)
    case .endedThenLost: return (recording.when([ended, lost, .sound(.found(Given.mic))]), id)
    case .endedLast: return (recording.when([lost, .sound(.found(Given.mic)), ended]), id)
    }
  }

  @Test("An unplugged device cuts the take short, and a notice says so")
  func cutShort() {
    let id = recording.running?.id
    let lost = recording.when(.sound(.lost("unplugged")))
    #expect(lost.state.closing == [id])
    #expect(lost.notices(.deviceLost) == 1 && lost.panel.record == .slowBlink)
    let ended = lost.takeEnds(.deviceLost)
    #expect(ended.notices(.takeCutShort) == 1 && ended.kept.map(\.id) == [id])
  }

  @Test("When it is back the take goes on in its next part", arguments: News.allCases)
  func nextPart(news: News) throws {
    let (found, first) = unplugged(news)
    #expect(found.state.transport.take != .none)
    let back = found.when(.sound(.opened(Given.mic)), after: 700)
    let take = try #require(back.running)
    #expect(take.request.continues == first && take.request.part == 2)
    #expect(take.request.prerollMilliseconds == 0 && take.request.pressed >= recording.now)
    #expect(back.notices(.deviceLost) == 1 && back.notices(.deviceBack) == 1)
    #expect(!back.state.notices.contains(.deviceLost))
  }

  @Test("A device that comes and goes is still waited for")
  func flapping() {
    let flapping = recording.when([.sound(.lost(nil)), .sound(.found(Given.mic))])
      .when([.sound(.lost(nil)), .sound(.found(Given.mic)), .sound(.opened(Given.mic))])
    #expect(flapping.running?.request.part == 2)
    #expect(flapping.notices(.takeFailed) == 0)
  }

  @Test("After `reconnect` the wait is over")
  func waitRunsOut() {
    let lost = recording.when(.sound(.lost(nil))).takeEnds(.deviceLost)
    #expect(lost.passing(299_000).state.transport.take != .none)
    let over = lost.passing(300_000)
    #expect(over.state.transport.take == .none)
    #expect(over.when([.sound(.found(Given.mic)), .sound(.opened(Given.mic))]).running == nil)
  }

  @Test("A press whose device never comes back leaves a notice")
  func pressWaitRunsOut() {
    let pressed = Given { $0.isArmed = false }.booted().when(.sound(.found(Given.mic)))
      .press(.record).when(.sound(.lost("unplugged")))
    let over = pressed.passing(300_000)
    #expect(over.state.transport.take == .none && over.notices(.takeFailed) == 1)
    #expect(over.panel.status == .winks(3, everyMilliseconds: 5000))
  }

  @Test("A press that comes before the first report of the microphone waits for it")
  func pressBeforeReport() {
    let pressed = Given().booted().press(.record)
    #expect(pressed.state.transport.refusal == nil && StatusView(pressed.state).state == .arming)
    let heard = pressed.when([.sound(.found(Given.mic)), .sound(.opened(Given.mic))], after: 900)
    #expect(heard.running?.request.pressed == pressed.now)
    #expect(heard.notices(.takeFailed) == 0 && heard.notices(.deviceBack) == 0)
  }

  @Test("If the report is that there is none, the press waits as for a device that went away")
  func pressBeforeAbsence() {
    let pressed = Given().booted().press(.record).when(.sound(.lost("No microphone")))
    #expect(StatusView(pressed.state).state == .waiting && pressed.notices(.deviceLost) == 0)
    let plugged = pressed.when(
      [.sound(.found(Given.mic)), .sound(.opened(Given.mic))], after: 9000)
    #expect(plugged.running != nil)
    let over = pressed.passing(300_000)
    #expect(over.state.transport.take == .none && over.notices(.takeFailed) == 1)
  }

  @Test("With neither a microphone nor `reconnect`, such a press fails, with a notice")
  func pressBeforeAbsenceAlone() {
    let pressed = Given { $0.reconnectMilliseconds = 0 }.booted().press(.record)
    let over = pressed.when(.sound(.lost("No microphone")))
    #expect(over.state.transport.take == .none && over.notices(.takeFailed) == 1)
  }

  @Test("Without `reconnect`, a greeting whose device goes away leaves no waiting take")
  func greetingLost() {
    let greeting = Given {
      $0.reconnectMilliseconds = 0
      $0.sound.greeting = "hello.wav"
    }.booted().withDevice().press(.record)
    let lost = greeting.when(.sound(.lost(nil)))
    #expect(lost.state.transport.take == .none && lost.notices(.takeFailed) == 1)
  }

  @Test("With reconnect at 0 nothing is waited for")
  func noReconnect() {
    let given = Given { $0.reconnectMilliseconds = 0 }.booted().withDevice().recording()
    #expect(given.when(.sound(.lost(nil))).state.transport.take == .none)
  }

  @Test("A second boot action is ignored: the take goes on")
  func bootedTwice() {
    let again = recording.when(
      .host(.booted(Boot(id: Given.boot, version: "2", continuation: TakeContinuation()))))
    #expect(again.running == recording.running)
  }

  @Test("Lost frames, clipping and a dead microphone show during the take")
  func warnings() throws {
    let id = try #require(recording.running?.id)
    let gap = Gap(frame: 48_000, frames: 4800, cause: .overrun)
    let lost = recording.when(.sound(.take(id, .gap(gap))))
    #expect(lost.running?.lostFrames == 4800)
    #expect(lost.state.notices.kept.last?.detail == "100 ms at 0:01")
    let clipped = recording.when(.sound(.take(id, .clipped(frames: 5))))
      .when(.sound(.take(id, .clipped(frames: 9))))
    #expect(clipped.notices(.clipping) == 1 && clipped.panel.status == .steady)
    let tracks = recording.when(.sound(.take(id, .clipped(frames: 5, track: "voice"))))
      .when(.sound(.take(id, .clipped(frames: 2, track: "drums"))))
      .when(.sound(.take(id, .clipped(frames: 6, track: "voice"))))
    #expect(tracks.state.notices.kept.suffix(2).map(\.detail) == ["voice", "drums"])
    #expect(tracks.running?.clippedTracks == ["voice", "drums"])
    #expect(tracks.running?.clippedFrames == 6)
    let dead = recording.when(.sound(.take(id, .microphoneSeemsDead(true))))
    #expect(dead.panel.status == .winks(3, everyMilliseconds: 5000))
    let alive = dead.when(.sound(.take(id, .microphoneSeemsDead(false))))
    #expect(!alive.state.notices.contains(.microphoneDead))
    #expect(alive.panel.status == .winks(1, everyMilliseconds: 5000))
  }

  @Test("A dead channel of several is named during the take, and cleared when it has sound again")
  func deadChannel() throws {
    let id = try #require(recording.running?.id)
    let dead = recording.when(.sound(.take(id, .channelSeemsDead(2, of: 2))))
    #expect(dead.state.notices.kept.last?.sentence.hasSuffix(": channel 2 of 2.") == true)
    #expect(StatusView(dead.state).take?.deadChannel == 2)
    let alive = dead.when(.sound(.take(id, .channelSeemsDead(nil, of: 2))))
    #expect(StatusView(alive.state).take?.deadChannel == nil)
    #expect(!alive.state.notices.contains(.channelDead))
  }

  @Test("A card's backlog is reported once, and cleared when the last page is written")
  func behind() throws {
    let id = try #require(recording.running?.id)
    let slow = Action.sound(.take(id, .progress(frames: 1, behindMilliseconds: 9000)))
    let behind = recording.when(slow).when(slow)
    #expect(behind.notices(.cardStalled) == 1)
    #expect(behind.panel.status == .winks(4, everyMilliseconds: 5000))
    let closing = behind.press(.record).when(slow)
    #expect(closing.state.card.behindMilliseconds == 9000)
    #expect(closing.takeEnds().state.card.behindMilliseconds == nil)
  }

  @Test(
    "A take that ended by itself is not running", arguments: [StopReason.failed, .cardFull])
  func endedByItself(reason: StopReason) {
    let ended = recording.takeEnds(reason)
    #expect(ended.state.transport.take == .none && ended.state.closing.isEmpty)
    #expect(ended.notices(.takeCutShort) == 1)
  }
}
