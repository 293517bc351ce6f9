// Proves of recording: a press keeps its time, begins when everything is ready, and is refused with
// a reason if it cannot be honoured; a take ends, splits and goes on as it should.

import Testing

@testable import Recorder

@Suite struct TakeTests {
  let ready = Given().booted().withDevice()

  @Test("A press begins at its edge less the pre-roll, however late it arrives")
  func pressKeepsItsTime() throws {
    let pressed = ready.press(.record, ago: 40)
    let edge = ready.now.adding(milliseconds: -40)
    let take = try #require(pressed.running)
    #expect(take.request.pressed == edge && take.request.prerollMilliseconds == 2000)
    #expect(take.start == .expected(edge.adding(milliseconds: -2000)))
    let label = try #require(pressed.label)
    #expect(pressed.sounds == [.begin(take.request, label), .tone(.started)])
    let entry = try #require(pressed.recording(of: take.id))
    guard case .begin(let ordered)? = pressed.cards.first else {
      Issue.record("\(pressed.cards)")
      return
    }
    #expect(ordered.id == take.id && pressed.cards.count == 1)
    #expect(entry.sequence == 41 && entry.stage == .recording && entry.folder == .root)
    #expect(entry.title == "2026-11-20 14.03.19" && entry.titleIsDefault)
  }

  @Test("A press with a stamp in the future counts as now")
  func pressFromTheFuture() {
    let pressed = ready.press(.record, ago: -5000)
    #expect(pressed.running?.request.pressed == ready.now)
  }

  @Test("A second press ends the take at its edge; its last page settles it")
  func pressAgainEnds() throws {
    let take = try #require(ready.recording().running)
    let stopped = ready.recording().press(.record, ago: 30)
    let edge = stopped.now.adding(milliseconds: -30)
    #expect(stopped.sounds == [.end(take.id, at: edge, .pressed), .tone(.stopped)])
    #expect(stopped.state.transport.take == .none)
    #expect(stopped.state.closing == [take.id])
    let entry = try #require(stopped.recording(of: take.id))
    #expect(stopped.state.stage(of: entry) == .closing)
    let ended = stopped.takeEnds(seconds: 5)
    #expect(ended.state.closing.isEmpty)
    #expect(ended.recording(of: take.id)?.lengthMilliseconds == 5000)
    #expect(ended.kept.map(\.stage) == [.finished])
    #expect(ended.state.panel.place.selection == take.id)
    #expect(ended.state.unheardCount == 1)
  }

  @Test("A new press after a stop need not wait for the old take")
  func pressWhileClosing() {
    let again = ready.recording().press(.record).press(.record)
    #expect(again.running != nil && again.state.closing.count == 1)
    #expect(again.running?.id != again.state.closing.first)
  }

  @Test("A take is attached to its file once the card has made it, even if it has ended already")
  func attach() throws {
    let pressed = ready.press(.record)
    let id = try #require(pressed.running?.id)
    let made = pressed.press(.record).when(.card(.take(id, .made(file: "a.opus"))))
    #expect(made.sounds == [.attach(id, CardPath(components: ["a.opus"]))])
  }

  @Test("If the card cannot save an entry's change, a take that has its file goes on")
  func failedMark() throws {
    let recording = ready.recording()
    let id = try #require(recording.running?.id)
    let made = recording.when(.card(.take(id, .made(file: "a.opus"))))
    let failed = made.press(.mark).when(.card(.take(id, .failed("torn"))))
    #expect(failed.running?.id == id && failed.sounds.isEmpty && failed.cards.isEmpty)
    #expect(failed.notices(.workFailed) == 1 && failed.notices(.takeFailed) == 0)
  }

  @Test("Gaps are saved at once, and no more often than a card can bear")
  func gapsAreKept() throws {
    let recording = ready.recording()
    let id = try #require(recording.running?.id)
    let gap = Gap(frame: 48_000, frames: 960, cause: .overrun)
    let lost = recording.when(.sound(.take(id, .gap(gap))))
    #expect(lost.kept.map(\.integrity.gaps) == [[gap]])
    var storm = lost
    for number in 2...200 {
      let next = Gap(frame: Int64(number) * 48_000, frames: 960, cause: .overrun)
      storm = storm.when(.sound(.take(id, .gap(next))))
    }
    #expect(storm.recording(of: id)?.integrity.gaps.count == 100 && storm.kept.isEmpty)
  }

