// Proves that a large watched folder comes whole, a page a turn, to a client that reads, however it
// changes meanwhile; and that a client that does not read is told why its connection ends.

import Recorder
import Testing

@testable import Console

@Suite struct WirePagesTests {
  private static func rig(_ count: Int) throws -> WireRig {
    let rig = try WireRig()
    let recordings = (0..<count).map { number in
      Bench.recording(
        ItemID(high: 0x5555, low: UInt64(number)), 100 + number, "Recording \(number)",
        in: Bench.may)
    }
    rig.bench.card[Bench.may] = Listing(recordings: recordings)
    return rig
  }

  /// The list a client builds from the pages and changes it receives.
  private struct Copy {
    var items: [ItemID] = []
    var total: Int?
    var pages = 0

    var isWhole: Bool { total == items.count }

    mutating func handle(_ reply: WireReply) {
      switch reply {
      case .now(_, .listing(let listing)):
        pages += 1
        items = Array(items.prefix(listing.from)) + listing.items.map(\.id)
        total = listing.total
      case .changes(_, let changes): for change in changes { handle(change) }
      default: break
      }
    }

    private mutating func handle(_ change: WireChange) {
      guard let id = change.id else { return }
      if let old = change.what == .removed ? change.at : change.was { items.remove(at: old) }
      if change.what != .removed, let new = change.at { items.insert(id, at: new) }
    }
  }

  @Test("it comes in pages, each from where the last one ended")
  func pages() throws {
    let rig = try Self.rig(1001)
    let client = try rig.client()
    _ = try client.next()
    let id = try client.ask(.watch(.folder("/Interviews/May")))
    var copy = Copy()
    while !copy.isWhole, let reply = try client.next() {
      if case .now(id, .listing(let listing)) = reply,
        listing.from != copy.items.count || listing.items.count > 200
      {
        Issue.record("a page of \(listing.items.count) from \(listing.from)")
      }
      copy.handle(reply)
    }
    #expect(copy.pages == 6 && copy.items.count == 1001)
  }

  @Test("a change meanwhile is neither missed nor sent twice")
  func changes() throws {
    let rig = try Self.rig(1000)
    let client = try rig.client()
    _ = try client.next()
    try client.ask(.watch(.folder("/Interviews/May")))
    var copy = Copy()
    var random = SplitMix64(seed: 5)
    for _ in 0..<40 {
      // When recordings are removed, near the front and near the end, between the pages
      let all = Array(rig.bench.state.library.folders[Bench.may]?.items ?? .init())
      if !all.isEmpty {
        let gone = all[Int(random.next() % UInt64(all.count))]
        let path = [ItemID.root, Bench.interviews, Bench.may]
        rig.bench.send(
          .card(
            .found(
              .vanished([Whereabouts(id: gone, path: path, tally: Tally(recordings: 1))]))))
      }
      if let reply = try client.next() { copy.handle(reply) }
    }
    // Then the client's list is that of the folder
    let there = Array(rig.bench.state.library.folders[Bench.may]?.items ?? .init())
    while copy.items != there, let reply = try client.next() { copy.handle(reply) }
    #expect(copy.items == there)
  }

  @Test("a change beyond the sent pages is left to the page to come")
  func narrowed() throws {
    let rig = try Self.rig(1000)
    let client = try rig.client()
    _ = try client.answer("ls", "/Interviews/May")
    var window = FolderWindow(Bench.may)
    #expect(window.nextPage(in: rig.bench.state)?.items.count == 200)
    let id = Bench.kitchen
    #expect(window.narrowed(.added(id, at: 200)) == nil)
    #expect(window.narrowed(.changed(id, at: 700, was: 600)) == nil)
    #expect(window.narrowed(.removed(id, at: 200)) == nil && window.toldCount == 200)
    #expect(window.narrowed(.added(id, at: 199)) == .added(id, at: 199))
    #expect(window.narrowed(.changed(id, at: 500, was: 3)) == .removed(id, at: 3))
    #expect(window.narrowed(.changed(id, at: 3, was: 500)) == .added(id, at: 3))
    #expect(window.narrowed(.removed(id, at: 0)) == .removed(id, at: 0))
    #expect(window.toldCount == 200)
  }

  @Test("a client that asks for much and reads nothing is told why it is disconnected")
  func tooSlow() throws {
    let rig = try Self.rig(2000)
    let client = try rig.client()
    _ = try client.next()
    for _ in 0..<80 { try client.ask(.command(["ls", "--count", "500", "/Interviews/May"])) }
    var last: WireReply?
    // When the client reads nothing until the output limit is exceeded
    #expect(rig.turn { rig.socket?.clients.values.first?.isGivenUp ?? true })
    while let reply = try client.next() { last = reply }
    // Then the last line says so
    guard case .error(nil, let failure) = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(failure.code == "tooSlow" && client.endsByThem())
  }
}

/// Numbers that are the same in each run.
private struct SplitMix64 {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
