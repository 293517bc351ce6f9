// Every notice has an entry in the journal's catalog, with an id of its own and an explanation.

import Recorder
import Testing

@testable import Host

@Suite struct JournalTableTests {
  @Test("ids are 128 bits and unique; every entry has an explanation")
  func entries() {
    let entries = JournalEntry.all
    #expect(entries.count == Notice.Kind.allCases.count + 4)
    #expect(Set(entries.map(\.id)).count == entries.count)
    for entry in entries {
      #expect(entry.id.utf8.count == 32)
      #expect(entry.id.allSatisfy { $0.isHexDigit && !$0.isUppercase })
      #expect(!entry.subject.isEmpty && [".", "?"].contains(entry.explanation.suffix(1)))
      #expect(!entry.id.hasSuffix("b000"), "\(entry.subject)")
    }
  }
}
