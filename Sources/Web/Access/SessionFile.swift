// The file of sessions: read at start, replaced as a whole. Loop's thread; a change waits for the
// disk, which is rare, and keeps only browsers waiting. A file that makes no sense is never taken
// for an empty one: the program refuses to start, rather than to forget who was revoked.
import Glibc
import Realtime

/// Keeps the sessions in a directory.
struct SessionFile {
  let path: String

  init(in directory: String) {
    path = directory + "/sessions.json"
    // If it cannot be made, the first change says why.
    mkdir(directory, 0o700)
  }

  func load() throws(WebError) -> SessionBook {
    let bytes: [UInt8]
    do throws(SmallFile.ReadError) {
      bytes = try SmallFile.bytes(of: path, atMost: Self.bytesMaximum + 1, followsLink: false)
    } catch {
      if error == .missing { return SessionBook() }
      throw WebError(.state, "cannot read \(path): \(error.words)")
    }
    guard bytes.count <= Self.bytesMaximum, let book = SessionBook(bytes) else {
      throw WebError(
        .state, "\(path) is damaged; delete it, and pair all browsers again")
    }
    return book
  }

  func save(_ book: SessionBook) throws(WebError) {
    if let number = SmallFile.replace(path, with: book.bytes, mode: 0o600) {
      throw WebError(
        .state, errorNumber: number, "cannot write \(path): \(systemWords(for: number))")
    }
  }

  private static let bytesMaximum = 1 << 20
}
