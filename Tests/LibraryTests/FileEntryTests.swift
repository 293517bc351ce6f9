// What was found on a card, before anybody made sense of it: its name may be no text at all.

import Library
import Testing

@Suite struct FileEntryTests {
  @Test("a name in bytes that are no text has none, rather than a mangled one")
  func brokenName() {
    let broken = FileEntry(rawName: [0x41, 0xFF], kind: .file, byteCount: 0, modified: 0)
    #expect(broken.name == nil)
    let whole = FileEntry(rawName: Array("Küche".utf8), kind: .file, byteCount: 0, modified: 0)
    #expect(whole.name == "Küche")
  }
}
