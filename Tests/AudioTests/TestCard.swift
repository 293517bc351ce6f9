// A card in memory that fills up, fails at a chosen operation, and logs each operation with its
// time. One thread at a time.

import Glibc
import Tape

final class TestCard {
  enum Kind { case open, read, write, truncate, sync }

  struct Operation {
    let kind: Kind
    let path: String
    let offset: Int
    let count: Int
    let milliseconds: Int64
  }

  var files: [String: [UInt8]] = [:]
  /// How many more bytes fit.
  var room = Int.max
  /// Whether an operation succeeds, by its number from 0.
  var works: (Int, Kind) -> Bool = { _, _ in true }
  /// Operations on this file fail, of that kind and from that offset on.
  var broken: (path: String, kind: Kind, offset: Int)?
  /// Called while a file is opened.
  var whenOpened: () -> Void = {}
  /// How long a write takes.
  var millisecondsPerWrite: Int64 = 0
  private(set) var operations: [Operation] = []
  private let now: () -> Int64
  private var spentMilliseconds: Int64 = 0

  init(now: @escaping () -> Int64) { self.now = now }

  /// The time on the card's own clock, which includes the time its operations took.
  var milliseconds: Int64 { now() + spentMilliseconds }

  func open(_ path: String) throws(TapeError) -> CardFile {
    try note(.open, path)
    whenOpened()
    files[path] = files[path] ?? []
    return CardFile(card: self, path: path)
  }

  fileprivate func note(
    _ kind: Kind, _ path: String, at offset: Int = 0, count: Int = 0
  ) throws(TapeError) {
    if kind == .write { spentMilliseconds += millisecondsPerWrite }
    operations.append(
      Operation(kind: kind, path: path, offset: offset, count: count, milliseconds: milliseconds))
    let isBroken = broken.map { ($0.path, $0.kind) == (path, kind) && offset >= $0.offset } ?? false
    if isBroken || !works(operations.count - 1, kind) {
      throw TapeError(.cannotWrite, "The card failed.", errno: EIO)
    }
  }

  fileprivate func put(
    _ bytes: UnsafeRawBufferPointer, _ path: String, at offset: Int
  ) throws(TapeError) {
    var file = files[path] ?? []
    let grows = max(0, offset + bytes.count - file.count)
    // A full card writes what fits, as a real one does.
    let taken = bytes.count - max(0, grows - room)
    files[path] = nil
    if file.count < offset + taken {
      room -= offset + taken - file.count
      file += [UInt8](repeating: 0, count: offset + taken - file.count)
    }
    for index in 0..<taken { file[offset + index] = bytes[index] }
    files[path] = file
    if taken < bytes.count { throw TapeError(.diskFull, "The card is full.", errno: ENOSPC) }
  }

  fileprivate func cut(_ path: String, to count: Int) {
    let old = files[path]?.count ?? 0
    files[path]?.removeLast(max(0, old - count))
    room = room.addingReportingOverflow(max(0, old - count)).partialValue
  }
}

final class CardFile: TapeFile {
  private let card: TestCard
  private let path: String
  private var time: Int64 = 42

  init(card: TestCard, path: String) {
    self.card = card
    self.path = path
  }

  private var bytes: [UInt8] { card.files[path] ?? [] }

  func byteCount() -> Int64 { Int64(bytes.count) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(TapeError) -> Int {
    try card.note(.read, path, at: Int(offset), count: buffer.count)
    let count = max(0, min(buffer.count, bytes.count - Int(offset)))
    buffer.copyBytes(from: bytes.dropFirst(Int(offset)).prefix(count))
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TapeError) {
    try card.note(.write, path, at: Int(offset), count: bytes.count)
    try card.put(bytes, path, at: Int(offset))
  }

  func truncate(to byteCount: Int64) throws(TapeError) {
    try card.note(.truncate, path, at: Int(byteCount))
    card.cut(path, to: Int(byteCount))
  }

  func sync() throws(TapeError) { try card.note(.sync, path) }
  func modified() -> Int64 { time }
  func setModified(_ nanoseconds: Int64) { time = nanoseconds }
}
