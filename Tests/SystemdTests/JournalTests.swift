// Log lines without a journal: a pipe stands in for standard error. The lab shows what the real
// journal makes of an entry.
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

    @Test("an entry is a datagram of fields; a field of several lines has its length in front")
    func entry() throws {
      let manager = try #require(Manager())
      let pair = Pair.pipe()
      let journal = Journal(
        standardError: pair.far, stream: Journal.identity(of: pair.far), socket: manager.path)
      journal.send(.error, "the card stalled", fields: ["CARD": "sd\nvfat"])
      #expect(
        manager.receive()
          == "MESSAGE=the card stalled\nPRIORITY=3\nCARD\n\u{7}\0\0\0\0\0\0\0sd\nvfat\n")
    }

    @Test("a journal that reads nothing loses lines, but blocks nothing")
    func standsStill() throws {
      let manager = try #require(Manager())
      let pair = Pair.sockets()
      #expect(fcntl(pair.far, F_SETFL, 0) == 0)  // It blocks, as the journal's stream does.
      let journal = Journal(
        standardError: pair.far, stream: Journal.identity(of: pair.far), socket: manager.path)
      for number in 1...20_000 { journal.send(.info, "line \(number)") }
      #expect(manager.receive() == "MESSAGE=line 1\nPRIORITY=6\n")
      #expect(pair.receive().contains("line "))
    }

    @Test("a redirected standard error gets text, although systemd started the process")
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
      "only field names that journald accepts are valid",
      arguments: [
        ("TAKE_ID", true), ("A1", true), ("take", false), ("_PID", false), ("1A", false),
        ("", false), ("A B", false), (String(repeating: "A", count: 65), false),
      ])
    func fieldNames(name: String, isValid: Bool) {
      #expect(Journal.isFieldName(name) == isValid)
    }
  }
}