  @Test("The gaps and marks of a take that is not Opus count at the rate of its file")
  func gapsAtOwnRate() throws {
    let recording = ready.recording(rate: 96_000)
    let id = try #require(recording.running?.id)
    let gap = Gap(frame: 960_000, frames: 192_000, cause: .overrun)
    let lost = recording.when(.sound(.take(id, .gap(gap))))
    let notice = try #require(lost.state.notices.kept.last)
    #expect(notice.sentence.contains("2 s") && notice.sentence.contains("0:10"))
    #expect(lost.kept.map(\.sound.rate) == [96_000])
    // And a mark is where it was set
    let marked = lost.when(.sound(.take(id, .marked(Mark(frame: 480_000)))))
    let item = try #require(marked.recording(of: id))
    #expect(
      Frames.milliseconds(try #require(item.marks.first).frame, rate: item.sound.rate) == 5000)
  }

  /// The card is being opened, and the device is there.
  private let opening = Given().when(.host(.booted(Boot(id: Given.boot, version: "1"))))
    .withDevice()

  @Test("A press before the card is open records at once, and the card gets it when it is open")
  func pressBeforeCardIsOpen() throws {
    let pressed = opening.press(.record)
    let id = try #require(pressed.running?.id)
    // Then its sound is kept, and nothing is requested of the card
    guard case .begin(let order, let label)? = pressed.sounds.first else {
      Issue.record("\(pressed.sounds)")
      return
    }
    #expect(order.pressed == pressed.now && label.recording.sequence == nil)
    #expect(pressed.panel.record == .steady && pressed.cards.isEmpty)
    let gap = Gap(frame: 48_000, frames: 960, cause: .overrun)
    let lost = pressed.when(.sound(.take(id, .gap(gap))), after: 30_000)
    #expect(lost.cards.isEmpty)
    // When the card is open
    let opened = lost.when(.card(.opened(CardReport(nextSequence: 7))), after: 900)
    // Then it has its number, its place and its gaps
    #expect(opened.running?.id == id && opened.entry?.sequence == 7)
    let known = try #require(opened.label)
    let entry = known.recording
    #expect(entry.sequence == 7 && entry.integrity.gaps == [gap] && entry.stage == .recording)
    #expect(opened.sounds == [.label(id, known)])
    #expect(opened.items(in: .root) == [id] && opened.library.nextSequence == 8)
    let made = opened.when(.card(.take(id, .made(file: "a.opus"))))
    #expect(made.sounds == [.attach(id, CardPath(components: ["a.opus"]))])
  }

  @Test("A take that ended before the card is open is saved like any other, and so is the next")
  func endBeforeCardIsOpen() throws {
    let two = opening.press(.record).press(.record).press(.record)
    let first = try #require(two.state.closing.first)
    let second = try #require(two.running?.id)
    let opened = two.when(.card(.opened(CardReport(nextSequence: 7))))
    let begun = opened.cards.compactMap { if case .begin(let take) = $0 { take } else { nil } }
    #expect(begun.map(\.id) == [first, second] && begun.map(\.sequence) == [7, 8])
    #expect(begun.map { opened.state.stage(of: $0) } == [.closing, .recording])
    let ended = opened.when(.card(.take(first, .made(file: "a.opus")))).takeEnds()
    #expect(ended.kept.map(\.sequence) == [7] && ended.running?.id == second)
  }

  @Test("Without a clock, a take that began before the card was open is titled by its number")
  func numberedTitle() throws {
    let opened = opening.press(.record).when(.card(.opened(CardReport(nextSequence: 7))))
    #expect(opened.entry?.title == "Recording 7")
  }

  @Test("Disarmed, a press opens the device first, and it is closed after the take")
  func disarmed() throws {
    let idle = Given { $0.isArmed = false }.booted().when(.sound(.found(Given.mic)))
    #expect(idle.sounds.isEmpty)
    let pressed = idle.press(.record)
    #expect(pressed.sounds == [.open] && pressed.running == nil)
    let begun = pressed.when(.sound(.opened(Given.mic)), after: 120)
    #expect(begun.running?.request.pressed == pressed.now)
    let ended = begun.press(.record)
    #expect(!ended.sounds.contains(.close))
    #expect(ended.takeEnds().sounds == [.close])
  }

  @Test("Armed, the device is opened as soon as it is found")
  func armedOpens() {
    #expect(Given().booted().when(.sound(.found(Given.mic))).sounds == [.open])
  }

  @Test("A press while waiting cancels the request")
  func pressWhileArming() {
    let idle = Given { $0.isArmed = false }.booted().when(.sound(.found(Given.mic)))
    let twice = idle.press(.record).press(.record)
    #expect(twice.state.transport.take == .none)
    #expect(twice.when(.sound(.opened(Given.mic))).running == nil)
  }

  @Test("If opening the card fails, a notice says that there is no recording")
  func openingFails() throws {
    let early = opening.press(.record)
    let id = try #require(early.running?.id)
    let failed = early.when(.card(.failed("no partition")))
    #expect(failed.state.transport.take == .none && failed.notices(.takeFailed) == 1)
    #expect(failed.sounds.contains(.end(id, at: failed.now, .cardFailed)))
    #expect(!failed.library.contains(id))
  }

  @Test("A file that cannot be made ends the take, and leaves nothing behind")
  func fileCannotBeMade() throws {
    let id = try #require(ready.press(.record).running?.id)
    let failed = ready.press(.record).when(.card(.take(id, .failed("no room"))))
    #expect(failed.state.transport.take == .none && !failed.library.contains(id))
    #expect(failed.cards == [.forget(id)])
    #expect(failed.sounds == [.end(id, at: failed.now, .cardFailed)])
    #expect(failed.notices(.takeFailed) == 1 && failed.tally(.root) == Tally())
  }

  @Test("A take whose folder is not writable goes on in the folder that the card chose")
  func fileMadeElsewhere() throws {
    let given = ready.withFolder("Interviews").withConsole()
      .request(.browse(.enter(.of("Interviews"))), from: .panel)
    let pressed = given.press(.record)
    let id = try #require(pressed.running?.id)
    let made = pressed.when(.card(.take(id, .madeElsewhere(.root, file: "a.opus"))))
    #expect(made.running?.id == id && made.library.recordings[id]?.folder == .root)
    #expect(made.sounds == [.attach(id, CardPath(components: ["a.opus"]))])
    #expect(made.notices(.takeElsewhere) == 1)
    #expect(made.items(in: .of("Interviews")).isEmpty)
  }

  @Test("A given title is kept, without controls and outer blanks")
  func givenTitle() {
    let named = ready.withConsole().request(.take(.start(title: " Frau\u{7}  Meier \n")))
    #expect(named.entry?.title == "Frau  Meier" && named.entry?.titleIsDefault == false)
  }

  @Test("A take goes into the folder it is given, and every place stays where it is")
  func givenFolder() {
    let given = ready.withFolder("Interviews").withConsole()
    let taken = given.request(.take(.start(in: .of("Interviews"))))
    #expect(taken.running?.request.folder == .of("Interviews"))
    #expect(taken.state.panel.place == given.state.panel.place)
    #expect(taken.state.consoles == given.state.consoles)
  }

  @Test("A take goes into the shown folder, but not into the trash or a folder being deleted")
  func folderOfATake() {
    let given = ready.withFolder("Interviews").withConsole()
    let shown = given.request(.browse(.enter(.of("Interviews"))), from: .panel)
    #expect(shown.press(.record).running?.request.folder == .of("Interviews"))
    let trash = given.request(.browse(.enter(.trash)), from: .panel).press(.record)
    #expect(trash.running?.request.folder == .root)
    let going = shown.request(.item(.delete(.of("Interviews")))).press(.record)
    #expect(going.running?.request.folder == .root)
    let thrown = going.done(.thrown(.of("Interviews"), file: "Interviews"))
    #expect(thrown.entry?.folder == .root)
  }

  // MARK: Splits

  @Test("A split goes on at the very frame, in a part that links to the one before")
  func split() throws {
    let first = try #require(ready.recording().running)
    let split = ready.recording().press(.split)
    let second = try #require(split.running)
    #expect(second.request.continues == first.id && second.request.part == 2)
    #expect(second.request.prerollMilliseconds == 0)
    let label = try #require(split.label)
    #expect(
      split.sounds == [
        .split(first.id, at: .instant(split.now), next: second.request, label)
      ])
    #expect(split.state.closing == [first.id])
    let third = try #require(split.takeBegins().press(.split).running)
    #expect(third.request.continues == second.id && third.request.part == 3)
  }

