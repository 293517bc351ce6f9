// Compares the files of a directory with what manifests say of them. Files are known by the hash of
// their sound, so names and folders may be others; what has changed is known by the identity in its
// tags. Plain values; any thread.

/// What manifests say of recordings, and which of their files were found.
public struct ManifestLedger {
  /// What is wrong with a file, or with a recording.
  public enum Finding: Hashable, Sendable {
    /// None of the files has the sound of this recording.
    case missing(RecordingID, sequence: Int)
    /// The tags of the file name a recording, and its sound is another.
    case changed(String, sequence: Int)
    /// No manifest has the sound of this file.
    case unknown(String)
    /// The tags of the file name one recording, and it has the sound of another.
    case exchanged(String, says: Int, has: Int)
    /// The name of the file begins with the number of one recording, and it is another.
    case misnamed(String, says: Int, has: Int)
  }

  private struct Entry {
    let sequence: Int
    /// The hashes of its files; more than one list if manifests differ.
    var versions: [[SHA256.Sum]] = []
    var mayBeMissing = false
    var found: [SHA256.Sum] = []
    var isChanged = false

    var isFound: Bool { versions.contains { $0.allSatisfy(found.contains) } }
  }

  private var entries: [RecordingID: Entry] = [:]
  private var owners: [SHA256.Sum: [RecordingID]] = [:]
  private var sequences: Set<Int> = []

  public init() {}

  /// The recordings that manifests say are kept.
  public var keptCount: Int { entries.values.count { !$0.mayBeMissing } }

  /// Takes in the next line of a manifest.
  public mutating func add(_ line: ManifestLine) {
    var entry = entries[line.recording] ?? Entry(sequence: line.sequence)
    switch line.event {
    case .erased, .recycled: entry.mayBeMissing = true
    case .kept:
      entry.mayBeMissing = false
      if !entry.versions.contains(line.hashes) { entry.versions.append(line.hashes) }
      for hash in line.hashes where owners[hash]?.contains(line.recording) != true {
        owners[hash, default: []].append(line.recording)
      }
      if line.sequence > 0 { sequences.insert(line.sequence) }
    }
    entries[line.recording] = entry
  }

  /// Takes in a manifest of another key: what one says is deleted may be missing.
  public mutating func add(_ other: ManifestLedger) {
    for (id, theirs) in other.entries {
      guard var ours = entries[id] else {
        entries[id] = theirs
        continue
      }
      for version in theirs.versions where !ours.versions.contains(version) {
        ours.versions.append(version)
      }
      ours.mayBeMissing = ours.mayBeMissing || theirs.mayBeMissing
      entries[id] = ours
    }
    for (hash, ids) in other.owners {
      for id in ids where owners[hash]?.contains(id) != true {
        owners[hash, default: []].append(id)
      }
    }
    sequences.formUnion(other.sequences)
  }

  /// Takes in a file: the hash of its sound, the recording that its tags name, and the number that
  /// its name begins with. Returns what is wrong with it.
  public mutating func find(
    _ path: String, _ hash: SHA256.Sum, tagged id: RecordingID?, numbered number: Int?
  ) -> Finding? {
    guard let ids = owners[hash], let first = ids.first else { return strange(path, id) }
    for id in ids { entries[id]?.found.append(hash) }
    let known = ids.compactMap { entries[$0]?.sequence }
    let has = entries[first]?.sequence ?? 0
    if let id, !ids.contains(id), let other = entries[id] {
      return .exchanged(path, says: other.sequence, has: has)
    }
    if let number, !known.contains(number), sequences.contains(number), has > 0 {
      return .misnamed(path, says: number, has: has)
    }
    return nil
  }

  private mutating func strange(_ path: String, _ id: RecordingID?) -> Finding? {
    guard let id, let entry = entries[id] else { return .unknown(path) }
    entries[id]?.isChanged = true
    return .changed(path, sequence: entry.sequence)
  }

  /// The recordings that are kept, and have no file; once all files were found.
  public var missing: [Finding] {
    let gone = entries.filter { !$0.value.mayBeMissing && !$0.value.isFound && !$0.value.isChanged }
    let sorted = gone.sorted { ($0.value.sequence, $0.key) < ($1.value.sequence, $1.key) }
    return sorted.map { .missing($0.key, sequence: $0.value.sequence) }
  }
}
