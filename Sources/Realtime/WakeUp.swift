// How one thread wakes another without a lock: the waker changes one word, and calls the kernel
// only if the other end sleeps on it. Any thread may wake, a realtime one too; one thread waits, or
// one event loop that watches the descriptor.
//
// No wake-up is lost: both ends change the word by an exchange, so either the wake or the falling
// asleep comes first. If the wake is first, the waiter does not sleep; if the sleep is first, the
// waker sees it and signals.
import CRealtime
import Glibc
import Synchronization

/// A bell. Wakes coalesce: any number of them before a wait end it once. Everything done before
/// `wake` is visible after the wait it ended. Check for work before the first wait and after each.
// Sendable though it holds a pointer: what that points at is atomic.
/// Wakes a thread or a loop, from any thread.
public final class WakeUp: @unchecked Sendable {
  /// Wakers store `rung`, the waiter stores `awake` and `asleep`.
  fileprivate let word: UnsafeMutablePointer<Atomic<UInt8>>
  /// For an event loop: readable after a wake that follows a call of `listen`.
  public let descriptor: CInt
  /// Pulse of the waiting thread: it rests during `wait`.
  public let pulse = Pulse()

  public init() throws(RealtimeError) {
    let opened = realtime_event_open()
    guard opened >= 0 else {
      throw RealtimeError(
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

  /// Returns a new end that rings the bell; there may be any number.
  public func makeWaker() -> Waker { Waker(self) }

  /// Sleeps until the bell rings or the timeout passes (nil: none). Returns true if it rang, even
  /// before the call; false on timeout.
  public func wait(milliseconds: Int?) -> Bool {
    pulse.rest()
    defer { pulse.beat() }
    let deadline =
      milliseconds.map { realtime_now_milliseconds() + Int64(UInt32(clamping: $0)) } ?? -1
    while fallAsleep() {
      let isReady = realtime_event_wait(descriptor, deadline)
      if isReady { _ = realtime_event_take(descriptor) }
      if getUp() { return true }
      // Spurious wake-up: the signal belongs to a wake that was already handled.
      if !isReady { return false }
    }
    return getUp()
  }

  /// Rearms the bell. For an event loop, before it first watches the descriptor and each time that
  /// is ready. Returns true if the bell rang since the last call.
  public func listen() -> Bool {
    // Drained first: a wake between the two lines leaves `rung`, which the exchange returns. In the
    // other order its signal would be drained, and the wake-up lost.
    _ = realtime_event_take(descriptor)
    return word.pointee.exchange(Word.asleep, ordering: .acquiringAndReleasing) == Word.rung
  }

  /// True if it rang and no wait has returned since. For a simulation that steps workers by hand.
  var isRung: Bool { word.pointee.load(ordering: .acquiring) == Word.rung }

  /// Returns false if the bell has rung.
  private func fallAsleep() -> Bool {
    word.pointee.compareExchange(
      expected: Word.awake, desired: Word.asleep, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Returns true if the bell has rung.
  private func getUp() -> Bool {
    word.pointee.exchange(Word.awake, ordering: .acquiringAndReleasing) == Word.rung
  }
}

/// Rings a bell. Used by one thread, which may be a realtime one; dropped by an ordinary one.
// Sendable though it holds a pointer: what that points at is atomic.
public struct Waker: ~Copyable, @unchecked Sendable {
  /// Keeps the word and the descriptor alive. `wake` does not touch it: that would count
  /// references.
  private let wakeUp: WakeUp
  private let word: UnsafeMutablePointer<Atomic<UInt8>>
  private let descriptor: CInt

  fileprivate init(_ wakeUp: WakeUp) {
    self.wakeUp = wakeUp
    word = wakeUp.word
    descriptor = wakeUp.descriptor
  }

  /// Wakes the other end. Takes no lock; makes one system call, which never blocks, if that end
  /// sleeps.
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

/// Values of the shared word.
private enum Word {
  static let awake: UInt8 = 0
  static let rung: UInt8 = 1
  static let asleep: UInt8 = 2
}
