// Proves of playing: which recording is chosen, where it goes on, when it counts as heard, and that
// late events of an earlier cue are ignored.

import Testing

@testable import Recorder

@Suite struct DeckTests {
  /// Three recordings of ten seconds each.
  let given = Given().booted().withDevice().withConsole()
    .withRecording("A", isHeard: true).withRecording("B").withRecording("C")

  private func seconds(_ seconds: Int64) -> Int64 { seconds * 48_000 }

  private func position(_ given: Given) -> Int64 { given.state.transport.deck.frame(at: given.now) }

  @Test("Play is what is selected, else the oldest unheard here, else the newest")
  func choice() {
    let panel = given.when(.tick)
    #expect(panel.press(.play).state.transport.deck.cue?.item == .of("B"))
    let selected = panel.request(.browse(.select(.of("C"))), from: .panel)
    #expect(selected.press(.play).state.transport.deck.cue?.item == .of("C"))
    let heard = ["B", "C"].reduce(panel) {
      $0.request(.item(.setHeard(.of($1), true)), from: .appliance)
    }
    #expect(heard.press(.play).state.transport.deck.cue?.item == .of("C"))
  }

  @Test("A finished take does not take the place of what a person selected")
  func finishedTakes() {
    // Given two takes, each finished while nothing was selected by a person
    var takes = given.request(.item(.delete(.of("B"))), from: .appliance)
      .done(.thrown(.of("B"), file: "b")).request(
        .item(.setHeard(.of("C"), true)), from: .appliance)
    var made: [ItemID?] = []
    for _ in 0..<2 {
      takes = takes.recording()
      made.append(takes.running?.id)
      takes = takes.press(.record).takeEnds()
    }
    // Then the newest is selected, and the oldest is played first
    #expect(takes.state.panel.place.selection == made[1])
    let first = takes.press(.play)
    #expect(first.state.transport.deck.cue?.item == made[0])
    // And the next unheard one follows, then nothing: A and C have been heard
    let second = first.deck(.reachedEnd)
    #expect(second.state.transport.deck.cue?.item == made[1])
    #expect(second.deck(.reachedEnd).state.transport.deck == .empty)
    // When a person selects, a take that ends later changes nothing
    let chosen = takes.request(.browse(.select(.of("A"))), from: .panel).recording()
      .press(.record).takeEnds()
    #expect(chosen.state.panel.place.selection == .of("A"))
    #expect(chosen.press(.play).state.transport.deck.cue?.item == .of("A"))
  }

  @Test("What a person selected and heard to its end does not bind the next play")
  func released() {
    let heard = given.request(.browse(.select(.of("A"))), from: .panel).press(.play)
      .deck(.reachedEnd).press(.play, .hold)
    #expect(heard.state.panel.place.selection == .of("A"))
    #expect(heard.press(.play).state.transport.deck.cue?.item == .of("B"))
  }

  @Test("The oldest unheard one is found in any order of the folder")
  func oldestInAnyOrder() {
    let sorted = given.request(.item(.rename(.of("B"), to: "Z")), from: .appliance)
      .done(.renamed(.of("B"), name: "Z", file: "z.opus"))
      .request(.item(.sort(.root, .byName)), from: .appliance).done(.sorted(.root, .byName))
    #expect(sorted.press(.play).state.transport.deck.cue?.item == .of("B"))
  }

  @Test("Loading names the file, and the position follows the clock from the first sound")
  func loadAndPlay() throws {
    let asked = given.request(.deck(.play(.of("A"))))
    let cue = try #require(asked.state.transport.deck.cue)
    let path = CardPath(components: ["A.opus"])
    #expect(asked.decks == [.load(cue, path, startsPaused: false)])
    let playing = asked.deck(.playing(Anchor(frame: 0, instant: asked.now)))
    #expect(position(playing.when(.tick, after: 2500)) == 120_000)
    #expect(position(playing.when(.tick, after: 99_000)) == cue.lengthFrames)
    #expect(playing.panel.play == .steady)
  }

  @Test("Pause keeps the frame, resume goes on from it")
  func pauseAndResume() {
    let paused = given.playing(.of("A")).when(.tick, after: 3000).press(.play)
    #expect(position(paused.when(.tick, after: 5000)) == seconds(3))
    let resumed = paused.when(.tick, after: 5000).press(.play)
    #expect(position(resumed.when(.tick, after: 1000)) == seconds(4))
  }

  @Test("Pressed twice in a row, the last request counts, whatever events arrive meanwhile")
  func pauseAndResumeQuickly() {
    let playing = given.playing(.of("A")).when(.tick, after: 3000)
    let twice = playing.press(.play).press(.play).deck(.paused(frame: seconds(3)))
    guard case .playing = twice.state.transport.deck else {
      Issue.record("\(twice.state.transport.deck)")
      return
    }
    let thrice = playing.press(.play).press(.play).press(.play)
      .deck(.playing(Anchor(frame: 0, instant: playing.now))).deck(.paused(frame: seconds(3)))
    #expect(thrice.state.transport.deck.isPaused && position(thrice) == seconds(3))
  }

  @Test("A late event of a pause does not undo a seek")
  func lateNewsOfAPause() {
    let sought = given.playing(.of("A")).when(.tick, after: 3000).press(.play)
      .request(.deck(.seek(.to(milliseconds: 1000))))
    #expect(position(sought.deck(.paused(frame: seconds(3)))) == seconds(1))
    #expect(position(sought.deck(.paused(frame: seconds(1) + 7))) == seconds(1) + 7)
  }

