// Lists recordings in the manifest. What it lacks is a query, as with hashes: a recording whose
// sound is complete and hashed, and which it does not keep, gets a line, in the background after
// all other work. So a power cut loses and doubles nothing, and no take waits for it. What is
// deleted gets its line when its files are gone, and before its entry is. Runs on the card's
// thread.

import Digest
import Recorder
import Tape

/// What is to be done about the manifest.
struct ManifestWork {
  /// Recordings without a line, with their numbers and folders.
  var unlisted: [ItemID: (sequence: Int, folder: ItemID)] = [:]
  /// Those that are listed next; the last one first.
  var queue: [ItemID] = []
  /// Deletions whose lines could not be written.
  var erased: [ManifestEvent] = []
  /// Folders to be searched for recordings without a line.
  var left: [ItemID] = []
  var needsSearch = false
  /// The card refused: the next measurement of its space ends that.
  var isResting = false

  static let mostUnlisted = 10_000

  /// Returns the next recordings to be listed, by number. They stay until they have their lines.
  mutating func next(_ count: Int) -> [(id: ItemID, folder: ItemID)] {
    while let last = queue.last, unlisted[last] == nil { queue.removeLast() }
    if queue.isEmpty {
      // Sorted once for many batches.
      queue = unlisted.sorted { ($0.value.sequence, $0.key) > ($1.value.sequence, $1.key) }
        .map(\.key)
    }
    return queue.suffix(count).reversed().map { ($0, unlisted[$0]?.folder ?? .root) }
  }
}

extension Store {
  /// Reads a piece of the manifest; false if there is nothing to read. It comes before recovery,
  /// which visits every folder anyway and finds what has no line.
  func readManifest() -> Bool {
    guard let manifest, !manifestWork.isResting else { return false }
    do { return try manifest.readMore(reportManifest) } catch { rest(because: error) }
    return false
  }

  private func reportManifest(_ sentence: String) {
    send(.found(.left(folder: .root, why: sentence)))
    manifestWork.needsSearch = true
  }

  private func rest(because error: TapeError) {
    manifestWork.isResting = true
    _ = notice(of: error)
  }

  /// Writes lines, or the signature; false if there is nothing to do.
  func listSomething() -> Bool {
    guard let manifest, !isReadOnly, !manifestWork.isResting else { return false }
    do {
      if try manifest.readMore(reportManifest) { return true }
      if !manifestWork.erased.isEmpty || !manifestWork.unlisted.isEmpty {
        try writeLines(manifest)
      } else if !manifestWork.left.isEmpty || manifestWork.needsSearch {
        searchUnlisted()
      } else if manifest.needsSignature {
        try manifest.sign()
      } else {
        return false
      }
      return true
    } catch {
      rest(because: error)
      return false
    }
  }

  private func writeLines(_ manifest: Manifest<System>) throws(TapeError) {
    let erased = Array(manifestWork.erased.prefix(Manifest<System>.batchCount))
    if !erased.isEmpty {
      let known = erased.filter { manifest.keeps($0.id) }
      if !known.isEmpty { try manifest.append(known, at: now) }
      manifestWork.erased.removeFirst(erased.count)
      return
    }
    let next = manifestWork.next(Manifest<System>.batchCount)
    let events = next.compactMap { kept($0.id, in: $0.folder, manifest) }
    if !events.isEmpty { try manifest.append(events, at: now) }
    for (id, _) in next { manifestWork.unlisted[id] = nil }
    manifestWork.queue.removeLast(min(next.count, manifestWork.queue.count))
  }

  /// Nil if it has a line by now, or is gone.
  private func kept(
    _ id: ItemID, in folder: ItemID, _ manifest: Manifest<System>
  ) -> ManifestEvent? {
    // `try?`: a folder that cannot be read is searched again at the next start.
    guard !manifest.keeps(id), let home = try? self.folder(homes[id] ?? folder),
      let entry = home.index.entries[id], entry.isListable, let recording = entry.recording
    else { return nil }
    let hashes = recording.trackNumbers.compactMap { recording.sound(ofTrack: $0).hash }
    // A damaged index may name more tracks than there can be.
    guard (1...Tracks.most).contains(hashes.count) else { return nil }
    return ManifestEvent(
      event: .kept, id: id, sequence: recording.sequence ?? 0,
      hashes: hashes.map { SHA256.Sum($0.first, $0.second, $0.third, $0.fourth) })
  }

