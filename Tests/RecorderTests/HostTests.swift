// Proves of the appliance as a whole: starting and ending, the clock, what is remembered from one
// run to the next, notices, and export mode.

import Testing

@testable import Recorder

@Suite struct HostTests {
  let given = Given().booted().withDevice().withConsole()

  @Test("What does not work at the panel is told once, shows, and is over when it works")
  func panelFaults() {
    let broken = given.when(.panel(.faults(["The line GPIO17 is taken by spi0."])))
    #expect(broken.notices(.panelFault) == 1 && broken.panel.status == .steady)
    #expect(StatusView(broken.state).panelFaults == ["The line GPIO17 is taken by spi0."])
    let sentence = broken.state.notices.kept.last?.sentence
    #expect(
      sentence == "Something at the panel does not work: The line GPIO17 is taken by spi0.")
    let more = broken.when(.panel(.faults(["The line GPIO17 is taken by spi0.", "Another."])))
    #expect(more.notices(.panelFault) == 2)
    let mended = more.when(.panel(.faults([])))
    #expect(mended.state.notices.unacknowledged.isEmpty && mended.panel.status != .steady)
  }

  // MARK: The end

  @Test("A shutdown finishes the take, writes what is to be remembered, and only then ends")
  func shutDown() {
    let asked = given.recording().wish(.system(.shutDown))
    #expect(asked.hosts.isEmpty && asked.state.host.phase == .stopping(since: asked.state.now))
    #expect(asked.running == nil && asked.state.transport.closing.count == 1)
    let ended = asked.takeEnds(.shutdown)
    #expect(ended.kept.count == 1 && ended.notices(.takeCutShort) == 0)
    #expect(ended.hosts.last == .finish && ended.state.host.phase == .stopped)
    guard case .remember(let remembered)? = ended.hosts.first else {
      Issue.record("\(ended.hosts)")
      return
    }
    #expect(remembered.selection == ended.state.panel.place.selection)
    #expect(Appliance.subscriptions(ended.state).isEmpty)
  }

  @Test("A shutdown with nothing under way is at once")
  func shutDownIdle() {
    #expect(given.wish(.system(.shutDown)).hosts.last == .finish)
  }

  @Test("Long work is called off, and nobody can hold a shutdown up with more")
  func shutDownWithWork() {
    let working = given.wish(.item(.work(.verify(.root))))
    let asked = working.wish(.system(.shutDown))
    #expect(
      asked.cards == [.cancel(ticket: 1)]
        && asked.state.host.phase == .stopping(since: asked.state.now))
    let more = asked.wish(.item(.makeFolder(name: "A", in: nil)))
    #expect(more.refusal == .shuttingDown)
    #expect(more.when(.card(.work(ticket: 1, .failed("cancelled")))).hosts.last == .finish)
  }

  @Test("A card that never answers holds the end up for a minute, and not for ever")
  func stopOverdue() {
    let asked = given.recording().wish(.system(.shutDown))
    let early = asked.when(.alarm(.stopOverdue), after: 59_000)
    #expect(early.hosts.isEmpty)
    let late = asked.when(.alarm(.stopOverdue), after: 60_000)
    #expect(late.hosts == [.giveUp] && late.state.host.phase == .stopped)
  }

  @Test("A device that hands nothing out any more is let go of, so that the take can end")
  func soundOverdue() {
    let asked = given.recording().wish(.system(.shutDown))
    let early = asked.when(.alarm(.soundOverdue), after: 499)
    #expect(early.sounds.isEmpty)
    let late = early.when(.alarm(.soundOverdue), after: 1)
    #expect(late.sounds == [.close] && late.hosts.isEmpty)
    #expect(late.when(.alarm(.soundOverdue), after: 1).sounds.isEmpty)
  }

  @Test("Who asks again ends it at once, but not by pressing twice")
  func impatience() {
    let asked = given.recording().wish(.system(.shutDown))
    let again = Action.wish(.system(.shutDown), from: .appliance)
    #expect(asked.when(again, after: 4000).hosts.isEmpty)
    #expect(asked.when(again, after: 5000).hosts == [.giveUp])
  }

  // MARK: Export

  @Test("In export mode nothing is played, recorded or written, and it ends when asked")
  func exportMode() {
    let playing = given.withRecording("A").playing(.of("A"))
    let asked = playing.wish(.system(.exportMode(true)))
    #expect(asked.works == [.exportMode(true)] && asked.state.transport.deck == .empty)
    let exported = asked.done(.exportMode(true))
    #expect(exported.library.phase == .exported)
    #expect(exported.wish(.deck(.play(.of("A")))).refusal == .cardExported)
    #expect(exported.wish(.item(.rename(.of("A"), to: "B"))).refusal == .cardExported)
    let over = exported.wish(.system(.exportMode(false)))
    #expect(over.library.phase == .exported)
    let back = over.done(.exportMode(false))
    #expect(back.cards == [.open] && back.library.phase == .opening)
    let opened = back.when(.card(.opened(CardReport(nextSequence: 50))))
    #expect(opened.library.phase == .ready && opened.cards == [.read(.root)])
    #expect(!opened.library.contains(.of("A")))
  }

  @Test("Export mode that cannot be entered leaves the card usable")
  func exportFails() {
    let failed = given.wish(.system(.exportMode(true)))
      .when(.card(.work(ticket: 1, .failed("no gadget"))))
    #expect(failed.library.phase == .ready)
  }

  // MARK: The clock

  @Test("Once the time is known, recordings of this boot get it, and default titles follow")
  func clockSync() throws {
    let adrift = given.when(.host(.clock(isSynchronised: false, utcOffsetSeconds: 0)))
    let first = adrift.recording()
    let id = try #require(first.running?.id)
    #expect(first.entry?.title == "Recording 41")
    #expect(first.entry?.began.quality == .unsynchronised)
    let synced = first.press(.record).takeEnds()
      .when(.host(.clock(isSynchronised: true, utcOffsetSeconds: 3600)))
    let entry = try #require(synced.recording(of: id))
    #expect(entry.title == "2026-11-20 15.03.20" && entry.began.quality == .corrected)
    #expect(synced.kept.map(\.id) == [id] && synced.library.unsettledTimes.isEmpty)
  }

  @Test("A title that somebody gave stays when the time is put right")
  func clockSyncKeepsTitles() {
    let adrift = given.when(.host(.clock(isSynchronised: false, utcOffsetSeconds: 0)))
      .wish(.take(.start(title: "Choir"))).takeBegins()
      .when(.host(.clock(isSynchronised: true, utcOffsetSeconds: 0)))
    #expect(adrift.entry?.title == "Choir" && adrift.entry?.began.quality == .corrected)
  }

  @Test("What an earlier run of this boot recorded without a clock is put right too")
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

  @Test("New settings are taken as a whole, and brought to where they can work")
  func configured() {
    var settings = Settings()
    settings.prerollMilliseconds = .min
    settings.noticesKept = 0
    settings.isArmed = false
    let configured = given.when(.host(.configured(settings)))
    #expect(configured.state.settings.prerollMilliseconds == 0)
    #expect(configured.state.settings.noticesKept == 1 && configured.sounds == [.close])
  }

  @Test("A configuration that was refused is noted, and that is over with one that is taken")
  func configurationRefused() {
    let refused = given.when(.host(.configurationRefused("line 3: …")))
    #expect(refused.state.notices.contains(.configurationRefused))
    let taken = refused.when(.host(.configured(Settings())))
    #expect(!taken.state.notices.contains(.configurationRefused))
  }

  // MARK: What is remembered

  private func restarted(_ remembered: Remembered) -> Given {
    Given().when(.host(.recalled(remembered))).booted().withDevice()
  }

  private let inMay = Remembered(
    path: [.root, .of("Interviews"), .of("May")], selection: .of("Kitchen"), volumePercent: 35,
    playing: .of("Kitchen"), playingFrame: 4800)

  @Test("What is remembered is written once, some seconds after it changed")
  func remember() {
    let moved = given.withRecording("A").wish(.browse(.select(.of("A"))), from: .panel)
    #expect(moved.hosts.isEmpty)
    let louder = moved.passing(2000).press(.volumeUp)
    #expect(louder.hosts.isEmpty)
    let due = louder.when(.alarm(.rememberDue), after: 3000)
    #expect(due.hosts == [.remember(Remembered(selection: .of("A"), volumePercent: 85))])
    #expect(due.alarms.isEmpty)
  }

  @Test("After a restart the panel goes back, folder by folder, as they are read")
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

  @Test("What has gone meanwhile is given up for its nearest living ancestor")
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

  @Test("A folder on the way that cannot be read is as far as it goes")
  func recallUnreadable() {
    let back = Given().when(.host(.recalled(inMay))).booted()
      .when(.card(.unreadable(.root, why: "torn")))
    #expect(back.state.panel.wayBack == nil)
  }

  @Test("A take cut short that nobody has seen is still said after a restart")
  func unseenFault() {
    let back = restarted(Remembered(hasUnseenFault: true))
    #expect(back.panel.status == .winks(2, everyMilliseconds: 5000))
    let seen = back.press(.acknowledge)
    #expect(seen.panel.status == .winks(1, everyMilliseconds: 5000))
    #expect(seen.alarms.map(\.alarm) == [.rememberDue])
  }

  // MARK: Notices

  @Test("Notices are bounded, and the one that matters outlasts the many that do not")
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

  @Test("A weak supply is said once, and shows as long as it lasts")
  func power() {
    let weak = Action.host(
      .health(isUnderVoltage: true, isThrottled: true, temperatureCelsius: 81))
    let low = given.when([weak, weak])
    #expect(low.notices(.powerLow) == 1 && low.panel.status == .steady)
  }

  @Test("A moment looked at twice is the same: nothing is left to be done")
  func settled() {
    let twice = given.withFolder("A").recording().when(.tick)
    #expect(twice.when(.tick).state == twice.state && twice.when(.tick).commands.isEmpty)
  }
}
