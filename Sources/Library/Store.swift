// The folder store: a state machine that performs the reducer's commands on a card and sends events
// with the results. Called on the card's thread; it has no thread and no clock of its own.
// `perform` completes short commands at once; `step` runs one slice of a long job or of recovery.
// An event that acknowledges a change must not be sent before the change is synced.
//
// The sound files are authoritative; the index locates them and holds what users typed. After a
// failure the index in memory must still match the card: a folder that may be half changed is
// dropped from memory and read again.

import Digest
import Glibc
import Recorder
import Tape

/// Folders and recordings on a card.
public final class Store<System: FileSystem> {
  let system: System
  let files: IndexFiles<System>
  let send: (CardEvent) -> Void
  /// Called between the pieces of a long job, to handle commands that arrived meanwhile.
  public var pause: () -> Void = {}
  public var clientFiles = ClientFiles.none

  var phase = Phase.closed
  /// Wall-clock time at which the current command was sent.
  var now = WallTime(milliseconds: 0)
  /// Folders whose index is in memory.
  var folders: [ItemID: OpenFolder] = [:]
  /// Parent and directory name of every folder seen so far.
  var tree: [ItemID: Branch] = [:]
  /// The folder of each recording, for folders that were listed.
  var homes: [ItemID: ItemID] = [:]
  /// The summary of each folder, as last read.
  var summaries: [ItemID: Summary] = [:]
  /// Running takes of this process. Recovery must not touch them.
  var running: Set<ItemID> = []
  /// Recordings whose file still lacks its end. `next` are tried next; `later` failed and wait for
  /// the next space measurement.
  var owed: (next: Set<ItemID>, later: Set<ItemID>) = ([], [])
  /// Recordings whose sound the sound path could not hash.
  var unhashed: [Unhashed] = []
  var hashing: Hashing?
  /// Long jobs. One slice of each runs in turn.
  var jobs: [Job] = []
  var recovery: Recovery?
  var recyclables = Recyclables(.heard)
  /// By target; nil stands for all of them.
  var copyables: [CopyQuery.Subject: Copyables] = [:]
  /// Entries examined to make room; tests check this cost.
  var comparisons = 0
  /// Folders not in memory whose subfolder counts changed. Reading a folder corrects them.
  var miscounted: Set<ItemID> = []
  var useCount = 0
  var wantsSnapshots: Set<ItemID> = []
  /// Folders with a failed sync: a later successful sync does not make earlier writes safe.
  var doubtful: Set<ItemID> = []
  var snapshotPace = SnapshotPace()
  /// Where renaming copies, a longer file keeps its name when its title changes: 64 MiB take about
  /// ten seconds on a slow card and hold two hours of sound.
  var longestCopyBytes: Int64 = 64 << 20
  /// Where moving copies, a longer file is copied in slices.
  var copiedAtOnceBytes: Int64 = 1 << 20
  /// Ticket of the job whose slice is running.
  var workingOn: Int?
  var isCancelled = false
  var (toldTicket, toldPermille) = (0, -1)

  enum Phase: Equatable { case closed, open, exported }

  struct Branch {
    var parent: ItemID
    var directory: String
  }

  /// The tracks of a new take.
  let trackPlans: [TrackPlan]
  /// Nil without a key.
  let manifest: Manifest<System>?
  var manifestWork = ManifestWork()

  public init(
    system: System, tracks: [TrackPlan] = [.usual], key: SigningKey? = nil,
    send: @escaping (CardEvent) -> Void
  ) {
    precondition((1...Tracks.most).contains(tracks.count), "a take has one to eight tracks")
    self.system = system
    trackPlans = tracks
    self.send = send
    files = IndexFiles(system: system)
    manifest = key.map { Manifest(system, $0) }
  }

  // MARK: Commands

