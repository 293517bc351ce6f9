// Commands performed: what they request of the reducer and the card, and what they answer.

import JSON
import Testing

@testable import Recorder

@Suite struct CommandTests {
  private func sentence(_ bench: Bench, _ line: String) -> String? {
    if case .done(let done) = bench.answer(line) { done.sentence } else { nil }
  }

  @Test("recording begins, is marked, and ends when it is saved")
  func record() throws {
    let bench = Bench()
    #expect(sentence(bench, "record Tante Käthe")?.contains("“Tante Käthe”") == true)
    #expect(bench.state.transport.take.running != nil)
    #expect(sentence(bench, "mark here")?.hasPrefix("Marked") == true)
    guard case .status(let status) = bench.answer("status") else {
      Issue.record("no status")
      return
    }
    #expect(status.state == .recording)
    #expect(bench.failure("record")?.code == "alreadyRecording")
    #expect(sentence(bench, "stop")?.hasPrefix("Saved 41 “Tante Käthe”, 0:05") == true)
    #expect(bench.failure("stop")?.code == "notRecording")
  }

  @Test("a recording into another folder leaves the console where it was")
  func recordIn() {
    let bench = Bench()
    #expect(sentence(bench, "record --in /Interviews x")?.contains("in /Interviews") == true)
    #expect(bench.answer("pwd") == .told("/"))
    #expect(sentence(bench, "stop")?.contains("in /Interviews") == true)
  }

  @Test("playing, pausing, seeking, volume")
  func play() {
    let bench = Bench()
    #expect(sentence(bench, "play /Interviews/Kitchen")?.hasPrefix("Playing 11 “Kitchen”") == true)
    #expect(sentence(bench, "pause")?.hasPrefix("Paused 11") == true)
    #expect(sentence(bench, "seek +3")?.hasPrefix("Moved within") == true)
    #expect(sentence(bench, "resume")?.hasPrefix("Playing") == true)
    #expect(sentence(bench, "volume 30") == "The volume is 30 %.")
    #expect(sentence(bench, "volume +5") == "The volume is 35 %.")
    #expect(bench.answer("volume") == .told("35 %"))
    #expect(bench.failure("seek soon")?.code == "usage")
  }

