// Which recordings have copies elsewhere. A question is answered from what the last search found
// and what changed since; only the first one, and one behind a very long queue, searches all
// folders. A copy counts once the hash of what was read back is that of the file. Runs on the
// card's thread.

import Glibc
import Recorder
import Tape

/// A search for recordings that a target lacks.
struct CopySearch {
  let query: CopyQuery
  var left: [ItemID] = [.root]
  var found: Copyables

  init(_ query: CopyQuery) {
    self.query = query
    found = Copyables(after: query.after)
    if query.scope != .lacking { left.append(.trash) }
  }
}

extension Store {
  /// Nil if the folders must be searched, by a job that answers the ticket.
  func copyPage(_ query: CopyQuery, _ ticket: Int) -> WorkResult? {
    guard let known = copyables[query.subject], known.covers(query.after) else {
      jobs.append(.copies(ticket, CopySearch(query)))
      return nil
    }
    return .uncopied(page(of: known, query))
  }

  /// Searches one folder; true if there are more. A folder that cannot be read is skipped: what is
  /// in it cannot be copied either.
  func step(_ search: inout CopySearch, _ ticket: Int) -> Bool {
    if let id = search.left.popLast() {
      do {
        try visit(id) { folder in
          for entry in folder.index.entries.values {
            if entry.folder != nil { search.left.append(entry.id) }
            if let candidate = copyable(entry, in: id, search.query.subject) {
              search.found.insert(candidate)
            }
          }
        }
      } catch { _ = notice(of: error) }
      return true
    }
    copyables[search.query.subject] = search.found
    send(.work(ticket: ticket, .done(.uncopied(page(of: search.found, search.query)))))
    return false
  }

  private func page(of known: Copyables, _ query: CopyQuery) -> CopyPage {
    let next = known.next(after: query.after, count: query.count)
    // A folder that was deleted meanwhile, or cannot be read, has none.
    let sources = next.compactMap { try? source($0) }
    let isLast = next.last == known.candidates.last && !known.isCut
    return CopyPage(sources, next: isLast ? nil : next.last?.place, count: known.candidates.count)
  }

  private func source(_ candidate: Copyables.Candidate) throws(TapeError) -> CopySource {
    let entry = try folder(candidate.folder).index.entries[candidate.place.id]
    guard let recording = entry?.recording else { throw Self.notFound }
    let (names, directories) = try folders(to: candidate.folder)
    return CopySource(
      recording, folders: names, directories: directories,
      isDeleted: trail(to: candidate.folder)[0] == .trash)
  }

  /// The names and directories of the folders from the root to this one, without the root's.
  private func folders(
    to id: ItemID
  ) throws(TapeError) -> (names: [String], directories: [String]) {
    var (names, directories): ([String], [String]) = ([], [])
    for id in trail(to: id).dropFirst() {
      let index = try folder(id).index
      names.append(index.name)
      directories.append(tree[id]?.directory ?? index.name)
    }
    return (names, directories)
  }

  /// Nil if it is not what is asked about, or if there is nothing yet that could be copied.
  private func copyable(
    _ entry: Entry, in id: ItemID, _ subject: CopyQuery.Subject
  ) -> Copyables.Candidate? {
    guard let recording = entry.recording, recording.isSettled, entry.intent == nil,
      !recording.integrity.endIsOwed, isAskedAbout(recording, entry, in: id, subject)
    else { return nil }
    // Without a hash nothing could be compared: it is computed first.
    guard recording.soundHashes != nil else {
      if unhashed.count < 100_000 { unhashed.append(Unhashed(id: entry.id, folder: id)) }
      return nil
    }
    return Copyables.Candidate(place: CopyPlace(recording), folder: id)
  }

  private func isAskedAbout(
    _ recording: Recording, _ entry: Entry, in id: ItemID, _ subject: CopyQuery.Subject
  ) -> Bool {
    let isDeleted = trail(to: id)[0] == .trash
    guard let target = subject.target else { return recording.copies.isEmpty && !isDeleted }
    guard let copy = recording.copy(at: target) else {
      return subject.scope != .held && !isDeleted
    }
    if subject.scope == .held { return true }
    if !isDeleted, copy.file != file(of: entry, in: id) { return true }
    return subject.scope == .stale && copy.texts != recording.texts(isDeleted: isDeleted)
  }

  /// The path of the entry's file; empty if its folder's is not known.
  private func file(of entry: Entry, in id: ItemID) -> String {
    let directories = trail(to: id).dropFirst().map { tree[$0]?.directory ?? "" }
    return (directories + [entry.fileName]).joined(separator: "/")
  }

  /// Follows changes of entries, which the index has already.
  func noteForCopying(_ changes: [IndexChange], in folder: OpenFolder) {
    if copyables.isEmpty, !isSearchedForCopies { return }
    for change in changes {
      switch change {
      case .put(let entry) where entry.folder != nil: return searchAnewForCopies()
      case .put(let entry): noteForCopying(entry.id, in: folder)
      case .settled(let id), .gone(let id): noteForCopying(id, in: folder)
      default: break
      }
    }
  }