  /// Searches one folder.
  private func searchUnlisted() {
    if manifestWork.left.isEmpty {
      (manifestWork.left, manifestWork.needsSearch) = ([.trash, .root], false)
    }
    guard let id = manifestWork.left.popLast() else { return }
    do {
      try visit(id) { folder in
        manifestWork.left += folder.index.folders
        noteForManifest(folder)
      }
    } catch { _ = notice(of: error) }
  }

  // MARK: What lacks a line

  func noteForManifest(_ folder: OpenFolder) {
    guard manifest != nil else { return }
    for entry in folder.index.entries.values { noteForManifest(entry, in: folder.index.id) }
  }

  /// Follows changes of entries, which the index has already.
  func noteForManifest(_ changes: [IndexChange], in folder: OpenFolder) {
    guard manifest != nil else { return }
    for change in changes {
      switch change {
      case .put(let entry): noteForManifest(entry, in: folder.index.id)
      case .settled(let id):
        if let entry = folder.index.entries[id] { noteForManifest(entry, in: folder.index.id) }
      default: break
      }
    }
  }

  private func noteForManifest(_ entry: Entry, in folder: ItemID) {
    guard let manifest, entry.isListable else { return }
    guard manifest.isRead, manifestWork.unlisted.count < ManifestWork.mostUnlisted else {
      manifestWork.needsSearch = true
      return
    }
    if manifest.keeps(entry.id) { return }
    manifestWork.unlisted[entry.id] = (entry.recording?.sequence ?? 0, folder)
  }

  // MARK: Deletions

  /// Writes that recordings are deleted for good. A card that refuses the lines twice, such as a
  /// full one, does not hold up a deletion: they are written later. Outside the trash only room is
  /// made: no person has deleted them.
  func listErased(_ entries: [Entry], in folder: ItemID) {
    guard let manifest else { return }
    for entry in entries { manifestWork.unlisted[entry.id] = nil }
    let event = trail(to: folder)[0] == .trash ? ManifestLine.Event.erased : .recycled
    manifestWork.erased += entries.compactMap { entry in
      entry.recording.map {
        ManifestEvent(event: event, id: entry.id, sequence: $0.sequence ?? 0)
      }
    }
    for isLast in [false, true] {
      do { return try writeErased(manifest) } catch { if isLast { rest(because: error) } }
    }
  }

  private func writeErased(_ manifest: Manifest<System>) throws(TapeError) {
    while !manifestWork.erased.isEmpty {
      if try manifest.readMore(reportManifest) { continue }
      try writeLines(manifest)
    }
  }

  /// The same for everything in a folder and below it.
  func listErased(below id: ItemID) {
    guard manifest != nil else { return }
    var left = [id]
    while let next = left.popLast() {
      do {
        var entries: [Entry] = []
        try visit(next) { folder in
          left += folder.index.folders
          entries = folder.index.entries.values.filter { $0.recording != nil }
        }
        listErased(entries.sorted { $0.id < $1.id }, in: next)
      } catch {
        // A part of it is deleted already; its lines were written before that.
        _ = notice(of: error)
      }
    }
  }

  // MARK: What clients ask

  /// Where the manifest ends. Without an open card there is only the key.
  func facts(for query: ManifestQuery) throws(TapeError) -> ManifestFacts {
    guard let manifest else {
      if query == .about { return ManifestFacts(keyID: nil, publicKey: nil) }
      throw TapeError(.unsupported, "This recorder has no key to sign a manifest with.")
    }
    guard phase == .open else { return ManifestFacts(manifest.publicKey) }
    while try manifest.readMore(reportManifest) {}
    var facts = ManifestFacts(manifest.publicKey, manifest.head)
    if query == .open {
      facts.signature = manifest.signatureOfAll.text
      facts.file = try opened(manifest)
    }
    return facts
  }

  private func opened(_ manifest: Manifest<System>) throws(TapeError) -> ClientFile {
    guard manifest.lineCount > 0, let file = try system.plainFile(manifest.path) else {
      throw TapeError(.cannotOpen, "There is no manifest yet: no recording is complete.")
    }
    return try offer(file, at: manifest.path, sizeBytes: manifest.byteCount)
  }
}

extension Entry {
  /// Whether its sound is complete and hashed, so that it belongs into the manifest.
  fileprivate var isListable: Bool {
    guard intent != .purging, let recording, recording.isHashable else { return false }
    if recording.sound.hash == nil { return false }
    return recording.tracks.others.allSatisfy { $0.sound.hash != nil }
  }
}

extension ManifestFacts {
  init(_ key: PublicKey, _ head: ManifestHead? = nil) {
    self.init(
      keyID: key.keyID, publicKey: key.text, lines: head?.lines, hash: head?.hash.description)
  }
}
