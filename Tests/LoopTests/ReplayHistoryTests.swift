// Proves that a history of a flight log gives, in any order of asking, the moments that the replay
// from the beginning gives, and finds changes in both directions.

import Testing

@testable import Loop

@Suite struct ReplayHistoryTests {
  private static func flight(_ count: Int, bytes: Int = 64 * 1024) throws -> [UInt8] {
    let flight = FlightLogTests.Flight(bytes: bytes)
    for number in 0..<count {
      // Every tenth action changes the counter "rare".
      try flight.fly(.add(1, to: number % 10 == 9 ? "rare" : "often"))
    }
    return Array(flight.memory)
  }

  /// What the replay from the beginning gives: the digest after each action.
  private static func digests(_ log: [UInt8]) throws -> [Digest] {
    var digests: [Digest] = []
    try Replay<Counters>(log).run { event, _ in
      if case .outcome(_, _, let digest) = event { digests.append(digest) }
      return true
    }
    return digests
  }

  @Test("Moments asked for in any order are those of the replay", arguments: [1, 63, 64, 65, 300])
  func anyOrder(count: Int) throws {
    let log = try Self.flight(count)
    let digests = try Self.digests(log)
    var history = try ReplayHistory<Counters>(log)
    #expect(history.count == digests.count && history.count == count)
    let orders = [
      Array(0..<count), (0..<count).reversed(), (0..<count).map { ($0 * 37 + 11) % count },
    ]
    for order in orders {
      for index in order {
        let moment = history.moment(index)
        #expect(moment.index == index)
        #expect(try Digest(of: moment.state) == digests[index], "moment \(index)")
      }
    }
  }

  @Test("Both segments of a log that was written over are one history")
  func bothSegments() throws {
    let log = try Self.flight(1000, bytes: FlightTape.minimumBytes)
    let digests = try Self.digests(log)
    var history = try ReplayHistory<Counters>(log)
    #expect(history.count == digests.count && history.count < 1000)
    #expect(try Digest(of: history.moment(history.count - 1).state) == digests.last)
    #expect(try Digest(of: history.moment(0).state) == digests.first)
  }

  @Test("The next and the previous change are found, across the states that are kept")
  func changes() throws {
    var history = try ReplayHistory<Counters>(try Self.flight(200))
    func rare(_ moment: ReplayHistory<Counters>.Moment) -> Int {
      moment.state.counters["rare"]?.value ?? 0
    }
    #expect(history.change(after: 0, of: rare) == 9)
    #expect(history.change(after: 9, of: rare) == 19)
    #expect(history.change(after: 199, of: rare) == nil)
    #expect(history.change(before: 199, of: rare) == 189)
    #expect(history.change(before: 189, of: rare) == 179)
    #expect(history.change(before: 9, of: rare) == nil)
    #expect(history.change(before: 0, of: rare) == nil)
    let often = history.change(before: 130) { $0.state.counters["often"]?.value == 1 }
    #expect(often == 1)
  }

  @Test("What the log left out is told at the action after it")
  func missing() throws {
    let flight = FlightLogTests.Flight(bytes: 16 * 1024)
    try flight.fly(.add(1, to: "a"))
    try flight.fly(.set(String(repeating: "n", count: 2100), 1))
    try flight.fly(.add(1, to: "a"))
    var history = try ReplayHistory<Counters>(Array(flight.memory))
    #expect(history.count == 2 && history.moment(0).missing == [])
    #expect(history.moment(1).missing.first?.hasPrefix("an action of 2") == true)
  }

  @Test("A log that is none, or has no checkpoint, is refused at once")
  func refused() throws {
    #expect(throws: FlightLogError.notAFlightLog) { try ReplayHistory<Counters>([1, 2, 3]) }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 16)
    defer { memory.deallocate() }
    _ = FlightTape(formatting: memory)
    #expect(throws: FlightLogError.noCheckpoint) { try ReplayHistory<Counters>(Array(memory)) }
  }
}
