// Proves that a directory entry of a card is read with the name's bytes as they are: they may not
// be valid UTF-8.

import Library
import Testing

@Suite struct FileEntryTests {
  @Test("a name that is not UTF-8 is nil, rather than mangled")
  func brokenName() {
    let broken = FileEntry(rawName: [0x41, 0xFF], kind: .file, byteCount: 0, modified: 0)
    #expect(broken.name == nil)
    let whole = FileEntry(rawName: Array("Küche".utf8), kind: .file, byteCount: 0, modified: 0)
    #expect(whole.name == "Küche")
  }
}
