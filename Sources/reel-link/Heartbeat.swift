// The heartbeat: an address is fetched every so often while the recorder says that it is well, and
// is left alone while it does not, so that an alarm elsewhere goes off. One thread, the loop's.

import Link
import Recorder
import Systemd

/// Fetches an address while all is well.
final class Heartbeat {
  private let configuration: HeartbeatConfiguration
  private let driver: LinkDriver
  private let line: RecorderLine
  private var timer: Timer?
  private var job: LinkJob?
  private var lastFailure = ""

  init(
    _ configuration: HeartbeatConfiguration, _ driver: LinkDriver, _ line: RecorderLine,
    on loop: EventLoop
  ) throws(EventLoopError) {
    self.configuration = configuration
    self.driver = driver
    self.line = line
    timer = try loop.timer(afterMilliseconds: 5000, slackMilliseconds: 1000) { [weak self] in
      self?.ask()
    }
  }

  /// Asks each time: a recorder that hangs gives no answer, and then nothing is fetched.
  private func ask() {
    timer?.restart(afterMilliseconds: configuration.everySeconds * 1000)
    line.ask(["status"]) { [weak self] reply in
      if case .status(let status) = reply.answer, Self.isWell(status) { self?.beat() }
    }
  }

  static func isWell(_ status: StatusView) -> Bool {
    switch status.state {
    case .starting, .stopping, .stopped, .refused: return false
    case .idle, .arming, .recording, .waiting, .playing, .paused: break
    }
    return status.cardState == .ready && status.device.name != nil && !status.device.isSilent
      && status.take?.microphoneSeemsDead != true
  }

  private func beat() {
    do throws(LinkError) {
      job?.stop()
      job = try driver.beat(configuration, limits: TransferLimits()) { [weak self] error in
        self?.end(error)
      }
    } catch { end(error) }
  }

  private func end(_ error: LinkError?) {
    job = nil
    let why = error?.sentence ?? ""
    if !why.isEmpty, why != lastFailure { ReelLink.complain("heartbeat: \(why)") }
    lastFailure = why
  }
}
