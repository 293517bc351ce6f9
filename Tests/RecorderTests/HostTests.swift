// Proves of the appliance as a whole: starting and ending, the clock, the state kept from one run
// to the next, notices, and export mode.

import Testing

@testable import Recorder

@Suite struct HostTests {
  let given = Given().booted().withDevice().withConsole()

  @Test("A fault of the panel is reported once, shows, and is cleared when it is over")
  func panelFaults() {
    let broken = given.when(.panel(.faults(["The line GPIO17 is taken by spi0."])))
    #expect(broken.notices(.panelFault) == 1 && broken.panel.status == .steady)
    #expect(StatusView(broken.state).panelFaults == ["The line GPIO17 is taken by spi0."])
    let sentence = broken.state.notices.kept.last?.sentence
    #expect(
      sentence == "Something at the panel does not work: The line GPIO17 is taken by spi0.")
    let more = broken.when(.panel(.faults(["The line GPIO17 is taken by spi0.", "Another."])))
    #expect(more.notices(.panelFault) == 2)
    let repaired = more.when(.panel(.faults([])))
    #expect(repaired.state.notices.unacknowledged.isEmpty && repaired.panel.status != .steady)
  }

  // MARK: The end

  @Test("A shutdown finishes the take, saves the state, and only then ends")
  func shutDown() {
    let asked = given.request(.deck(.volume(percent: 30))).recording()
      .request(.system(.shutDown))
    #expect(asked.hosts == [.remember(Remembered(volumePercent: 30))])
    #expect(asked.state.host.phase == .stopping(since: asked.state.now))
    #expect(asked.running == nil && asked.state.closing.count == 1)
    let ended = asked.takeEnds(.shutdown)
    #expect(ended.kept.count == 1 && ended.notices(.takeCutShort) == 0)
    #expect(ended.hosts == [.finish] && ended.state.host.phase == .stopped)
    #expect(Appliance.subscriptions(ended.state).isEmpty)
  }

  @Test("A shutdown of an idle recorder is immediate")
  func shutDownIdle() {
    #expect(given.request(.system(.shutDown)).hosts.last == .finish)
  }

  @Test("A shutdown cancels long work, and refuses more")
  func shutDownWithWork() {
    let working = given.request(.item(.work(.verify(.root))))
    let asked = working.request(.system(.shutDown))
    #expect(
      asked.cards == [.cancel(ticket: 1)]
        && asked.state.host.phase == .stopping(since: asked.state.now))
    let more = asked.request(.item(.makeFolder(name: "A", in: nil)))
    #expect(more.refusal == .shuttingDown)
    #expect(more.when(.card(.work(ticket: 1, .failed("cancelled")))).hosts.last == .finish)
  }

  @Test("A card that never answers delays the end by a minute at most")
  func stopOverdue() {
    let asked = given.recording().request(.system(.shutDown))
    let early = asked.when(.alarm(.stopOverdue), after: 59_000)
    #expect(early.hosts.isEmpty)
    let late = asked.when(.alarm(.stopOverdue), after: 60_000)
    #expect(late.hosts == [.giveUp] && late.state.host.phase == .stopped)
  }

  @Test("A device that delivers nothing any more is closed, so that the take can end")
  func soundOverdue() {
    let asked = given.recording().request(.system(.shutDown))
    let early = asked.when(.alarm(.soundOverdue), after: 499)
    #expect(early.sounds.isEmpty)
    let late = early.when(.alarm(.soundOverdue), after: 1)
    #expect(late.sounds == [.close] && late.hosts.isEmpty)
    #expect(late.when(.alarm(.soundOverdue), after: 1).sounds.isEmpty)
  }

  @Test("A second shutdown request after 5 s ends at once, an earlier one does not")
  func impatience() {
    let asked = given.recording().request(.system(.shutDown))
    let again = Action.request(.system(.shutDown), from: .appliance)
    #expect(asked.when(again, after: 4000).hosts.isEmpty)
    #expect(asked.when(again, after: 5000).hosts == [.giveUp])
  }

  // MARK: Export

  @Test("In export mode nothing is played, recorded or written, until it is turned off")
  func exportMode() {
    let playing = given.withRecording("A").playing(.of("A"))
    let asked = playing.request(.system(.exportMode(true)))
    #expect(asked.works == [.exportMode(true)] && asked.state.transport.deck == .empty)
    let exported = asked.done(.exportMode(true))
    #expect(exported.library.phase == .exported)
    #expect(exported.request(.deck(.play(.of("A")))).refusal == .cardExported)
    #expect(exported.request(.item(.rename(.of("A"), to: "B"))).refusal == .cardExported)
    let over = exported.request(.system(.exportMode(false)))
    #expect(over.library.phase == .exported)
    let back = over.done(.exportMode(false))
    #expect(back.cards == [.open] && back.library.phase == .opening)
    let opened = back.when(.card(.opened(CardReport(nextSequence: 50))))
    #expect(opened.library.phase == .ready && opened.cards == [.read(.root)])
    #expect(!opened.library.contains(.of("A")))
  }

  @Test("Export mode that cannot be entered leaves the card usable")
  func exportFails() {
    let failed = given.request(.system(.exportMode(true)))
      .when(.card(.work(ticket: 1, .failed("no gadget"))))
    #expect(failed.library.phase == .ready)
  }

  // MARK: The clock

  @Test("Once the time is known, recordings of this boot get it, and default titles follow")
  func clockSync() throws {
    let adrift = given.when(.host(.clock(isSynchronised: false)))
    let first = adrift.recording()
    let id = try #require(first.running?.id)
    #expect(first.entry?.title == "Recording 41")
    #expect(first.entry?.began.quality == .unsynchronised)
    let synced = first.press(.record).takeEnds()
      .when([.host(.zone(ZoneOffsets(3600))), .host(.clock(isSynchronised: true))])
    let entry = try #require(synced.recording(of: id))
    #expect(entry.title == "2026-11-20 15.03.20" && entry.began.quality == .corrected)
    #expect(synced.kept.map(\.id) == [id] && synced.library.unsettledTimes.isEmpty)
  }

  @Test("A title given by the user stays when the time is corrected")
  func clockSyncKeepsTitles() {
    let adrift = given.when(.host(.clock(isSynchronised: false)))
      .request(.take(.start(title: "Choir"))).takeBegins()
      .when(.host(.clock(isSynchronised: true)))
    #expect(adrift.entry?.title == "Choir" && adrift.entry?.began.quality == .corrected)
  }

  @Test("Recordings of an earlier run in this boot get the true time too")
  func clockSyncAfterRestart() {
    let old = Recording(
      id: .of("old"), folder: .root, sequence: 3, title: "Recording 3", titleIsDefault: true,
      began: Moment(
        boot: Given.boot, instant: given.now, wall: WallTime(milliseconds: 0),
        quality: .unsynchronised))
    let listed = given.when(.card(.listed(.root, Listing(recordings: [old]))))
    #expect(listed.recording(of: .of("old"))?.title == "2026-11-20 14.03.22")
  }

  // MARK: Settings

  @Test("New settings replace all old ones, and are clamped")
  func configured() {
    var settings = Settings()
    settings.prerollMilliseconds = .min
    settings.noticesKept = 0
    settings.isArmed = false
    let configured = given.when(.host(.configured(settings)))
    #expect(configured.state.settings.prerollMilliseconds == 0)
    #expect(configured.state.settings.noticesKept == 1 && configured.sounds == [.close])
  }

  @Test("A refused configuration leaves a notice, which an accepted one clears")
  func configurationRefused() {
    let refused = given.when(.host(.configurationRefused("line 3: …")))
    #expect(refused.state.notices.contains(.configurationRefused))
    let taken = refused.when(.host(.configured(Settings())))
    #expect(!taken.state.notices.contains(.configurationRefused))
  }

  @Test("A damaged file of the recorder's own is a notice in the status")
  func damagedFile() {
    let started = given.when(.host(.setAside("state.json was set aside")))
    let notice = started.state.notices.kept.last
    #expect(notice?.kind == .memoryDamaged && notice?.severity == .warning)
    #expect(notice?.sentence.contains("state.json was set aside") == true)
  }

  // MARK: Remembered state

  private func restarted(_ remembered: Remembered) -> Given {
    Given().when(.host(.recalled(remembered))).booted().withDevice()
  }

  private let inMay = Remembered(
    path: [.root, .of("Interviews"), .of("May")], selection: .of("Kitchen"), volumePercent: 35,
    playing: .of("Kitchen"), playingFrame: 4800)

  @Test("The remembered state is written once, some seconds after a change")
  func remember() {
    let moved = given.withRecording("A").request(.browse(.select(.of("A"))), from: .panel)
    #expect(moved.hosts.isEmpty)
    let louder = moved.passing(2000).press(.volumeUp)
    #expect(louder.hosts.isEmpty)
    let due = louder.when(.alarm(.rememberDue), after: 3000)
    #expect(due.hosts == [.remember(Remembered(selection: .of("A"), volumePercent: 85))])
    #expect(due.alarms.isEmpty)
  }

  @Test("After a restart the panel returns to its folder, level by level, as they are read")
  func recall() {
    let interviews = Folder(id: .of("Interviews"), parent: .root, name: "Interviews")
    let may = Folder(id: .of("May"), parent: .of("Interviews"), name: "May")
    let start = Given().when(.host(.recalled(inMay)))
      .when([
        .host(.booted(Boot(id: Given.boot, version: "1"))), .card(.opened(.init(nextSequence: 1))),
      ])
    #expect(start.state.device.volumePercent == 35 && start.alarms.isEmpty)
    let back = start.when([
      .card(.listed(.root, Listing(folders: [interviews]))),
      .card(.listed(interviews.id, Listing(folders: [may]))),
      .card(.listed(may.id, Listing(recordings: [start.recording("Kitchen", in: may.id)]))),
    ])
    #expect(back.state.panel.place.folder == may.id)
    #expect(back.state.panel.place.selection == .of("Kitchen"))
    #expect(back.withDevice().press(.play).state.transport.deck.cue?.startFrame == 4800)
    #expect(back.alarms.isEmpty)
  }

  @Test("If its folder is gone, the panel goes to the nearest existing ancestor")
  func recallGone() {
    let interviews = Folder(id: .of("Interviews"), parent: .root, name: "Interviews")
    let back = Given().when(.host(.recalled(inMay)))
      .when([
        .host(.booted(Boot(id: Given.boot, version: "1"))), .card(.opened(.init(nextSequence: 1))),
      ])
      .when([
        .card(.listed(.root, Listing(folders: [interviews]))),
        .card(.listed(interviews.id, Listing())),
      ])
    #expect(back.state.panel.place.folder == interviews.id)
    #expect(back.state.panel.place.selection == nil)
    #expect(back.alarms.map(\.alarm) == [.rememberDue])
  }

  @Test("A recording that arrives where the panel returns to is not told once it is on show")
  func recallToArrival() {
    let interviews = Folder(id: .of("Interviews"), parent: .root, name: "Interviews")
    let may = Folder(id: .of("May"), parent: .of("Interviews"), name: "May")
    let arrived = Given().recording("A", in: may.id)
    let onTheWay = Given().when(.host(.recalled(inMay)))
      .when([
        .host(.booted(Boot(id: Given.boot, version: "1"))), .card(.opened(.init(nextSequence: 1))),
        .card(.listed(.root, Listing(folders: [interviews]))),
      ])
      .withConsole()
      .when(.card(.found(.folder(may, path: [.root, interviews.id]))))
      .when(.card(.found(.adopted(arrived, path: [.root, interviews.id, may.id]))))
    #expect(onTheWay.console()?.arrival?.item == .of("A"))
    let there = onTheWay.when(.card(.listed(interviews.id, Listing(folders: [may]))))
    #expect(there.place()?.folder == may.id && there.console()?.arrival == nil)
  }

  @Test("An unreadable folder on the way ends the return")
  func recallUnreadable() {
    let back = Given().when(.host(.recalled(inMay))).booted()
      .when(.card(.unreadable(.root, why: "torn")))
    #expect(back.state.panel.placeToRestore == nil)
  }

  @Test("An unacknowledged fault still shows after a restart")
  func unseenFault() {
    let back = restarted(Remembered(hasUnseenFault: true))
    #expect(back.panel.status == .winks(2, everyMilliseconds: 5000))
    let seen = back.press(.acknowledge)
    #expect(seen.panel.status == .winks(1, everyMilliseconds: 5000))
    #expect(seen.hosts == [.remember(Remembered())])
  }

  @Test(
    "A fault of a recording shows until it is acknowledged, over any number of restarts",
    arguments: Notice.Kind.allCases.filter(\.outlivesRestart))
  func faultOverRestarts(kind: Notice.Kind) throws {
    var given = given.noting(kind)
    for _ in 0..<3 {
      #expect(given.panel.status == .winks(2, everyMilliseconds: 5000))
      #expect(given.state.host.remembered.hasUnseenFault)
      given = restarted(given.state.host.remembered)
    }
    let seen = given.press(.acknowledge)
    #expect(seen.panel.status == .winks(1, everyMilliseconds: 5000))
    #expect(restarted(seen.state.host.remembered).state.notices.unacknowledged.isEmpty)
  }

  @Test("A fault is saved at once; the panel's place may follow later")
  func faultAtOnce() {
    let moved = given.withFolder("A").request(.browse(.enter(.of("A"))), from: .panel)
    let cut = moved.recording().takeEnds(.failed)
    #expect(cut.hosts == [.remember(Remembered(hasUnseenFault: true))])
    #expect(cut.alarms.map(\.alarm) == [.rememberDue])
  }

  @Test("A recording recovered after a power cut shows like a take that was cut short")
  func recoveredShows() {
    let repaired = given.when(.card(.found(.recovered(given.recording("A"), path: [.root]))))
    #expect(repaired.panel.status == .winks(2, everyMilliseconds: 5000))
    #expect(repaired.hosts == [.remember(Remembered(hasUnseenFault: true))])
  }

  // MARK: Notices

  @Test("Notices are bounded, and an important one outlasts many unimportant ones")
  func boundedNotices() throws {
    let given = Given { $0.noticesKept = 5 }.booted().withDevice().recording()
      .takeEnds(.failed).recording()
    let id = try #require(given.running?.id)
    let gap = Action.sound(.take(id, .gap(Gap(frame: 0, frames: 480, cause: .overrun))))
    let noisy = (0..<40).reduce(given) { given, _ in given.when(gap) }
    #expect(noisy.state.notices.kept.count == 5 && noisy.notices(.takeCutShort) == 1)
    let seen = noisy.press(.acknowledge)
    #expect(seen.state.notices.unacknowledged.isEmpty)
    #expect(seen.when(gap).state.notices.kept.count == 5)
  }

  @Test("A weak supply is reported once, and shows as long as it lasts")
  func power() {
    let weak = Action.host(
      .health(isUnderVoltage: true, isThrottled: true, temperatureCelsius: 81))
    let low = given.when([weak, weak])
    #expect(low.notices(.powerLow) == 1 && low.panel.status == .steady)
  }

  @Test("A second tick at the same instant changes nothing")
  func settled() {
    let twice = given.withFolder("A").recording().when(.tick)
    #expect(twice.when(.tick).state == twice.state && twice.when(.tick).commands.isEmpty)
  }
}