  @Test("Parts of a named take are numbered in their titles")
  func titlesOfParts() {
    let split = ready.withConsole().request(.take(.start(title: "Choir"))).takeBegins()
      .press(.split).takeBegins().press(.split)
    let titles = split.library.recordings.values.sorted { $0.part < $1.part }.map(\.title)
    #expect(titles == ["Choir", "Choir part 2", "Choir part 3"])
  }

  @Test("splitEvery asks for a split at the exact frame, from the true first frame")
  func splitEvery() throws {
    let given = Given { $0.splitEveryMilliseconds = 60_000 }.booted().withDevice()
    let pressed = given.press(.record)
    #expect(!pressed.alarms.contains { if case .splitDue = $0.alarm { true } else { false } })
    let take = try #require(pressed.running)
    let start = take.start.instant.adding(milliseconds: 3)
    let begun = pressed.when(.sound(.take(take.id, .began(at: start, rate: 48_000))))
    let due = try #require(begun.alarms.first { $0.alarm == .splitDue(take.id) }?.at)
    // With the alarm's slack of 20 ms, it comes before the encoder, which holds back 100 ms.
    #expect(due == start.adding(milliseconds: 60_050))
    let early = begun.when(.alarm(.splitDue(take.id)))
    #expect(early.running?.id == take.id)
    let split = begun.passing(58_200)
    #expect(split.running?.request.part == 2)
    #expect(split.running?.request.pressed == start.adding(milliseconds: 60_000))
  }

