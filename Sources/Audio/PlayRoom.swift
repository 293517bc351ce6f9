// The playing room: its threads and its mailbox. The deck's thread is an ordinary one; it sleeps
// unless it has work. The playback thread is a realtime one and exists only while the speaker is
// open. With nothing to play, the speaker is closed and no thread wakes up. A third thread opens
// the speaker. The loop's thread calls the public functions. None of them waits, except the deinit,
// and that only for a limited time: a speaker may hang.
import Glibc
import Realtime
import Recorder
import Systemd

/// - Note: `report` is called on the deck's thread. It may pass the event to the loop and wake it
///   (`LoopWaker`), and no more: while it runs, nothing is decoded.
public struct PlayRoom<Stream: PlaybackStream & ~Copyable>: ~Copyable {
  private let mailbox: PlayMailbox
  private let waker: Waker
  private let thread: ThreadBox<PlayShell<Stream>>
  private static var patienceMilliseconds: Int { 4_000 }

  /// - Parameter open: opens the speaker; called on a thread of its own each time it is needed, and
  ///   from time to time while there is none. A thrown error is reported as it describes itself.
  public static func start(
    _ settings: PlaySettings, open: @escaping @Sendable () throws -> Stream,
    report: @escaping @Sendable (SoundEvent) -> Void
  ) throws(RealtimeError) -> PlayRoom {
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
    self.thread = ThreadBox(thread) {}
  }

  /// Ends all threads; sound fades out first. A thread that hangs is abandoned.
  deinit {
    thread.stopFlag.raise()
    waker.wake()
    thread.awaitEnd(milliseconds: Self.patienceMilliseconds)
    AbandonedThreads.leave(thread)
  }

  /// How long the deck's thread has been at its present piece of work; it may wait for the card.
  public func busyMilliseconds() -> Int64 { mailbox.busyMilliseconds }

  /// Posts a command to the deck.
  public func perform(_ command: DeckCommand) { send(.command(command)) }

  /// Posts a tone to the deck.
  public func sound(_ tone: Tone) { send(.tone(tone)) }

  /// Plays the greeting, and reports when it is over.
  public func greet(_ take: ItemID) { send(.greet(take)) }

  /// Sets tones and greeting. New tones are used when the speaker is opened next; it is closed a
  /// second after the last sound.
  public func configure(_ settings: SoundSettings) { send(.configure(settings)) }

  /// Probes for the speaker at once, if there was none, because a sound device came or went.
  public func poll() { send(.poll) }

  private func send(_ letter: PlayMailbox.Letter) {
    mailbox.post(letter)
    waker.wake()
  }
}

/// The loop's requests to the deck, in order.
final class PlayMailbox: Sendable {
  enum Letter: Equatable, Sendable {
    case command(DeckCommand)
    case tone(Tone)
    case greet(ItemID)
    case configure(SoundSettings)
    case poll
  }

  let bell: WakeUp
  private let letters = Mailbox<Letter>()

  init(bell: WakeUp) { self.bell = bell }

  var busyMilliseconds: Int64 { bell.pulse.busyMilliseconds }

  func post(_ letter: Letter) { letters.post(letter) }

  func drain() -> [Letter] { letters.drain() }

  /// Sleeps until the deck has work again, or the bell rings.
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
  private var playback: ThreadBox<PlayWorker<Stream>?>?
  /// Pulse of the playback thread: it beats when the speaker has taken sound.
  private let pulse = Pulse()
  private var attempt: OwnedThread<SpeakerAttempt<Stream>>?
  private var attemptedAt: Int64 = 0

