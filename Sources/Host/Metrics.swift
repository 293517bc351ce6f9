// Figures for Prometheus, in its text format, of what `reelctl status` says; and the file they are
// in, replaced whole. The text is pure; the file is written on the host room's thread.
import Glibc
import Realtime
import Recorder

public enum Metrics {
  public static func text(_ status: StatusView, health: [String: Int64] = [:]) -> String {
    var lines: [String] = []
    func add(_ name: String, _ help: String, _ value: Int64?, counter: Bool = false) {
      guard let value else { return }
      lines.append("# HELP reel_\(name) \(help)")
      lines.append("# TYPE reel_\(name) \(counter ? "counter" : "gauge")")
      lines.append("reel_\(name) \(value)")
    }
    func flag(_ name: String, _ help: String, _ value: Bool) { add(name, help, value ? 1 : 0) }

    lines.append("# HELP reel_info The version that runs.")
    lines.append("# TYPE reel_info gauge")
    lines.append("reel_info{version=\"\(status.version)\"} 1")
    flag("recording", "A recording is running.", status.take != nil)
    add("recording_seconds", "How long it is by now.", status.take?.seconds)
    add("recording_lost_frames", "Frames that silence stands in for.", status.take?.lostFrames)
    add("recording_clipped_frames", "Frames at full scale.", status.take?.clippedFrames)
    flag(
      "microphone_dead", "Nothing but silence arrives.",
      status.take?.microphoneSeemsDead ?? false)
    flag("device_present", "There is a sound device to record from.", status.device.name != nil)
    add("recordings", "Recordings on the card.", Int64(status.recordings))
    add("unheard", "Recordings nobody has played.", Int64(status.unheard))
    add("card_free_bytes", "What is free on the card.", status.freeBytes)
    add("card_left_seconds", "How much can still be recorded.", status.leftSeconds)
    add(
      "card_behind_milliseconds", "How far the card is behind.", status.cardBehindMilliseconds ?? 0)
    flag("card_ready", "The card can be recorded to.", status.cardState == .ready)
    flag("clock_synchronised", "The time is known.", status.clockIsSynchronised)
    add("notices_unseen", "Notices nobody has acknowledged.", Int64(status.unseenNotices))
    for (name, value) in health.sorted(by: { $0.key < $1.key }) {
      add(name, "As the board tells.", value)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Beside it first, so that nobody reads half of it. Nil, or what went wrong.
  static func write(_ text: String, to path: String) -> String? {
    let beside = path + ".new"
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return complaint(path) }
    var bytes = Array(text.utf8)
    let isWritten = Glibc.write(file, &bytes, bytes.count) == bytes.count
    let number = errno
    close(file)
    guard isWritten, rename(beside, path) == 0 else {
      if !isWritten { errno = number }
      defer { unlink(beside) }
      return complaint(path)
    }
    return nil
  }

  private static func complaint(_ path: String) -> String {
    "The metrics cannot be written to \(path): \(systemWords(for: errno))"
  }
}
