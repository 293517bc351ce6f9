// The card's thread: commands go in and never wait, events come out in order, and a card that is
// handed out is not held by anything.

import FoundationEssentials
import Glibc
import Library
import Recorder
import Synchronization
import Tape
import Testing

@Suite struct StoreRoomTests {
  /// Somebody who waits for what the room has to say, as the loop does.
  private final class Ear {
    private let isRung = Bell()
    private(set) var room: CardRoom?
    private(set) var events: [CardEvent] = []

    final class Bell: Sendable {
      let count = Atomic<Int>(0)
    }

    init(_ directory: String) throws {
      let bell = isRung
      room = try CardRoom.start(
        directory: directory, wake: { bell.count.add(1, ordering: .releasing) },
        open: { () throws(TapeError) in try PosixCard.open(directory) })
    }

    func hear(_ isWanted: (CardEvent) -> Bool) throws {
      for _ in 0..<20_000 {
        _ = isRung.count.load(ordering: .acquiring)
        events += room?.collect() ?? []
        if let index = events.firstIndex(where: isWanted) {
          return events.removeSubrange(...index)
        }
        usleep(1000)
      }
      throw Silence()
    }

    func end() { room = nil }
  }

  private struct Silence: Error {}

  /// How many descriptors of this process are on something in the directory.
  private func held(_ directory: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
      var target = [CChar](repeating: 0, count: 4096)
      let length = max(0, readlink("/proc/self/fd/" + name, &target, target.count))
      let bytes = target[..<length].map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self).hasPrefix(directory)
    }
  }

  @Test("what is asked for is done on the card's own thread, in order, and told")
  func order() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let ear = try Ear(scratch.path)
    ear.room?.carryOut(.open)
    let id = ItemID(high: 4, low: 4)
    ear.room?.carryOut(.work(ticket: 1, .makeFolder(id, name: "Kitchen", in: .root)))
    ear.room?.carryOut(.read(.root))
    try ear.hear { if case .opened = $0 { true } else { false } }
    try ear.hear { if case .work(1, .done(.made)) = $0 { true } else { false } }
    try ear.hear { event in
      if case .listed(.root, let listing) = event {
        listing.folders.map(\.id) == [id]
      } else {
        false
      }
    }
    ear.room?.measureSpace()
    try ear.hear { if case .space(let free, _) = $0 { free > 0 } else { false } }
  }

  @Test("what was asked for before the room ends is done when it has ended")
  func end() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let ear = try Ear(scratch.path)
    ear.room?.carryOut(.open)
    for number in 0..<50 {
      let id = ItemID(high: 4, low: UInt64(number))
      ear.room?.carryOut(.work(ticket: number, .makeFolder(id, name: "\(number)", in: .root)))
    }
    ear.end()
    for number in 0..<50 { #expect(access("\(scratch.path)/\(number)", F_OK) == 0) }
  }

  @Test("a card that is handed out is held by nothing, refuses work, and comes back")
  func exported() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let ear = try Ear(scratch.path)
    ear.room?.carryOut(.open)
    ear.room?.carryOut(.read(.root))
    try ear.hear { if case .listed = $0 { true } else { false } }
    #expect(try held(scratch.path) > 0)
    ear.room?.carryOut(.work(ticket: 1, .exportMode(true)))
    try ear.hear { $0 == .work(ticket: 1, .done(.exportMode(true))) }
    ear.room?.carryOut(.work(ticket: 2, .sort(.root, .byName)))
    try ear.hear { if case .work(2, .failed) = $0 { true } else { false } }
    #expect(try held(scratch.path) == 0)
    ear.room?.carryOut(.work(ticket: 3, .exportMode(false)))
    try ear.hear { $0 == .work(ticket: 3, .done(.exportMode(false))) }
    ear.room?.carryOut(.open)
    try ear.hear { if case .opened = $0 { true } else { false } }
  }

  @Test("a card that is not there is said not to be there")
  func absent() throws {
    let ear = try Ear("/nowhere at all")
    ear.room?.carryOut(.open)
    try ear.hear { if case .failed(let why) = $0 { why.contains("no such file") } else { false } }
  }
}
