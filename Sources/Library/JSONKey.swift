// The name of a member of a JSON object, in two words that can be compared without making a string:
// a folder of ten thousand recordings has more than a hundred thousand names in its index. Names of
// more than sixteen bytes are none of ours, and all alike. A plain value.

struct JSONKey: Equatable, ExpressibleByStringLiteral {
  private let count: Int
  private let first: UInt64
  private let second: UInt64

  init(stringLiteral text: StaticString) {
    precondition(text.utf8CodeUnitCount <= 16, "none of our names is longer")
    self.init(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always) init(_ bytes: some Collection<UInt8>) {
    var (first, second, count) = (UInt64(0), UInt64(0), 0)
    for byte in bytes {
      if count < 8 {
        first = first << 8 | UInt64(byte)
      } else {
        second = second << 8 | UInt64(byte)
      }
      count += 1
      if count > 16 { break }
    }
    let isOurs = count <= 16
    (self.first, self.second, self.count) = (isOurs ? first : 0, isOurs ? second : 0, count)
  }
}
