// Proves of the sound device: a take that loses it is closed, said, and goes on in a linked part
// when the device is back in time, in whatever order the news comes in.

import Testing

@testable import Recorder

@Suite struct DeviceTests {
  let recording = Given().booted().withDevice().recording()

  /// The ways in which the news of an unplugged device may come in.
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
    #expect(lost.state.transport.closing == [id])
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

  @Test("A device that comes and goes is waited for still")
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

  @Test("With reconnect at 0 nothing is waited for")
  func noReconnect() {
    let given = Given { $0.reconnectMilliseconds = 0 }.booted().withDevice().recording()
    #expect(given.when(.sound(.lost(nil))).state.transport.take == .none)
  }

  @Test("A take that was interrupted by a crash goes on after the start, whoever is ready first")
  func interrupted() throws {
    let boot = Boot(id: Given.boot, version: "1", wasInterrupted: true)
    let deviceFirst = Given().when([.sound(.found(Given.mic)), .host(.booted(boot))])
      .when([.card(.opened(CardReport(nextSequence: 3))), .sound(.opened(Given.mic))])
    let cardFirst = Given().booted(boot).when([.sound(.found(Given.mic))]).withDevice()
    for given in [deviceFirst, cardFirst] {
      #expect(given.running?.request.folder == .root && given.notices(.deviceBack) == 0)
    }
  }

  @Test("A second boot is no boot: the take goes on")
  func bootedTwice() {
    let again = recording.when(
      .host(.booted(Boot(id: Given.boot, version: "2", wasInterrupted: true))))
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
    let dead = recording.when(.sound(.take(id, .microphoneSeemsDead(true))))
    #expect(dead.panel.status == .winks(3, everyMilliseconds: 5000))
    let alive = dead.when(.sound(.take(id, .microphoneSeemsDead(false))))
    #expect(!alive.state.notices.contains(.microphoneDead))
    #expect(alive.panel.status == .winks(1, everyMilliseconds: 5000))
  }

  @Test("A card that is behind is said once, and forgotten when the last page is written")
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
    "What ended by itself is not recording any more", arguments: [StopReason.failed, .cardFull])
  func endedByItself(reason: StopReason) {
    let ended = recording.takeEnds(reason)
    #expect(ended.state.transport.take == .none && ended.state.transport.closing.isEmpty)
    #expect(ended.notices(.takeCutShort) == 1)
  }
}
