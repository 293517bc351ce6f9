// Where these tests are run: one after another, on threads of their own. The few threads of Swift's
// are shared with all other tests, and some of those keep them for long; somebody at a screen
// cannot be away for half a minute between two keys.

import Glibc
import Synchronization

@globalActor actor Desk {
  static let shared = Desk()
  private let chair = Chair()

  nonisolated var unownedExecutor: UnownedSerialExecutor { chair.asUnownedSerialExecutor() }
}

/// A thread for each job, and one of them at a time.
private final class Chair: SerialExecutor {
  private let turn = Mutex(())

  func enqueue(_ job: consuming ExecutorJob) {
    let visit = Visit(job: UnownedJob(job), chair: self)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { visit in
        guard let visit else { return nil }
        Unmanaged<Visit>.fromOpaque(visit).takeRetainedValue().take()
        return nil
      }, Unmanaged.passRetained(visit).toOpaque())
    precondition(result == 0, "no thread")
    pthread_detach(thread)
  }

  fileprivate func run(_ job: UnownedJob) {
    turn.withLock { _ in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

private final class Visit {
  private let job: UnownedJob
  private let chair: Chair

  init(job: UnownedJob, chair: Chair) {
    self.job = job
    self.chair = chair
  }

  func take() { chair.run(job) }
}