  @Test("The file of a take is told when it truly began")
  func trueBeginning() throws {
    let pressed = ready.press(.record)
    let take = try #require(pressed.running)
    let start = take.start.instant.adding(milliseconds: 3)
    let begun = pressed.when(.sound(.take(take.id, .began(at: start, rate: 48_000))))
    guard case .label(take.id, let label)? = begun.sounds.last else {
      Issue.record("\(begun.sounds)")
      return
    }
    #expect(label.recording == begun.recording(of: take.id))
    #expect(label.recording.began.instant == start)
  }

  @Test("A due split is at its frame; one that is long overdue is now")
  func lateSplit() throws {
    var settings = Settings()
    settings.splitEveryMilliseconds = 60_000
    let begun = Given(settings).booted().withDevice().recording()
    let id = try #require(begun.running?.id)
    let due = begun.when(.alarm(.splitDue(id)), after: 58_200)
    guard case .split(_, .length(60_000), _, _)? = due.sounds.first else {
      Issue.record("\(due.sounds)")
      return
    }
    let late = ready.recording().when(.host(.configured(settings)), after: 3_600_000)
    let lateID = try #require(late.running?.id)
    let split = late.when(.alarm(.splitDue(lateID)))
    guard case .split(_, .instant(late.now), _, _)? = split.sounds.first else {
      Issue.record("\(split.sounds)")
      return
    }
  }

  @Test("One press bound to two splits makes two parts with different ids")
  func twoSplitsOfOnePress() {
    let given = Given { $0.bindings.append(Binding(.split, .press, .take(.split))) }
    let split = given.booted().withDevice().recording().press(.split)
    #expect(split.library.recordings.count == 3 && split.running?.request.part == 3)
  }
}
