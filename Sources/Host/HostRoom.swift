// The host's room: what has to do with the board and the programs around the recorder, on a thread
// of its own that may wait: hooks, metrics, the board's health. Calls come from the loop's thread
// and never wait; news is collected there when the room has rung.
import Glibc
import Realtime
import Recorder

public final class HostRoom {
  public enum News: Equatable, Sendable {
    case event(HostEvent)
    /// For whoever reads the journal.
    case complaint(String)
    /// Somebody has set the clock, and keeps it right.
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
  private static let healthMilliseconds = 10_000
  private static let childMilliseconds = 50
  /// Asking costs a process: often while somebody may wait for it, seldom later.
  private static let clockMilliseconds = (soon: 15_000, later: 60_000, soonCount: 40)

  /// `wake` is called on the room's thread when there is something to `collect`.
  /// - Parameter system: `/sys` on a board; nil: nobody asks how the board is.
  public static func start(
    system: String? = "/sys", wake: @escaping @Sendable () -> Void
  ) throws(Realtime.Refusal) -> HostRoom {
    let room = HostRoom(bell: try WakeUp())
    let (letters, news, bell) = (room.letters, room.news, room.bell)
    room.thread = try OwnedThread.start(
      ThreadPlan(name: "reel-host", residency: .onDemand), 0
    ) { _, stop in
      var worker = Worker(system: system) { item in
        news.post(item)
        wake()
      }
      while !stop.isRaised() {
        for letter in letters.takeAll() { worker.take(letter) }
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

  /// Ends what hooks are running.
  deinit {
    thread?.stopFlag.raise()
    bell.makeWaker().wake()
    thread = nil
  }

  public func configure(_ hooks: HookConfiguration) { post(.hooks(hooks)) }

  /// Something happened that programs may want to know.
  public func tell(_ event: HookEvent) { post(.event(event)) }

  public func write(metrics text: String, to path: String) { post(.metrics(text, to: path)) }

  /// To be asked again and again while the clock is not known to be set; how often somebody is
  /// really asked is decided here.
  public func askForClock() { post(.clock) }

  public func collect() -> [News] { news.takeAll() }

  private func post(_ letter: Letter) {
    letters.post(letter)
    bell.makeWaker().wake()
  }

  /// What the thread works on.
  private struct Worker {
    private let system: String?
    private let tell: (News) -> Void
    private var runner = HookRunner()
    private var health: BoardHealth?
    private var healthDue: Int64 = 0
    private var lastComplaint: String?
    private var clockDue: Int64 = 0
    private var clockCount = 0

    init(system: String?, tell: @escaping (News) -> Void) {
      self.system = system
      self.tell = tell
    }

    mutating func take(_ letter: Letter) {
      switch letter {
      case .hooks(let plan): runner.plan = plan
      case .event(let event):
        if !runner.add(event) { complain("Too much waits for hooks; \(event.name) is left out") }
      case .metrics(let text, let path):
        let complaint = Metrics.write(text, to: path)
        if complaint != lastComplaint { complaint.map(complain) }
        lastComplaint = complaint
      case .clock: askForClock()
      }
    }

    private mutating func askForClock() {
      let now = Self.now()
      if now < clockDue { return }
      clockCount += 1
      let pace = HostRoom.clockMilliseconds
      clockDue = now + Int64(clockCount < pace.soonCount ? pace.soon : pace.later)
      if ClockQuestion.isSynchronised() { tell(.clockIsSet) }
    }

    /// How long it may sleep.
    mutating func step() -> Int? {
      let now = Self.now()
      for complaint in runner.step(nowMilliseconds: now) { complain(complaint) }
      guard let system else { return runner.isBusy ? HostRoom.childMilliseconds : nil }
      if now >= healthDue {
        healthDue = now + Int64(HostRoom.healthMilliseconds)
        let present = BoardHealth.read(system)
        if present.differs(from: health) {
          health = present
          tell(.event(present.event))
        }
      }
      return runner.isBusy ? HostRoom.childMilliseconds : Int(healthDue - now)
    }

    mutating func end() { runner.end() }

    private func complain(_ sentence: String) { tell(.complaint(sentence)) }

    private static func now() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
  }
}
