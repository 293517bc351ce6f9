// Log lines, as structured entries of the systemd journal when that is where standard error goes,
// and as text on standard error otherwise. A value to hand to whoever has something to say, on any
// thread but an audio one: it allocates and may wait for the journal. Must never fail its caller.
import CSystemd
import Glibc

public struct Journal: Sendable {
  /// The syslog levels this project uses.
  public enum Priority: Int32, Sendable {
    case critical = 2
    case error, warning, notice, info, debug
  }

  private let standardError: Int32
  private let isStructured: Bool
  private let marksPriority: Bool

  /// systemd names the stream it connected to standard error in `JOURNAL_STREAM`; somebody who
  /// redirected that wants text there.
  public init() {
    var stream: String?
    if let value = getenv("JOURNAL_STREAM") { stream = String(cString: value) }
    self.init(standardError: STDERR_FILENO, stream: stream)
  }

  init(standardError: Int32, stream: String?) {
    self.standardError = standardError
    isStructured = stream != nil && stream == Self.identity(of: standardError)
    // A person at a terminal has no use for the mark; whatever collects the text has.
    marksPriority = isatty(standardError) == 0
  }

  /// Logs one entry. Field names are upper case letters, digits and `_`, as journald wants them:
  /// `journal.send(.warning, "the card stalled", fields: ["STALL_MS": "1200"])`.
  public func send(
    _ priority: Priority, _ message: String, fields: KeyValuePairs<String, String> = [:]
  ) {
    for (name, _) in fields {
      precondition(Self.isFieldName(name), "not a journal field name: \(name)")
    }
    guard isStructured else { return write(priority, message, fields) }
    var entry = ["MESSAGE=\(message)", "PRIORITY=\(priority.rawValue)"]
    for (name, value) in fields { entry.append("\(name)=\(value)") }
    if Self.sendEntry(entry) < 0 { write(priority, message, fields) }
  }

  private func write(
    _ priority: Priority, _ message: String, _ fields: KeyValuePairs<String, String>
  ) {
    var text = Self.text(marksPriority ? priority : nil, message, fields)
    text.withUTF8 { writeAll($0, to: standardError) }
  }
}

extension Journal {
  /// Each line of the message gets the mark, since each is an entry of its own to the reader.
  static func text(
    _ mark: Priority?, _ message: String, _ fields: KeyValuePairs<String, String>
  ) -> String {
    let prefix = mark.map { "<\($0.rawValue)>" } ?? ""
    let pairs = fields.map { " \($0.key)=\($0.value)" }.joined()
    return (message + pairs).split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
      .map { "\(prefix)\($0)\n" }.joined()
  }

  static func isFieldName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && ("A"..."Z").contains(name.prefix(1))
      && name.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
  }

  /// What systemd would call the stream: device and inode.
  static func identity(of fileDescriptor: Int32) -> String? {
    var status = stat()
    guard fstat(fileDescriptor, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  private static func sendEntry(_ entry: [String]) -> Int32 {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for field in entry {
      bytes.append(contentsOf: field.utf8)
      ends.append(bytes.count)
    }
    return bytes.withUnsafeMutableBytes { buffer in
      var start = 0
      let vectors = ends.map { end in
        defer { start = end }
        return iovec(iov_base: buffer.baseAddress?.advanced(by: start), iov_len: end - start)
      }
      return sd_journal_sendv(vectors, Int32(vectors.count))
    }
  }
}

/// Gives up on the first error: there is nowhere left to report it to.
private func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to fileDescriptor: Int32) {
  guard let start = bytes.baseAddress else { return }
  var done = 0
  while done < bytes.count {
    let written = write(fileDescriptor, start + done, bytes.count - done)
    guard written > 0 || (written < 0 && errno == EINTR) else { return }
    done += max(0, written)
  }
}
