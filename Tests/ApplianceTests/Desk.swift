// Runs each of these tests on a thread of its own, at most six at a time. Other tests keep the
// shared threads of Swift's pool busy for long; a test that types and watches a screen cannot wait
// half a minute between two keys. These tests mostly wait for a recorder that works in real time,
// so six side by side cost the machine little more than one.

import Glibc
import Synchronization

/// A suite whose tests run on threads of their own: `@Suite actor SomeTests: Desk`.
protocol Desk: Actor {
  nonisolated var chair: Chair { get }
}

extension Desk {
  nonisolated var unownedExecutor: UnownedSerialExecutor { chair.asUnownedSerialExecutor() }
}

/// Starts a thread for each job of one test, and runs one job at a time.
final class Chair: SerialExecutor {
  private static let places = Places(6)
  private let isTaken = Mutex(())

  func enqueue(_ job: consuming ExecutorJob) {
    let visit = Visit(job: UnownedJob(job), chair: self)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { visit in
        guard let visit else { return nil }
        Unmanaged<Visit>.fromOpaque(visit).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(visit).toOpaque())
    precondition(result == 0, "no thread")
    pthread_detach(thread)
  }

  fileprivate func run(_ job: UnownedJob) {
    Self.places.enter()
    defer { Self.places.leave() }
    isTaken.withLock { _ in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

private final class Visit {
  private let job: UnownedJob
  private let chair: Chair

  init(job: UnownedJob, chair: Chair) {
    self.job = job
    self.chair = chair
  }

  func run() { chair.run(job) }
}

/// A semaphore that limits how many tests run at a time.
///
/// `@unchecked Sendable`: the semaphore is made for use by many threads, and nothing else changes.
private final class Places: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ count: UInt32) { sem_init(semaphore, 0, count) }

  /// Waits for a free place. A wait that a signal interrupts is begun again.
  func enter() { while sem_wait(semaphore) != 0 {} }

  func leave() { sem_post(semaphore) }
}
