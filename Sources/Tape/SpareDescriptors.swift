// File descriptors that are kept back for the files of recordings: a process that has used up all
// it may have gives one of them up, so that a take can still be begun, split and ended. Called by
// any thread that may wait for a disk; never by an audio thread.

import Glibc
import Realtime

public final class SpareDescriptors: Sendable {
  public static let ofThisProcess = SpareDescriptors {
    Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  private let make: @Sendable () -> Int32
  private let kept = Locked<(wanted: Int, descriptors: [Int32])>((0, []))

  init(make: @escaping @Sendable () -> Int32) { self.make = make }

  /// From now on so many are kept, as far as they are to be had.
  public func keep(_ count: Int) {
    kept.withLock { $0.wanted = count }
    refill()
  }

  /// What `call` opens. It is called again with one more descriptor to be had as long as there was
  /// none for it and one was kept.
  public func opening(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result >= 0 {
        refill()
        return result
      }
      let number = errno
      guard number == EMFILE || number == ENFILE, giveOneUp() else {
        errno = number
        return result
      }
    }
  }

  private func giveOneUp() -> Bool {
    guard let descriptor = kept.withLock({ $0.descriptors.popLast() }) else { return false }
    close(descriptor)
    return true
  }

  private func refill() {
    kept.withLock { kept in
      while kept.descriptors.count < kept.wanted {
        let descriptor = make()
        if descriptor < 0 { return }
        kept.descriptors.append(descriptor)
      }
    }
  }
}
