// The file of sessions: read at start, replaced as a whole. Loop's thread; a change waits for the
// disk, which is rare, and keeps only browsers waiting. A file that makes no sense is never taken
// for an empty one: the program refuses to start, rather than to forget who was revoked.
import Glibc
import Realtime

/// Keeps the sessions in a directory.
struct SessionFile {
  let path: String
  private let directory: String

  init(in directory: String) {
    self.directory = directory
    path = directory + "/sessions.json"
    // If it cannot be made, the first change says why.
    mkdir(directory, 0o700)
  }

  func load() throws(WebError) -> SessionBook {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if file < 0, errno == ENOENT { return SessionBook() }
    if file < 0 { throw failure("read", errno) }
    defer { close(file) }
    guard let bytes = Files.contents(of: file, limit: 1 << 20) else { throw failure("read", errno) }
    guard let book = SessionBook(bytes) else {
      throw WebError(
        .state, "\(path) is damaged; delete it, and pair all browsers again")
    }
    return book
  }

  func save(_ book: SessionBook) throws(WebError) {
    let new = path + ".new"
    let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file < 0 { throw failure("write", errno) }
    let isWritten = Files.write(book.bytes, to: file) && fsync(file) == 0
    let number = errno
    close(file)
    if !isWritten { throw failure("write", number) }
    if rename(new, path) != 0 { throw failure("write", errno) }
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private func failure(_ what: String, _ number: Int32) -> WebError {
    WebError(
      .state, errorNumber: number, "cannot \(what) \(path): \(systemWords(for: number))")
  }
}

/// Whole small files.
enum Files {
  /// Returns the content; nil if it cannot be read, or is longer than the limit.
  static func contents(of file: Int32, limit: Int) -> [UInt8]? {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 || all.count + count > limit { return nil }
      if count == 0 { return all }
      all += buffer[..<count]
    }
  }

  static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }
}
