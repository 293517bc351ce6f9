// Proves of folders and recordings: a request is the card's work and takes effect when the card
// reports it; counts, orders and places stay right whatever late events arrive, in whatever order.

import Testing

@testable import Recorder

@Suite struct LibraryTests {
  let given = Given().booted().withDevice().withConsole()
  var filled: Given {
    given.withFolder("Interviews").withFolder("May", in: .of("Interviews"))
      .withRecording("Kitchen", in: .of("May")).withRecording("Hall", in: .of("Interviews"))
      .withRecording("Notes")
  }

  @Test("A folder is made by the card, and appears when the card has made it")
  func makeFolder() throws {
    let asked = given.request(.item(.makeFolder(name: " Interviews ", in: nil)))
    guard case .makeFolder(let id, "Interviews", in: .root)? = asked.works.first else {
      Issue.record("\(asked.commands)")
      return
    }
    #expect(!asked.library.contains(id) && asked.replies == [.working(ticket: 1, permille: 0)])
    let made = asked.done(.made(Folder(id: id, parent: .root, name: "Interviews")))
    #expect(made.items(in: .root) == [id] && made.replies == [.done(id)])
    #expect(made.place()?.selection == id)
    #expect(made.library.folders[id]?.reading == .read)
  }

  @Test("A number that two recordings have names neither, and both are told by their ids")
  func sharedNumber() throws {
    let number = given.library.nextSequence
    let fromElsewhere = given.recording("From another card", in: .root)
    let both = given.withRecording("Made here")
      .request(.item(.importFile(OutsideFile("x"), into: .root)), from: .appliance)
      .done(.imported(fromElsewhere))
    let twins = both.library.recordings.values.filter { $0.sequence == number }
    #expect(twins.count == 2)
    let found = Resolver(library: both.library, place: .root).find("\(number)")
    guard case .failed(let failure) = found else {
      Issue.record("one of two was taken: \(found)")
      return
    }
    #expect(failure.code == "ambiguous")
    for twin in twins { #expect(failure.sentence.contains("\(twin.id)".prefix(8))) }
  }

  @Test("Counts add up along the tree")
  func counts() {
    #expect(filled.tally(.root) == Tally(recordings: 3, unheard: 3))
    #expect(filled.tally(.of("Interviews")) == Tally(recordings: 2, unheard: 2))
    let heard = filled.request(.item(.setHeard(.of("Kitchen"), true)))
    #expect(heard.tally(.root) == Tally(recordings: 3, unheard: 2))
    #expect(heard.tally(.of("May")) == Tally(recordings: 1, unheard: 0))
  }

  @Test("A folder's row has the date of the newest recording below, whatever comes and goes")
  func newest() {
    func dated(
      _ title: String, _ wall: Int64, _ quality: ClockQuality = .synchronised
    ) -> Recording {
      Recording(
        id: .of(title), folder: .of("May"), sequence: 7, title: title,
        began: Moment(
          boot: Given.boot, instant: given.now, wall: WallTime(milliseconds: wall),
          quality: quality), file: title + ".opus")
    }
    func latest(_ given: Given, _ folder: String) -> Int64? {
      given.library.folders[.of(folder)]?.latest?.milliseconds
    }
    let folders = given.withFolder("Interviews").withFolder("May", in: .of("Interviews"))
      .withFolder("June")
    #expect(latest(folders, "Interviews") == nil)
    var filled = folders
    for one in [dated("old", 5), dated("new", 9), dated("unset", 99, .unsynchronised)] {
      let path = [ItemID.root, .of("Interviews"), .of("May")]
      filled = filled.when(.card(.found(.adopted(one, path: path))))
    }
    #expect(latest(filled, "May") == 9 && latest(filled, "Interviews") == 9)
    #expect(filled.library.root?.latest == nil)
    // When the newest goes, the one before is the newest, there and above
    let thrown = filled.request(.item(.delete(.of("new"))))
      .done(.thrown(.of("new"), file: "new.opus"))
    #expect(latest(thrown, "May") == 5 && latest(thrown, "Interviews") == 5)
    // When a folder moves, its date moves along
    let moved = filled.request(.item(.move(.of("May"), to: .of("June"), at: nil)))
      .done(.moved(.of("May"), path: [.root, .of("June")], at: nil, name: "May", file: "May"))
    #expect(latest(moved, "June") == 9 && latest(moved, "Interviews") == nil)
    // When the card lists other items, the date is theirs
    let listed = filled.when(.card(.listed(.of("May"), Listing(recordings: [dated("old", 5)]))))
    #expect(latest(listed, "May") == 5 && latest(listed, "Interviews") == 5)
  }

  @Test("A recording moved with a file manager is at its new place, under its new name")
  func movedByHand() {
    let old = filled.recording("Kitchen")
    let moved = Recording(
      id: old.id, folder: .of("Interviews"), sequence: old.sequence, title: "Aunt",
      began: old.began, file: "0001 Aunt.opus", sound: old.sound)
    let found = filled.when(.card(.found(.adopted(moved, path: [.root, .of("Interviews")]))))
    #expect(found.items(in: .of("Interviews")).contains(old.id))
    #expect(found.library.recordings[old.id]?.title == "Aunt" && found.tally(.of("May")) == Tally())
    #expect(found.tally(.root) == filled.tally(.root))

    let folder = Folder(id: .of("May"), parent: .root, name: "June", directory: "June")
    let out = found.when(.card(.found(.folder(folder, path: [.root]))))
    #expect(out.items(in: .root).contains(.of("May")))
    #expect(out.library.folders[.of("May")]?.name == "June")
    // An unknown folder is added with its counts
    let new = Folder(
      id: .of("New"), parent: .root, name: "New", tally: Tally(recordings: 5, unheard: 1))
    let more = out.when(.card(.found(.folder(new, path: [.root]))))
    #expect(more.tally(.root)?.recordings == (out.tally(.root)?.recordings ?? 0) + 5)
  }

  @Test("Wrong counts of folders that were not read are corrected")
  func miscounted() {
    let new = Folder(id: .of("New"), parent: .root, name: "New", tally: Tally(recordings: 5))
    let given = filled.when(.card(.found(.folder(new, path: [.root]))))
    func miscount(_ id: ItemID, by count: Int) -> Given {
      let difference = Tally(recordings: count, unheard: 0)
      return given.when(
        .card(
          .found(
            .miscounted(
              Whereabouts(id: id, path: [.root], tally: difference),
              latest: WallTime(milliseconds: 7)))))
    }
    #expect(given.library.folders[.of("New")]?.latest == nil)
    #expect(miscount(.of("New"), by: 0).library.folders[.of("New")]?.latest?.milliseconds == 7)
    #expect(miscount(.of("New"), by: -2).tally(.of("New"))?.recordings == 3)
    #expect(miscount(.of("New"), by: -2).tally(.root)?.recordings == 6)
    #expect(miscount(.of("Interviews"), by: 9).tally(.root) == given.tally(.root))
    #expect(miscount(.of("New"), by: .min).tally(.of("New"))?.recordings == 0)
  }

  @Test("Folders come first, and each order is kept as items are added and changed")
  func orders() {
    let mixed = given.withRecording("b 10").withRecording("b 2").withRecording("a")
      .withFolder("Z").withFolder("é").withFolder("f")
      // The same name in another spelling is refused here; a computer can make such a directory.
      .when(
        .card(
          .found(
            .folder(
              Folder(id: .of("e\u{301}"), parent: .root, name: "e\u{301}"), path: [.root]))))
    let byDate = mixed.items(in: .root)
    let folders = ["e\u{301}", "f", "Z", "é"].map(ItemID.of)
    #expect(byDate == folders + ["b 10", "b 2", "a"].map(ItemID.of))
    let byName = mixed.request(.item(.sort(.root, .byName))).done(.sorted(.root, .byName))
    #expect(byName.items(in: .root) == folders + ["a", "b 2", "b 10"].map(ItemID.of))
    let renamed = byName.request(.item(.rename(.of("a"), to: "zz")))
      .done(.renamed(.of("a"), name: "zz", file: "zz.opus"))
    #expect(renamed.items(in: .root).last == .of("a"))
    let byHand = renamed.request(.item(.sort(.root, .byHand))).done(.sorted(.root, .byHand))
      .request(.item(.move(.of("a"), to: .root, at: 0)))
      .done(.moved(.of("a"), path: [.root], at: 0, name: "zz", file: "zz.opus"))
    #expect(byHand.items(in: .root).first == .of("a"))
  }

  @Test("A move takes its counts along, and the items below")
  func move() {
    let moved = filled.withFolder("June")
      .request(.item(.move(.of("May"), to: .of("June"), at: nil)))
      .done(.moved(.of("May"), path: [.root, .of("June")], at: nil, name: "May", file: "May 2"))
    #expect(moved.items(in: .of("June")) == [.of("May")])
    #expect(moved.tally(.of("Interviews")) == Tally(recordings: 1, unheard: 1))
    #expect(moved.tally(.of("June")) == Tally(recordings: 1, unheard: 1))
    #expect(moved.tally(.root) == Tally(recordings: 3, unheard: 3))
    #expect(
      moved.library.place(of: .of("Kitchen"))
        == CardPath(components: ["June", "May 2", "Kitchen.opus"]))
  }

