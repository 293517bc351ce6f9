// Proves that an entry that the card could not write is sent to it again, and that an entry lists
// nothing that its file does not hold.

import Testing

@testable import Recorder

@Suite struct KeepingTests {
  private let ready = Given().booted().withDevice()

  /// Returns an ended take whose entry the card could not write.
  private func unkept() throws -> (Given, ItemID) {
    let recording = ready.recording()
    let id = try #require(recording.running?.id)
    let ended = recording.press(.record).takeEnds()
    #expect(ended.kept.map(\.id) == [id])
    return (ended.when(.card(.take(id, .failed("The card failed.")))), id)
  }

  @Test("An entry the card could not write is sent again with its next event, and reported once")
  func again() throws {
    let (failed, id) = try unkept()
    #expect(failed.notices(.workFailed) == 1 && failed.kept.isEmpty)
    let asked = failed.withSpace(1 << 33)
    #expect(asked.kept.map(\.id) == [id] && asked.kept.first?.stage == .finished)
    // Sent once, and not again before the answer
    #expect(asked.withSpace(1 << 33).kept.isEmpty)
    let inVain = asked.when(.card(.take(id, .failed("The card failed."))))
    #expect(inVain.notices(.workFailed) == 1)
    let kept = inVain.withSpace(1 << 33).when(.card(.take(id, .kept)))
    #expect(kept.withSpace(1 << 33).kept.isEmpty && kept.state.library.owed.isEmpty)
    // The next failure is reported again
    let later = kept.when(.card(.take(id, .failed("The card failed."))))
    #expect(later.notices(.workFailed) == 2)
  }

  @Test("A read-only card gets the entry when it is writable again")
  func readOnly() throws {
    let (failed, id) = try unkept()
    let readOnly = failed.when(.card(.condition(.readOnly)))
    #expect(readOnly.withSpace(1 << 33).kept.isEmpty)
    let writable = readOnly.when(.card(.condition(.writable)))
    #expect(writable.kept.map(\.id) == [id])
  }

  @Test("The entry of a vanished recording is not sent again")
  func gone() throws {
    let (failed, id) = try unkept()
    let tally = Tally(recordings: 1, unheard: 1)
    let gone = Whereabouts(id: id, path: [.root], tally: tally)
    let vanished = failed.when(.card(.found(.vanished([gone]))))
    #expect(vanished.withSpace(1 << 33).kept.isEmpty)
  }

  @Test("A take that was cut short before its first sound leaves only a notice")
  func nothingHeard() throws {
    for reason in [StopReason.cardFailed, .failed, .deviceLost] {
      let recording = ready.recording()
      let id = try #require(recording.running?.id)
      let ended = recording.takeEnds(seconds: 0, reason)
      #expect(ended.cards.contains(.forget(id)) && ended.kept.isEmpty)
      #expect(!ended.library.contains(id) && ended.tally(.root) == Tally())
      #expect(ended.notices(.takeFailed) == 1 && ended.notices(.takeCutShort) == 0)
    }
  }

  @Test("Gaps and marks beyond the end of a take that was cut short are dropped")
  func behindTheEnd() throws {
    let recording = ready.recording()
    let id = try #require(recording.running?.id)
    let gaps = [(100, 50), (900, 200), (2_000, 10)].map {
      Gap(frame: $0.0, frames: $0.1, cause: .overrun)
    }
    let report = TakeReport(
      sound: Sound(frames: 1_000), integrity: Integrity(gaps: gaps, stopReason: .cardFailed))
    let ended = recording.when(.sound(.take(id, .marked(Mark(frame: 1_500)))))
      .when(.sound(.take(id, .ended(report))))
    let kept = try #require(ended.kept.first)
    #expect(kept.marks.isEmpty && kept.integrity.gaps.map(\.frames) == [50, 100])
  }

  @Test("A recording that got its owed end has its true length, and keeps new marks")
  func closed() throws {
    let (failed, id) = try unkept()
    var closed = try #require(failed.recording(of: id))
    closed.sound.frames = 77_000
    closed.integrity.gaps = [Gap(frame: 5, frames: 6, cause: .cut)]
    let marked = failed.request(.deck(.play(id)), from: .appliance).press(.mark)
    let heard = marked.when(.card(.found(.closed(closed))))
    #expect(heard.recording(of: id)?.sound.frames == 77_000)
    #expect(heard.recording(of: id)?.integrity.gaps == closed.integrity.gaps)
    #expect(heard.recording(of: id)?.marks == marked.recording(of: id)?.marks)
    #expect(heard.tally(.root) == marked.tally(.root))
  }

  @Test("An item whose move was completed after a cut is at its target, without a notice")
  func arrived() throws {
    let given = ready.withRecording("Old")
    var there = try #require(given.recording(of: .of("Old")))
    there.folder = .trash
    let arrived = given.when(.card(.found(.arrived(there, path: [.trash]))))
    #expect(arrived.recording(of: .of("Old"))?.folder == .trash)
    #expect(arrived.state.notices.kept.isEmpty)
  }

  @Test("A gap that goes on is one gap, reported as it grows")
  func growingGap() throws {
    let recording = ready.recording()
    let id = try #require(recording.running?.id)
    let first = Gap(frame: 100, frames: 50, cause: .overrun)
    let longer = Gap(frame: 100, frames: 80, cause: .overrun)
    let told = recording.when([.sound(.take(id, .gap(first))), .sound(.take(id, .gap(longer)))])
    #expect(told.recording(of: id)?.integrity.gaps == [longer])
  }

  @Test("A torn gap is listed only where no gap is listed yet")
  func tellingGaps() {
    let known = [
      Gap(frame: 100, frames: 50, cause: .overrun), Gap(frame: 300, frames: 50, cause: .stalled),
    ]
    let told = known.telling(Gap(frame: 120, frames: 200, cause: .cut))
    let torn = Gap(frame: 150, frames: 150, cause: .cut)
    #expect(told == [known[0], torn, known[1]])
    #expect(known.telling(Gap(frame: 310, frames: 10, cause: .cut)) == known)
    let wide = known.telling(Gap(frame: 0, frames: 1_000, cause: .cut))
    #expect(wide.reduce(0) { $0 + $1.frames } == 1_000 && wide.count == 5)
  }
}