  /// The paths of all that is below a folder may be others now.
  func searchAnewForCopies() {
    copyables = [:]
    withCopySearches { $0 = CopySearch($0.query) }
  }

  private func noteForCopying(_ id: ItemID, in folder: OpenFolder) {
    let here = folder.index.id
    let entry = folder.index.entries[id]
    func note(_ subject: CopyQuery.Subject, _ known: inout Copyables) {
      if let candidate = entry.flatMap({ copyable($0, in: here, subject) }) {
        known.insert(candidate)
      } else {
        known.remove(id, from: here)
      }
    }
    for subject in Array(copyables.keys) {
      if var known = copyables[subject] {
        note(subject, &known)
        copyables[subject] = known
      }
    }
    withCopySearches { note($0.query.subject, &$0.found) }
  }

  private var isSearchedForCopies: Bool {
    jobs.contains { if case .copies = $0 { true } else { false } }
  }

  private func withCopySearches(_ change: (inout CopySearch) -> Void) {
    for index in jobs.indices {
      guard case .copies(let ticket, var search) = jobs[index] else { continue }
      change(&search)
      jobs[index] = .copies(ticket, search)
    }
  }

  // MARK: Files for clients

  func opened(_ request: FileRequest) throws(TapeError) -> ClientFile {
    let (folder, entry) = try whereabouts(of: request.id, in: request.folder)
    guard let recording = entry.recording, recording.isSettled else { throw Self.notFound }
    let paths = try paths(of: entry, in: folder.index.id)
    let names = [recording.tracks.firstName] + recording.tracks.others.map(\.plan.name)
    let index = request.track.map { names.firstIndex(of: $0) } ?? 0
    guard let index, paths.indices.contains(index) else { throw Self.notFound }
    guard let file = try system.plainFile(paths[index]) else { throw Self.notFound }
    return try offer(file, at: paths[index], sizeBytes: try file.byteCount())
  }

  /// Keeps an open file for a client.
  func offer(
    _ file: borrowing PosixFile, at path: String, sizeBytes: Int64
  ) throws(TapeError) -> ClientFile {
    let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else {
      throw .system(.cannotOpen, "\(path) cannot be passed", errno: errno)
    }
    return ClientFile(number: clientFiles.offer(descriptor), file: path, sizeBytes: sizeBytes)
  }

  // MARK: What has arrived

  func note(_ note: CopyNote) throws(TapeError) -> WorkResult {
    let (folder, entry) = try whereabouts(of: note.id, in: note.folder)
    guard let recording = entry.recording, recording.isSettled else { throw Self.notFound }
    let copy = try copy(note, of: recording)
    if let copy, !copy.isBelievable {
      throw TapeError(.unsupported, "A copy's target and its names must be short texts.")
    }
    var changed = entry
    changed.item = .recording(recording.with(recording.copies(with: copy, at: note.target)))
    if changed != entry { try change([.put(changed)], in: folder) }
    return .copied(
      CopyResult(
        entry.id, changed.recording?.copies ?? [], path: trail(to: folder.index.id),
        difference: changed.summary.tally - entry.summary.tally, title: recording.title,
        lost: copy == nil && recording.copy(at: note.target) != nil ? note.target : nil))
  }

  /// Its entry, in the folder it was in or where it is known to be now.
  private func whereabouts(
    of id: ItemID, in last: ItemID
  ) throws(TapeError) -> (OpenFolder, Entry) {
    if homes[id] == nil, tree[last] != nil || last == .root {
      let folder = try folder(last)
      if let entry = folder.index.entries[id] { return (folder, entry) }
    }
    return try home(of: id)
  }

  private func compare(_ hashes: [String], with recording: Recording) throws(TapeError) {
    if recording.soundHashes == hashes { return }
    throw TapeError(
      .unsupported,
      "What was read back of “\(recording.title)” is not its sound; it does not count as a copy.")
  }

  private func copy(
    _ note: CopyNote, of recording: Recording
  ) throws(TapeError) -> RecordingCopy? {
    switch note.change {
    case .gone: return nil
    case .renamed(let remote, let file):
      guard let known = recording.copy(at: note.target) else {
        throw TapeError(.unsupported, "There is no copy at “\(note.target)” to be renamed.")
      }
      return RecordingCopy(
        target: note.target, remote: remote, file: file, verifiedAt: known.verifiedAt)
    case .described(let texts):
      guard let known = recording.copy(at: note.target) else {
        throw TapeError(.unsupported, "There is no copy at “\(note.target)” to be described.")
      }
      return RecordingCopy(
        target: note.target, remote: known.remote, file: known.file, verifiedAt: known.verifiedAt,
        texts: texts)
    case .verified(let remote, let file, let hashes):
      try compare(hashes, with: recording)
      let known = recording.copy(at: note.target)
      return RecordingCopy(
        target: note.target, remote: remote, file: file, verifiedAt: now,
        texts: known?.remote == remote ? known?.texts : nil)
    }
  }
}

extension Recording {
  /// The hashes of its files' sound, in hexadecimal digits; nil if one has none.
  var soundHashes: [String]? {
    let known = trackNumbers.compactMap { sound(ofTrack: $0).hash?.sha256 }
    return known.count == trackNumbers.count ? known : nil
  }
}
