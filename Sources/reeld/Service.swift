// The daemon as a systemd service: ready, status, watchdog, and the journal's entries. On the
// loop's thread. Without systemd it does nothing; nothing here may fail the recorder.

import Glibc
import Host
import Loop
import Recorder
import Systemd

final class Service {
  private let loop: EventLoop
  private let journal = Journal()
  /// How long a thread may wait for the card before the watchdog is no longer fed.
  private let cardPatienceMilliseconds: Int64
  private let busy: () -> (sound: Int64, card: Int64)
  private var tokens: [Token] = []
  private var timers: [Timer] = []
  private var isReady = false
  /// Notifications that are still to be sent; those that systemd has no room for are retried.
  private var unsaid: (status: String?, isReady: Bool, isStopping: Bool) = (nil, false, false)
  private var againTimer: Timer?
  private var isStuck = false
  private var take: TakeNews?
  private static let soundPatienceMilliseconds: Int64 = 15_000
  /// READY=1 is sent after this long even if something is missing; the status says what.
  private static let readyPatienceMilliseconds: Int64 = 10_000
  private static let againMilliseconds: Int64 = 500

  static var isService: Bool { getenv("NOTIFY_SOCKET") != nil || getenv("JOURNAL_STREAM") != nil }

  init(
    on loop: EventLoop, stallMilliseconds: Int64,
    busy: @escaping () -> (sound: Int64, card: Int64)
  ) {
    self.loop = loop
    self.busy = busy
    cardPatienceMilliseconds = stallMilliseconds + 300_000
  }

  func begin(_ driver: Driver<Appliance>) {
    guard Self.isService else { return }
    tokens.append(driver.store.show(ServiceView.init) { [unowned self] in show($0) })
    tokens.append(driver.store.show(TakeNews.init) { [unowned self] in log($0) })
    do {
      timers.append(
        try loop.timer(
          afterMilliseconds: Self.readyPatienceMilliseconds, slackMilliseconds: 500
        ) { [unowned self] in beReady() })
      guard let interval = Notify.watchdogIntervalMicroseconds() else { return }
      let period = Int64(interval / 3000)
      timers.append(
        try loop.timer(everyMilliseconds: max(1, period), slackMilliseconds: period / 4) {
          [unowned self] in feed()
        })
    } catch { logError("a timer could not be set: \(error)") }
  }

  private func show(_ view: ServiceView) {
    unsaid.status = view.sentence
    if view.isStopping { unsaid.isStopping = true }
    sendStatus()
    if view.isReady { beReady() }
  }

  private func beReady() {
    if isReady { return }
    isReady = true
    unsaid.isReady = true
    sendStatus()
  }

  /// Sends what systemd does not know yet. If its socket is full, retries a moment later.
  private func sendStatus() {
    if let status = unsaid.status, Notify.status(status) != .busy { unsaid.status = nil }
    if unsaid.isStopping, Notify.stopping() != .busy { unsaid.isStopping = false }
    if unsaid.isReady, Notify.ready() != .busy { unsaid.isReady = false }
    if unsaid == (nil, false, false) { return }
    if let againTimer { return againTimer.restart(afterMilliseconds: Self.againMilliseconds) }
    do {
      againTimer = try loop.timer(
        afterMilliseconds: Self.againMilliseconds, slackMilliseconds: 100
      ) { [unowned self] in sendStatus() }
    } catch { logError("a timer could not be set: \(error)") }
  }

  /// Feeds the watchdog only while no thread is stuck. That this runs shows that the loop is not.
  private func feed() {
    let (sound, card) = busy()
    let isWell = sound < Self.soundPatienceMilliseconds && card < cardPatienceMilliseconds
    if isWell { Notify.watchdog() }
    if !isWell, !isStuck {
      let what =
        card < cardPatienceMilliseconds ? "the sound path" : "what writes to the card"
      let seconds = max(sound, card) / 1000
      log(.critical, "\(what) has not gone on for \(seconds) s", .threadStuck)
    }
    isStuck = !isWell
  }

  // MARK: The journal

  func notice(_ notice: Notice) {
    guard Self.isService else { return }
    let priority: Journal.Priority =
      switch notice.severity {
      case .note: .notice
      case .warning: .warning
      case .fault: .error
      }
    journal.send(
      priority, notice.sentence,
      fields: [
        "MESSAGE_ID": JournalEntry.of(notice.kind).id, "REEL_NOTICE": notice.kind.rawValue,
        "REEL_RECORDING": notice.item.map { "\($0)" } ?? "",
      ])
  }

  /// A reload has begun; `reloaded` follows.
  func reloading() { if Self.isService { Notify.reloading() } }

  func reloaded(_ event: HostEvent, _ sentences: [String]) {
    for sentence in sentences {
      if !Self.isService {
        logError(sentence)
      } else if case .configured = event {
        log(.warning, sentence, .configurationWaits)
      } else {
        log(.warning, sentence, .of(.configurationRefused))
      }
    }
    guard Self.isService else { return }
    // After RELOADING=1, systemd expects READY=1 even if the reload failed.
    unsaid.isReady = true
    sendStatus()
  }

  private func log(_ priority: Journal.Priority, _ text: String, _ entry: JournalEntry) {
    journal.send(priority, text, fields: ["MESSAGE_ID": entry.id])
  }

  private func log(_ news: TakeNews) {
    if let last = take, let id = last.id, id != news.id {
      journal.send(
        .info, "Recorded “\(last.title)”, \(last.seconds) s",
        fields: [
          "MESSAGE_ID": JournalEntry.recordingEnded.id, "REEL_RECORDING": "\(id)",
          "REEL_TITLE": last.title, "REEL_SECONDS": "\(last.seconds)",
        ])
    }
    if let id = news.id, id != take?.id {
      journal.send(
        .info, "Recording “\(news.title)”",
        fields: [
          "MESSAGE_ID": JournalEntry.recordingBegan.id, "REEL_RECORDING": "\(id)",
          "REEL_TITLE": news.title,
        ])
    }
    take = news
  }
}

/// What `systemctl status` shows.
private struct ServiceView: Equatable {
  let sentence: String
  let isReady: Bool
  let isStopping: Bool

  init(_ state: State) {
    let status = StatusView(state)
    var sentence = status.sentence
    if status.device.name == nil { sentence += ", no microphone" }
    switch status.cardState {
    case .failed: sentence += ", the card cannot be used"
    case .readOnly: sentence += ", the card can only be read"
    case .full: sentence += ", the card is full"
    case .opening, .ready, .exported: break
    }
    if status.unseenNotices > 0 { sentence += ", \(status.unseenNotices) to acknowledge" }
    self.sentence = sentence
    isStopping = status.state == .stopping || status.state == .stopped
    isReady = status.cardState != .opening && Self.isMicrophoneStateKnown(state)
  }

  /// Whether the microphone is open, or closed because nothing is armed, or known to be missing.
  private static func isMicrophoneStateKnown(_ state: State) -> Bool {
    switch state.device.capture {
    case .running, .silent, .absent: true
    case .closed: !state.settings.isArmed
    case .opening, .unknown: false
    }
  }
}

/// The take that runs, for the journal.
private struct TakeNews: Equatable {
  let id: ItemID?
  let title: String
  let seconds: Int64

  init(_ state: State) {
    let take = StatusView(state).take
    id = take?.id
    title = take?.title ?? ""
    seconds = take?.seconds ?? 0
  }
}
