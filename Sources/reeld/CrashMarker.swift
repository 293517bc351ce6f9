// A small file that exists while a take runs, and says how the take continues. A daemon that finds
// it at its start died in a take, and records on; but only within the same boot, and only if a
// service manager started it: a user who starts it by hand can press the button as well. Read at
// the start; written by the thread of the small files, since it may lie on the card.

import Glibc
import Realtime
import Recorder
import Tape

struct CrashMarker: Sendable {
  private let path: String
  private let boot: ItemID
  private let isSupervised: Bool
  /// More than a title, a link and a hundred folders need.
  private static let byteLimit = 16 << 10

  /// Without NOTIFY_SOCKET, the daemon was started by hand.
  init(
    path: String, boot: ItemID = Stamps.boot,
    isSupervised: Bool = getenv("NOTIFY_SOCKET") != nil
  ) {
    self.path = path
    self.boot = boot
    self.isSupervised = isSupervised
  }

  /// Returns how to continue the take in which the daemon died. Must be called once, before
  /// anything is recorded. A damaged mark is set aside, and `report` is called with a sentence.
  func interrupted(report: (String) -> Void) -> TakeContinuation? {
    guard isSupervised else { return nil }
    // Mostly there is none: the last run ended no take by dying in it.
    guard let bytes = try? SmallFile.bytes(of: path, atMost: Self.byteLimit, followsLink: false)
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if !Self.isWhole(text) {
      report(RememberedState.setAside(path, because: "it is cut or damaged"))
    }
    return Self.continuation(of: text, in: boot)
  }

  /// Writes the mark; without a continuation no take runs, and the mark is deleted. Returns nil, or
  /// what went wrong.
  func set(_ continuation: TakeContinuation?) -> String? {
    guard let continuation else {
      unlink(path)
      return nil
    }
    // Replaced by a rename: if the daemon is killed before it, the old mark is still there.
    let beside = path + ".new"
    let file = SpareDescriptors.ofThisProcess.opening {
      open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    }
    let text = Array(Self.text(of: continuation, in: boot).utf8)
    let isWritten =
      file >= 0 && text.withUnsafeBytes { write(file, $0.baseAddress, $0.count) == $0.count }
    let isThere = isWritten && rename(beside, path) == 0
    let reason = errno
    if file >= 0 { close(file) }
    if isThere { return nil }
    return "cannot write \(path): \(systemWords(for: reason)); a crash would end the recording"
  }

  // MARK: The text

  /// Returns a key and a value a line. The first names the boot, the last shows that it is whole.
  static func text(of continuation: TakeContinuation, in boot: ItemID) -> String {
    var lines = ["boot \(boot)"]
    lines += continuation.path.map { "folder \($0)" }
    if let before = continuation.continues { lines.append("continues \(before)") }
    lines.append("part \(continuation.part)")
    if let title = continuation.title { lines.append("title \(title)") }
    return (lines + ["end"]).joined(separator: "\n") + "\n"
  }

  private static func isWhole(_ text: String) -> Bool {
    text.hasPrefix("boot ") && text.hasSuffix("\nend\n")
  }

  /// Returns nil for another boot. If the rest makes no sense, the take continues as a new one: its
  /// sound matters more than its place.
  static func continuation(of text: String, in boot: ItemID) -> TakeContinuation? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.first == "boot \(boot)" else { return nil }
    guard isWhole(text) else { return TakeContinuation() }
    var path: [ItemID] = []
    var (continues, title): (ItemID?, String?)
    var part = 1
    for line in lines.dropFirst().dropLast(2) {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { return TakeContinuation() }
      switch (words[0], ItemID(words[1]), Int(words[1])) {
      case ("folder", let id?, _): path.append(id)
      case ("continues", let id?, _): continues = id
      case ("part", _, let number?): part = number
      case ("title", _, _): title = words[1]
      default: return TakeContinuation()
      }
    }
    return TakeContinuation(path: path, continues: continues, part: part, title: title)
  }
}