  @Test("folders are made, items are moved, renamed and sorted")
  func change() {
    let bench = Bench()
    #expect(sentence(bench, "mkdir /Interviews/June")?.contains("“June”, in /Interviews") == true)
    #expect(bench.failure("mkdir /Interviews/June")?.code == "exists")
    #expect(
      sentence(bench, "mv /Interviews/Kitchen 12 /Interviews/June") == "Moved 2.")
    #expect(sentence(bench, "rename 11 Our old kitchen")?.contains("“Our old kitchen”") == true)
    #expect(sentence(bench, "sort name /Interviews")?.contains("Interviews") == true)
    #expect(sentence(bench, "heard 11")?.hasPrefix("Marked as heard") == true)
    #expect(bench.state.library.recordings[Bench.kitchen]?.isHeard == true)
    #expect(sentence(bench, "heard 11 --not")?.hasPrefix("Marked as not heard") == true)
    #expect(bench.failure("mv /Interviews /Interviews/June")?.code == "intoItself")
  }

  @Test("a recording gets notes, a place and a speaker, which its entry shows")
  func describe() {
    let bench = Bench()
    #expect(sentence(bench, "note 11 Loud at first")?.hasPrefix("Set the notes of 11") == true)
    #expect(sentence(bench, "place 11 \"Our kitchen\"")?.hasPrefix("Set the place of 11") == true)
    #expect(sentence(bench, "speaker 11 Aunt Käthe")?.hasPrefix("Set the speaker of 11") == true)
    let details = bench.state.library.recordings[Bench.kitchen]?.details
    #expect(
      details
        == Recording.Details(
          notes: "Loud at first", place: "Our kitchen", speaker: "Aunt Käthe"))
    let text = bench.text("info 11")
    #expect(text.contains("Loud at first") && text.contains("Our kitchen"))
    #expect(sentence(bench, "place 11 \"\"")?.hasPrefix("Removed the place of 11") == true)
    #expect(!bench.text("info 11").contains("Our kitchen"))
    #expect(bench.failure("note /Interviews x")?.code == "notARecording")
    #expect(bench.failure("place 11 " + String(repeating: "x", count: 201))?.code == "tooLong")
    #expect(bench.failure("note 11")?.code == "usage")
  }

  @Test("a command that deletes asks first, and says what it will delete")
  func destroy() {
    let bench = Bench()
    #expect(
      bench.answer("rm /Interviews")
        == .question("Move “Interviews” with 2 recordings to the trash?"))
    #expect(bench.state.library.parent(of: Bench.interviews) == .root)
    #expect(sentence(bench, "rm /Interviews --yes")?.hasPrefix("Deleted") == true)
    #expect(bench.state.library.parent(of: Bench.interviews) == .trash)
    #expect(sentence(bench, "restore Interviews")?.hasPrefix("Restored") == true)
    guard case .question(let question) = bench.answer("trash empty") else {
      Issue.record("not asked")
      return
    }
    #expect(question.contains("for good"))
    #expect(sentence(bench, "trash empty -y") == "The trash is empty.")
  }

  @Test("of several items, those done before a failure stay done and are reported")
  func several() {
    let bench = Bench()
    bench.say("play /Interviews/Kitchen")
    bench.say("record x")
    let failure = bench.failure("mv /Interviews/Kitchen 41 /Interviews/May")
    #expect(failure?.sentence.hasPrefix("1 done, then: ") == true)
    #expect(bench.state.library.parent(of: Bench.kitchen) == Bench.may)
  }

  @Test("a listing comes in parts, sorted as requested")
  func list() throws {
    let bench = Bench()
    guard case .listing(let all) = bench.answer("ls /Interviews --by-name"),
      case .listing(let one) = bench.answer("ls /Interviews --from 1 --count 1")
    else {
      Issue.record("no listing")
      return
    }
    #expect(all.items.map(\.title) == ["May", "Cellar with a long name", "Kitchen"])
    #expect(all.total == 3)
    #expect(one.items.map(\.title) == ["Kitchen"])
    #expect(bench.text("ls /Interviews --count 1").contains("1 of 3; go on with --from 1"))
  }

  @Test("an item's report has everything the recorder vouches for")
  func info() throws {
    let bench = Bench()
    guard case .item(let item) = bench.answer("info 11") else {
      Issue.record("no item")
      return
    }
    #expect(item.sequence == 11 && item.frames == 480_000 && item.lengthMilliseconds == 10_000)
    #expect(item.file == "Interviews/Kitchen.opus" && item.folder == "/Interviews")
    #expect(item.began?.utc == "2026-11-20T14:03:22Z" && item.began?.synchronised == true)
    #expect(item.integrity?.gaps == [] && item.integrity?.recovered == false)
    #expect(bench.text("info 11").contains("0:10"))

    // A folder has the date of the newest recording below.
    bench.say("ls /Interviews")
    let began = try #require(item.began)
    guard case .item(let folder) = bench.answer("info /Interviews") else {
      Issue.record("no answer")
      return
    }
    #expect(folder.latest?.wall == began.wall && folder.latest?.local == began.local)
    #expect(bench.text("info /Interviews").contains("newest      \(began.local)"))
    #expect(bench.text("ls").contains("2, 2 unheard   \(began.local)"))
  }

  @Test("a client that may only look changes nothing")
  func access() {
    let bench = Bench(access: .status)
    for line in [
      "record", "rm 7 --yes", "mkdir x", "volume 3", "cd --panel /Interviews", "hand-over on",
      "acknowledge", "verify",
    ] {
      #expect(bench.failure(line)?.code == "mayNotChange", "\(line)")
    }
    #expect(bench.answer("ls /Interviews")?.isFailure == false)
    #expect(bench.answer("search kit")?.isFailure == false)
  }

  @Test("long work reports progress, and is cancelled when its console goes")
  func longWork() throws {
    let bench = Bench()
    bench.say("info 11")
    bench.cardAnswers = false
    let heard = bench.say("export 11 /media/kitchen.wav")
    let ticket = try #require(bench.state.library.pending.keys.first)
    bench.send(.card(.work(ticket: ticket, .progress(permille: 500))))
    #expect(heard.answers.last == .progress(ticket: ticket, permille: 500))
    #expect(!heard.isOver)
    #expect(bench.failure("status")?.code == "busy")
    bench.send(.console(.closed(2)))
    #expect(bench.commands.contains(.card(.cancel(ticket: ticket))))
    bench.send(.card(.work(ticket: ticket, .failed("Cancelled."))))
    #expect(heard.answers.last == .progress(ticket: ticket, permille: 500))
  }

  @Test("an export must say what to write, and where")
  func export() {
    let bench = Bench()
    #expect(bench.failure("export 11 kitchen.wav")?.sentence.contains("from the root") == true)
    #expect(bench.failure("export 11 /x/kitchen")?.sentence.contains("--format") == true)
    #expect(bench.failure("export 11 12 /x/kitchen.wav")?.sentence.contains("directory") == true)
    #expect(bench.answer("export 11 12 /x/") == .told("done\ndone"))
    let works = bench.commands.compactMap { command -> String? in
      guard case .card(.work(_, .long(.export(_, _, _, _, let file)))) = command else { return nil }
      return file.path
    }
    #expect(works == ["/x/Kitchen.wav", "/x/Cellar with a long name.wav"])
  }

  @Test("cd --panel moves the panel without moving the console")
  func panel() {
    let bench = Bench()
    #expect(bench.answer("cd --panel /Interviews") == .told("/Interviews"))
    #expect(bench.state.panel.place.folder == Bench.interviews)
    #expect(bench.answer("pwd") == .told("/"))
  }

  @Test("a command that no room offers is refused in a sentence")
  func outside() {
    let bench = Bench()
    for line in ["panel", "doctor", "config", "flight", "panel identify"] {
      #expect(bench.failure(line)?.code == "notHere", "\(line)")
    }
  }

  @Test("a checkup reports progress and results, and is cancelled when its console goes")
  func doctor() throws {
    // Given a checkup that takes time
    let bench = Bench()
    bench.answersInquiries = false
    func send(_ answer: Answer, isLast: Bool) {
      bench.send(.console(.answered(answer, to: Bench.console, isLast: isLast)))
    }
    let heard = bench.say("doctor")
    let begun = Command.inquiry(.begin(.checkup(mayMeasure: true), from: Bench.console))
    #expect(bench.commands.contains(begun))
    // When
    send(.progress(ticket: 0, permille: 500), isLast: false)
    #expect(bench.state.command(of: Bench.console) != nil)
    let view = CheckupView([.init("card", .wrong, "It is full.", "Empty it.")])
    send(.checkup(view), isLast: true)
    // Then
    #expect(heard.answers == [.progress(ticket: 0, permille: 500), .checkup(view)])
    #expect(bench.state.commands.isEmpty)
    let stop = Command.inquiry(.stop(Bench.console))
    #expect(!bench.commands.contains(stop))
    let data = try JSON.encode(Answer.checkup(view))
    #expect(try JSON.decode(Answer.self, from: data) == .checkup(view))
    // When the console goes meanwhile
    let other = bench.say("doctor")
    bench.send(.console(.closed(2)))
    send(.checkup(view), isLast: true)
    #expect(bench.commands.contains(stop) && other.answers.isEmpty)
  }

  @Test("a checkup for a client that may only look does not measure the card")
  func spectatingDoctor() {
    let bench = Bench(access: .status)
    bench.say("doctor")
    let begun = Command.inquiry(.begin(.checkup(mayMeasure: false), from: Bench.console))
    #expect(bench.commands.contains(begun))
  }

  @Test("a checkup is one line a check, wrapped where the screen is narrow")
  func checkupLines() {
    let view = CheckupView([
      .init("card", .well, "It is well."),
      .init("clock", .wrong, "Nobody has set it at all.", "Set it with something."),
    ])
    func text(_ columns: Int) -> [String] {
      AnswerText.lines(of: .checkup(view), columns: columns).map { $0.map(\.text).joined() }
    }
    #expect(
      text(.max) == [
        "✓ card   It is well.", "✗ clock  Nobody has set it at all. Set it with something.",
      ])
    #expect(
      text(40) == [
        "✓ card   It is well.", "✗ clock  Nobody has set it at all. Set",
        "         it with something.",
      ])
  }

  @Test("answers survive JSON and back")
  func coding() throws {
    let bench = Bench()
    for line in [
      "status", "ls /Interviews", "info 11", "search x", "notices", "rm 11", "help", "mode json",
      "nonsense", "mkdir /New",
    ] {
      let answer = try #require(bench.answer(line))
      let data = try JSON.encode(answer)
      let decoded = try JSON.decode(Answer.self, from: data)
      // Help is told: the same bytes, not the same value.
      #expect(try JSON.encode(decoded) == data, "\(line)")
      #expect(decoded == answer || line == "help", "\(line)")
    }
  }
}