  @Test("A console in a folder that is moved goes with it, and its trail is updated")
  func placeMoves() {
    let inside = filled.withFolder("June").request(.browse(.enter(.of("May"))))
      .request(.item(.move(.of("May"), to: .of("June"), at: nil)), from: .panel)
      .done(.moved(.of("May"), path: [.root, .of("June")], at: nil, name: "May", file: "May"))
    #expect(inside.place()?.folder == .of("May"))
    #expect(inside.place()?.trail == [.root, .of("June")])
  }

  @Test("A deleted item stops playing, leaves every place, and is not counted any more")
  func throwAway() {
    let shown = filled.request(.browse(.enter(.of("May")))).playing(.of("Kitchen"))
    let thrown = shown.request(.item(.delete(.of("Interviews"))))
      .done(.thrown(.of("Interviews"), file: "Interviews"))
    #expect(thrown.state.transport.deck == .empty && thrown.decks == [.unload])
    #expect(thrown.place()?.folder == .root)
    #expect(thrown.tally(.root) == Tally(recordings: 1, unheard: 1))
    #expect(thrown.tally(.trash)?.recordings == 2)
    #expect(thrown.library.folders[.of("Interviews")]?.thrownFrom == .root)
  }

  @Test("A deleted folder has its name in the trash")
  func thrownUnderAnotherName() {
    let thrown = filled.request(.item(.delete(.of("May"))))
      .done(.thrown(.of("May"), file: "May 2", newName: "May 2"))
    #expect(thrown.library.folders[.of("May")]?.name == "May 2")
  }

