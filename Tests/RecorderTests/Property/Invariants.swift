// Invariants after every action: checked on the state alone, on the state and the commands of one
// action, and on the lists that an observer builds from them.

import Loop

@testable import Recorder

/// Thrown when an invariant does not hold.
struct Broken: Error, CustomStringConvertible {
  let description: String

  static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws {
    if !holds { throw Broken(description: description()) }
  }
}

/// Checks one sequence, action by action.
struct Watcher {
  /// Each folder's list as an observer of its changes has it.
  private var lists: [ItemID: [ItemID]] = [:]
  private var revisions: [ItemID: UInt64] = [:]
  private var steps = 0
  /// Whether slow checks are made after every action; else only now and then.
  let checksEverything: Bool

  init(checksEverything: Bool = false) { self.checksEverything = checksEverything }

  mutating func check(
    _ action: Stamped<Action>, _ before: State?, _ step: Step, _ after: State
  ) throws {
    steps += 1
    try checkTransport(after)
    try checkTree(after.library)
    try checkPlaces(after)
    try checkBounds(after)
    try checkCommands(after)
    try follow(step.commands, to: after.library)
    if let before { try checkRefusal(action, before, step, after) }
    if checksEverything || steps % 4 == 0 { try checkSettled(after, at: action.stamp) }
    if checksEverything || steps % 8 == 0 {
      try checkViews(after)
      try checkAlarms(after, action.stamp)
    }
  }

  // MARK: The transport

  private func checkTransport(_ state: State) throws {
    let transport = state.transport
    let running = transport.take.running?.id
    let takes = Set(state.library.takes)
    try Broken.unless(takes.count == state.library.takes.count, "a take is listed twice")
    try Broken.unless(
      takes == Set(state.library.recordings.values.filter { !$0.isSettled }.map(\.id)),
      "the takes are not those of the library")
    if let running { try Broken.unless(takes.contains(running), "what is recorded is no take") }
    if let cue = transport.deck.cue {
      try Broken.unless(state.library.recordings[cue.item] != nil, "what plays is gone")
      let frame = transport.deck.frame(at: state.now)
      try Broken.unless((0...cue.lengthFrames).contains(frame), "plays frame \(frame)")
    }
  }

  // MARK: The tree

  private func checkTree(_ library: Library) throws {
    var listed = 0
    for (id, folder) in library.folders {
      try Broken.unless(folder.items.isSound, "the order of \(id) is broken")
      listed += folder.items.count
      var (sum, latest) = (Tally(), WallTime?.none)
      var previous: ItemID?
      for item in folder.items {
        try Broken.unless(library.parent(of: item) == id, "\(id) lists \(item), not its child")
        if let previous, folder.order != .byHand {
          try Broken.unless(
            library.comesBefore(previous, item, in: folder.order), "\(id) is out of order")
        }
        let share = library.summary(of: item)
        sum = sum + share.tally
        latest = [latest, share.latest].compactMap { $0 }.max()
        previous = item
      }
      try Broken.unless(Set(folder.items).count == folder.items.count, "\(id) lists one twice")
      if folder.reading == .read {
        try Broken.unless(folder.tally == sum, "\(id) counts \(folder.tally), has \(sum)")
        try Broken.unless(
          folder.latest == (folder.parent == nil ? nil : latest), "the newest of \(id) is another")
      }
    }
    let tops = library.folders.values.filter { $0.parent == nil }.count
    // Before the card is open, the takes being recorded have no folder yet.
    let homeless = library.recordings.values.filter { library.folders[$0.folder] == nil }
    try Broken.unless(
      homeless.isEmpty || (library.root == nil && homeless.allSatisfy(\.waitsForCard)),
      "recordings are nowhere")
    let items = library.folders.count + library.recordings.count - tops - homeless.count
    try Broken.unless(listed == items, "\(items) items, \(listed) of them listed")
  }

  // MARK: Places and bounds

  private func checkPlaces(_ state: State) throws {
    guard state.library.root != nil else { return }
    for place in [state.panel.place] + state.consoles.map(state.place) {
      try Broken.unless(state.library.folders[place.folder] != nil, "a place is nowhere")
      if let item = place.selection {
        try Broken.unless(
          state.library.parent(of: item) == place.folder, "a selection is elsewhere")
      }
    }
    for console in state.consoles {
      if let item = console.dialog?.item {
        try Broken.unless(state.library.contains(item), "a dialog asks about what is gone")
      }
      let line = console.commandLine?.prompt.input ?? LineInput()
      try Broken.unless((0...line.text.count).contains(line.cursor), "a cursor is off its line")
    }
  }

  private func checkBounds(_ state: State) throws {
    try Broken.unless(state.notices.kept.count <= state.settings.noticesKept, "too many notices")
    try Broken.unless(state.library.pending.count <= 64, "too much pending")
    for console in state.consoles {
      try Broken.unless((console.commandLine?.prompt.history.count ?? 0) <= 100, "too much history")
    }
  }

