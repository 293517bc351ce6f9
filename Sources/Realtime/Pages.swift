// Memory for rings and stacks, in whole pages of its own. Mapped and unmapped by ordinary
// threads when things are set up and torn down, never in a realtime section.
import CRealtime
import Glibc

/// Whether memory is present when it is first touched.
public enum Residency: Sendable {
  /// The first touch of a page may wait for the kernel.
  case onDemand
  /// Every page is mapped from the start; under memory pressure the kernel may still evict it.
  case prefaulted
  /// Every page is mapped and locked. If the memlock limit forbids that, it is only prefaulted, and
  /// the refusal is reported.
  case locked
}

/// A mapping. Plain data: its last owner must unmap it, once.
struct Pages {
  private let start: UnsafeMutableRawPointer
  private let byteCount: Int
  /// The inaccessible page at the start: a stack that overflows faults there.
  private let guardByteCount: Int

  var usable: (start: UnsafeMutableRawPointer, byteCount: Int) {
    (start + guardByteCount, byteCount - guardByteCount)
  }

  /// Maps whole pages. `refusal` says why they could not be locked, if that was requested.
  static func map(
    byteCount wanted: Int, residency: Residency, guarded: Bool = false
  ) throws(RealtimeError) -> (pages: Pages, refusal: RealtimeError?) {
    let pageByteCount = realtime_page_byte_count()
    let guardByteCount = guarded ? pageByteCount : 0
    let byteCount =
      guardByteCount + (wanted + pageByteCount - 1) / pageByteCount * pageByteCount
    let prefaulted = residency != .onDemand
    guard let start = realtime_pages_map(byteCount, prefaulted, guarded) else {
      throw RealtimeError(
        .memory, errno: errno, "Memory of \(byteCount) bytes", advice: "free some")
    }
    let pages = Pages(start: start, byteCount: byteCount, guardByteCount: guardByteCount)
    return (pages, residency == .locked ? pages.lock() : nil)
  }

  func unmap() {
    realtime_pages_unmap(start, byteCount)
  }

  private func lock() -> RealtimeError? {
    let reason = realtime_pages_lock(usable.start, usable.byteCount)
    if reason == 0 { return nil }
    return RealtimeError(
      .lockedMemory, errno: reason, "Locking \(usable.byteCount) bytes in memory",
      advice: "raise the memlock limit (LimitMEMLOCK= in the unit)")
  }
}

/// The code and data of the program and its libraries.
public enum ProgramPages {
  /// Keeps every page in memory once it has been touched, so that a realtime thread does not wait
  /// for the card that holds the program. Returns the refusal, if any.
  public static func lock() -> RealtimeError? {
    let reason = realtime_program_lock()
    if reason == 0 { return nil }
    return RealtimeError(
      .lockedMemory, errno: reason, "Locking the program in memory",
      advice: "raise the memlock limit (LimitMEMLOCK= in the unit)")
  }
}