  /// Performs a command, or queues it as a job. `now` is when it was sent.
  public func perform(_ command: CardCommand, now: WallTime) {
    self.now = now
    switch command {
    case .open: open()
    case .read(let id): read(id)
    case .begin(let recording): begin(recording)
    case .keep(let recording): keep(recording)
    case .forget(let id): forget(id)
    case .work(let ticket, let work): perform(work, ticket)
    case .cancel(let ticket): cancel(ticket)
    case .recycle(let kind):
      if recyclables.kind != kind { recyclables = Recyclables(kind) }
      jobs.append(.recycle(Recycling(found: Recyclables(kind))))
    }
  }

  /// Reports free space and whether the card is writable. File ends that could not be written are
  /// tried again.
  public func measureSpace() {
    owed = (owed.next.union(owed.later), [])
    manifestWork.isResting = false
    probeCard()
  }

  private func probeCard() {
    do {
      let space = try system.space()
      send(.space(freeBytes: space.freeBytes, totalBytes: space.totalBytes))
      let isReadOnly = space.isReadOnly || refuses
      if isReadOnly != self.isReadOnly { report(isReadOnly: isReadOnly) }
      if space.isVolatile != isVolatile {
        isVolatile = space.isVolatile
        send(.condition(.volatile(space.isVolatile)))
      }
    } catch {
      // If the space cannot be read, the next command reports the error.
    }
  }

  var isReadOnly = false
  /// Nil until first reported: the card used before may have differed.
  private var isVolatile: Bool?

  /// Kernels since 2024 do not mark a file system that stopped on an error as read-only; only its
  /// writes fail. So after a refused write, a probe file is written until that succeeds.
  private var hasRefused = false

  private var refuses: Bool {
    guard hasRefused else { return false }
    do {
      let path = Self.probe
      if try system.entry(path) != nil { try system.remove(path) }
      // Synced, because a failing card reports its error only then.
      try system.open(path, .create).sync()
      try system.remove(path)
      hasRefused = false
    } catch {
      // The card still refuses: `hasRefused` stays set.
    }
    return hasRefused
  }

  private static var probe: String { ".reel-0-0-0.part" }

  private func report(isReadOnly: Bool) {
    self.isReadOnly = isReadOnly
    send(.condition(isReadOnly ? .readOnly : .writable))
    if !isReadOnly, phase == .open { recovery = recovery ?? Recovery() }
  }

  private func perform(_ work: CardWork, _ ticket: Int) {
    do {
      if let result = try result(of: work, ticket) { send(.work(ticket: ticket, .done(result))) }
    } catch {
      send(.work(ticket: ticket, .failed(notice(of: error))))
    }
  }

