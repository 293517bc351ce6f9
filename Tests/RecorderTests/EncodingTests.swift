// What encoding costs, in the state, the status and a checkup: a figure that is shown, and a
// warning once it is too high.

import Testing

@testable import Recorder

@Suite struct EncodingTests {
  private func measured(_ permille: Int..., from given: Given? = nil) -> Given {
    permille.reduce(given ?? Given().booted().withDevice()) {
      $0.when(.sound(.encoding(permille: $1)))
    }
  }

  private func lines(_ given: Given) -> [String] {
    AnswerText.lines(of: .status(StatusView(given.state)), columns: 80)
      .map { $0.map(\.text).joined() }
  }

  @Test("the newest figure is shown, and none before it was measured")
  func shown() {
    let before = measured()
    #expect(StatusView(before.state).encoding == nil)
    #expect(!lines(before).contains { $0.hasPrefix("encoding") })
    let given = measured(480, 123)
    let shown = StatusView(given.state).encoding
    #expect(shown == .init(share: 0.123, percent: 12, isHeavy: false))
    #expect(lines(given).contains("encoding    12 % of a processor core"))
    #expect(given.notices(.encodingHeavy) == 0)
  }

  @Test("a share above seven tenths is warned of, once until it is well again")
  func heavy() {
    #expect(measured(700).notices(.encodingHeavy) == 0)
    let heavy = measured(701, 950, 650, 820)
    #expect(heavy.notices(.encodingHeavy) == 1)
    #expect(StatusView(heavy.state).encoding?.isHeavy == true)
    #expect(
      lines(heavy).contains(
        "encoding    82 % of a processor core; record fewer tracks, or set a lower rate, level or"
          + " complexity"))
    let notice = heavy.state.notices.kept.last
    #expect(notice?.severity == .warning)
    #expect(notice?.sentence.hasSuffix("rate, level or complexity: 70 % of a core.") == true)
    let light = measured(600, from: heavy)
    #expect(!light.state.notices.contains(.encodingHeavy))
    #expect(measured(710, from: light).notices(.encodingHeavy) == 2)
  }

  @Test("a figure that cannot be is bounded")
  func bounded() {
    #expect(EncodingLoad(permille: .min).permille == 0)
    #expect(EncodingLoad(permille: .max).percent == 10_000)
    #expect(EncodingLoad(permille: 2).percent == 1)
  }

  @Test("a checkup shows it, and says what to do if it is too much")
  func checkup() {
    func check(_ permille: Int?) -> CheckupView.Check? {
      var facts = CheckupFacts()
      facts.encoding = permille.map { EncodingLoad(permille: $0) }
      return CheckupView(facts).checks.first { $0.name == "encoding" }
    }
    #expect(check(nil) == nil)
    #expect(
      check(123)
        == .init("encoding", .well, "Encoding a take needs 12 % of a processor core."))
    #expect(check(1_400)?.verdict == .wrong)
    #expect(check(1_400)?.advice?.contains("fewer tracks") == true)
  }
}
