// Descriptors that are kept in reserve, against a system with a limited number.

import Glibc
import Realtime
import Testing

@testable import Tape

@Suite struct SpareTests {
  @Test("an open that finds no descriptor gets one of the reserve, until it is empty")
  func lent() {
    // Given three in reserve, and no more from the system
    let left = Locked(3)
    let spare = SpareDescriptors {
      let isLeft = left.withLock { left in
        left -= 1
        return left >= 0
      }
      return isLeft ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1
    }
    spare.keep(3)
    // When four open, each refused until one of the reserve has been released
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
    // Then three succeed, and the fourth gets the reason
    #expect(results == [77, 77, 77, -1])
    #expect(errno == EMFILE)
  }

  @Test("a released descriptor is replaced when there are descriptors again")
  func keptAgain() {
    // Given one that was in reserve and is released
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
    // When there are descriptors again and a file is opened
    mayMake.withLock { $0 = true }
    #expect(spare.opening { 78 } == 78)
    // Then one is in reserve again
    #expect(made.withLock { $0 } == 2)
  }

  @Test("an error for another reason is passed on")
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