  /// Nil if the work continues as a job, which answers the ticket.
  private func result(of work: CardWork, _ ticket: Int) throws(TapeError) -> WorkResult? {
    if phase == .exported, work != .exportMode(false), work != .manifest(.about) {
      throw Self.exported
    }
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
    case .copies(let query): return copyPage(query, ticket)
    case .noteCopy(let copy): return try note(copy)
    case .openFile(let request): return .opened(try opened(request))
    case .manifest(let query): return .manifest(query, try facts(for: query))
    case .search(let text): jobs.append(.search(ticket, Search(for: text)))
    case .importFile(let id, let sequence, let source, let folder, let format):
      let importing = Importing(
        id: id, sequence: sequence, source: source, folder: folder,
        format: try importFormat(format))
      jobs.append(.importFile(ticket, importing))
    case .long(let work): jobs.append(try job(for: work, ticket))
    }
    return nil
  }

  /// Returns the error's sentence for users. Also acts on what the error says about the whole card.
  func notice(of error: TapeError) -> String {
    if error.errno == EROFS || error.errno == EIO { hasRefused = true }
    if error.errno == EROFS, !isReadOnly { report(isReadOnly: true) }
    if error.errno == EIO { probeCard() }
    // Another program changed the card: run recovery again.
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
    (folders, tree, homes, summaries) = ([:], [:], [:], [:])
    (jobs, recovery, wantsSnapshots, miscounted) = ([], nil, [], [])
    owed = ([], [])
    (unhashed, hashing) = ([], nil)
    recyclables = Recyclables(recyclables.kind)
    copyables = [:]
    manifest?.forget()
    manifestWork = ManifestWork()
  }

  /// Syncs all folders and forgets them, before the card is exported to a computer.
  private func close() throws(TapeError) -> WorkResult {
    while countSomething() {}
    // A computer is to find a manifest that its signature fits.
    while listSomething() {}
    for id in folders.keys.sorted() {
      let path = try path(of: id)
      // The trash directory is made at its first use.
      if try system.entry(path) != nil || id == .root { try system.syncDirectory(path) }
    }
    forgetEverything()
    phase = .exported
    return .exportMode(true)
  }

  /// The next free sequence number. The root's index knows it. If that is lost, the trash's index
  /// has an upper bound above `rememberedFrom` (see `useUp`), which leaves numbers out. If both are
  /// lost, the names of Reel's own files are scanned.
  private func next(_ root: OpenFolder, _ trash: OpenFolder) throws(TapeError) -> Int {
    if root.damage == nil, root.generation > 0 || root.lineCount > 0 { return root.index.next }
    let known = max(root.index.next, trash.index.next)
    if trash.damage == nil, trash.index.next > Self.rememberedFrom { return known }
    return max(known, try nextByNames())
  }

  private func nextByNames() throws(TapeError) -> Int {
    var found: [(sequence: Int, path: String)] = []
    var paths = [""]
    while let path = paths.popLast() {
      for (name, kind) in try system.names(path) {
        if kind == .directory, paths.count < 10_000 { paths.append(join(path, name)) }
        let (sequence, _, ending) = FileName.parts(name)
        if kind == .file, FileName.takeEndings.contains(ending.lowercased()), let sequence {
          found.append((sequence, join(path, name)))
        }
      }
    }
    // Only files that Reel recorded count; other names may begin with a date.
    let own = found.sorted { $0.sequence > $1.sequence }.first { isOwn($0.path) }
    return FileName.sequence(after: own?.sequence ?? 0)
  }

  /// Whether Reel recorded a file. An empty file is a take that was cut before its first page.
  private func isOwn(_ path: String) -> Bool {
    do {
      let file = try system.open(path, .read)
      if try file.byteCount() <= newFileBytes { return true }
      return try Tags.read(from: file)?.id.flatMap { ItemID($0) } != nil
    } catch {
      // An unreadable file does not count as Reel's own.
      return false
    }
  }

  /// Up to this number, scanning names is quick, and a new card needs no trash.
  static var rememberedFrom: Int { 100 }

  // MARK: Reading

  private func read(_ id: ItemID) {
    guard phase == .open else { return send(.unreadable(id, why: Self.exported.sentence)) }
    do {
      let folder = try folder(id)
      setHomes(in: folder)
      send(.listed(id, folder.index.listing))
    } catch {
      send(.unreadable(id, why: notice(of: error)))
    }
  }

  private func setHomes(in folder: OpenFolder) {
    let items = folder.index.sequence
    // A folder that is read again needs no more room.
    if let first = items.first, homes[first] == nil {
      homes.reserveCapacity(homes.count + items.count)
    }
    let (id, inside) = (folder.index.id, folder.index.folders)
    // One access to the table, which is checked, instead of one for each item.
    func set(_ homes: inout [ItemID: ItemID]) {
      for item in items where !inside.contains(item) { homes[item] = id }
    }
    set(&homes)
  }
}

extension TapeError {
  /// A file or directory is missing from its place.
  var isAbsence: Bool { errno == ENOENT || errno == ENOTDIR }
}

extension FolderIndex {
  /// What a listing shows. Unsettled takes are left out: the recorder lists those itself.
  var listing: Listing {
    var (inside, recordings) = ([Listing.Item](), [Listing.Item]())
    recordings.reserveCapacity(entries.count)
    // In the order of arrival, which is often that of the folder: then the recorder has little left
    // to sort.
    for id in sequence {
      guard let item = entries[id]?.item else { continue }
      if item.isSettledRecording {
        recordings.append(item)
      } else if case .folder = item {
        inside.append(item)
      }
    }
    return Listing(folders: inside, recordings: recordings, order: order)
  }
}
