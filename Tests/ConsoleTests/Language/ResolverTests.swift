// Names, numbers and ids: what they resolve to, which folders must be read for that, and the error
// when they match nothing, or several items.

import Testing

@testable import Recorder

@Suite struct ResolverTests {
  private func path(_ bench: Bench, _ line: String) -> String? {
    if case .item(let item) = bench.answer(line) { item.path } else { nil }
  }

  @Test("a path is followed through folders that have not been read")
  func path() {
    let bench = Bench()
    #expect(bench.state.library.folders[Bench.interviews]?.reading == .unread)
    #expect(path(bench, "info /Interviews/Kitchen") == "/Interviews/Kitchen")
    #expect(path(bench, "info interviews/KITCHEN") == "/Interviews/Kitchen")
    #expect(path(bench, "info /Interviews/May/..") == "/Interviews")
    #expect(path(bench, "info ./Interviews/.") == "/Interviews")
    #expect(path(bench, "info /") == "/")
    #expect(path(bench, "info /.trash") == "/.trash")
  }

  @Test("names are relative to the current folder")
  func relative() {
    let bench = Bench()
    #expect(bench.answer("cd Interviews") == .told("/Interviews"))
    #expect(path(bench, "info Kitchen") == "/Interviews/Kitchen")
    #expect(path(bench, "info ../Interviews/May") == "/Interviews/May")
    #expect(bench.answer("pwd") == .told("/Interviews"))
  }

  @Test("a title with a slash in it is found")
  func stroke() {
    let bench = Bench()
    #expect(path(bench, "info \"Tante Käthe: 1/2\"") == "/Tante Käthe: 1/2")
    #expect(path(bench, "info \"/Tante Käthe: 1/2\"") == "/Tante Käthe: 1/2")
  }

  @Test(
    "a recording's number and an id find it wherever it is",
    arguments: [
      "11", "#11", "123a5678", "123a5678-0000-0000-0000-000000000003", "123a56780",
    ])
  func number(_ name: String) {
    let bench = Bench()
    #expect(path(bench, "info \(name)") == "/Interviews/Kitchen")
  }

  @Test("the beginning of an id that fits several lists them with their numbers")
  func ambiguous() throws {
    let bench = Bench()
    let failure = try #require(bench.failure("info 123a"))
    #expect(failure.code == "ambiguous")
    #expect(failure.sentence.contains("11 (/Interviews/Kitchen)"))
    #expect(failure.sentence.contains("12 (/Interviews/Cellar"))
  }

  @Test("a missing item is reported with the folder that was searched")
  func notFound() {
    let bench = Bench()
    #expect(
      bench.failure("info /Interviews/Attic")
        == CommandError("notFound", "There is no “Attic” in /Interviews."))
    #expect(bench.failure("info Nowhere/x")?.code == "notFound")
    #expect(bench.failure("info 99")?.code == "notFound")
    #expect(bench.failure("info fff")?.code == "notFound")
    #expect(bench.failure("cd /Interviews/Kitchen")?.code == "notAFolder")
    #expect(bench.failure("info /Interviews/Kitchen/x")?.code == "notAFolder")
    #expect(bench.failure("play /Interviews")?.code == "notARecording")
  }

  @Test("the wait for a folder that the card does not read has a timeout")
  func hangingCard() throws {
    let bench = Bench()
    bench.cardAnswers = false
    let heard = bench.say("ls /Interviews")
    #expect(heard.answers.isEmpty)
    bench.expire()
    #expect(heard.isOver)
    #expect(heard.answers.last?.isFailure == true)
    #expect(bench.state.commands.isEmpty)
  }

  @Test("an unreadable folder is reported with the reason")
  func unreadable() throws {
    let bench = Bench()
    bench.cardAnswers = false
    let heard = bench.say("ls /Interviews")
    bench.send(.card(.unreadable(Bench.interviews, why: "the card is broken")))
    guard case .failed(let failure) = heard.answers.last else {
      Issue.record("nothing said")
      return
    }
    #expect(failure.sentence.contains("the card is broken"))
  }

  @Test("before the card is open, and while it is released, the error says so")
  func notReady() {
    let bench = Bench(opensCard: false)
    #expect(bench.failure("ls /Interviews")?.code == "notReady")
    let other = Bench()
    #expect(other.answer("hand-over on").map(\.isFailure) == false)
    #expect(other.failure("ls /Interviews")?.code == "cardExported")
  }

  @Test("completion offers commands, options, choices and names")
  func completion() {
    let bench = Bench()
    func candidates(_ line: String) -> [String] {
      bench.complete(line).candidates
    }
    #expect(candidates("sta") == ["status"])
    #expect(candidates("trash ") == ["empty", "list"])
    #expect(candidates("ls --by-n") == ["--by-name"])
    #expect(candidates("sort n") == ["name"])
    #expect(candidates("help res") == ["resume", "restore"])
    #expect(candidates("cd ") == ["Interviews/"])
    #expect(candidates("play t") == ["Tante Käthe: 1/2"])
    // The first completion only requests the folder; the next one has it.
    #expect(candidates("info Interviews/") == [])
    #expect(candidates("info Interviews/K") == ["Interviews/Kitchen"])
    #expect(candidates("cd Interviews/") == ["Interviews/May/"])
    #expect(candidates("frobnicate x") == [])
  }

  @Test("a completed word has the quotes it needs")
  func completedLine() {
    let bench = Bench()
    func completed(_ line: String) -> String {
      bench.complete(line).line
    }
    #expect(completed("stat") == "status ")
    #expect(completed("play t") == "play \"Tante Käthe: 1/2\" ")
    #expect(completed("cd int") == "cd Interviews/")
    #expect(completed("re") == "re")
    #expect(completed("nothing") == "nothing")
  }
}
