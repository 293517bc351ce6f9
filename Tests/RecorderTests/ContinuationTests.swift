// Proves that a take during which the daemon died goes on at once after the start, as the next
// part, under its title and in its folder, in whatever order device and card are ready.

import Testing

@testable import Recorder

@Suite struct ContinuationTests {
  private static let interviews = Folder(id: .of("Interviews"), parent: .root, name: "Interviews")
  private static let may = Folder(id: .of("May"), parent: .of("Interviews"), name: "May")
  private static let choir = TakeContinuation(
    path: [interviews.id, may.id], continues: .of("before"), part: 3, title: "Choir")

  /// The order in which the device and the card are ready after the start.
  enum Readiness: CaseIterable { case deviceFirst, cardFirst, foldersFirst }

  private static let folders: [Action] = [
    .card(.listed(.root, Listing(folders: [interviews]))),
    .card(.listed(interviews.id, Listing(folders: [may]))),
  ]
  private static let opened: Action = .card(.opened(CardReport(nextSequence: 7)))
  private static let device: [Action] = [.sound(.found(Given.mic)), .sound(.opened(Given.mic))]

  private func restarted(
    _ continuation: TakeContinuation = choir, _ settings: Settings = Settings()
  ) -> Given {
    let boot = Boot(id: Given.boot, version: "1", continuation: continuation)
    return Given(settings).when([.host(.clock(isSynchronised: true)), .host(.booted(boot))])
  }

  private func resumed(_ readiness: Readiness) -> Given {
    let (opened, device, folders) = (Self.opened, Self.device, Self.folders)
    return switch readiness {
    case .deviceFirst: restarted().when(device + [opened] + folders)
    case .cardFirst: restarted().when([opened] + device + folders)
    case .foldersFirst: restarted().when([opened] + folders + device)
    }
  }

  @Test("It is the next part, in its folder, under its title", arguments: Readiness.allCases)
  func goesOn(readiness: Readiness) throws {
    let given = resumed(readiness)
    let entry = try #require(given.entry)
    #expect(entry.folder == Self.may.id && entry.sequence == 7)
    #expect(entry.continues == .of("before") && entry.part == 3)
    #expect(entry.title == "Choir part 3")
    #expect(given.library.place(of: entry.id) == nil)
    #expect(given.notices(.deviceBack) == 0)
    let made = given.cards.compactMap { if case .begin(let entry) = $0 { entry } else { nil } }
    #expect(made.count == 1 && made.first?.folder == Self.may.id)
  }

  @Test("The sound waits neither for the card nor for the folder")
  func atOnce() throws {
    let given = restarted().when(Self.device)
    let began = given.sounds.contains { if case .begin = $0 { true } else { false } }
    #expect(began && given.running?.request.continues == .of("before"))
    let opened = given.when(Self.opened)
    #expect(opened.entry?.waitsForCard == true && opened.cards == [.read(.root)])
    let label = opened.when(Self.folders).sounds.compactMap {
      if case .label(_, let label) = $0 { label } else { nil }
    }
    #expect(label.first?.folder == "May" && label.first?.recording.part == 3)
  }

  @Test(
    "If its folder is gone or cannot be reached, the take stays in the root",
    arguments: [
      Action.card(.listed(.root, Listing())), .card(.unreadable(.root, why: "torn")),
    ])
  func folderGone(news: Action) {
    let given = restarted().when(Self.device + [Self.opened, news])
    #expect(given.entry?.folder == .root && given.entry?.sequence == 7)
    #expect(given.entry?.continues == .of("before"))
  }

  @Test("A take that was stopped before its folder was found is moved there as well")
  func stoppedMeanwhile() {
    let stopped = restarted().when(Self.device + [Self.opened]).press(.record)
    let found = stopped.when(Self.folders)
    let id = stopped.state.closing.first
    #expect(id.flatMap(found.recording)?.folder == Self.may.id)
  }

  @Test("Another take begun meanwhile stays where it was begun")
  func anotherMeanwhile() throws {
    let other = restarted().when(Self.device + [Self.opened]).press(.record).press(.record)
    let id = try #require(other.running?.id)
    #expect(other.when(Self.folders).recording(of: id)?.folder == .root)
  }

  @Test("The crash marker is updated when the take has a file, and stays the old one until then")
  func whatIsKept() throws {
    let waiting = restarted()
    #expect(waiting.state.continuation == Self.choir)
    let running = waiting.when(Self.device + [Self.opened] + Self.folders)
    #expect(running.state.continuation == Self.choir)
    let made = running.takeBegins()
    let id = try #require(made.running?.id)
    #expect(
      made.state.continuation
        == TakeContinuation(path: Self.choir.path, continues: id, part: 4, title: "Choir"))
    #expect(made.press(.record).state.continuation == nil)
  }

  @Test("While its folder is looked for, the take is in the root, and is counted there")
  func listedMeanwhile() throws {
    // Given a take that went on before the card was open
    let early = restarted().when(Self.device)
    let id = try #require(early.running?.id)
    // When the card is open and its folders are not read yet
    let root = try #require(early.when([Self.opened]).state.library.root)
    // Then
    #expect(Array(root.items) == [id] && root.tally.recordings == 1)
  }

  @Test("A take begun before the boot is not replaced by an interrupted one")
  func begunBefore() {
    // Given a press that came first
    let begun = Given().when(Self.device).press(.record)
    // When
    let booted = begun.when(
      .host(.booted(Boot(id: Given.boot, version: "1", continuation: Self.choir))))
    // Then
    #expect(booted.state.transport.take != .none)
    #expect(booted.state.transport.take == begun.state.transport.take)
  }

  @Test("Killed twice in a row, it goes on from the last part that has a file")
  func killedTwice() {
    let again = restarted().when(Self.device).state.continuation
    #expect(again == Self.choir)
    let second = again.map { restarted($0).when(Self.device + [Self.opened] + Self.folders) }
    #expect(second?.entry?.continues == .of("before") && second?.entry?.part == 3)
  }

  @Test("An untitled take goes on under its own time")
  func untitled() {
    let given = restarted(TakeContinuation(continues: .of("before"), part: 2))
      .when([Self.opened] + Self.device)
    #expect(given.entry?.title == "2026-11-20 14.03.22" && given.entry?.titleIsDefault == true)
  }

  @Test("A missing device is waited for as configured, and at least a minute")
  func waits() {
    var settings = Settings()
    settings.reconnectMilliseconds = 600_000
    #expect(restarted(Self.choir, settings).passing(599_000).state.transport.take != .none)
    settings.reconnectMilliseconds = 0
    let short = restarted(Self.choir, settings)
    #expect(short.passing(59_000).state.transport.take != .none)
    #expect(short.passing(60_000).state.transport.take == .none)
  }

  @Test("The values of a crash marker are bounded")
  func bounds() {
    let wild = TakeContinuation(
      path: (0..<200).map { ItemID(high: 9, low: $0) }, part: .max, title: "\u{7}")
    let given = restarted(wild).when([Self.opened] + Self.device)
    #expect(given.entry?.folder == .root && given.running?.request.title == nil)
    #expect(given.takeBegins().state.continuation != nil)
  }
}
