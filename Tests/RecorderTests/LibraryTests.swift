// Proves of folders and recordings: what was asked is the card's to do and becomes true when it
// says so; counts, orders and places stay right whatever comes, in whatever order, of what has gone
// since.

import Testing

@testable import Recorder

@Suite struct LibraryTests {
  let given = Given().booted().withDevice().withConsole()
  var filled: Given {
    given.withFolder("Interviews").withFolder("May", in: .of("Interviews"))
      .withRecording("Kitchen", in: .of("May")).withRecording("Hall", in: .of("Interviews"))
      .withRecording("Notes")
  }

  @Test("A folder is made by the card, and is there when the card has made it")
  func makeFolder() throws {
    let asked = given.wish(.item(.makeFolder(name: " Interviews ", in: nil)))
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

  @Test("Counts add up along the tree")
  func counts() {
    #expect(filled.tally(.root) == Tally(recordings: 3, unheard: 3))
    #expect(filled.tally(.of("Interviews")) == Tally(recordings: 2, unheard: 2))
    let heard = filled.wish(.item(.setHeard(.of("Kitchen"), true)))
    #expect(heard.tally(.root) == Tally(recordings: 3, unheard: 2))
    #expect(heard.tally(.of("May")) == Tally(recordings: 1, unheard: 0))
  }

  @Test("What somebody moved with a file manager is where it was put, under its new name")
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
    // One that nobody knew comes with what is in it
    let new = Folder(
      id: .of("New"), parent: .root, name: "New", tally: Tally(recordings: 5, unheard: 1))
    let more = out.when(.card(.found(.folder(new, path: [.root]))))
    #expect(more.tally(.root)?.recordings == (out.tally(.root)?.recordings ?? 0) + 5)
  }

  @Test("Counts that turn out to be wrong are put right, for folders that were not read")
  func miscounted() {
    let new = Folder(id: .of("New"), parent: .root, name: "New", tally: Tally(recordings: 5))
    let given = filled.when(.card(.found(.folder(new, path: [.root]))))
    func miscount(_ id: ItemID, by count: Int) -> Given {
      let difference = Tally(recordings: count, unheard: 0)
      return given.when(
        .card(.found(.miscounted(Whereabouts(id: id, path: [.root], tally: difference)))))
    }
    #expect(miscount(.of("New"), by: -2).tally(.of("New"))?.recordings == 3)
    #expect(miscount(.of("New"), by: -2).tally(.root)?.recordings == 6)
    #expect(miscount(.of("Interviews"), by: 9).tally(.root) == given.tally(.root))
    #expect(miscount(.of("New"), by: .min).tally(.of("New"))?.recordings == 0)
  }

  @Test("Folders come first, each order is kept as items come and change")
  func orders() {
    let mixed = given.withRecording("b 10").withRecording("b 2").withRecording("a")
      .withFolder("Z").withFolder("é").withFolder("e\u{301}").withFolder("f")
    let byDate = mixed.items(in: .root)
    let folders = ["e\u{301}", "f", "Z", "é"].map(ItemID.of)
    #expect(byDate == folders + ["b 10", "b 2", "a"].map(ItemID.of))
    let byName = mixed.wish(.item(.sort(.root, .byName))).done(.sorted(.root, .byName))
    #expect(byName.items(in: .root) == folders + ["a", "b 2", "b 10"].map(ItemID.of))
    let renamed = byName.wish(.item(.rename(.of("a"), to: "zz")))
      .done(.renamed(.of("a"), name: "zz", file: "zz.opus"))
    #expect(renamed.items(in: .root).last == .of("a"))
    let byHand = renamed.wish(.item(.sort(.root, .byHand))).done(.sorted(.root, .byHand))
      .wish(.item(.move(.of("a"), to: .root, at: 0)))
      .done(.moved(.of("a"), path: [.root], at: 0, name: "zz", file: "zz.opus"))
    #expect(byHand.items(in: .root).first == .of("a"))
  }

