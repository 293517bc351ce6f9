// Metrics for Prometheus in its text exposition format: present values from the status, and
// counters since the daemon began; and their file, which is replaced whole. The text is pure; the
// file is written on the host room's thread.
import Glibc
import Realtime
import Recorder

/// Counts since the daemon began. Prometheus adds them up over restarts.
public struct MetricsCounters: Equatable, Sendable {
  public private(set) var takes: Int64 = 0
  private(set) var recordedMilliseconds: Int64 = 0
  private(set) var gaps: Int64 = 0
  private(set) var lostFrames: Int64 = 0
  private(set) var clippedFrames: Int64 = 0
  private(set) var notices: [Notice.Kind: Int64] = [:]
  /// When the newest recording began; nil while none is known.
  private(set) var lastTake: WallTime?

  public init() {}

  /// Counts a recording that is whole and on the card.
  public mutating func add(_ recording: Recording) {
    takes += 1
    recordedMilliseconds += recording.lengthMilliseconds
    gaps += Int64(recording.integrity.gaps.count)
    lostFrames += recording.integrity.gaps.reduce(0) { $0 + $1.frames }
    clippedFrames += recording.integrity.clippedFrames
    lastTake = recording.began.wall
  }

  public mutating func add(_ notice: Notice) { notices[notice.kind, default: 0] += 1 }

  /// Sets the time of the last take from the recordings that were on the card before the start.
  public mutating func seed(_ library: Library) {
    if lastTake == nil { lastTake = library.recordings.values.map(\.began.wall).max() }
  }
}

/// Figures for node_exporter.
public enum Metrics {
  /// Returns the text of the metrics file.
  public static func text(
    _ status: StatusView, _ counters: MetricsCounters = MetricsCounters(),
    health: [String: Int64] = [:]
  ) -> String {
    var page = Page()
    page.add(
      "info", "The version that runs.", [("version=\"\(Page.escaped(status.version))\"", "1")])
    addTake(status, to: &page)
    addCard(status, to: &page)
    page.add("device_present", "There is a sound device to record from.", status.device.name != nil)
    page.add("recordings", "Recordings on the card.", Int64(status.recordings))
    page.add("unheard", "Recordings that have not been played.", Int64(status.unheard))
    page.add(
      "only_here", "Recordings that have no copy elsewhere.",
      status.copies.map { Int64($0.onlyHere) })
    page.add("clock_synchronised", "The time is known.", status.clockIsSynchronised)
    page.add("notices_unseen", "Notices not acknowledged.", Int64(status.unseenNotices))
    for (name, value) in health.sorted(by: { $0.key < $1.key }) {
      page.add(name, "As the board reports.", value)
    }
    addCounters(counters, to: &page)
    return page.text
  }

  private static func addTake(_ status: StatusView, to page: inout Page) {
    page.add("recording", "A recording is running.", status.take != nil)
    page.add("recording_seconds", "Length of the running recording.", status.take?.seconds)
    page.add(
      "recording_lost_frames", "Frames of it that were lost and are silence.",
      status.take?.lostFrames)
    page.add("recording_clipped_frames", "Frames of it at full scale.", status.take?.clippedFrames)
    page.add(
      "microphone_dead", "Nothing but silence arrives.", status.take?.microphoneSeemsDead ?? false)
  }

  private static func addCard(_ status: StatusView, to page: inout Page) {
    page.add("card_free_bytes", "Free space on the card.", status.freeBytes)
    page.add("card_left_seconds", "How much can still be recorded.", status.leftSeconds)
    page.add(
      "card_behind_seconds", "Sound in memory that the card has yet to take.",
      [("", Page.seconds(status.cardBehindMilliseconds ?? 0))])
    if let encoding = status.encoding {
      page.add(
        "encoding_share", "Of a processor core, what encoding takes.",
        [("", Page.seconds(Int64((encoding.share * 1000).rounded())))])
    }
    page.add("card_ready", "The card can be recorded to.", status.cardState == .ready)
  }

  private static func addCounters(_ counters: MetricsCounters, to page: inout Page) {
    func count(_ name: String, _ help: String, _ value: Int64) {
      page.add(name + "_total", help, [("", "\(value)")], type: "counter")
    }
    count("takes", "Recordings that have ended.", counters.takes)
    page.add(
      "recorded_seconds_total", "Sound in recordings that have ended.",
      [("", Page.seconds(counters.recordedMilliseconds))], type: "counter")
    count("gaps", "Places where sound was lost.", counters.gaps)
    count("lost_frames", "Frames that were lost.", counters.lostFrames)
    count("clipped_frames", "Frames at full scale.", counters.clippedFrames)
    count(
      "recovered", "Recordings recovered after a crash or a power cut.",
      counters.notices[.recovered] ?? 0)
    count("takes_failed", "Recordings that could not be made.", counters.notices[.takeFailed] ?? 0)
    // All kinds, also those at 0: a series that first appears with 1 shows no increase.
    page.add(
      "notices_total", "Notices, by kind.",
      Notice.Kind.allCases.map {
        ("kind=\"\(Page.escaped($0.rawValue))\"", "\(counters.notices[$0] ?? 0)")
      }, type: "counter")
    if let last = counters.lastTake {
      page.add(
        "last_take_timestamp_seconds", "When the last recording began.",
        [("", Page.seconds(last.milliseconds))])
    }
  }

  /// Writes `text` beside `path` and renames it, so that a reader sees the old text or the new. Any
  /// user may read it: the exporter's user is not in the recorder's group.
  /// - Returns: nil, or what went wrong.
  static func write(_ text: String, to path: String) -> String? {
    let beside = path + ".new"
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return complaint(path) }
    var bytes = Array(text.utf8)
    // The service's umask is stricter.
    let isWritten =
      fchmod(file, 0o644) == 0 && Glibc.write(file, &bytes, bytes.count) == bytes.count
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

/// The text as it grows, a family of samples at a time.
private struct Page {
  private(set) var text = ""

  mutating func add(
    _ name: String, _ help: String, _ samples: [(labels: String, value: String)],
    type: String = "gauge"
  ) {
    text += "# HELP reel_\(name) \(help)\n# TYPE reel_\(name) \(type)\n"
    for (labels, value) in samples {
      text += "reel_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }
  }

  /// A value that is not known is left out.
  mutating func add(_ name: String, _ help: String, _ value: Int64?) {
    if let value { add(name, help, [("", "\(value)")]) }
  }

  mutating func add(_ name: String, _ help: String, _ flag: Bool) {
    add(name, help, flag ? 1 : 0)
  }

  static func seconds(_ milliseconds: Int64) -> String {
    let rest = milliseconds.magnitude % 1000
    let sign = milliseconds < 0 ? "-" : ""
    let digits = rest == 0 ? "" : "." + String(1000 + rest).dropFirst()
    return "\(sign)\(milliseconds.magnitude / 1000)\(digits)"
  }

  /// Escapes a text for the value of a label.
  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
