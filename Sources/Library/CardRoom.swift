// The card's room: the store on a thread of its own, `reel-card`, which may block on the card. The
// loop's thread posts commands, collects events after `wake`, and must never wait. The thread
// sleeps while there is nothing to do.

import CKernel
import Digest
import Glibc
import Realtime
import Recorder
import Tape

/// The room that uses the card, on a thread of its own.
public final class CardRoom {
  private let letters: Mailbox<CardLetter>
  private let events: Mailbox<CardEvent>
  private let bell: WakeUp
  private var thread: OwnedThread<Int>?

  /// Starts the thread. `open` is called on it each time the card is to be opened. `wake` is called
  /// on it when there is something to `collect`; it may only notify the loop.
  public static func start<System: FileSystem>(
    tracks: [TrackPlan] = [.usual],
    key: SigningKey? = nil,
    clientFiles: ClientFiles = .none,
    wake: @escaping @Sendable () -> Void,
    open: @escaping @Sendable () throws(TapeError) -> System
  ) throws(RealtimeError) -> CardRoom {
    let room = CardRoom(bell: try WakeUp())
    let (letters, events, bell) = (room.letters, room.events, room.bell)
    room.thread = try OwnedThread.start(
      ThreadPlan(name: "reel-card", residency: .onDemand, stackByteCount: 1 << 20), 0
    ) { _, stop in
      let worker = CardWorker(
        letters: letters, tracks: tracks, key: key, clientFiles: clientFiles, open: open
      ) { event in
        events.post(event)
        wake()
      }
      var hasWorked = false
      while true {
        // Read before `step`, so that commands sent before the stop are performed.
        let isLast = stop.isRaised()
        bell.pulse.beat()
        let isBusy = worker.step()
        if isLast { return }
        if !isBusy {
          // Give back the memory of up to a hundred thousand recordings that were read.
          if hasWorked { reel_give_back_memory() }
          _ = bell.wait(milliseconds: nil)
        }
        hasWorked = isBusy
      }
    }
    return room
  }

  private init(bell: WakeUp) {
    self.bell = bell
    (letters, events) = (Mailbox(), Mailbox())
  }

  /// Waits until all commands sent before are performed, however long that takes.
  deinit {
    thread?.stopFlag.raise()
    bell.makeWaker().wake()
    thread = nil
  }

  /// Sends a command to the card's thread. Never waits.
  public func perform(_ command: CardCommand) { post(.command(command, Self.wallTime())) }

  /// How long the thread has been in its current step, which depends on the card.
  public var busyMilliseconds: Int64 { bell.pulse.busyMilliseconds }

  public func measureSpace() { post(.measureSpace) }

  /// Returns the events since the last call, in order.
  public func collect() -> [CardEvent] { events.drain() }

  private func post(_ letter: CardLetter) {
    letters.post(letter)
    bell.makeWaker().wake()
  }

  static func wallTime() -> WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

enum CardLetter: Sendable {
  case command(CardCommand, WallTime)
  case measureSpace
}

/// What the thread runs. Each store opens the card anew: another card may be in.
final class CardWorker<System: FileSystem> {
  private let letters: Mailbox<CardLetter>
  private let tracks: [TrackPlan]
  private let key: SigningKey?
  private let clientFiles: ClientFiles
  private let open: () throws(TapeError) -> System
  private let send: (CardEvent) -> Void
  private var store: Store<System>?
  private var isHandedOut = false
  /// Letters received and not handled yet.
  private var unread: [CardLetter] = []

  init(
    letters: Mailbox<CardLetter>, tracks: [TrackPlan] = [.usual], key: SigningKey? = nil,
    clientFiles: ClientFiles,
    open: @escaping () throws(TapeError) -> System, send: @escaping (CardEvent) -> Void
  ) {
    self.letters = letters
    self.tracks = tracks
    self.key = key
    self.clientFiles = clientFiles
    self.open = open
    self.send = send
  }

  /// Handles received letters and runs one slice of long work; false if there is no more.
  func step() -> Bool {
    readLetters()
    if isHandedOut { store = nil }
    let isBusy = store?.step() ?? false
    return isBusy || !unread.isEmpty
  }

  private func readLetters() {
    unread += letters.drain()
    while let letter = unread.first {
      // A store in the middle of a job is not replaced: it would go on writing while the next one
      // runs.
      if case .command(.open, _) = letter, let store, store.stopWork() { return }
      unread.removeFirst()
      switch letter {
      case .measureSpace: store?.measureSpace()
      case .command(.open, let now): openStore(now)
      case .command(let command, let now): perform(command, now)
      }
    }
  }

  private func perform(_ command: CardCommand, _ now: WallTime) {
    if let store { return store.perform(command, now: now) }
    if let answer = answerWithoutCard(to: command) { return send(answer) }
    guard isHandedOut else { return }
    switch command {
    case .work(let ticket, .exportMode(false)):
      isHandedOut = false
      send(.work(ticket: ticket, .done(.exportMode(false))))
    case .work(let ticket, _): send(.work(ticket: ticket, .failed(Refusal.cardExported.sentence)))
    case .begin(let recording), .keep(let recording):
      send(.take(recording.id, .failed(Refusal.cardExported.sentence)))
    case .open, .read, .forget, .cancel, .recycle: break
    }
  }

  /// The key is known without a card.
  private func answerWithoutCard(to command: CardCommand) -> CardEvent? {
    guard case .work(let ticket, .manifest(.about)) = command else { return nil }
    let facts =
      key.map { ManifestFacts($0.publicKey) } ?? ManifestFacts(keyID: nil, publicKey: nil)
    return .work(ticket: ticket, .done(.manifest(.about, facts)))
  }

  /// An exported card must not be held open, not even a directory: `step` drops the store.
  private func pass(on event: CardEvent) {
    if case .work(_, .done(.exportMode(true))) = event { isHandedOut = true }
    send(event)
  }

  private func openStore(_ now: WallTime) {
    (store, isHandedOut) = (nil, false)
    do {
      let store = Store(system: try open(), tracks: tracks, key: key) { [unowned self] event in
        pass(on: event)
      }
      store.pause = { [unowned self] in readLetters() }
      store.clientFiles = clientFiles
      self.store = store
      store.perform(.open, now: now)
    } catch {
      send(.failed(error.sentence))
    }
  }
}
