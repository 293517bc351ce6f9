// A sound card for a test of the real appliance on a machine that has none: a private sound server
// that keeps real time, with names in a private ALSA configuration. Killing it acts as unplugging;
// it can be started again.

import FoundationEssentials
import Glibc

final class SoundServer {
  private let scratch: Scratch
  private var player: Child?
  private var folder: String { scratch.path + "/sound" }
  private static let script =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    .joined(separator: "/") + "/support/paced-device"

  struct NoServer: Error { let why: String }

  init(_ scratch: Scratch) throws {
    self.scratch = scratch
    try start()
  }

  deinit {
    player?.end()
    // A server that is left behind ends by itself.
    _ = try? scratch.run(Self.script, "stop", folder)
  }

  var environment: [String: String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return ["ALSA_CONFIG_PATH": folder + "/asound.conf", "PATH": path]
  }

  /// Starts the server, and plays one click a second into its microphone.
  func start() throws {
    let result = try scratch.run(Self.script, "start", folder)
    guard result.ending == .exited(0) else { throw NoServer(why: result.errors) }
    var second = Data(count: 96_000)
    (second[0], second[1]) = (0xFF, 0x6F)
    let clicks = try scratch.make(
      "clicks.raw",
      (0..<120).reduce(into: Data()) { all, _ in
        all += second
      })
    player = try Child(
      "/usr/bin/aplay",
      ["-q", "-D", "vmic_in", "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "1", clicks],
      environment: scratch.environment.merging(environment) { $1 }, directory: scratch.path,
      output: .file(scratch.path + "/played"), errors: .file(scratch.path + "/played.errors"))
  }

  func unplug() throws {
    try send(SIGKILL)
    player?.end()
  }

  /// Stops the server's process; its socket stays open.
  func freeze() throws { try send(SIGSTOP) }

  private func send(_ signal: CInt) throws {
    let text = scratch.contents("sound/pid").trimmed
    guard let server = pid_t(text) else { throw NoServer(why: "no server is called \(text)") }
    kill(server, signal)
  }
}

extension String {
  fileprivate var trimmed: String { String(filter { !$0.isWhitespace }) }
}