  /// A speaker that takes nothing for this long, or takes longer to open, hangs.
  private static var takingMilliseconds: Int64 { 2_000 }
  private static var openingMilliseconds: Int64 { 5_000 }
  private static var closingMilliseconds: Int { 1_500 }

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
      for letter in mailbox.drain() { deck.handle(letter) }
      let rest = deck.step(EventLoop.monotonicNanoseconds())
      let hasChanged = attendSpeaker()
      for event in deck.drainEvents() { report(event) }
      if !hasChanged { mailbox.sleep(rest.within(milliseconds: longestRest)) }
    }
    closeSpeaker()
    abandonAttempt()
  }

  /// The longest sleep: while the speaker is open or being opened, it is watched.
  private var longestRest: Int64? { attempt != nil ? 20 : playback != nil ? 500 : nil }

  /// Opens or closes the speaker if the deck wants it. Returns whether it did.
  private mutating func attendSpeaker() -> Bool {
    let now = EventLoop.monotonicNanoseconds()
    if playback != nil, !deck.mustClose, pulse.busyMilliseconds >= Self.takingMilliseconds {
      deck.lose(errno: ETIMEDOUT, now)
    }
    if deck.mustClose {
      closeSpeaker()
      deck.disconnect()
      return true
    }
    if attempt != nil { return attendAttempt(now) }
    guard deck.wantsSpeaker(now) else { return false }
    attemptedAt = now
    do { try startAttempt() } catch { giveUp("\(error)", now) }
    return true
  }

  private mutating func giveUp(_ sentence: String, _ now: Int64) {
    closeSpeaker()
    deck.disconnect()
    deck.cannotOpen(sentence, now)
  }

  /// Ends the playback thread, which closes the speaker itself and may hang in that.
  private mutating func closeSpeaker() {
    guard let playback else { return }
    playback.stopFlag.raise()
    playback.awaitEnd(milliseconds: Self.closingMilliseconds)
    AbandonedThreads.leave(playback)
    self.playback = nil
  }

  // MARK: Opening

  private mutating func startAttempt() throws {
    // Half of the threads that may hang are left to the microphone.
    guard AbandonedThreads.count < AbandonedThreads.most / 2 else { throw SpeakerHangs() }
    let plan = ThreadPlan(name: "speaker", residency: .onDemand)
    attempt = try OwnedThread.start(plan, SpeakerAttempt<Stream>()) { [open] attempt, stop in
      do {
        let opened = try open()
        // If it was opened too late, it is closed here.
        if !stop.isRaised() { attempt.stream = consume opened }
      } catch {
        attempt.complaint = "\(error)"
      }
    }
  }

  private mutating func attendAttempt(_ now: Int64) -> Bool {
    if attempt?.hasEnded == true, let ended = attempt.take() {
      var result = ended.join()
      do {
        if let stream = result.stream.take() {
          try start(stream)
        } else {
          giveUp(result.complaint, now)
        }
      } catch { giveUp("\(error)", now) }
      return true
    }
    if now - attemptedAt < Self.openingMilliseconds * 1_000_000 { return false }
    abandonAttempt()
    giveUp(SpeakerHangs().description, now)
    return true
  }

  private mutating func abandonAttempt() {
    guard let hanging = attempt.take() else { return }
    hanging.stopFlag.raise()
    AbandonedThreads.leave(ThreadBox(hanging) {})
  }

  private mutating func start(_ stream: consuming Stream) throws {
    deck.found()
    // It was opened only to see whether there is one.
    guard deck.hasSomethingToPlay else { return }
    let mixer = try deck.connect(stream.format)
    let worker = PlayWorker(stream, mixer)
    let plan = ThreadPlan(name: "playback", realtimePriority: priority, residency: .locked)
    pulse.beat()
    let started = ThreadBox(
      try OwnedThread.start(plan, Optional(worker)) { [pulse] given, stop in
        if var worker = given.take() { worker.run(until: stop, pulse) }
        pulse.rest()
      }
    ) {}
    deck.note(refusals: started.refusals)
    playback = started
  }
}

/// One attempt at opening the speaker: the speaker, or why there is none.
struct SpeakerAttempt<Stream: PlaybackStream & ~Copyable>: ~Copyable, Sendable {
  var stream: Stream?
  var complaint = ""
}

private struct SpeakerHangs: Error, CustomStringConvertible {
  let description = "The speaker does not answer."
}

extension PlayDeck.Rest {
  fileprivate func within(milliseconds: Int64?) -> PlayDeck.Rest {
    guard let milliseconds else { return self }
    let latest = EventLoop.monotonicNanoseconds() + milliseconds * 1_000_000
    return switch self {
    case .now: .now
    case .until(let time): .until(nanoseconds: min(time, latest))
    case .forever: .until(nanoseconds: latest)
    }
  }
}

extension PlayDeck {
  mutating func handle(_ letter: PlayMailbox.Letter) {
    switch letter {
    case .command(let command): perform(command)
    case .tone(let tone): sound(tone)
    case .greet(let take): greet(take)
    case .configure(let settings): configure(settings)
    case .poll: poll()
    }
  }
}
