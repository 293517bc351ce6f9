// The playing room: its two threads and its mailbox. The deck's thread is an ordinary one; it
// sleeps unless there is something to decode, to hear or to do. The playback thread is a realtime
// one and is there only while the speaker is open: with nothing to play there is neither, and
// nobody wakes up. The main loop's thread calls what is public here; nothing of it waits, but for
// the end.
import Glibc
import Realtime
import Recorder
import Systemd

/// - Note: `report` is called on the deck's thread. It may put the event where the main loop finds
///   it and wake the loop (`Systemd.Waker`), and no more: while it runs, nothing is decoded.
public struct PlayRoom<Stream: PlaybackStream & ~Copyable>: ~Copyable {
  private let mailbox: PlayMailbox
  private let waker: Realtime.Waker
  private let thread: OwnedThread<PlayShell<Stream>>

  /// - Parameter open: opens the speaker; called on the deck's thread each time it is needed, and
  ///   while there is none, from time to time. What it throws is told as it describes itself.
  public static func start(
    _ settings: PlaySettings, open: @escaping @Sendable () throws -> Stream,
    report: @escaping @Sendable (SoundEvent) -> Void
  ) throws(Realtime.Refusal) -> PlayRoom {
    let mailbox = PlayMailbox(bell: try WakeUp())
    let shell = PlayShell(
      deck: PlayDeck(settings, bell: mailbox.bell), mailbox: mailbox,
      priority: settings.realtimePriority, open: open, report: report)
    let thread = try OwnedThread.start(ThreadPlan(name: "deck", residency: .onDemand), shell) {
      shell, stop in
      shell.run(until: stop)
    }
    return PlayRoom(mailbox: mailbox, thread: thread)
  }

  private init(mailbox: PlayMailbox, thread: consuming OwnedThread<PlayShell<Stream>>) {
    self.mailbox = mailbox
    waker = mailbox.bell.makeWaker()
    self.thread = thread
  }

  /// Ends both threads: what sounds fades out first.
  deinit {
    thread.stopFlag.raise()
    waker.wake()
  }

  /// How long it has been at its present piece of work; it may have to wait for the card.
  public func busyMilliseconds() -> Int64 { mailbox.busyMilliseconds }

  public func carryOut(_ command: DeckCommand) { send(.command(command)) }

  public func sound(_ tone: Tone) { send(.tone(tone)) }

  /// Plays the greeting, and reports when it is over.
  public func greet(_ take: ItemID) { send(.greet(take)) }

  /// Tones change when the speaker is opened next: a second after the last sound.
  public func configure(_ settings: SoundSettings) { send(.configure(settings)) }

  /// A sound device came or went: look for the speaker at once, if there was none.
  public func look() { send(.look) }

  private func send(_ letter: PlayMailbox.Letter) {
    mailbox.post(letter)
    waker.wake()
  }
}

/// What the main loop wants of the deck, in order.
final class PlayMailbox: Sendable {
  enum Letter: Equatable, Sendable {
    case command(DeckCommand)
    case tone(Tone)
    case greet(ItemID)
    case configure(SoundSettings)
    case look
  }

  let bell: WakeUp
  private let letters = Mailbox<Letter>()

  init(bell: WakeUp) { self.bell = bell }

  var busyMilliseconds: Int64 { bell.pulse.busyMilliseconds }

  func post(_ letter: Letter) { letters.post(letter) }

  func takeAll() -> [Letter] { letters.takeAll() }

  /// Until there is something to do again, or somebody rings.
  func sleep(_ rest: PlayDeck.Rest) {
    switch rest {
    case .now: bell.pulse.beat()
    case .forever: _ = bell.wait(milliseconds: nil)
    case .until(let time):
      let left = max(0, time - EventLoop.monotonicNanoseconds())
      _ = bell.wait(milliseconds: Int((left + 999_999) / 1_000_000))
    }
  }
}

/// What the deck's thread works on: the deck, and the playback thread while there is one.
struct PlayShell<Stream: PlaybackStream & ~Copyable>: ~Copyable, Sendable {
  private var deck: PlayDeck
  private let mailbox: PlayMailbox
  private let priority: Int?
  private let open: @Sendable () throws -> Stream
  private let report: @Sendable (SoundEvent) -> Void
  private var playback: OwnedThread<PlayWorker<Stream>>?

  init(
    deck: consuming PlayDeck, mailbox: PlayMailbox, priority: Int?,
    open: @escaping @Sendable () throws -> Stream, report: @escaping @Sendable (SoundEvent) -> Void
  ) {
    self.deck = deck
    self.mailbox = mailbox
    self.priority = priority
    self.open = open
    self.report = report
  }

  mutating func run(until stop: StopFlag) {
    while !stop.isRaised() {
      for letter in mailbox.takeAll() { deck.take(letter) }
      let rest = deck.step(EventLoop.monotonicNanoseconds())
      let hasChanged = attendSpeaker()
      for event in deck.takeEvents() { report(event) }
      if !hasChanged { mailbox.sleep(rest) }
    }
    playback = nil
  }

  /// Opens or closes the speaker if the deck wants it; says whether it did.
  private mutating func attendSpeaker() -> Bool {
    if deck.mustClose {
      playback = nil
      deck.disconnect()
      return true
    }
    guard deck.wantsSpeaker(EventLoop.monotonicNanoseconds()) else { return false }
    do {
      try openSpeaker()
    } catch {
      playback = nil
      deck.disconnect()
      deck.cannotOpen("\(error)", EventLoop.monotonicNanoseconds())
    }
    return true
  }

  private mutating func openSpeaker() throws {
    let stream = try open()
    deck.found()
    // It was only to see whether there is one.
    guard deck.hasSomethingToPlay else { return }
    let mixer = try deck.connect(stream.format)
    let worker = PlayWorker(stream, mixer)
    let plan = ThreadPlan(name: "playback", realtimePriority: priority, residency: .locked)
    let started = try OwnedThread.start(plan, worker) { worker, stop in
      while !stop.isRaised() {
        switch worker.step() {
        case .played, .waited: break
        case .noSound: usleep(500)
        case .gone: return
        }
      }
      worker.finish()
    }
    deck.note(refusals: started.refusals)
    playback = consume started
  }
}

extension PlayDeck {
  mutating func take(_ letter: PlayMailbox.Letter) {
    switch letter {
    case .command(let command): carryOut(command)
    case .tone(let tone): sound(tone)
    case .greet(let take): greet(take)
    case .configure(let settings): configure(settings)
    case .look: look()
    }
  }
}
