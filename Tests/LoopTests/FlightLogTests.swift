// Proves that replaying a flight log gives the same commands and digests, and at each checkpoint
// the same state; and that what was too large to log is reported.

import Testing

@testable import Loop

@Suite struct FlightLogTests {
  /// One step, live or replayed: an action, its commands and the state's digest.
  struct Entry: Equatable {
    let action: Stamped<Counters.Action>
    let commands: [String]
    let digest: Digest
  }

  /// A driver with a log, and what it did.
  final class Flight {
    let memory: UnsafeMutableRawBufferPointer
    let driver: Driver<Counters>
    private(set) var entries: [Entry] = []
    private let performed: Log

    init(bytes: Int = FlightTape.minimumBytes) {
      let performed = Log()
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
      let effects = Effects<Counters>(
        perform: { performed.note("\($0)") }, start: { _ in }, stop: { _ in })
      self.performed = performed
      self.memory = memory
      driver = Driver(
        Counters.State(), now: stampZero, flight: FlightRecorder<Counters>(memory: memory))
      driver.begin(with: effects)
    }

    deinit { memory.deallocate() }

    func fly(_ action: Counters.Action) throws {
      let stamped = Stamped.at(Int64(entries.count), action)
      driver.send(stamped)
      let digest = try Digest(of: driver.store.state)
      entries.append(Entry(action: stamped, commands: performed.take(), digest: digest))
    }
  }

  private func replay(_ flight: Flight) throws -> (entries: [Entry], notes: [String]) {
    var entries: [Entry] = []
    var notes: [String] = []
    var action: Stamped<Counters.Action>?
    try Replay<Counters>(Array(flight.memory)).run { event, _ in
      switch event {
      case .checkpoint(_, let agrees): notes.append("checkpoint \(agrees)")
      case .elided(let what): notes.append("elided \(what)")
      case .action(_, let next, _): action = next
      case .outcome(_, let commands, let digest):
        entries.append(
          Entry(action: try #require(action), commands: commands.map { "\($0)" }, digest: digest))
      }
      return true
    }
    return (entries, notes)
  }

  @Test("A replay gives the commands and digests of the flight", arguments: [1, 10, 1000])
  func replayIsTheFlight(count: Int) throws {
    let flight = Flight()
    for number in 0..<count { try flight.fly(.add(number, to: "counter \(number % 7)")) }
    let again = try replay(flight)
    #expect(again.entries == flight.entries.suffix(again.entries.count))
    #expect(again.entries.count == min(count, again.entries.count))
    #expect(again.notes.allSatisfy { $0 == "checkpoint true" })
    #expect(again.notes.count == (count < 1000 ? 1 : 2))
  }

  @Test("An action that is too large is left out and reported; the next checkpoint repairs it")
  func oversizeAction() throws {
    let flight = Flight(bytes: 16 * 1024)
    try flight.fly(.add(1, to: "a"))
    try flight.fly(.set(String(repeating: "n", count: 2100), 1))
    for _ in 0..<100 { try flight.fly(.add(1, to: "a")) }
    let again = try replay(flight)
    #expect(again.notes.first == "checkpoint true")
    #expect(again.notes.dropFirst().first?.hasPrefix("elided an action of 2") == true)
    #expect(again.notes.last == "checkpoint false")
    #expect(again.entries.last == flight.entries.last)
  }

  @Test("A state that has grown too large for a checkpoint is left out and reported")
  func oversizeCheckpoint() throws {
    let flight = Flight()
    for name in 0..<80 { try flight.fly(.set("\(name)", 1)) }
    let again = try replay(flight)
    #expect(again.notes == ["checkpoint true", "elided a checkpoint of about 200 bytes"])
    #expect(again.entries == flight.entries.suffix(again.entries.count))
  }

  @Test("Without any checkpoint a replay fails")
  func noCheckpoint() throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FlightTape.minimumBytes, alignment: 16)
    defer { memory.deallocate() }
    let recorder = FlightRecorder<Counters>(memory: memory)
    let state = Counters.State(ballast: String(repeating: "b", count: 5000))
    recorder.record(.at(1, .add(1, to: "a")), before: state)
    #expect(
      try FlightTape.read(Array(memory)).joined().map(\.kind) == [.elided, .action])
    #expect(throws: FlightLogError.noCheckpoint) {
      try Replay<Counters>(Array(memory)).run { _, _ in true }
    }
  }

  @Test("An action is reported before it is reduced, with the state before it")
  func toldBefore() throws {
    let flight = Flight()
    for _ in 0..<5 { try flight.fly(.add(1, to: "a")) }
    var told: [Int] = []
    try Replay<Counters>(Array(flight.memory)).run { event, state in
      switch event {
      case .action(let index, _, _):
        #expect(state.counters["a", default: .init()].value == index)
        told.append(index)
      case .outcome(let index, _, _):
        #expect(state.counters["a"]?.value == index + 1 && told.last == index)
      case .checkpoint, .elided: break
      }
      return true
    }
    #expect(told == [0, 1, 2, 3, 4])
  }

  @Test("A replay stops when it is told to")
  func stopsEarly() throws {
    let flight = Flight()
    for _ in 0..<10 { try flight.fly(.add(1, to: "a")) }
    var told = 0
    try Replay<Counters>(Array(flight.memory)).run { _, _ in
      told += 1
      return told < 3
    }
    #expect(told == 3)
  }
}
