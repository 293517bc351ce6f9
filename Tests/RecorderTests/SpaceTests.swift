// Proves of the card's space: the time left is known, a take that would fill the card is closed in
// time, and recycling makes one request for each report of space.

import Testing

@testable import Recorder

@Suite struct SpaceTests {
  /// The bytes for that many seconds above the reserve, at 8000 bytes a second.
  private func bytes(_ seconds: Int64) -> Int64 { (32 << 20) + seconds * 8000 }

  @Test("The time left is the space above the reserve at the present bit rate")
  func left() {
    let given = Given().booted().withDevice()
    #expect(given.state.leftMilliseconds == nil)
    #expect(given.withSpace(bytes(90)).state.leftMilliseconds == 90_000)
    #expect(given.withSpace(1).state.leftMilliseconds == 0)
    #expect(given.withSpace(.max).state.leftMilliseconds != 0)
  }

  @Test("Below ten minutes light and a single notice warn until there is space again")
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
    #expect(full.state.closing == [id] && full.notices(.cardFull) == 1)
    #expect(full.panel.status == .winks(4, everyMilliseconds: 5000))
    let pressed = full.takeEnds(.cardFull).press(.record)
    #expect(pressed.running == nil && pressed.state.transport.refusal?.refusal == .cardFull)
  }

  @Test("Recycling makes space before the card is full, and reports what was deleted")
  func recycle() {
    let given = Given { $0.whenFull = .recycleOldestHeard }.booted().withDevice()
      .withRecording("Old", isHeard: true)
    let short = given.withSpace(bytes(300))
    #expect(short.cards == [.recycle(.heard)] && short.notices(.cardLow) == 0)
    #expect(short.when(.tick).cards.isEmpty)
    let gone = Whereabouts(id: .of("Old"), path: [.root], tally: Tally(recordings: 1))
    let recycled = short.when(.card(.recycled([gone])))
    #expect(!recycled.library.contains(.of("Old")) && recycled.notices(.recycled) == 1)
    #expect(recycled.cards.isEmpty)
    #expect(recycled.withSpace(bytes(299)).cards == [.recycle(.heard)])
  }

  @Test("At the reserve the take is closed, also without a warning and with recycling")
  func fullWithoutWarning() throws {
    let given = Given {
      $0.whenFull = .recycleOldestHeard
      $0.warnMilliseconds = 0
    }.booted().withDevice().withSpace(bytes(900)).recording()
    let id = try #require(given.running?.id)
    let full = given.withSpace(bytes(0))
    #expect(full.cards == [.recycle(.heard)] && full.state.closing == [id])
  }

  @Test("A take for a full folder goes into a fresh one beside it, after a warning")
  func fullFolder() throws {
    // Given a root with room for ten, and eight in it
    var given = Given { $0.itemsPerFolder = 10 }.booted().withDevice()
    for number in 1...8 { given = given.withRecording("\(number)") }
    #expect(given.notices(.folderFilling) == 0)
    // When the ninth is recorded, a notice says that the folder is filling up
    given = given.recording().press(.record).takeEnds(.pressed)
    #expect(given.notices(.folderFilling) == 1)
    given = given.withRecording("10")
    // When another is recorded, it goes into a folder that is made before its file
    let pressed = given.press(.record)
    let take = try #require(pressed.running.flatMap { pressed.recording(of: $0.id) })
    let folder = try #require(pressed.library.folders[take.folder])
    #expect(folder.name == "Recordings 2" && folder.parent == .root)
    guard
      case .work(let ticket, .makeFolder(folder.id, "Recordings 2", .root))? =
        pressed.cards.first, case .begin(let begun)? = pressed.cards.last
    else {
      Issue.record("\(pressed.cards)")
      return
    }
    #expect(begun.folder == folder.id && pressed.notices(.folderFilling) == 2)
    // When the card gives its directory another name, the take stays in it
    var made = folder
    made.directory = "Recordings 2 2"
    let done = pressed.when(.card(.work(ticket: ticket, .done(.made(made)))))
    #expect(done.library.folders[folder.id]?.directory == "Recordings 2 2")
    #expect(done.recording(of: take.id)?.folder == folder.id)
    // When the card could not make it, the take is in the root
    let failed = pressed.when(.card(.work(ticket: ticket, .failed("no"))))
    #expect(failed.library.folders[folder.id] == nil)
    #expect(failed.recording(of: take.id)?.folder == .root)
  }

  @Test("Read-only and in-memory cards are reported once")
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
