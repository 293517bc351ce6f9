// Proves that no change copies the tree: what an action allocates does not grow with the library.
// Bytes are counted around `reduce`, with ten recordings and with a hundred thousand, in a hundred
// folders and all in one. No time is measured.

import CAllocations
import Loop
import Testing

@testable import Recorder

@Suite(.serialized) struct ConstantCostTests {
  enum Shape: CaseIterable { case hundredFolders, oneFolder }

  /// An action allocates 1 to 40 KiB. This much more may depend on the size: the list of an order's
  /// runs.
  private let allowanceBytes = 24 * 1024

  @Test(
    "A change costs the same in a library of any size", .enabled(if: allocations_are_counted()),
    arguments: Shape.allCases)
  func constantCost(shape: Shape) throws {
    let small = costs(library(10, shape))
    let large = costs(library(100_000, shape))
    for (name, bytes) in large {
      let before = try #require(small[name])
      #expect(bytes <= min(before + allowanceBytes, 64 * 1024), "\(name), \(before) when small")
    }
  }

  /// A library as read from the card, with the panel in one of its folders.
  private func library(_ count: Int, _ shape: Shape) -> Given {
    let folders = shape == .oneFolder ? 1 : min(100, count)
    var given = Given { $0.itemsPerFolder = 1_000_000 }.booted().withDevice().withConsole()
    let ids = (0..<folders).map { ItemID(high: 0xF0, low: UInt64($0)) }
    given = given.when(
      .card(
        .listed(
          .root, Listing(folders: ids.map { Folder(id: $0, parent: .root, name: "\($0.low)") }))))
    for (number, id) in ids.enumerated() {
      let here = stride(from: number, to: count, by: folders).map { recording($0, in: id) }
      given = given.when(.card(.listed(id, Listing(recordings: here))))
    }
    return given.request(.browse(.enter(ids[0])), from: .panel)
  }

  private func recording(_ number: Int, in folder: ItemID) -> Recording {
    Recording(
      id: ItemID(high: 0xFE, low: UInt64(number)), folder: folder, sequence: number,
      title: "Recording \(number)",
      began: Moment(
        boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
        quality: .synchronised), file: "\(number).opus", sound: Sound(frames: 480_000))
  }

  /// Returns what each of the common actions allocates, one after the other on one state.
  private func costs(_ given: Given) -> [String: Int] {
    var bench = Bench(given.state)
    let first = ItemID(high: 0xFE, low: 0)
    bench.measure("press record", .panel(.gesture(.record, .press, at: given.now)))
    let take = bench.state.transport.take.running?.id ?? .root
    bench.measure("file made", .card(.take(take, .made(file: "a.opus"))))
    bench.measure("began", .sound(.take(take, .began(at: given.now, rate: 48_000))))
    bench.measure(
      "progress", .sound(.take(take, .progress(frames: 48_000, behindMilliseconds: nil))))
    bench.measure("mark", .sound(.take(take, .marked(Mark(frame: 100)))))
    bench.measure("split", .panel(.gesture(.split, .press, at: given.now)))
    bench.measure("press stop", .panel(.gesture(.record, .press, at: given.now)))
    let report = TakeReport(sound: Sound(frames: 96_000), integrity: Integrity())
    bench.measure("ended", .sound(.take(take, .ended(report))))
    bench.measure("select", .panel(.gesture(.next, .press, at: given.now)))
    bench.measure("play", .request(.deck(.play(first)), from: .appliance))
    bench.measure("play the choice", .request(.deck(.play(nil)), from: .console(1)))
    bench.measure("heard", .request(.item(.setHeard(first, true)), from: .appliance))
    bench.measure("rename", .request(.item(.rename(first, to: "Kitchen")), from: .appliance))
    let ticket = bench.state.library.lastTicket
    let renamed = WorkResult.renamed(first, name: "Kitchen", file: "k.opus")
    bench.measure("renamed", .card(.work(ticket: ticket, .done(renamed))))
    bench.measure("delete", .request(.item(.delete(first)), from: .appliance))
    let thrown = WorkResult.thrown(first, file: "k.opus")
    bench.measure("thrown", .card(.work(ticket: ticket + 1, .done(thrown))))
    let origin = Origin.client(2, request: 1)
    let console = ConsoleDescription(id: 2, kind: .socket, access: .control)
    bench.measure("client", .console(.opened(console)))
    let words = ["volume", "40"]
    bench.measure("command", .console(.command(words, files: [], from: origin)))
    bench.measure("tick", .tick)
    return bench.costs
  }
}

/// Reduces one action after the other on a uniquely referenced state whose tables have spare
/// capacity: a table's growth now and then is not counted as an action's cost.
private struct Bench {
  private(set) var state: State
  private(set) var costs: [String: Int] = [:]
  private var stamps: UInt64 = 1 << 40

  init(_ given: State) {
    state = given
    state.library.folders.reserveCapacity(given.library.folders.count + 1000)
    state.library.recordings.reserveCapacity(given.library.recordings.count + 1000)
  }

  mutating func measure(_ name: String, _ action: Action) {
    stamps += 256
    let stamp = Stamp(
      monotonicNanoseconds: state.now.nanoseconds, wallMilliseconds: state.wall.milliseconds,
      freshHigh: 0, freshLow: stamps)
    let before = allocations_so_far().bytes
    _ = Appliance.reduce(&state, Stamped(action, at: stamp))
    costs[name] = Int(allocations_so_far().bytes - before)
  }
}
