// Log lines, as structured entries of the systemd journal if standard error goes there, and as text
// on standard error otherwise. A value for any thread but an audio one: it allocates. Must never
// fail its caller, and never wait: if the journal stalls, for example with the card it lies on,
// lines are lost, not the loop's time.
import CSystemd
import Glibc

/// Writes lines to the journal.
public struct Journal: Sendable {
  /// The syslog levels this project uses.
  public enum Priority: Int32, Sendable {
    case critical = 2
    case error, warning, notice, info, debug
  }

  private let standardError: Int32
  private let socket: String
  private let isStructured: Bool
  private let marksPriority: Bool

  /// systemd names the stream it connected to standard error in `JOURNAL_STREAM`. If standard error
  /// was redirected since, text is written there.
  public init() {
    var stream: String?
    if let value = getenv("JOURNAL_STREAM") { stream = String(cString: value) }
    self.init(standardError: STDERR_FILENO, stream: stream)
  }

  init(
    standardError: Int32, stream: String?, socket: String = "/run/systemd/journal/socket"
  ) {
    self.standardError = standardError
    self.socket = socket
    isStructured = stream != nil && stream == Self.identity(of: standardError)
    // The mark is for a program that collects the text, not for a person at a terminal.
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
    var entry: [UInt8] = []
    Self.add("MESSAGE", message, to: &entry)
    Self.add("PRIORITY", "\(priority.rawValue)", to: &entry)
    for (name, value) in fields { Self.add(name, value, to: &entry) }
    if Datagrams.send(entry, to: socket) != 0 { write(priority, message, fields) }
  }

  private func write(
    _ priority: Priority, _ message: String, _ fields: KeyValuePairs<String, String>
  ) {
    let text = Self.text(marksPriority ? priority : nil, message, fields)
    Self.write(text, to: standardError)
  }
}

extension Journal {
  /// Each line of the message gets the mark, since the reader makes each an entry of its own.
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

  /// Returns the stream as systemd names it: device and inode.
  static func identity(of fileDescriptor: Int32) -> String? {
    var status = stat()
    guard fstat(fileDescriptor, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  /// Adds a field in the journal's own protocol: a value of several lines is preceded by its
  /// length, in binary, with the least byte first.
  private static func add(_ name: String, _ value: String, to entry: inout [UInt8]) {
    entry.append(contentsOf: name.utf8)
    if value.utf8.contains(UInt8(ascii: "\n")) {
      entry.append(UInt8(ascii: "\n"))
      withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { entry.append(contentsOf: $0) }
    } else {
      entry.append(UInt8(ascii: "="))
    }
    entry.append(contentsOf: value.utf8)
    entry.append(UInt8(ascii: "\n"))
  }

  /// Writes text to a stream. If the stream is a socket, as the journal's is, and has no room, the
  /// text is lost. So it is after the first error: there is nowhere left to report it to.
  public static func write(_ text: String, to stream: Int32) {
    var text = text
    text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return }
      var done = 0
      while done < bytes.count {
        let (rest, count) = (start + done, bytes.count - done)
        var written = Glibc.send(stream, rest, count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        if written < 0, errno == ENOTSOCK { written = Glibc.write(stream, rest, count) }
        guard written > 0 || (written < 0 && errno == EINTR) else { return }
        done += max(0, written)
      }
    }
  }
}
