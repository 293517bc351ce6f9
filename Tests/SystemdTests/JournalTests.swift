// Log lines where there is no journal: a pipe stands in for standard error. What the journal itself
// makes of an entry is seen in the lab, where there is one.
import Glibc
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct JournalTests {
    @Test("without a journal a line goes to standard error, marked with its priority")
    func fallback() {
      let pair = Pair.pipe()
      let journal = Journal(standardError: pair.far, stream: nil)
      journal.send(.warning, "the card stalled", fields: ["STALL_MS": "1200", "CARD": "sd"])
      #expect(pair.receive() == "<4>the card stalled STALL_MS=1200 CARD=sd\n")
    }

    @Test("a redirected standard error gets text, though systemd started the process")
    func redirected() throws {
      let pair = Pair.pipe()
      let other = Pair.pipe()
      let stream = try #require(Journal.identity(of: other.far))
      Journal(standardError: pair.far, stream: stream).send(.info, "hello")
      #expect(pair.receive() == "<6>hello\n")
    }

    @Test("every line of a message is marked, and a terminal sees no marks")
    func lines() {
      #expect(Journal.text(.error, "one\ntwo\n", [:]) == "<3>one\n<3>two\n")
      #expect(Journal.text(nil, "one", ["A": "1"]) == "one A=1\n")
    }

    @Test("a line on a closed standard error is lost, and nothing else is")
    func closed() {
      Journal(standardError: -1, stream: nil).send(.error, "nobody reads this")
    }

    @Test(
      "field names are the ones journald keeps",
      arguments: [
        ("TAKE_ID", true), ("A1", true), ("take", false), ("_PID", false), ("1A", false),
        ("", false), ("A B", false), (String(repeating: "A", count: 65), false),
      ])
    func fieldNames(name: String, isValid: Bool) {
      #expect(Journal.isFieldName(name) == isValid)
    }
  }
}
