// The appliance as a program for the loop: begin reading here. `reduce` handles every action; the
// files in Reducers/ hold its cases, subject by subject, those in State/ what they change, those in
// Views/ what is shown of it.

import Loop

/// The recorder as a program for the loop.
public enum Appliance: Program {
  public typealias Subscription = Recorder.Subscription
  public typealias Address = Recorder.Address
  public typealias Change = Recorder.Change
  public typealias Tables = LibraryTables

  /// The value of an address, as an observer receives it.
  public enum Value: Equatable, Codable, Sendable {
    case folder(FolderView)
    case item(Recording)
    case notices([Notice])
  }

  public static func reduce(_ state: inout State, _ action: Stamped<Action>) -> [Command] {
    step(&state, action).commands
  }

  /// Does what `reduce` does, and returns the replies beside the commands.
  static func step(_ state: inout State, _ action: Stamped<Action>) -> Step {
    var step = Step(action.stamp)
    state.now = step.now
    state.wall = step.wall
    switch action.action {
    case .request(let request, let origin): state.handle(request, from: origin, at: step.now, &step)
    case .panel(let event): state.handle(event, &step)
    case .sound(let event): state.handle(event, &step)
    case .card(let event): state.handle(event, &step)
    case .console(let event): state.handle(event, &step)
    case .host(let event): state.handle(event, &step)
    case .alarm(let alarm): state.handle(alarm, &step)
    case .tick: break
    }
    repeat { state.settle(&step) } while state.advanceCommands(&step)
    return step
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

  /// Folders and recordings are rows, which do not count.
  public static func weightBytes(of state: State) -> Int { 4096 }

  /// The flight log: a tape of two segments for actions, and a shelf of two halves for rows. The
  /// rows of 10,000 recordings take 1.2 MB; a half holds 2 MiB.
  public static let flightTapeBytes = 1 << 20
  public static let flightLogBytes = flightTapeBytes + (4 << 20)
}

/// One call of `reduce`: its time, and the commands it emits.
struct Step {
  let now: Instant
  let wall: WallTime
  private let fresh: (high: UInt64, low: UInt64)
  private var identities: UInt64 = 0
  private(set) var commands: [Command] = []
  private(set) var replies: [(reply: Reply, origin: Origin)] = []
  private var handledReplies = 0

  init(_ stamp: Stamp) {
    now = Instant(nanoseconds: stamp.monotonicNanoseconds)
    wall = WallTime(milliseconds: stamp.wallMilliseconds)
    fresh = (stamp.freshHigh, stamp.freshLow)
  }

  /// Returns a different identity at each call. Marked as a random UUID, so that it never equals
  /// the root or the trash.
  mutating func newID() -> ItemID {
    let low = fresh.low &+ identities
    identities += 1
    return ItemID(
      high: fresh.high & ~0xF000 | 0x4000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  mutating func emit(_ command: Command) { commands.append(command) }

  mutating func reply(_ reply: Reply, to origin: Origin) { replies.append((reply, origin)) }

  /// Returns the next reply that no command has handled.
  mutating func nextReply() -> (Reply, Origin)? {
    guard handledReplies < replies.count else { return nil }
    defer { handledReplies += 1 }
    return replies[handledReplies]
  }

  mutating func announce(_ change: Change, at address: Address) {
    commands.append(.announce(change, at: address))
  }
}
