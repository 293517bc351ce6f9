// Proves that the flight log's bytes hold what was appended, that the log stays within its memory
// however often it wraps, and that reading gives a run of real records and never traps: at every
// point where the process may have died, and of copies that were truncated or damaged.

import Testing

@testable import Loop

@Suite struct FlightTapeTests {
  /// Memory for a log, followed by a guard of known bytes.
  private final class Memory {
    static let guardBytes = 64
    let all: UnsafeMutableRawBufferPointer
    var log: UnsafeMutableRawBufferPointer { .init(rebasing: all.dropLast(Self.guardBytes)) }
    var bytes: [UInt8] { Array(log) }

    init(_ count: Int = FlightTape.minimumBytes) {
      all = .allocate(byteCount: count + Self.guardBytes, alignment: 16)
      all.initializeMemory(as: UInt8.self, repeating: 0xA5)
    }

    deinit { all.deallocate() }

    var isGuardWhole: Bool { all.suffix(Self.guardBytes).allSatisfy { $0 == 0xA5 } }
  }

  private func payload(_ number: Int) -> [UInt8] { Array("action \(number)".utf8) }

  /// Appends numbered records, and turns to the next segment where one does not fit; calls `tell`
  /// after each change.
  private func fill(
    _ memory: Memory, _ count: Int, _ tell: (Int) throws -> Void = { _ in }
  ) throws {
    var tape = FlightTape(formatting: memory.log)
    for number in 0..<count {
      if !tape.append(.action, payload(number)) {
        tape.turn()
        try tell(number)
        let isAppended = tape.append(.action, payload(number))
        try #require(isAppended)
      }
      try tell(number + 1)
    }
  }

  private func numbers(_ segments: [[FlightRecord]]) -> [Int] {
    segments.joined().compactMap { Int(String(decoding: $0.payload, as: UTF8.self).dropFirst(7)) }
  }

  @Test("A record of any length is read back")
  func roundTrip() throws {
    let memory = Memory()
    var tape = FlightTape(formatting: memory.log)
    let kinds: [FlightRecordKind] = [.checkpoint, .action, .elided]
    let written = (1...60).map {
      FlightRecord(kind: kinds[$0 % 3], payload: Array(repeating: UInt8($0), count: $0))
    }
    let appended = written.filter { tape.append($0.kind, $0.payload) }
    #expect(appended == written)
    #expect(try FlightTape.read(memory.bytes) == [written])
  }

  @Test("The largest record just fits, and one byte more does not")
  func largestRecord() throws {
    let memory = Memory()
    var tape = FlightTape(formatting: memory.log)
    let room = tape.roomBytes
    let fits = [room + 1, room, 1].map { tape.append(.action, Array(repeating: 1, count: $0)) }
    #expect(fits == [false, true, false])
    #expect(try FlightTape.read(memory.bytes).first?.first?.payload.count == room)
    #expect(memory.isGuardWhole)
  }

  @Test(
    "After each append, wherever the process dies, a run of records up to the last one is read")
  func everyCrashPoint() throws {
    let memory = Memory()
    try fill(memory, 1000) { written in
      let read = numbers(try FlightTape.read(memory.bytes))
      let first = try #require(read.first)
      #expect(read == Array(first..<written))
    }
    #expect(memory.isGuardWhole)
  }

  @Test("If an append is torn, the records before it are read")
  func tornAppend() throws {
    let memory = Memory()
    var tape = FlightTape(formatting: memory.log)
    for number in 0..<400 where !tape.append(.action, payload(number)) { tape.turn() }
    let before = memory.bytes
    let whole = numbers(try FlightTape.read(before))
    let isAppended = tape.append(.action, payload(4000))
    #expect(isAppended)
    let after = memory.bytes
    // The length is written last: any other part that has arrived is not read.
    let changed = before.indices.filter { before[$0] != after[$0] }
    let length = try #require(changed.first)
    for arrived in changed.dropFirst() {
      var torn = before
      for index in changed where index > length + 3 && index <= arrived {
        torn[index] = after[index]
      }
      #expect(numbers(try FlightTape.read(torn)) == whole)
    }
  }

  @Test("A truncated log gives its remaining records, or is refused")
  func truncated() throws {
    let memory = Memory()
    try fill(memory, 700)
    let bytes = memory.bytes
    let whole = numbers(try FlightTape.read(bytes))
    for count in stride(from: 0, through: bytes.count, by: 5) {
      do {
        let read = numbers(try FlightTape.read(Array(bytes.prefix(count))))
        #expect(isWindow(read, of: whole))
      } catch { #expect(count < FlightTape.headerBytes) }
    }
  }

  @Test("A flipped bit costs the records from there to the end of its segment, and no more")
  func flippedBits() throws {
    let memory = Memory()
    try fill(memory, 700)
    let bytes = memory.bytes
    let whole = numbers(try FlightTape.read(bytes))
    for offset in Array(0..<128) + Array(stride(from: 128, to: bytes.count, by: 5)) {
      var damaged = bytes
      damaged[offset] ^= 1 << UInt8(offset % 8)
      do {
        let read = numbers(try FlightTape.read(damaged))
        #expect(isInOrder(read) && Set(read).isSubset(of: whole), "a bit of byte \(offset)")
      } catch { #expect(offset < FlightTape.headerBytes) }
    }
  }

  @Test("Bytes that are no log at all are refused")
  func notALog() {
    #expect(throws: FlightLogError.notAFlightLog) { try FlightTape.read([]) }
    #expect(throws: FlightLogError.notAFlightLog) {
      try FlightTape.read(Array(repeating: 0, count: 9000))
    }
  }

  private func isWindow(_ read: [Int], of whole: [Int]) -> Bool {
    isInOrder(read) && Set(read).isSubset(of: whole)
  }

  private func isInOrder(_ numbers: [Int]) -> Bool {
    zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }
}