  @Test("A selection of a deleted item moves to its neighbour")
  func neighbour() {
    let selected = given.withRecording("A").withRecording("B").withRecording("C")
      .request(.browse(.select(.of("B"))))
    let thrown = selected.request(.item(.delete(nil))).done(.thrown(.of("B"), file: "B"))
    #expect(thrown.place()?.selection == .of("C"))
    let last = thrown.request(.item(.delete(nil))).done(.thrown(.of("C"), file: "C"))
    #expect(last.place()?.selection == .of("A"))
  }

  @Test("Restored into an unread folder, an item is counted there and appears when it is read")
  func restoreIntoUnread() {
    let far = Folder(id: .of("Far"), parent: .root, name: "Far", tally: Tally(recordings: 4))
    let listing = Listing(folders: [far])
    let thrown = given.when(.card(.listed(.root, listing))).withRecording("A")
      .request(.item(.delete(.of("A")))).done(.thrown(.of("A"), file: "A"))
    let path = [ItemID.root, .of("Far"), .of("Deeper")]
    let restored = thrown.request(.item(.restore(.of("A"))))
      .done(.moved(.of("A"), path: path, at: nil, name: "A", file: "A"))
    #expect(!restored.library.contains(.of("A")))
    #expect(restored.tally(.of("Far")) == Tally(recordings: 5, unheard: 1))
    #expect(restored.tally(.root) == Tally(recordings: 5, unheard: 1))
    #expect(restored.tally(.trash) == Tally())
  }

