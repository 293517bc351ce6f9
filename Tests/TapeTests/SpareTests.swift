// Descriptors that are kept back, against a system that has so many and no more.

import Glibc
import Realtime
import Testing

@testable import Tape

@Suite struct SpareTests {
  @Test("who finds no descriptor gets one that was kept, until there are none")
  func lent() {
    // Given three that are kept, of which the system gives no more
    let left = Locked(3)
    let spare = SpareDescriptors {
      let isLeft = left.withLock { left in
        left -= 1
        return left >= 0
      }
      return isLeft ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1
    }
    spare.keep(3)
    // When four ask for one, each of whom is refused until one has been given up
    var results: [Int32] = []
    for _ in 0..<4 {
      var asked = 0
      results.append(
        spare.opening {
          asked += 1
          errno = EMFILE
          return asked == 2 ? 77 : -1
        })
    }
    // Then three have it, and the fourth hears why not
    #expect(results == [77, 77, 77, -1])
    #expect(errno == EMFILE)
  }

  @Test("what was given up is kept again when there are descriptors")
  func keptAgain() {
    // Given one that is kept and given up
    let made = Locked(0)
    let mayMake = Locked(true)
    let spare = SpareDescriptors {
      guard mayMake.withLock({ $0 }) else { return -1 }
      made.withLock { $0 += 1 }
      return open("/dev/null", O_RDONLY | O_CLOEXEC)
    }
    spare.keep(1)
    mayMake.withLock { $0 = false }
    var asked = 0
    _ = spare.opening {
      asked += 1
      errno = ENFILE
      return asked == 2 ? 77 : -1
    }
    #expect(made.withLock { $0 } == 1)
    // When there are descriptors again and something is opened
    mayMake.withLock { $0 = true }
    #expect(spare.opening { 78 } == 78)
    // Then one is kept again
    #expect(made.withLock { $0 } == 2)
  }

  @Test("a refusal for another reason is left alone")
  func otherRefusal() {
    let spare = SpareDescriptors { open("/dev/null", O_RDONLY | O_CLOEXEC) }
    spare.keep(1)
    var asked = 0
    let result = spare.opening {
      asked += 1
      errno = ENOENT
      return -1
    }
    #expect(result == -1 && asked == 1 && errno == ENOENT)
  }
}
