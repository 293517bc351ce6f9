// A thread gets what its plan asks for or reports what was refused, and ends with its owner.
import CRealtime
import Glibc
import Realtime
import Synchronization
import Testing

@Suite struct OwnedThreadTests {
  @Test func theStateGoesToTheThreadAndComesBack() throws {
    let thread = try OwnedThread.start(ThreadPlan(name: "adder"), 20) { number, _ in number += 22 }
    #expect(thread.join() == 42)
  }

  @Test func theKernelKnowsItsName() throws {
    // Given a name longer than the kernel keeps
    let thread = try OwnedThread.start(ThreadPlan(name: "a-name-of-17-byte"), "") { name, _ in
      name = firstLine(of: "/proc/thread-self/comm") ?? ""
    }
    #expect(thread.join() == "a-name-of-17-by")
  }

  @Test func joiningStopsALoop() throws {
    let thread = try OwnedThread.start(ThreadPlan(name: "loop"), 0) { count, stop in
      while !stop.isRaised() {
        count += 1
        sched_yield()
      }
    }
    let count = thread.join()
    #expect(count >= 0)
  }

  @Test func droppingTheOwnerEndsTheThreadAndItsState() throws {
    // Given a thread that works on a value that reports its own end
    let isGone = Told()
    let hasEnded = Told()
    do {
      let thread = try OwnedThread.start(
        ThreadPlan(name: "dropped"), Tells(told: isGone)
      ) { _, stop in
        while !stop.isRaised() { sched_yield() }
        hasEnded.tell()
      }
      #expect(!thread.stopFlag.isRaised() && !isGone.isTold)
      // When its owner is dropped
    }
    // Then both have ended before the drop returns
    #expect(hasEnded.isTold)
    #expect(isGone.isTold)
  }

  @Test func realtimePriorityIsGivenOrReported() throws {
    let plan = ThreadPlan(name: "fast", realtimePriority: 10)
    let thread = try OwnedThread.start(plan, CInt(-1)) { priority, _ in
      priority = realtime_thread_priority()
    }
    let refusals = thread.refusals
    let priority = thread.join()
    if priority == 10 {
      #expect(refusals.isEmpty)
    } else {
      #expect(priority == 0)
      #expect(refusals.map(\.resource) == [.realtimePriority] && refusals.map(\.errno) == [EPERM])
    }
  }

  @Test func aProcessorTheBoardLacksIsReportedAndTheThreadRunsAnyway() throws {
    let plan = ThreadPlan(name: "far", processor: 1023)
    let thread = try OwnedThread.start(plan, false) { hasRun, _ in hasRun = true }
    #expect(thread.refusals.map(\.resource) == [.processor])
    #expect(
      thread.refusals.first?.sentence
        == "Processor 1023 for thread far was refused (Invalid argument): "
        + "name one this board has and may use.")
    let hasRun = thread.join()
    #expect(hasRun)
  }

  @Test func aStackMayBeLockedAndUsedToItsDepth() throws {
    let plan = ThreadPlan(name: "deep", residency: .locked, stackByteCount: 512 * 1024)
    let thread = try OwnedThread.start(plan, 0) { sum, _ in
      sum = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 * 1024) { memory in
        memory.initialize(repeating: 1)
        return memory.reduce(0) { $0 + Int($1) }
      }
    }
    #expect(thread.refusals.allSatisfy { $0.resource == .lockedMemory })
    #expect(thread.join() == 256 * 1024)
  }

  @Test func memoryThatIsNotThereIsSaidInWords() {
    let plan = ThreadPlan(name: "huge", residency: .onDemand, stackByteCount: 1 << 60)
    do {
      _ = try OwnedThread.start(plan, 0) { _, _ in }
      Issue.record("no machine has such a stack")
    } catch {
      #expect(error.resource == .memory && error.errno == ENOMEM)
      #expect(error.sentence.contains("was refused (Cannot allocate memory)"))
    }
  }
}

private final class Told: Sendable {
  /// Stored by the thread that calls `tell`.
  private let flag = Atomic<Bool>(false)

  var isTold: Bool { flag.load(ordering: .acquiring) }
  func tell() { flag.store(true, ordering: .releasing) }
}

private struct Tells: ~Copyable {
  let told: Told
  deinit { told.tell() }
}
