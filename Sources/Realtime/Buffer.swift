// Memory of fixed size with one owner, so that steady work allocates nothing. Made and freed by
// ordinary threads; its owner may use it in a realtime section, too: it never grows.

import Glibc

// Sendable: it cannot be copied, so only one owner can reach the memory.
/// Memory of a fixed size that one owner frees.
@frozen
public struct Buffer<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  public let start: UnsafeMutablePointer<Element>
  public let count: Int

  /// Allocates zeroed memory, and touches it, so that the first use does not wait for it.
  @inlinable
  public init(count: Int) {
    precondition(count > 0, "a buffer holds something")
    start = UnsafeMutablePointer<Element>.allocate(capacity: count)
    memset(start, 0, count * MemoryLayout<Element>.stride)
    self.count = count
  }

  @inlinable
  public init(copying elements: [Element]) {
    precondition(!elements.isEmpty, "a buffer holds something")
    start = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    for (index, element) in elements.enumerated() { (start + index).initialize(to: element) }
    count = elements.count
  }

  @inlinable
  deinit { start.deallocate() }

  @inlinable
  public var all: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: start, count: count)
  }

  @inlinable
  public var raw: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(all) }

  @inlinable
  public func slice(_ range: Range<Int>) -> UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(rebasing: all[range])
  }
}
