// A piece of memory of fixed size with one owner, so that steady work allocates nothing.
// Used by whoever owns it, on any one thread; it never grows.
import Glibc

// Sendable: it cannot be copied, so there is only ever one holder who can reach the memory.
struct Buffer<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  let all: UnsafeMutableBufferPointer<Element>
  let start: UnsafeMutablePointer<Element>

  /// All zero bits.
  init(count: Int) {
    precondition(count > 0, "a buffer holds something")
    start = UnsafeMutablePointer<Element>.allocate(capacity: count)
    memset(start, 0, count * MemoryLayout<Element>.stride)
    all = UnsafeMutableBufferPointer(start: start, count: count)
  }

  init(copying elements: [Element]) {
    precondition(!elements.isEmpty, "a buffer holds something")
    start = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    for (index, element) in elements.enumerated() { (start + index).initialize(to: element) }
    all = UnsafeMutableBufferPointer(start: start, count: elements.count)
  }

  deinit { start.deallocate() }

  var count: Int { all.count }
  var raw: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(all) }

  func slice(_ range: Range<Int>) -> UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(rebasing: all[range])
  }
}

/// One sound sample as the tape takes it: 16-bit, or float between -1 and 1.
protocol Sample: BitwiseCopyable, Comparable {
  /// The value as 16 bits, clipped.
  var bits16: Int16 { get }
  /// The value between -1 and 1.
  var unit: Float { get }
}

extension Int16: Sample {
  var bits16: Int16 { self }
  var unit: Float { Float(self) / 32_768 }
}

extension Float: Sample {
  var bits16: Int16 { Int16(max(-32_768, min(32_767, (self * 32_768).rounded()))) }
  var unit: Float { self }
}
