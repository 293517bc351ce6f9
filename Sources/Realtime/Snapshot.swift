// The latest value of something, from one writer to any number of readers: levels, positions,
// counters. The writer may be a realtime thread: a write is a fixed number of stores and never
// waits. A reader always gets a whole value, and starts over only if the writer overtook it.
//
// There are several slots, written in turn, and the number of the last write. While a reader copies
// the slot of write n, the writer may be busy with n+1, n+2, ...; only write n + slotCount reuses
// that slot, and it begins after n + slotCount - 1 was announced. So a reader that sees one word of
// it (words are stored with release, loaded with acquire) also sees a number that high and starts
// over. Unlike in a plain sequence lock, a writer suspended in mid-write blocks no reader; unlike
// in a triple buffer, there may be many readers. Every word is atomic and there are no fences, so
// that ThreadSanitizer can follow it.
import CRealtime
import Synchronization

/// Both ends of a new snapshot. The reader can be copied, the writer can't.
@frozen public struct Snapshot<Value: BitwiseCopyable & Sendable>: ~Copyable {
  public let writer: SnapshotWriter<Value>
  public let reader: SnapshotReader<Value>

  /// - Parameter value: what readers see before the first write.
  public init(_ value: Value) {
    let memory = SnapshotMemory(wordCount: SnapshotSlots<Value>.totalWordCount)
    let slots = SnapshotSlots(words: memory.words, template: value)
    slots.store(value, number: 0)
    writer = SnapshotWriter(memory: memory, slots: slots)
    reader = SnapshotReader(memory: memory, slots: slots)
  }
}

/// The writing end. Used by one thread, which may be a realtime one; dropped by an ordinary one.
// Sendable though it holds a pointer: all it points at is atomic.
public struct SnapshotWriter<Value: BitwiseCopyable & Sendable>:
  ~Copyable, @unchecked Sendable
{
  private let memory: SnapshotMemory
  @usableFromInline let slots: SnapshotSlots<Value>
  @usableFromInline var number: UInt = 0

  init(memory: SnapshotMemory, slots: SnapshotSlots<Value>) {
    self.memory = memory
    self.slots = slots
  }

  @inlinable
  public mutating func write(_ value: Value) {
    number = number &+ 1
    slots.store(value, number: number)
  }
}

/// A reading end: for any thread, though only a thread that may wait should call `read`.
// Sendable though it holds a pointer: all it points at is atomic.
public struct SnapshotReader<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let memory: SnapshotMemory
  @usableFromInline let slots: SnapshotSlots<Value>

  init(memory: SnapshotMemory, slots: SnapshotSlots<Value>) {
    self.memory = memory
    self.slots = slots
  }

  /// Returns the latest value. Starts over if the writer made three writes during the read.
  @inlinable
  public func read() -> Value {
    while true {
      if let value = readOnce() { return value }
    }
  }

  /// Returns the latest value, or nil if the writer overtook the read. For a reader that must not
  /// start over.
  @inlinable
  public func readOnce() -> Value? { slots.load() }
}

/// Owns the words: freed with the last end.
// Sendable though it holds a pointer: all it points at is atomic.
final class SnapshotMemory: @unchecked Sendable {
  let words: UnsafeMutablePointer<Atomic<UInt>>

  init(wordCount: Int) {
    words = .allocate(capacity: wordCount)
    for index in 0..<wordCount { (words + index).initialize(to: Atomic(0)) }
  }

  deinit { words.deallocate() }
}

/// The layout of the words: the number of the last finished write first, then the slots. Stored by
/// the writer only.
@usableFromInline
struct SnapshotSlots<Value: BitwiseCopyable & Sendable> {
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>
  /// Any value: a reader overwrites its copy of it.
  @usableFromInline let template: Value

  /// A power of two, so that the slots go on in turn when the number wraps.
  @inlinable static var slotCount: UInt { 4 }
  @inlinable static var wordByteCount: Int { MemoryLayout<UInt>.size }
  @inlinable static var wordCount: Int {
    (MemoryLayout<Value>.size &+ wordByteCount &- 1) / wordByteCount
  }
  static var totalWordCount: Int { 1 + Int(slotCount) * wordCount }

  @inlinable static func offset(_ index: Int) -> Int { index &* wordByteCount }
  /// The bytes of the value in a word; the last word may hold fewer.
  @inlinable static func byteCount(_ index: Int) -> Int {
    min(wordByteCount, MemoryLayout<Value>.size &- offset(index))
  }

  @inlinable
  func slot(_ number: UInt) -> UnsafeMutablePointer<Atomic<UInt>> {
    words + (1 &+ Int(bitPattern: number % Self.slotCount) &* Self.wordCount)
  }

  @inlinable
  func store(_ value: Value, number: UInt) {
    let slot = slot(number)
    withUnsafePointer(to: value) { value in
      let start = UnsafeRawPointer(value)
      for index in 0..<Self.wordCount {
        var word: UInt = 0
        realtime_copy(&word, start + Self.offset(index), Self.byteCount(index))
        slot[index].store(word, ordering: .releasing)
      }
    }
    words.pointee.store(number, ordering: .releasing)
  }

  /// Returns the last written value; nil if the writer may have reused its slot meanwhile.
  @inlinable
  func load() -> Value? {
    let number = words.pointee.load(ordering: .acquiring)
    let slot = slot(number)
    var value = template
    withUnsafeMutablePointer(to: &value) { value in
      let start = UnsafeMutableRawPointer(value)
      for index in 0..<Self.wordCount {
        var word = slot[index].load(ordering: .acquiring)
        realtime_copy(start + Self.offset(index), &word, Self.byteCount(index))
      }
    }
    let overtakenBy = words.pointee.load(ordering: .relaxed) &- number
    return overtakenBy < Self.slotCount &- 1 ? value : nil
  }
}
