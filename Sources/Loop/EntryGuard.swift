// Catches two threads in one loop. A debug build remembers who is inside and where it came in, and
// stops with both places named; a release build holds nothing and checks nothing.
// It never waits: it is a detector, not a lock.

import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A place in the source, kept as two words so that it fits into atomics.
public struct CallSite: Equatable, Sendable, CustomStringConvertible {
  public let file: StaticString
  public let line: UInt

  public var description: String { "\(file):\(line)" }

  public static func == (left: CallSite, right: CallSite) -> Bool {
    left.line == right.line && left.file.description == right.file.description
  }
}

#if DEBUG
  /// The detector of a debug build.
  struct EntryGuard: ~Copyable {
    // All three are written by the thread that is inside; `owner` first, and cleared last.
    private let owner = Atomic<UInt>(0)
    private let fileAddress = Atomic<UInt>(0)
    private let line = Atomic<UInt>(0)
    private let onViolation: @Sendable (_ inside: String, _ entering: String) -> Void

    init(onViolation: (@Sendable (String, String) -> Void)? = nil) {
      self.onViolation =
        onViolation ?? { inside, entering in
          preconditionFailure(
            "two threads in one loop: one came in at \(inside), one at \(entering)")
        }
    }

    /// True when this call must be paired with `leave`: the outermost one of its thread.
    func enter(_ site: CallSite) -> Bool {
      let me = UInt(pthread_self())
      let (won, holder) = owner.compareExchange(
        expected: 0, desired: me, ordering: .acquiringAndReleasing)
      if won {
        fileAddress.store(UInt(bitPattern: site.file.utf8Start), ordering: .relaxed)
        line.store(site.line, ordering: .relaxed)
        return true
      }
      if holder != me { onViolation(insideSite(), site.description) }
      return false
    }

    func leave() { owner.store(0, ordering: .releasing) }

    private func insideSite() -> String {
      let address = fileAddress.load(ordering: .relaxed)
      guard let file = UnsafePointer<UInt8>(bitPattern: address) else { return "somewhere" }
      return "\(String(cString: file)):\(line.load(ordering: .relaxed))"
    }
  }
#else
  /// Nothing, at no cost.
  struct EntryGuard: ~Copyable {
    @inline(__always) func enter(_ site: CallSite) -> Bool { false }
    @inline(__always) func leave() {}
  }
#endif
