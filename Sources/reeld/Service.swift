// The daemon as a service of systemd: ready, status, watchdog, and the journal's entries; and the
// mark that a take runs, by which a start after a crash knows to record on. On the loop's thread.
// Without systemd only the mark is kept; nothing here may fail the recorder.

import Glibc
import Host
import Loop
import Recorder
import Systemd

final class Service {
  private let loop: EventLoop
  private let journal = Journal()
  private let mark: TakeMark
  /// How long a thread that may have to wait for the card may do so.
  private let cardPatienceMilliseconds: Int64
  private let busy: () -> (sound: Int64, card: Int64)
  private var tokens: [Token] = []
  private var timers: [Timer] = []
  private var isReady = false
  /// What systemd had no room for, to be said again.
  private var unsaid: (status: String?, isReady: Bool, isStopping: Bool) = (nil, false, false)
  private var againTimer: Timer?
  private var isStuck = false
  private var take: TakeNews?
  private static let soundPatienceMilliseconds: Int64 = 15_000
  /// Longer than that nobody waits to hear that it has started: the status says what is missing.
  private static let readyPatienceMilliseconds: Int64 = 10_000
  private static let againMilliseconds: Int64 = 500

  static var isService: Bool { getenv("NOTIFY_SOCKET") != nil || getenv("JOURNAL_STREAM") != nil }

  init(
    on loop: EventLoop, mark: TakeMark, stallMilliseconds: Int64,
    busy: @escaping () -> (sound: Int64, card: Int64)
  ) {
    self.loop = loop
    self.mark = mark
    self.busy = busy
    cardPatienceMilliseconds = stallMilliseconds + 300_000
  }

  func begin(_ driver: Driver<Appliance>) {
    tokens.append(
      driver.store.show({ $0.transport.take != .none }) { [mark] in mark.set($0) })
    guard Self.isService else { return }
    tokens.append(driver.store.show(ServiceView.init) { [unowned self] in show($0) })
    tokens.append(driver.store.show(TakeNews.init) { [unowned self] in tell($0) })
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
    } catch { complain("a timer could not be set: \(error)") }
  }

  private func show(_ view: ServiceView) {
    unsaid.status = view.sentence
    if view.isStopping { unsaid.isStopping = true }
    say()
    if view.isReady { beReady() }
  }

  private func beReady() {
    if isReady { return }
    isReady = true
    unsaid.isReady = true
    say()
  }

  /// Tells systemd what it does not know yet; what it has no room for now, a moment later.
  private func say() {
    if let status = unsaid.status, Notify.status(status) != .busy { unsaid.status = nil }
    if unsaid.isStopping, Notify.stopping() != .busy { unsaid.isStopping = false }
    if unsaid.isReady, Notify.ready() != .busy { unsaid.isReady = false }
    if unsaid == (nil, false, false) { return }
    if let againTimer { return againTimer.restart(afterMilliseconds: Self.againMilliseconds) }
    do {
      againTimer = try loop.timer(
        afterMilliseconds: Self.againMilliseconds, slackMilliseconds: 100
      ) { [unowned self] in say() }
    } catch { complain("a timer could not be set: \(error)") }
  }

  /// Only while every thread goes on or has nothing to do. That the loop does is proved by this.
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

  func hear(_ command: Command) {
    guard Self.isService, case .announce(.noticed(let notice), at: .notices) = command else {
      return
    }
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

  /// Called around a reload.
  func reload(_ work: () -> (event: HostEvent, sentences: [String])) {
    if Self.isService { Notify.reloading() }
    let (event, sentences) = work()
    for sentence in sentences {
      if !Self.isService {
        complain(sentence)
      } else if case .configured = event {
        log(.warning, sentence, .configurationWaits)
      } else {
        log(.warning, sentence, .of(.configurationRefused))
      }
    }
    guard Self.isService else { return }
    // A reload that was told of is to be told over.
    unsaid.isReady = true
    say()
  }

  private func log(_ priority: Journal.Priority, _ text: String, _ entry: JournalEntry) {
    journal.send(priority, text, fields: ["MESSAGE_ID": entry.id])
  }

  private func tell(_ news: TakeNews) {
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
    isReady = status.cardState != .opening && Self.isHeard(state)
  }

  /// The microphone is open, or closed because nothing is armed, or it is known that there is none.
  private static func isHeard(_ state: State) -> Bool {
    switch state.device.capture {
    case .running, .absent(.some): true
    case .closed: !state.settings.isArmed
    case .opening, .absent(nil): false
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
