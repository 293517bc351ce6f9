// The program at work: one connection to the recorder, one lane for each target, until it is told
// to end. One thread, the loop's.

import Console
import Glibc
import Link
import Recorder
import Systemd

/// Copies what has no copy yet, to all targets.
final class LinkRunner {
  private let configuration: LinkConfiguration
  private let factory: TargetFactory
  private let line: RecorderLine
  private let driver: LinkDriver
  private let loop: EventLoop
  private let connection: MeteredConnection?
  private var lanes: [LinkLane] = []
  private var heartbeat: Heartbeat?
  private var signals: [EventSource] = []
  private var library: Library?
  private var lastLoss = ""

  /// What of the status says that something may be new.
  private struct Library: Equatable {
    let recordings: Int
    let revision: Int?
    let isRecording: Bool
    let isReady: Bool
  }

  init(
    _ configuration: LinkConfiguration, socket: String, state: String, on loop: EventLoop
  ) throws {
    self.configuration = configuration
    self.loop = loop
    mkdir(state, 0o700)
    factory = TargetFactory(
      credentials: ReelLink.credentials, state: state)
    line = RecorderLine(to: socket, on: loop)
    driver = try LinkDriver(on: loop)
    let waits = configuration.targets.contains { $0.waitsWhileMetered }
    connection = waits ? try MeteredConnection(on: loop) : nil
    for target in configuration.targets {
      lanes.append(
        try LinkLane(
          target, try factory.target(target), driver, line, connection, state: state, on: loop))
    }
    if let beat = configuration.heartbeat {
      heartbeat = try Heartbeat(beat, driver, line, on: loop)
    }
  }

  /// Returns the exit code. Without anything to do it ends at once: a changed configuration needs a
  /// restart.
  func run() throws(EventLoopError) -> Int32 {
    if lanes.isEmpty, heartbeat == nil {
      ReelLink.complain("the configuration names no target, so there is nothing to do")
      return 0
    }
    for signal in [SIGTERM, SIGINT] {
      signals.append(try loop.watch(signal: signal) { [loop] in loop.exit(code: 0) })
    }
    driver.onNewHostKey = { [unowned self] in remember($1, of: $0) }
    connection?.onChange = { [unowned self] in
      for lane in lanes { lane.refresh() }
    }
    line.onArrival = { [unowned self] in arrive($0) }
    line.onLoss = { [unowned self] in lose($0) }
    line.onStatus = { [unowned self] in follow($0) }
    line.connect()
    return try loop.run()
  }

  private func arrive(_ hello: WireHello) {
    guard hello.access == .control else {
      ReelLink.complain(
        "this user may only look at the recorder; set 'access' of the socket to 'control' in"
          + " reel.json")
      return loop.exit(code: 77)
    }
    (library, lastLoss) = (nil, "")
    for lane in lanes { lane.connect() }
  }

  private func lose(_ why: String) {
    if why != lastLoss { ReelLink.complain(why) }
    lastLoss = why
    for lane in lanes { lane.disconnect() }
  }

  private func follow(_ status: StatusView) {
    let now = Library(
      recordings: status.recordings, revision: status.copies?.revision,
      isRecording: status.take != nil, isReady: status.cardState == .ready)
    if now == library { return }
    library = now
    for lane in lanes { lane.refresh() }
  }

  private func remember(_ key: HostKey, of name: String) {
    guard let target = configuration.targets.first(where: { $0.name == name }) else { return }
    factory.remember(key, of: target, say: ReelLink.complain)
  }
}
