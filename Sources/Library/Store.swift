// The folder store: a state machine that carries out the reducer's commands on a card and says what
// became of them. It has no thread and no clock. `carryOut` does what is short and durable at once;
// `step` does one slice of what takes longer, and of recovery. An event that acknowledges something
// is sent only when that is on the card for good.
//
// The sound files are the truth, the index is how they are found and what people typed. Whatever
// fails leaves the index in memory as it is on the card: a folder that a failure may have left
// half changed is forgotten and read again.

import Glibc
import Recorder
import Tape

public final class Store<System: FileSystem> {
  let system: System
  let files: IndexFiles<System>
  let send: (CardEvent) -> Void
  /// Where the card is mounted, for what can only be done with a path: reading sound of other
  /// kinds, exporting. Nil for a card that is not in the file system.
  let directory: String?
  /// Called between the pieces of long work, so that a command need not wait for its end.
  public var pause: () -> Void = {}
  /// Hands over a file that somebody opened for us, once; nil when it is not there any more.
  public var takePassed: (Int) -> Int32? = { _ in nil }

  var phase = Phase.closed
  /// When the command being carried out was given.
  var now = WallTime(milliseconds: 0)
  /// The folders in memory.
  var folders: [ItemID: OpenFolder] = [:]
  /// Where every folder is that was ever seen in this one's parent.
  var tree: [ItemID: Branch] = [:]
  /// The folder each recording is in, of those folders that were asked for.
  var homes: [ItemID: ItemID] = [:]
  /// What is below each folder, as last read.
  var tallies: [ItemID: Tally] = [:]
  /// Takes of this run that are not over: recovery leaves them alone.
  var running: Set<ItemID> = []
  /// Recordings whose files are owed an end: those that are tried next, and those that were tried
  /// in vain since the card was last heard of.
  var owed: (next: Set<ItemID>, later: Set<ItemID>) = ([], [])
  /// What is to be done bit by bit, the oldest first.
  var jobs: [Job] = []
  var recovery: Recovery?
  /// Folders not in memory that hold others whose counts changed: reading them puts that right.
  var miscounted: Set<ItemID> = []
  var useCount = 0
  var wantsSnapshots: Set<ItemID> = []
  /// What was written of their indexes may not be on the card, whatever a later sync says.
  var doubtful: Set<ItemID> = []
  var snapshotPace = SnapshotPace()
  /// A new title is not worth a longer copy: about ten seconds of a slow card, two hours of sound.
  var longestCopyBytes: Int64 = 64 << 20
  /// What is longer is moved bit by bit where moving is copying.
  var copiedAtOnceBytes: Int64 = 1 << 20
  /// The ticket of the work that is being done just now.
  var workingOn: Int?
  var isCancelled = false
  var (toldTicket, toldPermille) = (0, -1)

  enum Phase: Equatable { case closed, open, exported }

  struct Branch {
    var parent: ItemID
    var directory: String
  }

  public init(
    system: System, directory: String? = nil, send: @escaping (CardEvent) -> Void
  ) {
    self.system = system
    self.directory = directory
    self.send = send
    files = IndexFiles(system: system)
  }

  // MARK: Commands

  public func carryOut(_ command: CardCommand, now: WallTime) {
    self.now = now
    switch command {
    case .open: open()
    case .read(let id): read(id)
    case .begin(let recording): begin(recording)
    case .keep(let recording): keep(recording)
    case .forget(let id): forget(id)
    case .work(let ticket, let work): carryOut(work, ticket)
    case .cancel(let ticket): cancel(ticket)
    case .recycle: jobs.append(.recycle(Recycling()))
    }
  }

  /// Says how much room there is, and whether the card can be written. What could not be ended is
  /// tried again.
  public func measureSpace() {
    owed = (owed.next.union(owed.later), [])
    askCard()
  }

  private func askCard() {
    do {
      let space = try system.space()
      send(.space(freeBytes: space.freeBytes, totalBytes: space.totalBytes))
      let isReadOnly = space.isReadOnly || refuses
      if isReadOnly != self.isReadOnly { tell(isReadOnly: isReadOnly) }
      if space.isVolatile != isVolatile {
        isVolatile = space.isVolatile
        send(.condition(.volatile(space.isVolatile)))
      }
    } catch {
      // What cannot be measured is not known; the next command will say what is wrong.
    }
  }

  var isReadOnly = false
  /// Nil until it was told: another card may have been in before.
  private var isVolatile: Bool?

  /// A file system that gave up is not marked as read-only by kernels since 2024: it refuses what
  /// is written, and no more. So one that refused once is asked with a file, until it takes it.
  private var hasRefused = false

  private var refuses: Bool {
    guard hasRefused else { return false }
    do {
      let path = Self.probe
      if try system.entry(path) != nil { try system.remove(path) }
      // Synced: a card that is dying is found out only then.
      try system.open(path, .create).sync()
      try system.remove(path)
      hasRefused = false
    } catch {
      // As long as it does not take it.
    }
    return hasRefused
  }

  private static var probe: String { ".reel-0-0-0.part" }

  private func tell(isReadOnly: Bool) {
    self.isReadOnly = isReadOnly
    send(.condition(isReadOnly ? .readOnly : .writable))
    if !isReadOnly, phase == .open { recovery = recovery ?? Recovery() }
  }

