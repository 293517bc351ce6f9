// The name of a member of a JSON object, in two words that can be compared without making a string:
// a folder of ten thousand recordings has more than a hundred thousand names in its index. Names of
// more than sixteen bytes are none of ours. A plain value.

struct JSONKey {
  private let count: Int
  private let first: UInt64
  private let second: UInt64

  init(_ bytes: some Collection<UInt8>) {
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
    (self.first, self.second, self.count) = (first, second, count)
  }

  /// Most names differ in their length already.
  @inline(__always) static func ~= (name: StaticString, key: JSONKey) -> Bool {
    name.utf8CodeUnitCount == key.count && key.isSpelled(name)
  }

  private func isSpelled(_ name: StaticString) -> Bool {
    let other = JSONKey(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    return first == other.first && second == other.second
  }
}
