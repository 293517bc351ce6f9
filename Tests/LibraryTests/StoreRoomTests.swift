// The card's thread: commands go in without waiting, events come out in order, and a released card
// has no open descriptor.

import FoundationEssentials
import Glibc
import Library
import Recorder
import Synchronization
import Tape
import Testing

@Suite struct StoreRoomTests {
  /// Waits for the room's events, as the loop does.
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
        wake: { bell.count.add(1, ordering: .releasing) },
        open: { () throws(TapeError) in try PosixCard.open(directory) })
    }

    func handle(_ isWanted: (CardEvent) -> Bool) throws {
      for _ in 0..<20_000 {
        _ = isRung.count.load(ordering: .acquiring)
        events += room?.collect() ?? []
        if let index = events.firstIndex(where: isWanted) {
          return events.removeSubrange(...index)
        }
        usleep(1000)  // Between two polls.
      }
      throw Silence()
    }

    func end() { room = nil }
  }

  private struct Silence: Error {}

  /// Returns how many descriptors of this process are open below the directory.
  private func held(_ directory: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
      var target = [CChar](repeating: 0, count: 4096)
      let length = max(0, readlink("/proc/self/fd/" + name, &target, target.count))
      let bytes = target[..<length].map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self).hasPrefix(directory)
    }
  }

  @Test("commands are performed on the card's own thread, in order, and answered")
  func order() throws {
    let scratch = Scratch()
    let ear = try Ear(scratch.path)
    ear.room?.perform(.open)
    let id = ItemID(high: 4, low: 4)
    ear.room?.perform(.work(ticket: 1, .makeFolder(id, name: "Kitchen", in: .root)))
    ear.room?.perform(.read(.root))
    try ear.handle { if case .opened = $0 { true } else { false } }
    try ear.handle { if case .work(1, .done(.made)) = $0 { true } else { false } }
    try ear.handle { event in
      if case .listed(.root, let listing) = event {
        listing.folders.map(\.id) == [id]
      } else {
        false
      }
    }
    ear.room?.measureSpace()
    try ear.handle { if case .space(let free, _) = $0 { free > 0 } else { false } }
  }

  @Test("commands given before the room ends are done when it has ended")
  func end() throws {
    let scratch = Scratch()
    let ear = try Ear(scratch.path)
    ear.room?.perform(.open)
    for number in 0..<50 {
      let id = ItemID(high: 4, low: UInt64(number))
      ear.room?.perform(.work(ticket: number, .makeFolder(id, name: "\(number)", in: .root)))
    }
    ear.end()
    for number in 0..<50 { #expect(access("\(scratch.path)/\(number)", F_OK) == 0) }
  }

  @Test("a released card has no open descriptor, refuses work, and can be reclaimed")
  func exported() throws {
    let scratch = Scratch()
    let ear = try Ear(scratch.path)
    ear.room?.perform(.open)
    ear.room?.perform(.read(.root))
    try ear.handle { if case .listed = $0 { true } else { false } }
    #expect(try held(scratch.path) > 0)
    ear.room?.perform(.work(ticket: 1, .exportMode(true)))
    try ear.handle { $0 == .work(ticket: 1, .done(.exportMode(true))) }
    ear.room?.perform(.work(ticket: 2, .sort(.root, .byName)))
    try ear.handle { if case .work(2, .failed) = $0 { true } else { false } }
    #expect(try held(scratch.path) == 0)
    ear.room?.perform(.work(ticket: 3, .exportMode(false)))
    try ear.handle { $0 == .work(ticket: 3, .done(.exportMode(false))) }
    ear.room?.perform(.open)
    try ear.handle { if case .opened = $0 { true } else { false } }
  }

  @Test("a missing card is reported as missing")
  func absent() throws {
    let ear = try Ear("/nowhere at all")
    ear.room?.perform(.open)
    try ear.handle { if case .failed(let why) = $0 { why.contains("no such file") } else { false } }
  }
}
