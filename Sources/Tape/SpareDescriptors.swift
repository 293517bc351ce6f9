// File descriptors that are kept in reserve for recordings: a process at its limit of descriptors
// gives one up, so that a take can still be begun, split and ended. Called by any thread that may
// block on a disk; never by an audio thread.

import Glibc
import Realtime

/// Descriptors kept back for files of takes.
public final class SpareDescriptors: Sendable {
  public static let ofThisProcess = SpareDescriptors {
    Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  private let make: @Sendable () -> Int32
  private let kept = Locked<(wanted: Int, descriptors: [Int32])>((0, []))

  init(make: @escaping @Sendable () -> Int32) { self.make = make }

  /// Keeps so many from now on, as far as they can be opened.
  public func keep(_ count: Int) {
    kept.withLock { $0.wanted = count }
    refill()
  }

  /// Returns what `call` opens. If there is no descriptor for it, a spare one is closed and it is
  /// called again.
  public func opening(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result >= 0 {
        refill()
        return result
      }
      let number = errno
      guard number == EMFILE || number == ENFILE, releaseOne() else {
        errno = number
        return result
      }
    }
  }

  private func releaseOne() -> Bool {
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
