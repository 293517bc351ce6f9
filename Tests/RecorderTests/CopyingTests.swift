// Copies elsewhere, in the heart: counts, what the program that copies tells, and who may tell it.

import Testing

@testable import Recorder

@Suite struct CopyingTests {
  private static let program = ConsoleDescription(id: 1001, kind: .socket, access: .control)
  private static let origin = Origin.client(1001, request: 1)

  private func given() -> Given {
    Given().booted().when(.console(.opened(Self.program)))
  }

  private func copy(_ target: String = "nas") -> RecordingCopy {
    RecordingCopy(
      target: target, remote: "box/a.opus", file: "a.opus",
      verifiedAt: WallTime(milliseconds: Given.wall))
  }

  private func say(_ words: String, _ given: Given) -> Given {
    given.when(
      .console(
        .command(words.split(separator: " ").map(String.init), files: [], from: Self.origin)))
  }

  private func answer(_ given: Given) -> Answer? {
    given.commands.lazy.compactMap { command -> Answer? in
      guard case .console(.answer(let answer, let origin, true)) = command else { return nil }
      return origin == Self.origin ? answer : nil
    }
    .first
  }

  @Test("a noted copy counts in its folder and in all above it, until it is gone")
  func counted() {
    // given a recording in a folder
    let given = given().withFolder("Inner").withRecording("Take", in: .of("Inner"))
    #expect(given.state.uncopiedCount == 1 && StatusView(given.state).copies == nil)
    // when its copy is noted
    let note = CopyNote(.of("Take"), in: .of("Inner"), at: "nas", .gone)
    let asked = given.request(.item(.noteCopy(note)), from: .appliance)
    let copied = asked.done(
      .copied(
        CopyResult(
          .of("Take"), [copy()], path: [.root, .of("Inner")], difference: Tally(copied: 1))))
    // then nothing is only here
    #expect(copied.state.library.folders[.of("Inner")]?.tally.copied == 1)
    #expect(copied.state.uncopiedCount == 0)
    #expect(StatusView(copied.state).copies?.onlyHere == 0)
    let report = ItemReport(.of("Take"), in: copied.state)
    #expect(report?.copies?.map(\.state) == [.verified])
    #expect(report?.copies?.first?.remote == "box/a.opus")
    // and when the target has lost it, it is only here again
    let lost = copied.request(.item(.noteCopy(note)), from: .appliance).done(
      .copied(
        CopyResult(.of("Take"), [], path: [.root, .of("Inner")], difference: Tally(copied: -1))))
    #expect(lost.state.uncopiedCount == 1 && ItemReport(.of("Take"), in: lost.state)?.copies == nil)
  }

  @Test("a copy in a folder that was not read counts there, too")
  func unread() {
    let folder = Folder(
      id: .of("Far"), parent: .root, name: "Far", directory: "Far", tally: Tally(recordings: 3))
    let given = given().when(.card(.listed(.root, Listing(folders: [folder]))))
    let asked = given.request(
      .item(.noteCopy(CopyNote(.of("Take"), in: .of("Far"), at: "nas", .gone))), from: .appliance)
    let copied = asked.done(
      .copied(
        CopyResult(
          .of("Take"), [copy()], path: [.root, .of("Far")], difference: Tally(copied: 1))))
    #expect(copied.state.library.folders[.of("Far")]?.tally == Tally(recordings: 3, copied: 1))
    #expect(copied.state.uncopiedCount == 2)
  }

  @Test("what the program tells of a target and of a recording is shown until it goes")
  func told() {
    let given = given().withRecording("Take")
    let target = say("copying nas --state sending --waiting 3", given)
    let failed = say(
      "copying nas --state failed --item \(ItemID.of("Take")) --why No_room. --retry-after 60",
      target)
    let view = StatusView(failed.state).copies
    #expect(view?.targets.map(\.name) == ["nas"] && view?.targets.first?.waiting == 3)
    #expect(view?.targets.first?.state == .sending && view?.targets.first?.isRunning == true)
    let copy = ItemReport(.of("Take"), in: failed.state)?.copies?.first
    #expect(copy?.state == .failed && copy?.why == "No_room.")
    #expect(copy?.nextTry?.wall == failed.state.wall.milliseconds + 60_000)
    // when it goes
    let gone = failed.when(.console(.closed(1001)))
    // then its target stays, and does not run
    let after = StatusView(gone.state).copies?.targets.first
    #expect(after?.isRunning == false && after?.state == .waiting)
    #expect(ItemReport(.of("Take"), in: gone.state)?.copies?.first?.state == .waiting)
  }

