// The appliance as a program for the loop: this is where to begin reading. `reduce` answers every
// action; the files in Reducers/ hold its cases, subject by subject, those in State/ what they
// change, those in Views/ what is shown of it.

import Loop

public enum Appliance: Program {
  public typealias Subscription = Recorder.Subscription
  public typealias Address = Recorder.Address
  public typealias Change = Recorder.Change

  /// What an observer of an address is given.
  public enum Value: Equatable, Codable, Sendable {
    case folder(FolderView)
    case item(Recording)
    case notices([Notice])
  }

  public static func reduce(_ state: inout State, _ action: Stamped<Action>) -> [Command] {
    var turn = Turn(action.stamp)
    state.now = turn.now
    state.wall = turn.wall
    switch action.action {
    case .wish(let request, let origin): state.wish(request, from: origin, at: turn.now, &turn)
    case .panel(let event): state.hear(event, &turn)
    case .sound(let event): state.hear(event, &turn)
    case .card(let event): state.hear(event, &turn)
    case .console(let event): state.hear(event, &turn)
    case .host(let event): state.hear(event, &turn)
    case .alarm(let alarm): state.hear(alarm, &turn)
    case .tick: break
    }
    state.settle(&turn)
    return turn.commands
  }

  public static func revision(of address: Address, in state: State) -> UInt64? {
    switch address {
    case .folder(let id): state.library.folders[id]?.revision
    case .item(let id): state.library.recordings[id]?.revision
    case .notices: state.notices.revision
    }
  }

  public static func value(of address: Address, in state: State) -> Value? {
    switch address {
    case .folder(let id): FolderView(id, in: state).map(Value.folder)
    case .item(let id): state.library.recordings[id].map(Value.item)
    case .notices: .notices(state.notices.kept)
    }
  }

  public static func announcement(in command: Command) -> Announcement<Address, Change>? {
    if case .announce(let change, let address) = command {
      Announcement(change, at: address)
    } else {
      nil
    }
  }

  public static func isReload(_ change: Change) -> Bool {
    switch change {
    case .reloaded, .reordered: true
    default: false
    }
  }

  /// Measured on listings: a recording is written out in about 600 bytes, a folder in about 300.
  public static func weightBytes(of state: State) -> Int {
    4096 + state.library.recordings.count * 600 + state.library.folders.count * 300
  }
}

/// One call of `reduce`: the moment it happens in, and the commands it gives.
struct Turn {
  let now: Instant
  let wall: WallTime
  private let fresh: (high: UInt64, low: UInt64)
  private var identities: UInt64 = 0
  private(set) var commands: [Command] = []

  init(_ stamp: Stamp) {
    now = Instant(nanoseconds: stamp.monotonicNanoseconds)
    wall = WallTime(milliseconds: stamp.wallMilliseconds)
    fresh = (stamp.freshHigh, stamp.freshLow)
  }

  /// A new identity, another one each time. Marked as a random UUID, so that it is never one of the
  /// well-known ones.
  mutating func newID() -> ItemID {
    let low = fresh.low &+ identities
    identities += 1
    return ItemID(
      high: fresh.high & ~0xF000 | 0x4000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  mutating func emit(_ command: Command) { commands.append(command) }

  mutating func announce(_ change: Change, at address: Address) {
    commands.append(.announce(change, at: address))
  }
}
