// The host's room: hooks, metrics, the board's health and the time zone, on a thread of its own
// that may wait. Calls come from the loop's thread and never wait; the loop's thread collects news
// after the room has called `wake`.
import Glibc
import Realtime
import Recorder

/// The room for hooks, metrics and the board.
public final class HostRoom {
  public enum News: Equatable, Sendable {
    case event(HostEvent)
    /// A sentence for the journal.
    case complaint(String)
    /// The clock is set and kept synchronised.
    case clockIsSet
  }

  private enum Letter: Sendable {
    case hooks(HookConfiguration)
    case event(HookEvent)
    case metrics(String, to: String)
    case clock
  }

  private let letters = Mailbox<Letter>()
  private let news: Mailbox<News>
  private let bell: WakeUp
  private var thread: OwnedThread<Int>?
  private static let lookMilliseconds = 10_000
  private static let childMilliseconds = 50
  /// Each check costs a process: often at first, while a user may wait for it, and seldom later.
  private static let clockMilliseconds = (soon: 15_000, later: 60_000, soonCount: 40)

  /// `wake` is called on the room's thread when there is something to `collect`.
  /// - Parameters:
  ///   - system: `/sys` on a board; nil if the board's health is not read.
  ///   - zone: The offsets of local time that are known already.
  public static func start(
    system: String? = "/sys", zone: ZoneOffsets = LocalZone.offsets,
    wake: @escaping @Sendable () -> Void
  ) throws(RealtimeError) -> HostRoom {
    let room = HostRoom(bell: try WakeUp())
    let (letters, news, bell) = (room.letters, room.news, room.bell)
    room.thread = try OwnedThread.start(
      ThreadPlan(name: "reel-host", residency: .onDemand), 0
    ) { _, stop in
      var worker = Worker(system: system, zone: zone) { item in
        news.post(item)
        wake()
      }
      while !stop.isRaised() {
        for letter in letters.drain() { worker.handle(letter) }
        _ = bell.wait(milliseconds: worker.step())
      }
      worker.end()
    }
    return room
  }

  private init(bell: WakeUp) {
    self.bell = bell
    news = Mailbox()
  }

  /// Kills running hooks.
  deinit {
    thread?.stopFlag.raise()
    bell.makeWaker().wake()
    thread = nil
  }

  /// Sets the hooks' directory and time limit.
  public func configure(_ hooks: HookConfiguration) { post(.hooks(hooks)) }

  /// Enqueues an event for hook programs.
  public func notify(_ event: HookEvent) { post(.event(event)) }

  /// Replaces the metrics file, on the room's thread.
  public func write(metrics text: String, to path: String) { post(.metrics(text, to: path)) }

  /// Called repeatedly until the clock is known to be set. The room decides how often a check is
  /// really made.
  public func checkClock() { post(.clock) }

  /// Returns the news since the last call.
  public func collect() -> [News] { news.drain() }

  private func post(_ letter: Letter) {
    letters.post(letter)
    bell.makeWaker().wake()
  }

  /// The state of the room's thread.
  private struct Worker {
    private let system: String?
    private let report: (News) -> Void
    private var runner = HookRunner()
    private var health: BoardHealth?
    private var zone: ZoneOffsets
    private var zoneFile = LocalZone.File.none
    private var pollDue: Int64 = 0
    private var lastComplaint: String?
    private var clockDue: Int64 = 0
    private var clockCount = 0

    init(system: String?, zone: ZoneOffsets, report: @escaping (News) -> Void) {
      self.system = system
      self.zone = zone
      self.report = report
    }

    mutating func handle(_ letter: Letter) {
      switch letter {
      case .hooks(let plan): runner.plan = plan
      case .event(let event):
        if !runner.add(event) { logError("Too much waits for hooks; \(event.name) is left out") }
      case .metrics(let text, let path):
        let complaint = Metrics.write(text, to: path)
        if complaint != lastComplaint { complaint.map(logError) }
        lastComplaint = complaint
      case .clock: checkClock()
      }
    }

    private mutating func checkClock() {
      let now = Self.now()
      if now < clockDue { return }
      clockCount += 1
      let pace = HostRoom.clockMilliseconds
      clockDue = now + Int64(clockCount < pace.soonCount ? pace.soon : pace.later)
      if ClockQuestion.isSynchronised() { report(.clockIsSet) }
    }

    /// Does what is due. Returns how many milliseconds the thread may sleep.
    mutating func step() -> Int? {
      let now = Self.now()
      for complaint in runner.step(nowMilliseconds: now) { logError(complaint) }
      if now >= pollDue {
        pollDue = now + Int64(HostRoom.lookMilliseconds)
        readBoard()
        readZone()
      }
      return runner.isBusy ? HostRoom.childMilliseconds : Int(pollDue - now)
    }

    private mutating func readBoard() {
      guard let system else { return }
      let present = BoardHealth.read(system)
      if present.differs(from: health) {
        health = present
        report(.event(present.event))
      }
    }

    /// Reads the zone again if its file was replaced, by another zone or by new rules.
    private mutating func readZone() {
      let file = LocalZone.File.present
      guard file != zoneFile else { return }
      zoneFile = file
      let present = LocalZone.offsets
      if present != zone {
        zone = present
        report(.event(.zone(present)))
      }
    }

    mutating func end() { runner.end() }

    private func logError(_ sentence: String) { report(.complaint(sentence)) }

    private static func now() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
  }
}