  @Test("Purging removes the items in the trash, and those below them")
  func purge() {
    let thrown = filled.request(.item(.delete(.of("Interviews"))))
      .done(.thrown(.of("Interviews"), file: "Interviews"))
    let purged = thrown.request(.item(.purge(.everything)))
      .done(.purged([.of("Interviews")], left: Tally()))
    #expect(!purged.library.contains(.of("Kitchen")) && !purged.library.contains(.of("May")))
    #expect(purged.tally(.trash) == Tally() && purged.tally(.root)?.recordings == 1)
  }

  @Test("A result for an item that is gone meanwhile changes nothing")
  func lateResults() {
    let id = ItemID.of("Notes")
    let results: [WorkResult] = [
      .renamed(id, name: "x", file: "x"), .thrown(id, file: "x"), .sorted(id, .byName),
      .moved(id, path: [.root], at: nil, name: "x", file: "x"), .purged([id], left: Tally()),
      .made(Folder(id: .of("x"), parent: .of("gone"), name: "x")),
    ]
    for result in results {
      let asked = filled.request(.item(.rename(id, to: "x")))
      let gone = asked.when(
        .card(.found(.vanished([Whereabouts(id: id, path: [.root], tally: Tally())]))))
      let late = gone.done(result)
      #expect(late.library.recordings == gone.library.recordings)
      #expect(late.items(in: .root) == gone.items(in: .root) && late.library.pending.isEmpty)
    }
  }

  @Test("An answer with an unknown ticket is ignored")
  func staleTicket() {
    let stale = filled.when(.card(.work(ticket: 999, .done(.thrown(.of("Notes"), file: "x")))))
    #expect(stale.library == filled.library && stale.commands.isEmpty)
  }

  @Test("Failed work is reported to its client, and leaves a notice")
  func workFails() {
    let failed = filled.request(.item(.rename(.of("Notes"), to: "x")))
      .when(.card(.work(ticket: filled.library.lastTicket + 1, .failed("torn"))))
    #expect(failed.replies == [.failed("torn")] && failed.notices(.workFailed) == 1)
    #expect(failed.recording(of: .of("Notes"))?.title == "Notes")
  }

  @Test("A waveform is drawn on a read-only card too, and sent to the client")
  func waveform() {
    let given = filled.when(.card(.condition(.readOnly)))
    let asked = given.request(.item(.work(.waveform(.of("Notes"), points: 2))))
    let ticket = given.library.lastTicket + 1
    #expect(asked.cards == [.work(ticket: ticket, .long(.waveform(.of("Notes"), points: 2)))])
    let waveform = Waveform(rate: 48_000, frames: 9, peaks: [1, 2], rms: [0, 1])
    let told = asked.when(.card(.work(ticket: ticket, .done(.waveform(waveform)))))
    #expect(told.replies == [.waveform(waveform)] && told.library.pending.isEmpty)
    let gone = given.request(.item(.work(.waveform(.of("Nobody"), points: 2))))
    #expect(gone.replies == [.refused(.notFound)] && gone.cards.isEmpty)
    for points in [0, -1, 10_001] {
      let refused = given.request(.item(.work(.waveform(.of("Notes"), points: points))))
      #expect(refused.replies == [.failed("A waveform can have 1 to 10,000 points.")])
      #expect(refused.cards.isEmpty && refused.notices(.workFailed) == 0)
    }
  }

  @Test("When the card fails, all pending requests are answered")
  func cardFails() {
    let asked = filled.request(.item(.search("a"))).request(.item(.work(.verify(.root))))
    let failed = asked.when(.card(.failed("pulled out")))
    #expect(failed.library.pending.isEmpty && failed.replies.count == 2)
    let again = failed.when(.card(.failed("pulled out")))
    #expect(again.notices(.cardFailed) == 1)
  }

  @Test("A card that was away is read again, and the panel returns to its folder")
  func reopened() {
    let shown = filled.request(.browse(.enter(.of("Interviews"))), from: .panel)
    let back = shown.when(
      .card(.opened(CardReport(nextSequence: 90, root: Tally(recordings: 9, unheard: 2)))))
    #expect(back.state.unheardCount == 2 && back.items(in: .root).isEmpty)
    #expect(back.cards == [.read(.root)] && back.library.nextSequence == 90)
    let folder = Folder(id: .of("Interviews"), parent: .root, name: "Interviews")
    let listed = back.when(.card(.listed(.root, Listing(folders: [folder]))))
    #expect(listed.state.panel.place.folder == .of("Interviews"))
    #expect(listed.cards == [.read(.of("Interviews"))])
  }

