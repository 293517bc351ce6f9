// The small files beside the recordings: the remembered state, the mark of a running take, and the
// configuration when it is read again. Any of them may lie on the recordings' card, so a thread of
// their own, `reel-files`, reads and writes them and may wait for the card. The loop's thread only
// hands it work; it never waits here, except for a bounded time at the end.

import Glibc
import Host
import Realtime
import Recorder
import Systemd

final class SmallFiles {
  enum News: Sendable {
    /// A file could not be written; the sentence says which and why.
    case failed(String)
    /// What the configuration file says now.
    case configuration(RunningConfiguration.Read)
  }

  /// What the thread does; the tests put their own in place of the real files.
  struct Work: Sendable {
    /// Nil, or the sentence about what went wrong.
    let remember: @Sendable (Remembered) -> String?
    let mark: @Sendable (TakeContinuation?) -> String?
    let readConfiguration: @Sendable () -> RunningConfiguration.Read
  }

  /// Work for the thread. Of two values for one file only the later is written.
  private struct Pending: Sendable {
    var remembered: Remembered?
    /// How the running take continues, if that has changed; the inner value is nil if no take runs.
    var mark: TakeContinuation??
    var mustReadConfiguration = false
  }

  private let pending: Locked<Pending>
  private let bell: WakeUp
  private let over: WakeUp
  private let watch: WakerWatch
  private var thread: OwnedThread<Int>?

  /// A shutdown waits this long for the last values to be written.
  static let patienceMilliseconds = 5000

  /// `tell` is called on the loop's thread.
  init(on loop: EventLoop, _ work: Work, tell: @escaping (News) -> Void) throws {
    let (pending, news) = (Locked(Pending()), Mailbox<News>())
    let (bell, over) = (try WakeUp(), try WakeUp())
    (self.pending, self.bell, self.over) = (pending, bell, over)
    watch = try loop.watchWaker { for item in news.drain() { tell(item) } }
    let waker = watch.waker
    thread = try OwnedThread.start(ThreadPlan(name: "reel-files", residency: .onDemand), 0) {
      _, stop in
      while true {
        // Read before `pending` is cleared: work that was put there before the end is still done.
        let isLast = stop.isRaised()
        Self.clear(pending, work) {
          news.post($0)
          waker.wake()
        }
        if isLast { break }
        _ = bell.wait(milliseconds: nil)
      }
      over.makeWaker().wake()
    }
  }

  func remember(_ remembered: Remembered) { put { $0.remembered = remembered } }

  func mark(_ continuation: TakeContinuation?) { put { $0.mark = .some(continuation) } }

  func readConfiguration() { put { $0.mustReadConfiguration = true } }

  /// Waits until everything is written, up to a time limit. Returns false if the thread still waits
  /// for the card: then it is left behind, and ends with the process.
  func end(waitingMilliseconds: Int = patienceMilliseconds) -> Bool {
    thread?.stopFlag.raise()
    bell.makeWaker().wake()
    let isOver = over.wait(milliseconds: waitingMilliseconds)
    // Releasing the thread would join it.
    if !isOver { _ = Unmanaged.passRetained(self) }
    return isOver
  }

  private func put(_ change: (inout Pending) -> Void) {
    pending.withLock { change(&$0) }
    bell.makeWaker().wake()
  }

  private static func clear(_ pending: Locked<Pending>, _ work: Work, _ tell: (News) -> Void) {
    let todo = pending.withLock { pending in
      defer { pending = Pending() }
      return pending
    }
    if let sentence = todo.mark.flatMap({ work.mark($0) }) { tell(.failed(sentence)) }
    if let sentence = todo.remembered.flatMap(work.remember) { tell(.failed(sentence)) }
    if todo.mustReadConfiguration { tell(.configuration(work.readConfiguration())) }
  }
}

extension SmallFiles.Work {
  /// The real files, by their paths.
  init(mark: CrashMarker, state: String, configuration file: String) {
    self.init(
      remember: { RememberedState.keep($0, in: state) }, mark: { mark.set($0) },
      readConfiguration: { RunningConfiguration.readAgain(file) })
  }
}