  /// A command in progress has a console that can be answered, and waits for something.
  private func checkCommands(_ state: State) throws {
    let origins = state.commands.map(\.origin)
    try Broken.unless(Set(origins).count == origins.count, "two commands of one origin")
    for command in state.commands {
      let console = command.origin.console.flatMap(state.console)
      try Broken.unless(console != nil, "a command of a console that is gone")
      if case .reading(let folders) = command.phase {
        try Broken.unless(
          folders.contains { state.library.folders[$0]?.reading == .reading },
          "a command waits for folders that are not being read")
      }
    }
  }

  // MARK: Effects of one action

  /// A refused request has changed nothing in the library.
  private func checkRefusal(
    _ action: Stamped<Action>, _ before: State, _ step: Step, _ after: State
  ) throws {
    // With more replies a command has gone on, too.
    guard case .request = action.action, step.replies.count == 1,
      case .refused = step.replies[0].reply
    else { return }
    try Broken.unless(before.library == after.library, "a refused request changed the library")
    try Broken.unless(
      before.transport.take == after.transport.take, "a refused request took effect")
  }

  /// Applies the announced changes to an observer's lists: the result must be the folder's.
  private mutating func follow(_ commands: [Command], to library: Library) throws {
    var spokenOf = Set<ItemID>()
    for case .announce(let change, .folder(let id)) in commands {
      spokenOf.insert(id)
      if Appliance.isReload(change) { lists[id] = nil }
    }
    for (id, folder) in library.folders where revisions[id] != folder.revision {
      revisions[id] = folder.revision
      if !spokenOf.contains(id) { lists[id] = nil }  // changed without an announcement: sent as new
    }
    for case .announce(let change, .folder(let id)) in commands where lists[id] != nil {
      switch change {
      case .added(let item, let index): try put(item, at: index, into: id)
      case .removed(let item, let index): try take(item, at: index, from: id)
      case .changed(let item, let index, let old):
        try take(item, at: old, from: id)
        try put(item, at: index, into: id)
      default: break
      }
    }
    for (id, folder) in library.folders {
      let items = Array(folder.items)
      try Broken.unless(lists[id, default: items] == items, "an observer of \(id) has another list")
      lists[id] = items
    }
    for id in lists.keys where library.folders[id] == nil { lists[id] = nil }
  }

  private mutating func put(_ item: ItemID, at index: Int, into id: ItemID) throws {
    try Broken.unless(index <= lists[id]?.count ?? 0, "\(item) cannot be at \(index) of \(id)")
    lists[id]?.insert(item, at: index)
  }

  private mutating func take(_ item: ItemID, at index: Int, from id: ItemID) throws {
    let isThere = lists[id].map { $0.indices.contains(index) && $0[index] == item } ?? false
    try Broken.unless(isThere, "\(item) was not at \(index) of \(id)")
    lists[id]?.remove(at: index)
  }

  /// A second tick at the same instant changes nothing.
  private func checkSettled(_ state: State, at stamp: Stamp) throws {
    var again = state
    let commands = Appliance.reduce(&again, Stamped(.tick, at: stamp))
    try Broken.unless(again == state, "a second look changes the state")
    try Broken.unless(commands.isEmpty, "a second look gives \(commands)")
  }

  /// An alarm sent at its time is not wanted any more.
  private func checkAlarms(_ state: State, _ stamp: Stamp) throws {
    for case .alarm(let alarm, let at) in Appliance.subscriptions(state) {
      var later = state
      let ring = Stamp(
        monotonicNanoseconds: max(at.nanoseconds, stamp.monotonicNanoseconds),
        wallMilliseconds: stamp.wallMilliseconds, freshHigh: stamp.freshHigh,
        freshLow: stamp.freshLow &+ 1_000_000)
      _ = Appliance.reduce(&later, Stamped(.alarm(alarm), at: ring))
      let isOver = !Appliance.subscriptions(later).contains(.alarm(alarm, at: at))
      try Broken.unless(isOver || at.nanoseconds == .max, "\(alarm) rings for ever")
    }
  }

  // MARK: Views

  private func checkViews(_ state: State) throws {
    let library = state.library
    let status = StatusView(state)
    let named = [status.take?.id, status.deck?.id].compactMap { $0 } + status.waiting
    for id in named { try Broken.unless(library.recordings[id] != nil, "the status names \(id)") }
    _ = PanelView(state)
    for id in library.folders.keys {
      let rows = FolderView(id, in: state)?.rows ?? []
      try Broken.unless(rows.count == library.folders[id]?.items.count, "rows of \(id) are missing")
    }
    for console in state.consoles { try checkScreen(of: console, state) }
  }

  private func checkScreen(of console: Console, _ state: State) throws {
    guard let screen = ScreenView(console: console.id, in: state) else { return }
    try Broken.unless(screen.rows.count <= console.rows, "more rows than the console has")
    for row in screen.rows {
      try Broken.unless(Text.columns(row.text) <= console.columns, "too wide: \(row.text)")
      try Broken.unless(!row.text.unicodeScalars.contains(where: Text.isControl), "controls")
    }
    if let cursor = screen.cursor {
      try Broken.unless(
        cursor.row < screen.rows.count && cursor.column < console.columns, "cursor off the screen")
    }
  }
}