  @Test(
    "Seeking stays within the recording",
    arguments: [
      (Seek.to(milliseconds: 4000), 4 as Int64), (.to(milliseconds: -1), 0),
      (.to(milliseconds: .max), 10),
      (.by(milliseconds: 2000), 5), (.by(milliseconds: .min), 0), (.by(milliseconds: 60_000), 10),
    ])
  func seeking(seek: Seek, expected: Int64) {
    let playing = given.playing(.of("A")).when(.tick, after: 3000)
    let sought = playing.request(.deck(.seek(seek)))
    #expect(position(sought) == seconds(expected))
    let paused = playing.request(.deck(.pause)).request(.deck(.seek(seek)))
    #expect(position(paused) == seconds(expected) && paused.state.transport.deck.isPaused)
  }

  @Test("Previous goes to the beginning first, then to the recording before")
  func previous() {
    let playing = given.playing(.of("B")).when(.tick, after: 4000)
    let again = playing.press(.previous)
    #expect(again.state.transport.deck.cue?.item == .of("B") && position(again) == 0)
    #expect(again.press(.previous).state.transport.deck.cue?.item == .of("A"))
    #expect(
      given.playing(.of("A")).request(.deck(.previous)).refusal == .nothingToPlay)
  }

  @Test("Next stays paused when paused")
  func next() throws {
    let next = given.playing(.of("A")).press(.play).press(.next)
    let cue = try #require(next.state.transport.deck.cue)
    #expect(cue.item == .of("B") && next.state.transport.deck.isPaused)
    #expect(next.decks == [.load(cue, CardPath(components: ["B.opus"]), startsPaused: true)])
  }

  @Test("With nothing playing, next and previous select")
  func selectWithoutPlaying() {
    let next = given.press(.next).press(.next).press(.previous)
    #expect(next.state.panel.place.selection == .of("A"))
  }

  @Test("After the end the next one plays, and the last one ends it")
  func endGoesOn() {
    let next = given.playing(.of("B")).deck(.reachedEnd)
    #expect(next.state.transport.deck.cue?.item == .of("C"))
    #expect(next.recording(of: .of("B"))?.isHeard == true)
    let over = next.deck(.reachedEnd)
    #expect(over.state.transport.deck == .empty && over.decks == [.unload])
    let stopping = Given { $0.afterPlaying = .stop }.booted().withDevice()
      .withRecording("A").withRecording("B").playing(.of("A")).deck(.reachedEnd)
    #expect(stopping.state.transport.deck == .empty)
  }

  @Test("Counts as heard from its middle on", arguments: [(4000 as Int64, false), (5000, true)])
  func heard(milliseconds: Int64, isHeard: Bool) {
    let stopped = given.playing(.of("B")).when(.tick, after: milliseconds)
      .press(.play, .hold)
    #expect(stopped.recording(of: .of("B"))?.isHeard == isHeard)
    #expect(stopped.kept.map(\.id) == (isHeard ? [.of("B")] : []))
    #expect(stopped.state.unheardCount == (isHeard ? 1 : 2))
  }

  @Test("Play resumes at the bookmark; a recording that is named begins at its beginning")
  func bookmark() {
    let left = given.playing(.of("B")).when(.tick, after: 4000).press(.play, .hold)
    #expect(left.state.transport.bookmark == Bookmark(item: .of("B"), frame: seconds(4)))
    #expect(left.press(.play).state.transport.deck.cue?.startFrame == seconds(4))
    let named = left.request(.deck(.play(.of("B"))))
    #expect(named.state.transport.deck.cue?.startFrame == 0)
  }

  @Test(
    "Late events of an earlier cue are ignored",
    arguments: [
      DeckEvent.reachedEnd, .failed("gone"), .paused(frame: 7),
      .playing(Anchor(frame: 9, instant: Given().now)),
    ])
  func lateNews(event: DeckEvent) throws {
    let first = given.playing(.of("A"))
    let old = try #require(first.state.transport.deck.cue?.id)
    let second = first.playing(.of("B"))
    let late = second.when(.sound(.deck(cue: old, event)))
    #expect(late.state == second.when(.tick).state && late.commands.isEmpty)
  }

  @Test("A recording that cannot be played says so")
  func playbackFails() {
    let failed = given.playing(.of("A")).deck(.failed("damaged"))
    #expect(failed.state.transport.deck == .empty && failed.notices(.playbackFailed) == 1)
  }

  @Test("Play goes on when a take begins only if the device can do both")
  func playingAndRecording() {
    #expect(given.playing(.of("A")).press(.record).state.transport.deck != .empty)
    let half = given.withDevice(whileRecording: false).playing(.of("A")).press(.record)
    #expect(half.state.transport.deck == .empty && half.decks == [.unload])
  }

  @Test("The volume stays between 0 and 100 %", arguments: [(90, 100), (-90, 0), (1, 85)])
  func volume(steps: Int, percent: Int) {
    let changed = given.request(.deck(.volumeBy(steps: steps)))
    #expect(changed.decks == [.volume(percent: percent)])
    #expect(changed.state.device.volumePercent == percent)
  }
}
