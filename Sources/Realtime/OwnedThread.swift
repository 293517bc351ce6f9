// A thread with one owner, a name, a priority and a stack of its own, that ends when its owner
// lets go of it. Started and joined by ordinary threads. What the system would not grant does not
// stop it: it runs with less and says so.
import CRealtime
import Glibc

/// A running thread. `State` is what its body works on: the ends of rings, buffers, a device. It
/// belongs to the thread while that runs; `join` gives it back.
public struct OwnedThread<State: ~Copyable & Sendable>: ~Copyable, Sendable {
  /// What the plan asked for and the system refused.
  public let refusals: [Refusal]
  public let stopFlag: StopFlag
  private let run: ThreadRun<State>

  /// Runs `body` once on a new thread. It should return soon after the flag is raised.
  public static func start(
    _ plan: ThreadPlan, _ state: consuming State,
    body: @escaping @Sendable (inout State, StopFlag) -> Void
  ) throws(Refusal) -> OwnedThread {
    precondition((1...99).contains(plan.realtimePriority ?? 1), "priorities go from 1 to 99")
    precondition(plan.stackByteCount >= 65_536, "a thread needs some stack")
    let (stack, lockRefusal) = try Pages.map(
      byteCount: plan.stackByteCount, residency: plan.residency, guarded: true)
    let run = ThreadRun(name: plan.name, stack: stack, state, body)
    let refusals = try run.start(plan) + (lockRefusal.map { [$0] } ?? [])
    return OwnedThread(refusals: refusals, run: run)
  }

  private init(refusals: [Refusal], run: ThreadRun<State>) {
    self.refusals = refusals
    stopFlag = run.stopFlag
    self.run = run
  }

  deinit { run.end() }

  /// Stops the thread, waits for it, and gives back what it worked on.
  public consuming func join() -> State {
    run.end()
    return run.takeState()
  }
}

// Sendable though it changes: `state` is the thread's from start to end, and the owner's before
// and after; everything else that changes is the owner's. Starting and joining a thread order
// these for every tool and processor.
private final class ThreadRun<State: ~Copyable & Sendable>: ThreadEntry, @unchecked Sendable {
  let stopFlag = StopFlag()
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

  /// Starts the thread with as much of the plan as the system grants; says what it did not.
  func start(_ plan: ThreadPlan) throws(Refusal) -> [Refusal] {
    var priority = plan.realtimePriority.map { CInt($0) } ?? 0
    var processor = plan.processor.map { CInt($0) } ?? -1
    var refusals: [Refusal] = []
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
  }

  /// Stops and joins the thread, once. Called by the owner only.
  func end() {
    guard let running = thread else { return }
    stopFlag.raise()
    let reason = pthread_join(running, nil)
    precondition(reason == 0, "a thread is joined once, and not by itself")
    thread = nil
  }

  func takeState() -> State {
    precondition(hasState && thread == nil, "the state is taken once, after the end")
    hasState = false
    return state.move()
  }
}

/// What a C function can find the generic body by.
private class ThreadEntry {
  func enter() { preconditionFailure("a thread has a body") }
}

// The context is not retained: its owner joins the thread before letting go of it.
private func enterThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<ThreadEntry>.fromOpaque(context).takeUnretainedValue().enter()
  return nil
}

extension Refusal {
  fileprivate static func priority(_ priority: CInt, of name: String, errno: CInt) -> Refusal {
    Refusal(
      .realtimePriority, errno: errno, "Realtime priority \(priority) for thread \(name)",
      advice: "raise the rtprio limit (LimitRTPRIO= in the unit)")
  }

  fileprivate static func processor(_ number: CInt, of name: String, errno: CInt) -> Refusal {
    Refusal(
      .processor, errno: errno, "Processor \(number) for thread \(name)",
      advice: "name one this board has and may use")
  }

  fileprivate static func thread(_ name: String, errno: CInt) -> Refusal {
    Refusal(
      .thread, errno: errno, "Starting thread \(name)",
      advice: "raise the limit of tasks (TasksMax= in the unit)")
  }
}
