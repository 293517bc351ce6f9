// Proves that a command that waits for its result answers about itself: not with an earlier
// failure, and not before its own result is known.

import Testing

@testable import Recorder

@Suite struct LateAnswerTests {
  private func code(_ answer: Answer?) -> String? {
    if case .failed(let failure) = answer { failure.code } else { nil }
  }

  private func sentence(_ answer: Answer?) -> String? {
    if case .failed(let failure) = answer { failure.sentence } else { nil }
  }

  @Test("reload waits until the configuration has been read, however long that takes")
  func reloadWaits() {
    let bench = Bench()
    bench.reloadAnswer = nil
    let heard = bench.say("reload")
    #expect(!heard.isOver)
    bench.send(.host(.configured(Settings())))
    #expect(heard.isOver && !(heard.answers.last?.isFailure ?? true))
  }

  @Test("reload reports a wrong file, also when the result comes late")
  func reloadRefused() {
    let bench = Bench()
    bench.send(.host(.configurationRefused("an earlier mistake")))
    bench.reloadAnswer = nil
    let heard = bench.say("reload")
    #expect(!heard.isOver)
    bench.send(.host(.configurationRefused("line 3 is wrong")))
    #expect(code(heard.answers.last) == "configurationRefused")
    #expect(sentence(heard.answers.last)?.contains("line 3") == true)
  }

  @Test("a reload that is never answered fails")
  func reloadNever() {
    let bench = Bench()
    bench.reloadAnswer = nil
    let heard = bench.say("reload")
    bench.expire()
    #expect(code(heard.answers.last) == "timeout")
  }

  /// Ends the running take without a file, which leaves a notice.
  private func fail(_ bench: Bench, _ reason: StopReason) {
    guard let id = bench.state.transport.take.running?.id else {
      Issue.record("nothing is recording")
      return
    }
    let report = TakeReport(sound: Sound(), integrity: Integrity(stopReason: reason))
    bench.send(.sound(.take(id, .ended(report))))
  }

  @Test("record that is cancelled while it waits does not report an earlier failure")
  func calledOff() {
    let bench = Bench()
    _ = bench.say("record")
    fail(bench, .cardFailed)
    bench.send(.sound(.closed))
    let heard = bench.say("record")
    #expect(!heard.isOver)
    bench.send(.request(.take(.stop), from: .appliance))
    #expect(sentence(heard.answers.last) == "The recording did not begin.")
  }

  @Test("stop says why this take could not be saved, not an earlier one")
  func stop() {
    let bench = Bench()
    _ = bench.say("record")
    fail(bench, .cardFailed)
    #expect(bench.state.notices.kept.last?.kind == .takeFailed)
    bench.endsTakes = false
    _ = bench.say("record")
    let heard = bench.say("stop")
    #expect(!heard.isOver)
    let id = bench.state.closing.first ?? .root
    let report = TakeReport(sound: Sound(), integrity: Integrity(stopReason: .failed))
    bench.send(.sound(.take(id, .ended(report))))
    #expect(sentence(heard.answers.last)?.contains("the sound path failed") == true)
  }

  @Test("options are added before --, which makes the words after it names")
  func options() {
    #expect(
      ["ls", "--", "--from"].addingOption("--from", "500")
        == ["ls", "--from", "500", "--", "--from"])
    #expect(["rm", "a"].addingOption("--yes") == ["rm", "a", "--yes"])
    #expect(!["ls", "--", "--count"].hasOption("--count"))
    #expect(["ls", "--count=3"].hasOption("--count"))
    #expect(
      ["ls", "--from", "500", "A"].replacingOption("--from", with: "900")
        == ["ls", "A", "--from", "900"])
    #expect(["ls", "--from=5"].replacingOption("--from", with: "9") == ["ls", "--from", "9"])
  }
}
