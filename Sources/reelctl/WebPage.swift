// `reelctl web`: turns the recorder's page on and off, makes codes and lists the paired browsers.
// The recorder is not asked.

import Catalogue
import Glibc
import JSON
import Recorder

struct WebPage {
  private let isJSON: Bool
  private let words: [String]
  private let admin: WebAdmin
  private var say: (Phrase) -> String { Output.language.say }

  init(_ call: CommandLineCall) throws(ExitError) {
    isJSON = call.isJSON
    var socket = WebAdmin.socketOfEnvironment ?? WebAdmin.standardSocket
    var role = "control"
    var plain: [String] = []
    var rest = call.words.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--role", "--admin":
        guard let value = rest.popFirst() else {
          throw ExitError(ExitCode.usage, "\(word) needs a value; see reelctl --help")
        }
        if word == "--role" { role = value } else { socket = value }
      default: plain.append(word)
      }
    }
    admin = WebAdmin(socket)
    switch (plain.first, plain.count) {
    case ("on", 1), ("off", 1), ("sessions", 1), ("revoke", 2): words = plain
    case ("pair", 1): words = ["pair", role] + (Self.ownAddress().map { [$0] } ?? [])
    default:
      throw ExitError(
        ExitCode.usage, "say web on, off, pair, sessions, or revoke and a session")
    }
  }

  func run() throws(ExitError) -> Int32 {
    let report = try admin.ask(words)
    if isJSON { try showJSON(report) } else { show(report) }
    return 0
  }

  // MARK: Showing

  private func showJSON(_ report: WebReport) throws(ExitError) {
    do { Output.show(json: try JSON.encode(report)) } catch { throw admin.stranger }
  }

  private func show(_ report: WebReport) {
    switch words[0] {
    case "pair": showCode(report)
    case "sessions": showSessions(report)
    case "revoke": Output.write(say("The session has ended.") + "\n")
    case "on": Output.write(say("The page is on: \(address(report))") + "\n")
    default: Output.write(say("The page is off.") + "\n")
    }
    if let wait = report.waitSeconds, wait > 0 {
      Output.write(say("Wrong codes were typed; pairing waits for \(wait) s.") + "\n")
    }
  }

  private func showCode(_ report: WebReport) {
    let code = report.code ?? ""
    let spaced = "\(code.prefix(4)) \(code.dropFirst(4))"
    let minutes = (report.seconds ?? 0) / 60
    Output.write(say("Open \(address(report)) and type \(spaced) there.") + "\n")
    Output.write(
      say(
        "The code pairs one browser within \(minutes) minutes, with the role \(report.role ?? "")."
      ) + "\n")
    // For the camera of a phone; a pipe has no use for it.
    guard isatty(1) == 1 else { return }
    for line in PairingCode.lines(of: report.picture ?? []) { Output.write(line + "\n") }
  }

  private func showSessions(_ report: WebReport) {
    if report.isOn != true { Output.write(say("The page is off.") + "\n") }
    let sessions = report.sessions ?? []
    if sessions.isEmpty { Output.write(say("No browser is paired.") + "\n") }
    for session in sessions {
      let role = session.role.padding(to: 8)
      let name = Text.printable(session.name)
      Output.write("\(session.id)  \(role) \(Self.day(session.seen))  \(name)\n")
    }
  }

  /// In local time, to the minute.
  static func day(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var local = tm()
    guard localtime_r(&time, &local) != nil else { return "" }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &local)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Where browsers elsewhere reach the page: the first address that is not this machine's own.
  private func address(_ report: WebReport) -> String {
    (report.isSecure == true ? "https" : "http")
      + "://\(report.address ?? Self.ownAddress() ?? "127.0.0.1"):\(report.port ?? 80)/"
  }

  private static func ownAddress() -> String? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
        entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var text = [CChar](repeating: 0, count: 64)
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
        return String(
          decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    return nil
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
