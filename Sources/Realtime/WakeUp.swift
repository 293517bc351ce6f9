// How one thread wakes another without a lock: the waker changes one word, and calls the kernel
// only if the other end sleeps on it. Any thread may wake, a realtime one too; one thread waits,
// or one event loop that watches the descriptor.
//
// Nothing is lost: both ends change the word by an exchange, so of a wake and a "going to sleep"
// one comes first. If it is the wake, there is no sleep; if it is the sleep, the waker sees it.
import CRealtime
import Glibc
import Synchronization

/// A bell: rung any number of times before it is heard, it is heard once. What was done before
/// `wake` is seen after the wait that heard it; look again for work after each, and before the
/// first.
// Sendable though it holds a pointer: what that points at is atomic.
public final class WakeUp: @unchecked Sendable {
  /// Wakers store `rung`, the waiter the other two.
  fileprivate let word: UnsafeMutablePointer<Atomic<UInt8>>
  /// For an event loop: it can be read when the bell was rung, provided `listen` was called.
  public let descriptor: CInt
  /// Of the thread that waits here: it rests while it does.
  public let pulse = Pulse()

  public init() throws(Refusal) {
    let opened = realtime_event_open()
    guard opened >= 0 else {
      throw Refusal(
        .wakeUp, errno: -opened, "A wake-up descriptor",
        advice: "raise the limit of open files (LimitNOFILE= in the unit)")
    }
    descriptor = opened
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(Word.awake))
  }

  deinit {
    close(descriptor)
    word.deallocate()
  }

  /// The end to ring it by; as many as are wanted.
  public func makeWaker() -> Waker { Waker(self) }

  /// Sleeps until somebody wakes, or so long (nil: for ever). True if somebody did, be it before
  /// the call; false if nobody did in that time.
  public func wait(milliseconds: Int?) -> Bool {
    pulse.rest()
    defer { pulse.beat() }
    let deadline =
      milliseconds.map { realtime_now_milliseconds() + Int64(UInt32(clamping: $0)) } ?? -1
    while fallAsleep() {
      let isReady = realtime_event_wait(descriptor, deadline)
      if isReady { _ = realtime_event_take(descriptor) }
      if getUp() { return true }
      // Ready and yet not rung: a waker that was late to signal a bell we had heard already.
      if !isReady { return false }
    }
    return getUp()
  }

  /// For an event loop, before it first watches the descriptor and each time that is ready:
  /// rearms it. True if the bell was rung since the last time.
  public func listen() -> Bool {
    // Emptied first: a wake between the two lines finds `rung` or makes it so, and is heard by the
    // exchange. The other way round its signal would be emptied away and never seen again.
    _ = realtime_event_take(descriptor)
    return word.pointee.exchange(Word.asleep, ordering: .acquiringAndReleasing) == Word.rung
  }

  /// For whoever steps workers by hand: it was rung and not heard.
  var isRung: Bool { word.pointee.load(ordering: .acquiring) == Word.rung }

  /// False if the bell was rung before.
  private func fallAsleep() -> Bool {
    word.pointee.compareExchange(
      expected: Word.awake, desired: Word.asleep, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// True if the bell was rung.
  private func getUp() -> Bool {
    word.pointee.exchange(Word.awake, ordering: .acquiringAndReleasing) == Word.rung
  }
}

/// Rings a bell. Kept by one thread, which may be a realtime one; dropped by an ordinary one.
// Sendable though it holds a pointer: what that points at is atomic.
public struct Waker: ~Copyable, @unchecked Sendable {
  /// Keeps the word and the descriptor alive. Not touched to wake: that would count references.
  private let wakeUp: WakeUp
  private let word: UnsafeMutablePointer<Atomic<UInt8>>
  private let descriptor: CInt

  fileprivate init(_ wakeUp: WakeUp) {
    self.wakeUp = wakeUp
    word = wakeUp.word
    descriptor = wakeUp.descriptor
  }

  /// Wakes the other end: no lock, and one system call, which never waits, if that end sleeps.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public func wake() {
    let before = word.pointee.exchange(Word.rung, ordering: .acquiringAndReleasing)
    if before == Word.asleep { realtime_event_signal(descriptor) }
  }
}

/// What the shared word says.
private enum Word {
  static let awake: UInt8 = 0
  static let rung: UInt8 = 1
  static let asleep: UInt8 = 2
}