  @Test("what is told is bounded")
  func bounded() {
    var told = given()
    for number in 0..<20 { told = say("copying target\(number) --state waiting", told) }
    #expect(told.state.copying.targets.count == RecordingCopy.most)
    for number in 0..<300 as Range<UInt64> {
      let id = ItemID(high: 1, low: number)
      told = say("copying target0 --state failed --why no --item \(id)", told)
    }
    #expect(told.state.copying.targets[0].items.count == Copying.itemLimit)
  }

  @Test("asking is harmless, and telling is not")
  func access() {
    let watcher = ConsoleDescription(id: 1001, kind: .socket, access: .status)
    let given = Given().booted().when(.console(.opened(watcher)))
    let asked = say("copies --target nas", given)
    let queries = asked.commands.compactMap { command -> CopyQuery? in
      guard case .card(.work(_, .copies(let query))) = command else { return nil }
      return query
    }
    #expect(queries == [CopyQuery(target: "nas")])
    for words in [
      "copying nas --state waiting",
      "copied \(ItemID.root) --in \(ItemID.root) --target nas --gone",
      "open \(ItemID.root) --in \(ItemID.root)",
    ] {
      #expect(answer(say(words, given)) == .failed(.mayNotChange), "\(words)")
    }
  }

  @Test("each may see where the manifest ends, and only who may change something gets its text")
  func manifest() {
    let watcher = ConsoleDescription(id: 1001, kind: .socket, access: .status)
    let given = Given().booted().when(.console(.opened(watcher)))
    func queries(_ words: String) -> [ManifestQuery] {
      say(words, given).commands.compactMap { command in
        guard case .card(.work(_, .manifest(let query))) = command else { return nil }
        return query
      }
    }
    #expect(queries("manifest") == [.head] && queries("about") == [.about])
    #expect(answer(say("manifest open", given)) == .failed(.mayNotChange))
    guard case .failed(let failure) = answer(say("manifest verify x", given)) else {
      Issue.record("the recorder verified a directory of a client")
      return
    }
    #expect(failure.code == "notHere")
  }

  @Test("the key is shown without a card, and with one where the manifest ends")
  func about() {
    let unread = Given().when(.console(.opened(Self.program)))
    let facts = ManifestFacts(keyID: "0123456789ABCDEF", publicKey: "RWabc")
    let asked = say("about", unread).done(.manifest(.about, facts))
    guard case .about(let report) = answer(asked) else {
      Issue.record("no answer")
      return
    }
    #expect(report.manifest == facts && report.licence == "Apache License 2.0")
    guard case .failed = answer(say("manifest", unread)) else {
      Issue.record("a manifest without a card")
      return
    }
    let head = ManifestFacts(keyID: "0123456789ABCDEF", publicKey: "RWabc", lines: 3, hash: "abc")
    let lines = AnswerText.lines(of: .manifest(head), columns: 80)
    #expect(lines.map { $0.map(\.text).joined() }.last == "head        reel 0123456789ABCDEF 3 abc")
  }

  private static let root = "00000000-0000-0000-0000-000000000000"
  /// Commands, and a part of what is answered.
  private static let senseless: [(String, String)] = [
    ("copies --after there", "next"), ("copied x --in y --target nas", "no id"),
    ("copying nas", "--state is missing"), ("copies --count 0", "number"),
    ("copied " + root + " --in " + root + " --target nas", "--remote is missing"),
  ]

  @Test("what makes no sense is refused with a sentence", arguments: senseless)
  func nonsense(words: String, part: String) {
    guard case .failed(let failure) = answer(say(words, given())) else {
      Issue.record("\(words) was not refused")
      return
    }
    #expect(failure.sentence.contains(part), "\(failure.sentence)")
  }

  @Test("the answer has what is needed to copy, of folders that were not read as well")
  func sources() {
    let take = given().recording("Take", in: .of("Far"))
    let page = CopyPage(
      [CopySource(take, folders: ["Far", "Off"], directories: ["Far", "off"])],
      next: CopyPlace(sequence: 41, id: .of("Take")), count: 2)
    let asked = say("copies --target nas --count 1", given())
    guard case .copies(let report) = answer(asked.done(.uncopied(page))) else {
      Issue.record("no answer")
      return
    }
    #expect(report.items.map(\.path) == ["/Far/Off/Take"])
    #expect(report.items.first?.file == "Far/off/" + (take.file ?? ""))
    #expect(report.items.first?.tracks?.count == 1)
    #expect(report.next.flatMap { CopyPlace($0) } == page.next)
  }
}
