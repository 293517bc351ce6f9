// A thread with one owner, a name, a priority and its own stack. It is stopped and joined when its
// owner drops it. Started and joined by ordinary threads. If the system refuses the priority, the
// processor or locked memory, the thread runs without it and reports the refusal.
import CRealtime
import Glibc
import Synchronization

/// A running thread. `State` is what its body works on: the ends of rings, buffers, a device. The
/// thread owns it while it runs; `join` returns it.
public struct OwnedThread<State: ~Copyable & Sendable>: ~Copyable, Sendable {
  /// The parts of the plan that the system refused.
  public let refusals: [RealtimeError]
  public let stopFlag: StopFlag
  private let run: ThreadRun<State>

  /// Runs `body` once on a new thread. `body` must return soon after the flag is raised.
  public static func start(
    _ plan: ThreadPlan, _ state: consuming State,
    body: @escaping @Sendable (inout State, StopFlag) -> Void
  ) throws(RealtimeError) -> OwnedThread {
    precondition((1...99).contains(plan.realtimePriority ?? 1), "priorities go from 1 to 99")
    precondition(plan.stackByteCount >= 65_536, "a thread needs some stack")
    let (stack, lockRefusal) = try Pages.map(
      byteCount: plan.stackByteCount, residency: plan.residency, guarded: true)
    let run = ThreadRun(name: plan.name, stack: stack, state, body)
    let refusals = try run.start(plan) + (lockRefusal.map { [$0] } ?? [])
    return OwnedThread(refusals: refusals, run: run)
  }

  private init(refusals: [RealtimeError], run: ThreadRun<State>) {
    self.refusals = refusals
    stopFlag = run.stopFlag
    self.run = run
  }

  deinit { run.end() }

  /// True once the body has returned: joining will not wait. Any thread.
  public var hasEnded: Bool { run.hasEnded.load(ordering: .acquiring) }

  /// Stops the thread, waits for it and returns its state.
  public consuming func join() -> State {
    run.end()
    return run.claimState()
  }
}

// Sendable though it changes: the thread owns `state` while it runs, the owner before and after;
// only the owner changes anything else. pthread_create and pthread_join order these accesses, for
// every tool and processor.
private final class ThreadRun<State: ~Copyable & Sendable>: ThreadEntry, @unchecked Sendable {
  let stopFlag = StopFlag()
  /// Stored by the thread as its last action.
  let hasEnded = Atomic<Bool>(false)
  private let name: String
  private let stack: Pages
  private let body: @Sendable (inout State, StopFlag) -> Void
  private let state: UnsafeMutablePointer<State>
  private var hasState = true
  private var thread: pthread_t?

  init(
    name: String, stack: Pages, _ state: consuming State,
    _ body: @escaping @Sendable (inout State, StopFlag) -> Void
  ) {
    self.name = name
    self.stack = stack
    self.body = body
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
  }

  deinit {
    precondition(thread == nil, "a thread ends before what it runs")
    if hasState { state.deinitialize(count: 1) }
    state.deallocate()
    stack.unmap()
  }

  /// Starts the thread with as much of the plan as the system grants. Returns what was refused.
  func start(_ plan: ThreadPlan) throws(RealtimeError) -> [RealtimeError] {
    var priority = plan.realtimePriority.map { CInt($0) } ?? 0
    var processor = plan.processor.map { CInt($0) } ?? -1
    var refusals: [RealtimeError] = []
    while true {
      switch launch(priority: priority, processor: processor) {
      case 0:
        return refusals
      case EPERM where priority != 0:
        refusals.append(.priority(priority, of: name, errno: EPERM))
        priority = 0
      case EINVAL where processor >= 0:
        refusals.append(.processor(processor, of: name, errno: EINVAL))
        processor = -1
      case let reason:
        throw .thread(name, errno: reason)
      }
    }
  }

  private func launch(priority: CInt, processor: CInt) -> CInt {
    let usable = stack.usable
    var started = pthread_t()
    let reason = realtime_thread_start(
      &started, usable.start, usable.byteCount, priority, processor, enterThread,
      Unmanaged.passUnretained(self as ThreadEntry).toOpaque())
    if reason == 0 { thread = started }
    return reason
  }

  override func enter() {
    realtime_thread_name(name)
    body(&state.pointee, stopFlag)
    hasEnded.store(true, ordering: .releasing)
  }

  /// Stops and joins the thread, once. Called by the owner only.
  func end() {
    guard let running = thread else { return }
    stopFlag.raise()
    let reason = pthread_join(running, nil)
    precondition(reason == 0, "a thread is joined once, and not by itself")
    thread = nil
  }

  func claimState() -> State {
    precondition(hasState && thread == nil, "the state is taken once, after the end")
    hasState = false
    return state.move()
  }
}

/// Lets a C function call the generic body.
private class ThreadEntry {
  func enter() { preconditionFailure("a thread has a body") }
}

// The context is not retained: its owner joins the thread before releasing it.
private func enterThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<ThreadEntry>.fromOpaque(context).takeUnretainedValue().enter()
  return nil
}

extension RealtimeError {
  fileprivate static func priority(_ priority: CInt, of name: String, errno: CInt) -> RealtimeError
  {
    RealtimeError(
      .realtimePriority, errno: errno, "Realtime priority \(priority) for thread \(name)",
      advice: "raise the rtprio limit (LimitRTPRIO= in the unit)")
  }

  fileprivate static func processor(_ number: CInt, of name: String, errno: CInt) -> RealtimeError {
    RealtimeError(
      .processor, errno: errno, "Processor \(number) for thread \(name)",
      advice: "name one this board has and may use")
  }

  fileprivate static func thread(_ name: String, errno: CInt) -> RealtimeError {
    RealtimeError(
      .thread, errno: errno, "Starting thread \(name)",
      advice: "raise the limit of tasks (TasksMax= in the unit)")
  }
}
