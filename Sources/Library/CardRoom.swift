// The card's room: the store on a thread of its own, which may wait for the card as long as the
// card likes. Commands go in on the loop's thread and never wait; what became of them is collected
// there when the room has rung. The thread sleeps while there is nothing to do.

import CKernel
import Glibc
import Realtime
import Recorder
import Tape

public final class CardRoom {
  private let letters: Mailbox<CardLetter>
  private let events: Mailbox<CardEvent>
  private let bell: WakeUp
  private var thread: OwnedThread<Int>?

  /// `open` is called on the card's thread, each time the card is to be opened. `wake` is called
  /// there when there is something to `collect`; it may only pass that on to the loop.
  public static func start<System: FileSystem>(
    directory: String?, takePassed: @escaping @Sendable (Int) -> Int32? = { _ in nil },
    wake: @escaping @Sendable () -> Void,
    open: @escaping @Sendable () throws(TapeError) -> System
  ) throws(Realtime.Refusal) -> CardRoom {
    let room = CardRoom(bell: try WakeUp())
    let (letters, events, bell) = (room.letters, room.events, room.bell)
    room.thread = try OwnedThread.start(
      ThreadPlan(name: "reel-card", residency: .onDemand, stackByteCount: 1 << 20), 0
    ) { _, stop in
      let worker = CardWorker(
        letters: letters, directory: directory, takePassed: takePassed, open: open
      ) { event in
        events.post(event)
        wake()
      }
      var hasWorked = false
      while true {
        // Asked before looking: what came before the end is done.
        let isLast = stop.isRaised()
        bell.pulse.beat()
        let isBusy = worker.step()
        if isLast { return }
        if !isBusy {
          // A hundred thousand recordings have been looked through, and none is kept in memory.
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

  /// Ends when the card has done what it was told before, however long that takes.
  deinit {
    thread?.stopFlag.raise()
    bell.makeWaker().wake()
    thread = nil
  }

  public func carryOut(_ command: CardCommand) { post(.command(command, Self.wallTime())) }

  /// How long it has been at its present piece of work; the card decides.
  public var busyMilliseconds: Int64 { bell.pulse.busyMilliseconds }

  public func measureSpace() { post(.measureSpace) }

  /// What happened since the last time, in order.
  public func collect() -> [CardEvent] { events.takeAll() }

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

/// What the thread works on. A card is opened anew whenever the store is: another may be in.
final class CardWorker<System: FileSystem> {
  private let letters: Mailbox<CardLetter>
  private let directory: String?
  private let takePassed: (Int) -> Int32?
  private let open: () throws(TapeError) -> System
  private let send: (CardEvent) -> Void
  private var store: Store<System>?
  private var isHandedOut = false
  /// What came in and was not read yet.
  private var unread: [CardLetter] = []

  init(
    letters: Mailbox<CardLetter>, directory: String?, takePassed: @escaping (Int) -> Int32?,
    open: @escaping () throws(TapeError) -> System, send: @escaping (CardEvent) -> Void
  ) {
    self.letters = letters
    self.directory = directory
    self.takePassed = takePassed
    self.open = open
    self.send = send
  }

  /// Does what has come in, and one slice of what takes longer; false when there is no more.
  func step() -> Bool {
    readLetters()
    if isHandedOut { store = nil }
    let isBusy = store?.step() ?? false
    return isBusy || !unread.isEmpty
  }

  private func readLetters() {
    unread += letters.takeAll()
    while let letter = unread.first {
      // A store in the middle of long work is not replaced: it would go on writing behind the back
      // of the next one.
      if case .command(.open, _) = letter, let store, store.stopWork() { return }
      unread.removeFirst()
      switch letter {
      case .measureSpace: store?.measureSpace()
      case .command(.open, let now): openStore(now)
      case .command(let command, let now): carryOut(command, now)
      }
    }
  }

  private func carryOut(_ command: CardCommand, _ now: WallTime) {
    if let store { return store.carryOut(command, now: now) }
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

  /// Handed out, the card must not be held by so much as an open directory.
  private func pass(on event: CardEvent) {
    if case .work(_, .done(.exportMode(true))) = event { isHandedOut = true }
    send(event)
  }

  private func openStore(_ now: WallTime) {
    (store, isHandedOut) = (nil, false)
    do {
      let store = Store(system: try open(), directory: directory) { [unowned self] event in
        pass(on: event)
      }
      store.pause = { [unowned self] in readLetters() }
      store.takePassed = takePassed
      self.store = store
      store.carryOut(.open, now: now)
    } catch {
      send(.failed(error.sentence))
    }
  }
}
