// Proves of the card's room: what is left is known, a take that would fill the card is closed in
// time, and recycling asks once for each piece of news.

import Testing

@testable import Recorder

@Suite struct SpaceTests {
  /// Room for so many seconds above the reserve, at 8000 bytes a second.
  private func bytes(_ seconds: Int64) -> Int64 { (32 << 20) + seconds * 8000 }

  @Test("Time left is the room above the reserve at the present bit rate")
  func left() {
    let given = Given().booted().withDevice()
    #expect(given.state.leftMilliseconds == nil)
    #expect(given.withSpace(bytes(90)).state.leftMilliseconds == 90_000)
    #expect(given.withSpace(1).state.leftMilliseconds == 0)
    #expect(given.withSpace(.max).state.leftMilliseconds != 0)
  }

  @Test("Below ten minutes it is said once, by light and notice, until there is room again")
  func low() {
    let low = Given().booted().withDevice().withSpace(bytes(599)).withSpace(bytes(500))
    #expect(low.notices(.cardLow) == 1)
    #expect(low.panel.record == .winks(2, everyMilliseconds: 2000))
    #expect(low.recording().panel.record == .gaps(2, everyMilliseconds: 2000))
    let room = low.withSpace(1 << 33)
    #expect(room.panel.record == .off && !room.state.notices.contains(.cardLow))
  }

  @Test("At the reserve the take is closed cleanly", arguments: Settings.WhenFull.allCases)
  func full(whenFull: Settings.WhenFull) throws {
    let recording = Given { $0.whenFull = whenFull }.booted().withDevice().withSpace(bytes(900))
      .recording()
    let id = try #require(recording.running?.id)
    let full = recording.withSpace(bytes(0))
    #expect(full.sounds == [.end(id, at: full.now, .cardFull), .tone(.stopped)])
    #expect(full.state.transport.closing == [id] && full.notices(.cardFull) == 1)
    #expect(full.panel.status == .winks(4, everyMilliseconds: 5000))
    let pressed = full.takeEnds(.cardFull).press(.record)
    #expect(pressed.running == nil && pressed.state.transport.refusal?.refusal == .cardFull)
  }

  @Test("Recycling makes room before the card is full, and tells what went")
  func recycle() {
    let given = Given { $0.whenFull = .recycleOldestHeard }.booted().withDevice()
      .withRecording("Old", isHeard: true)
    let short = given.withSpace(bytes(300))
    #expect(short.cards == [.recycle] && short.notices(.cardLow) == 0)
    #expect(short.when(.tick).cards.isEmpty)
    let gone = Whereabouts(id: .of("Old"), path: [.root], tally: Tally(recordings: 1))
    let recycled = short.when(.card(.recycled([gone])))
    #expect(!recycled.library.contains(.of("Old")) && recycled.notices(.recycled) == 1)
    #expect(recycled.cards.isEmpty)
    #expect(recycled.withSpace(bytes(299)).cards == [.recycle])
  }

  @Test("Read-only and in-memory cards are said once")
  func conditions() {
    let given = Given().booted()
    let readOnly = given.when([.card(.condition(.readOnly)), .card(.condition(.readOnly))])
    #expect(readOnly.notices(.cardReadOnly) == 1)
    #expect(!readOnly.when(.card(.condition(.writable))).state.notices.contains(.cardReadOnly))
    let volatile = given.when([
      .card(.condition(.volatile(true))), .card(.condition(.volatile(true))),
    ])
    #expect(volatile.notices(.cardVolatile) == 1)
  }
}