  @Test("A listing drops items that it does not list, but never a running take")
  func listing() throws {
    let taking = filled.request(.browse(.enter(.of("Interviews"))), from: .panel).recording()
    let id = try #require(taking.running?.id)
    let listed = taking.when(.card(.listed(.root, Listing())))
    #expect(!listed.library.contains(.of("Notes")))
    #expect(listed.recording(of: id)?.folder == .of("Interviews"))
    #expect(listed.tally(.root) == listed.tally(.of("Interviews")))
  }

  @Test("An item that the card finds by itself is added once, with a notice")
  func findings() {
    let found = filled.when(
      .card(.found(.adopted(filled.recording("Old"), path: [.root]))))
    #expect(found.tally(.root)?.recordings == 4 && found.notices(.fileAdopted) == 1)
    let twice = found.when(.card(.found(.recovered(filled.recording("Old"), path: [.root]))))
    #expect(twice.tally(.root)?.recordings == 4 && twice.notices(.recovered) == 1)
  }

  @Test("An unreadable folder is reported")
  func unreadable() {
    let torn = given.when(.card(.unreadable(.root, why: "torn")))
    #expect(torn.library.root?.reading == .failed("torn") && torn.notices(.cardFailed) == 1)
  }

  @Test("Marks are kept in order, named, and limited in number")
  func marks() throws {
    let recording = given.recording()
    let id = try #require(recording.running?.id)
    let asked = recording.press(.mark, ago: 20)
    let edge = asked.now.adding(milliseconds: -20)
    #expect(asked.sounds == [.mark(id, at: edge, name: "")])
    let marked = [300, 100, 200].reduce(asked) {
      $0.when(.sound(.take(id, .marked(Mark(frame: $1)))))
    }
    #expect(marked.recording(of: id)?.marks.map(\.frame) == [100, 200, 300])
    let named = marked.request(.item(.mark(id, .rename(index: 1, to: "door"))))
    #expect(named.recording(of: id)?.marks.map(\.name) == ["", "door", ""])
    #expect(named.kept.first?.marks.count == 3)
    let cut = named.press(.record).when(
      .sound(
        .take(id, .ended(TakeReport(sound: Sound(frames: 250), integrity: Integrity())))))
    #expect(cut.recording(of: id)?.marks.count == 2)
  }

  @Test("A text about a recording is kept by the card, replaced, and removed by an empty one")
  func details() {
    let id = ItemID.of("Notes")
    let written = filled.request(.item(.describe(id, .notes, " one\r\ntwo ")))
      .request(.item(.describe(id, .speaker, "Käthe")))
    #expect(
      written.recording(of: id)?.details == Recording.Details(notes: "one\ntwo", speaker: "Käthe"))
    #expect(written.kept.last?.details == written.recording(of: id)?.details)
    let removed = written.request(.item(.describe(id, .notes, "\n")))
    #expect(removed.kept.last?.details == Recording.Details(speaker: "Käthe"))
  }

  @Test("A take that is running can be described")
  func describedTake() throws {
    let recording = given.recording()
    let id = try #require(recording.running?.id)
    let described = recording.request(.item(.describe(id, .place, "Kitchen")))
    #expect(described.kept.last?.details.place == "Kitchen")
    let ended = described.press(.record).when(
      .sound(
        .take(id, .ended(TakeReport(sound: Sound(frames: 250), integrity: Integrity())))))
    #expect(ended.recording(of: id)?.details.place == "Kitchen")
  }

  @Test("A mark while playing is set at the frame that is heard")
  func markWhilePlaying() {
    let marked = filled.playing(.of("Notes")).when(.tick, after: 2000).press(.mark)
    #expect(marked.recording(of: .of("Notes"))?.marks == [Mark(frame: 96_000)])
    #expect(marked.kept.count == 1)
  }
}
