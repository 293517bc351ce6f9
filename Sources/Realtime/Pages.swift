// Memory for rings and stacks, in whole pages of its own. Mapped and unmapped by ordinary
// threads when things are set up and torn down, never in a realtime section.
import CRealtime
import Glibc

/// How surely memory is there when it is touched.
public enum Residency: Sendable {
  /// The first touch of a page may wait for the kernel.
  case onDemand
  /// Every page is there from the start; under pressure the kernel may still take it back.
  case prefaulted
  /// Every page is there and stays. Where the limit forbids it: prefaulted, and a report.
  case locked
}

/// A mapping. Plain data: whoever holds it last must unmap it, once.
struct Pages {
  private let start: UnsafeMutableRawPointer
  private let byteCount: Int
  /// At the start, a page that nobody can touch: a stack that grows down ends there.
  private let guardByteCount: Int

  var usable: (start: UnsafeMutableRawPointer, byteCount: Int) {
    (start + guardByteCount, byteCount - guardByteCount)
  }

  /// The pages, and why they could not be locked if that was wished for and refused.
  static func map(
    byteCount wanted: Int, residency: Residency, guarded: Bool = false
  ) throws(Refusal) -> (pages: Pages, refusal: Refusal?) {
    let pageByteCount = realtime_page_byte_count()
    let guardByteCount = guarded ? pageByteCount : 0
    let byteCount =
      guardByteCount + (wanted + pageByteCount - 1) / pageByteCount * pageByteCount
    let prefaulted = residency != .onDemand
    guard let start = realtime_pages_map(byteCount, prefaulted, guarded) else {
      throw Refusal(.memory, errno: errno, "Memory of \(byteCount) bytes", advice: "free some")
    }
    let pages = Pages(start: start, byteCount: byteCount, guardByteCount: guardByteCount)
    return (pages, residency == .locked ? pages.lock() : nil)
  }

  func unmap() {
    realtime_pages_unmap(start, byteCount)
  }

  private func lock() -> Refusal? {
    let reason = realtime_pages_lock(usable.start, usable.byteCount)
    if reason == 0 { return nil }
    return Refusal(
      .lockedMemory, errno: reason, "Locking \(usable.byteCount) bytes in memory",
      advice: "raise the memlock limit (LimitMEMLOCK= in the unit)")
  }
}
