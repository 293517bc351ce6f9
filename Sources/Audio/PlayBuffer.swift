// Memory of fixed size with one owner, for sound on its way to the speaker. Made and freed by
// ordinary threads; its owner may use it in a realtime section, too: it never grows.

// Sendable though it holds a pointer: it can't be copied, so only its owner can reach the memory.
struct PlayBuffer<Item: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  let start: UnsafeMutablePointer<Item>
  let count: Int

  init(count: Int, _ item: Item) {
    precondition(count > 0, "a buffer holds something")
    start = .allocate(capacity: count)
    start.initialize(repeating: item, count: count)
    self.count = count
  }

  init(copying items: [Item]) {
    precondition(!items.isEmpty, "a buffer holds something")
    start = .allocate(capacity: items.count)
    for (index, item) in items.enumerated() { (start + index).initialize(to: item) }
    count = items.count
  }

  deinit { start.deallocate() }

  var all: UnsafeMutableBufferPointer<Item> {
    UnsafeMutableBufferPointer(start: start, count: count)
  }
}