  private func carryOut(_ work: CardWork, _ ticket: Int) {
    do {
      if let result = try result(of: work, ticket) { send(.work(ticket: ticket, .done(result))) }
    } catch {
      send(.work(ticket: ticket, .failed(notice(of: error))))
    }
  }

  /// Nil for what takes longer.
  private func result(of work: CardWork, _ ticket: Int) throws(TapeError) -> WorkResult? {
    if phase == .exported, work != .exportMode(false) { throw Self.exported }
    switch work {
    case .makeFolder(let id, let name, let parent):
      return try makeFolder(id, name: name, in: parent)
    case .rename(let id, let title): return try rename(id, to: title)
    case .move(let id, let target, let index): return try move(id, to: target, at: index, ticket)
    case .throwAway(let id): return try throwAway(id, ticket)
    case .restore(let id): return try restore(id, ticket)
    case .sort(let id, let order):
      try change([.order(order)], in: id)
      return .sorted(id, order)
    case .exportMode(true): return try close()
    case .exportMode(false):
      phase = .closed
      return .exportMode(false)
    case .purge(let purge): jobs.append(.purge(ticket, try purging(purge)))
    case .search(let text): jobs.append(.search(ticket, Search(for: text)))
    case .importFile(let id, let sequence, let source, let folder):
      jobs.append(
        .importFile(
          ticket, Importing(id: id, sequence: sequence, source: source, folder: folder)))
    case .long(let work): jobs.append(try job(for: work, ticket))
    }
    return nil
  }

  /// The sentence for people; and what follows from it for the card as a whole.
  func notice(of error: TapeError) -> String {
    if error.errno == EROFS || error.errno == EIO { hasRefused = true }
    if error.errno == EROFS, !isReadOnly { tell(isReadOnly: true) }
    if error.errno == EIO { askCard() }
    // Somebody was at the card behind our back: it is looked through again.
    if error.isAbsence, phase == .open, recovery == nil { recovery = Recovery() }
    return error.sentence
  }

  static var exported: TapeError {
    TapeError(.cannotOpen, Refusal.cardExported.sentence)
  }

  // MARK: Opening and closing

  private func open() {
    forgetEverything()
    phase = .open
    do {
      let root = try folder(.root)
      let trash = try folder(.trash)
      send(
        .opened(
          CardReport(
            nextSequence: try next(root, trash), root: root.index.tally, trash: trash.index.tally)))
      recovery = Recovery()
    } catch {
      phase = .closed
      send(.failed(notice(of: error)))
    }
    measureSpace()
  }

  func forgetEverything() {
    (folders, tree, homes, tallies) = ([:], [:], [:], [:])
    (jobs, recovery, wantsSnapshots, miscounted) = ([], nil, [], [])
    owed = ([], [])
  }

  /// Hands the card out: all is on it, and nothing of it is open.
  private func close() throws(TapeError) -> WorkResult {
    while countSomething() {}
    for id in folders.keys.sorted() {
      let path = try path(of: id)
      // The trash may not have been needed yet.
      if try system.entry(path) != nil || id == .root { try system.syncDirectory(path) }
    }
    forgetEverything()
    phase = .exported
    return .exportMode(true)
  }

  /// Which numbers were given away is known to the root, or else to the trash, which is always
  /// ahead of it once there are many (see `useUp`): only then are numbers left out. If both are
  /// lost, names tell, and nothing else of the files is looked at.
  private func next(_ root: OpenFolder, _ trash: OpenFolder) throws(TapeError) -> Int {
    if root.damage == nil, root.generation > 0 || root.lineCount > 0 { return root.index.next }
    let known = max(root.index.next, trash.index.next)
    if trash.damage == nil, trash.index.next > Self.rememberedFrom { return known }
    return max(known, try nextByNames())
  }

  private func nextByNames() throws(TapeError) -> Int {
    var highest = 0
    var paths = [""]
    while let path = paths.popLast() {
      for (name, kind) in try system.names(path) {
        if kind == .directory, paths.count < 10_000 { paths.append(join(path, name)) }
        if kind == .file { highest = max(highest, FileName.parts(name).sequence ?? 0) }
      }
    }
    return highest + 1
  }

  /// Below this, looking through names is quick, and a new card needs no trash.
  static var rememberedFrom: Int { 100 }

  // MARK: Reading

  private func read(_ id: ItemID) {
    guard phase == .open else { return send(.unreadable(id, why: Self.exported.sentence)) }
    do {
      let folder = try folder(id)
      for entry in folder.index.entries.values where entry.recording != nil { homes[entry.id] = id }
      send(.listed(id, folder.index.listing))
    } catch {
      send(.unreadable(id, why: notice(of: error)))
    }
  }
}

extension TapeError {
  /// Something is not where it was.
  var isAbsence: Bool { errno == ENOENT || errno == ENOTDIR }
}

extension FolderIndex {
  /// What is shown of it. A take that is not over is the business of whoever records it.
  var listing: Listing {
    var inside: [Folder] = []
    var recordings: [Recording] = []
    for id in order == .byHand ? sequence : Array(entries.keys) {
      switch entries[id]?.item {
      case .folder(let folder): inside.append(folder)
      case .recording(let recording): if recording.isSettled { recordings.append(recording) }
      case nil: break
      }
    }
    return Listing(folders: inside, recordings: recordings, order: order)
  }
}