  @Test("A move takes its counts along, and what is below")
  func move() {
    let moved = filled.withFolder("June")
      .wish(.item(.move(.of("May"), to: .of("June"), at: nil)))
      .done(.moved(.of("May"), path: [.root, .of("June")], at: nil, name: "May", file: "May 2"))
    #expect(moved.items(in: .of("June")) == [.of("May")])
    #expect(moved.tally(.of("Interviews")) == Tally(recordings: 1, unheard: 1))
    #expect(moved.tally(.of("June")) == Tally(recordings: 1, unheard: 1))
    #expect(moved.tally(.root) == Tally(recordings: 3, unheard: 3))
    #expect(
      moved.library.place(of: .of("Kitchen"))
        == CardPath(components: ["June", "May 2", "Kitchen.opus"]))
  }

  @Test("Whoever stands in a folder that moves goes with it, and finds the way up")
  func placeMoves() {
    let inside = filled.withFolder("June").wish(.browse(.enter(.of("May"))))
      .wish(.item(.move(.of("May"), to: .of("June"), at: nil)), from: .panel)
      .done(.moved(.of("May"), path: [.root, .of("June")], at: nil, name: "May", file: "May"))
    #expect(inside.place()?.folder == .of("May"))
    #expect(inside.place()?.trail == [.root, .of("June")])
  }

  @Test("What is thrown away stops playing, leaves every place, and is counted no more")
  func throwAway() {
    let shown = filled.wish(.browse(.enter(.of("May")))).playing(.of("Kitchen"))
    let thrown = shown.wish(.item(.delete(.of("Interviews"))))
      .done(.thrown(.of("Interviews"), file: "Interviews"))
    #expect(thrown.state.transport.deck == .empty && thrown.decks == [.unload])
    #expect(thrown.place()?.folder == .root)
    #expect(thrown.tally(.root) == Tally(recordings: 1, unheard: 1))
    #expect(thrown.tally(.trash)?.recordings == 2)
    #expect(thrown.library.folders[.of("Interviews")]?.thrownFrom == .root)
  }

  @Test("A folder goes by the name that it has in the trash")
  func thrownUnderAnotherName() {
    let thrown = filled.wish(.item(.delete(.of("May"))))
      .done(.thrown(.of("May"), file: "May 2", newName: "May 2"))
    #expect(thrown.library.folders[.of("May")]?.name == "May 2")
  }

  @Test("Whoever had it selected is left with its neighbour")
  func neighbour() {
    let selected = given.withRecording("A").withRecording("B").withRecording("C")
      .wish(.browse(.select(.of("B"))))
    let thrown = selected.wish(.item(.delete(nil))).done(.thrown(.of("B"), file: "B"))
    #expect(thrown.place()?.selection == .of("C"))
    let last = thrown.wish(.item(.delete(nil))).done(.thrown(.of("C"), file: "C"))
    #expect(last.place()?.selection == .of("A"))
  }

  @Test("Restored into a folder that nobody has read, it is counted there and found by reading")
  func restoreIntoUnread() {
    let far = Folder(id: .of("Far"), parent: .root, name: "Far", tally: Tally(recordings: 4))
    let listing = Listing(folders: [far])
    let thrown = given.when(.card(.listed(.root, listing))).withRecording("A")
      .wish(.item(.delete(.of("A")))).done(.thrown(.of("A"), file: "A"))
    let path = [ItemID.root, .of("Far"), .of("Deeper")]
    let restored = thrown.wish(.item(.restore(.of("A"))))
      .done(.moved(.of("A"), path: path, at: nil, name: "A", file: "A"))
    #expect(!restored.library.contains(.of("A")))
    #expect(restored.tally(.of("Far")) == Tally(recordings: 5, unheard: 1))
    #expect(restored.tally(.root) == Tally(recordings: 5, unheard: 1))
    #expect(restored.tally(.trash) == Tally())
  }

  @Test("Purging takes out what was thrown away, and what was below it")
  func purge() {
    let thrown = filled.wish(.item(.delete(.of("Interviews"))))
      .done(.thrown(.of("Interviews"), file: "Interviews"))
    let purged = thrown.wish(.item(.purge(.everything)))
      .done(.purged([.of("Interviews")], left: Tally()))
    #expect(!purged.library.contains(.of("Kitchen")) && !purged.library.contains(.of("May")))
    #expect(purged.tally(.trash) == Tally() && purged.tally(.root)?.recordings == 1)
  }

  @Test("A result for what has gone meanwhile changes nothing")
  func lateResults() {
    let id = ItemID.of("Notes")
    let results: [WorkResult] = [
      .renamed(id, name: "x", file: "x"), .thrown(id, file: "x"), .sorted(id, .byName),
      .moved(id, path: [.root], at: nil, name: "x", file: "x"), .purged([id], left: Tally()),
      .made(Folder(id: .of("x"), parent: .of("gone"), name: "x")),
    ]
    for result in results {
      let asked = filled.wish(.item(.rename(id, to: "x")))
      let gone = asked.when(
        .card(.found(.vanished([Whereabouts(id: id, path: [.root], tally: Tally())]))))
      let late = gone.done(result)
      #expect(late.library.recordings == gone.library.recordings)
      #expect(late.items(in: .root) == gone.items(in: .root) && late.library.pending.isEmpty)
    }
  }

  @Test("An answer under a ticket that nobody holds is for nobody")
  func staleTicket() {
    let stale = filled.when(.card(.work(ticket: 999, .done(.thrown(.of("Notes"), file: "x")))))
    #expect(stale.library == filled.library && stale.commands.isEmpty)
  }

  @Test("Work that fails is told to its asker and noted")
  func workFails() {
    let failed = filled.wish(.item(.rename(.of("Notes"), to: "x")))
      .when(.card(.work(ticket: filled.library.lastTicket + 1, .failed("torn"))))
    #expect(failed.replies == [.failed("torn")] && failed.notices(.workFailed) == 1)
    #expect(failed.recording(of: .of("Notes"))?.title == "Notes")
  }

  @Test("A waveform is drawn of what is there, on a card that cannot be written too, and told")
  func waveform() {
    let given = filled.when(.card(.condition(.readOnly)))
    let asked = given.wish(.item(.work(.waveform(.of("Notes"), points: 2))))
    let ticket = given.library.lastTicket + 1
    #expect(asked.cards == [.work(ticket: ticket, .long(.waveform(.of("Notes"), points: 2)))])
    let waveform = Waveform(rate: 48_000, frames: 9, peaks: [1, 2], rms: [0, 1])
    let told = asked.when(.card(.work(ticket: ticket, .done(.waveform(waveform)))))
    #expect(told.replies == [.waveform(waveform)] && told.library.pending.isEmpty)
    let gone = given.wish(.item(.work(.waveform(.of("Nobody"), points: 2))))
    #expect(gone.replies == [.refused(.notFound)] && gone.cards.isEmpty)
    for points in [0, -1, 10_001] {
      let refused = given.wish(.item(.work(.waveform(.of("Notes"), points: points))))
      #expect(refused.replies == [.failed("A waveform can have 1 to 10,000 points.")])
      #expect(refused.cards.isEmpty && refused.notices(.workFailed) == 0)
    }
  }

  @Test("When the card fails, all that it was asked for is answered")
  func cardFails() {
    let asked = filled.wish(.item(.search("a"))).wish(.item(.work(.verify(.root))))
    let failed = asked.when(.card(.failed("pulled out")))
    #expect(failed.library.pending.isEmpty && failed.replies.count == 2)
    let again = failed.when(.card(.failed("pulled out")))
    #expect(again.notices(.cardFailed) == 1)
  }

  @Test("A card that was away is read again, and the panel finds its way back")
  func reopened() {
    let shown = filled.wish(.browse(.enter(.of("Interviews"))), from: .panel)
    let back = shown.when(
      .card(.opened(CardReport(nextSequence: 90, root: Tally(recordings: 9, unheard: 2)))))
    #expect(back.state.unheardCount == 2 && back.items(in: .root).isEmpty)
    #expect(back.cards == [.read(.root)] && back.library.nextSequence == 90)
    let folder = Folder(id: .of("Interviews"), parent: .root, name: "Interviews")
    let listed = back.when(.card(.listed(.root, Listing(folders: [folder]))))
    #expect(listed.state.panel.place.folder == .of("Interviews"))
    #expect(listed.cards == [.read(.of("Interviews"))])
  }

  @Test("A listing drops what it does not name, but never a take that is being made")
  func listing() throws {
    let taking = filled.wish(.browse(.enter(.of("Interviews"))), from: .panel).recording()
    let id = try #require(taking.running?.id)
    let listed = taking.when(.card(.listed(.root, Listing())))
    #expect(!listed.library.contains(.of("Notes")))
    #expect(listed.recording(of: id)?.folder == .of("Interviews"))
    #expect(listed.tally(.root) == listed.tally(.of("Interviews")))
  }

  @Test("What the card finds by itself comes in, once, and is noted")
  func findings() {
    let found = filled.when(
      .card(.found(.adopted(filled.recording("Old"), path: [.root]))))
    #expect(found.tally(.root)?.recordings == 4 && found.notices(.fileAdopted) == 1)
    let twice = found.when(.card(.found(.recovered(filled.recording("Old"), path: [.root]))))
    #expect(twice.tally(.root)?.recordings == 4 && twice.notices(.recovered) == 1)
  }

  @Test("A folder that cannot be read says so")
  func unreadable() {
    let torn = given.when(.card(.unreadable(.root, why: "torn")))
    #expect(torn.library.root?.reading == .failed("torn") && torn.notices(.cardFailed) == 1)
  }

  @Test("Marks are kept in order, named, and no more than may be")
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
    let named = marked.wish(.item(.nameMark(id, index: 1, name: "door")))
    #expect(named.recording(of: id)?.marks.map(\.name) == ["", "door", ""])
    #expect(named.kept.first?.marks.count == 3)
    let cut = named.press(.record).when(
      .sound(
        .take(id, .ended(TakeReport(sound: Sound(frames: 250), integrity: Integrity())))))
    #expect(cut.recording(of: id)?.marks.count == 2)
  }

  @Test("A mark while playing is put where it is heard")
  func markWhilePlaying() {
    let marked = filled.playing(.of("Notes")).when(.tick, after: 2000).press(.mark)
    #expect(marked.recording(of: .of("Notes"))?.marks == [Mark(frame: 96_000)])
    #expect(marked.kept.count == 1)
  }
}
