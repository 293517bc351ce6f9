// A file in memory that logs its operations, and can be truncated or lose power.
@testable import Tape

final class MemoryFile: TapeFile {
  enum Operation: Equatable {
    case write([UInt8], at: Int)
    case truncate(to: Int)
    case sync
  }

  // The content is the first `limit` bytes of `base`, then `tail`: so truncating a long file is
  // cheap.
  private var base: [UInt8]
  private var limit: Int
  private var tail: [UInt8] = []
  private(set) var operations: [Operation] = []
  private(set) var bytesRead = 0
  var time: Int64 = 42

  init(_ bytes: [UInt8], cutAt limit: Int? = nil) {
    base = bytes
    self.limit = limit ?? bytes.count
  }

  var bytes: [UInt8] { Array(base[..<limit]) + tail }

  func byteCount() -> Int64 { Int64(limit + tail.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    let offset = Int(offset)
    var count = 0
    if offset < limit {
      count = min(buffer.count, limit - offset)
      base.withUnsafeBytes { bytes in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
      }
    }
    let start = offset + count - limit
    let more = min(buffer.count - count, tail.count - start)
    if more > 0 {
      for index in 0..<more { buffer[count + index] = tail[start + index] }
      count += more
    }
    bytesRead += count
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
    operations.append(.write(Array(bytes), at: Int(offset)))
    put(Array(bytes), at: Int(offset))
  }

  func truncate(to byteCount: Int64) {
    operations.append(.truncate(to: Int(byteCount)))
    cut(to: Int(byteCount))
  }

  func sync() { operations.append(.sync) }
  func modified() -> Int64 { time }
  func setModified(_ nanoseconds: Int64) { time = nanoseconds }

  private func put(_ new: [UInt8], at offset: Int) {
    if offset == limit + tail.count {
      tail += new
      return
    }
    base = bytes
    if base.count < offset + new.count {
      base += [UInt8](repeating: 0, count: offset + new.count - base.count)
    }
    base.replaceSubrange(offset..<offset + new.count, with: new)
    (limit, tail) = (base.count, [])
  }

  private func cut(to count: Int) {
    if count >= limit {
      tail.removeLast(limit + tail.count - count)
    } else {
      (limit, tail) = (count, [])
    }
  }

  /// Returns the states that a disk may hold if power fails during these operations: everything
  /// synced, and any beginning or end of the one change under way, torn at sectors and at odd
  /// places.
  static func crashStates(of bytes: [UInt8], _ operations: [Operation]) -> [[UInt8]] {
    var states: [[UInt8]] = []
    var safe = MemoryFile(bytes)
    for (index, operation) in operations.enumerated() where operation != .sync {
      precondition(
        operations[index...].dropFirst().first == .sync, "every change is synced before the next")
      states.append(safe.bytes)
      for torn in torn(operation) {
        let file = MemoryFile(safe.bytes)
        file.apply(torn)
        states.append(file.bytes)
      }
      let file = MemoryFile(safe.bytes)
      file.apply(operation)
      safe = file
      states.append(safe.bytes)
    }
    return states
  }

  private func apply(_ operation: Operation) {
    switch operation {
    case .write(let bytes, let offset): put(bytes, at: offset)
    case .truncate(let count): cut(to: count)
    case .sync: break
    }
  }

  /// Returns the partial states of a write: it may end early, or its length may be there before its
  /// bytes.
  private static func torn(_ operation: Operation) -> [Operation] {
    guard case .write(let bytes, let offset) = operation else { return [] }
    var places = Array(stride(from: 512 - offset % 512, to: bytes.count, by: 512))
    places += bytes.count < 64 ? Array(1..<bytes.count) : [1, bytes.count / 2, bytes.count - 1]
    let zeros = Operation.write([UInt8](repeating: 0, count: bytes.count), at: offset)
    return places.flatMap { place in
      [
        Operation.write(Array(bytes[..<place]), at: offset),
        .write(Array(bytes[place...]), at: offset + place),
      ]
    } + (bytes.count < 64 ? [zeros] : [])
  }
}
