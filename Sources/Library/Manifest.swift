// The manifest of this recorder on a card: a text with a line for each recording, and its signature
// beside it (docs/manifest.md). A line is appended and synced; then the signature is written anew.
// A power cut leaves at most a torn last line, which is cut off, and a signature of fewer lines,
// which is made again, of lines with the seal of the key: others could say that a recording was
// deleted which was not. Used on the card's thread; the key never reaches the card.

import Digest
import Recorder
import Tape

/// What happened to a recording, for a line of the manifest.
struct ManifestEvent {
  let event: ManifestLine.Event
  let id: ItemID
  let sequence: Int
  var hashes: [SHA256.Sum] = []
}

final class Manifest<System: FileSystem> {
  private enum Phase {
    case unread
    case reading(System.File)
    case read
  }

  private let system: System
  private let key: SigningKey
  private var phase = Phase.unread
  private var reader = ManifestReader()
  private var signature: Signature?
  /// Of how many lines the signature is.
  private var signedCount = 0
  private var hasPublicKey = false
  /// Bytes of a torn line are behind the last line.
  private var isTorn = false
  /// The lines that were read are on the card, and not only in the system's memory.
  private var isSynced = false
  /// While it is read, without order.
  private var found: Set<ItemID> = []
  /// The recordings whose last line says that they are kept, sorted: a set of a hundred thousand
  /// takes three times the memory.
  private var kept: [ItemID] = []
  /// The head of the manifest that was set aside.
  private var predecessor: SHA256.Sum?

  static var directory: String { ".manifest" }
  /// Some two hundred lines: a press on a button waits no longer than for one piece.
  private static var pieceBytes: Int { 1 << 16 }
  /// So many lines are written at once.
  static var batchCount: Int { 200 }
  /// More than a million lines are not of a recorder, and are not read.
  private static var mostBytes: Int64 { 1 << 28 }
  /// A power cut cannot tear more.
  private static var mostTornBytes: Int64 { Int64(batchCount * ManifestLine.mostBytes) }

  init(_ system: System, _ key: SigningKey) { (self.system, self.key) = (system, key) }

  private var name: String { key.publicKey.keyID + ".txt" }
  var path: String { join(Self.directory, name) }
  private var signaturePath: String { path + ".minisig" }
  private var publicKeyPath: String { join(Self.directory, key.publicKey.keyID + ".pub") }

  var publicKey: PublicKey { key.publicKey }
  var isRead: Bool { if case .read = phase { true } else { false } }
  var lineCount: Int { reader.count }
  var byteCount: Int64 { reader.byteCount }
  var head: ManifestHead {
    ManifestHead(keyID: key.publicKey.keyID, lines: reader.count, hash: reader.last.hash)
  }
  /// A signature of all lines.
  var signatureOfAll: Signature { Signature(of: reader.sum, comment: head.text, by: key) }
  var needsSignature: Bool {
    isRead && reader.count > 0 && (signedCount != reader.count || !hasPublicKey || isTorn)
  }

  /// Whether its last line about the recording says that it is kept.
  func keeps(_ id: ItemID) -> Bool {
    let place = place(of: id)
    return place < kept.count && kept[place] == id
  }

  private func place(of id: ItemID) -> Int {
    var (low, high) = (0, kept.count)
    while low < high {
      let middle = (low + high) / 2
      if kept[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Reading

  /// The card is closed, or its bytes may differ from memory: read it again before the next use.
  func forget() {
    phase = .unread
    reader = ManifestReader()
    (found, kept) = ([], [])
    (signature, signedCount, hasPublicKey, isTorn, isSynced) = (nil, 0, false, false, false)
  }

  /// Reads the next piece; false if all has been read.
  func readMore(_ report: (String) -> Void) throws(TapeError) -> Bool {
    switch phase {
    case .read: return false
    case .unread: try begin(report)
    case .reading(let file):
      let piece = try file.bytes(at: reader.bytesTaken, count: Self.pieceBytes)
      let isGoingOn = piece.withUnsafeBytes { bytes in
        reader.add(bytes, onFault: { _ in false }, onLine: { note($0.line) })
      }
      if piece.isEmpty || !isGoingOn { try end(fileBytes: try file.byteCount(), report) }
    }
    return true
  }

  private func note(_ line: ManifestLine) {
    let id = ItemID(high: line.recording.high, low: line.recording.low)
    switch line.event {
    case .kept: found.insert(id)
    case .erased, .recycled: found.remove(id)
    }
  }

  private func begin(_ report: (String) -> Void) throws(TapeError) {
    // The cache may show what an earlier process failed to write.
    for path in [path, signaturePath] { system.forgetUnwritten(path) }
    guard try system.entry(Self.directory)?.kind == .directory else {
      phase = .read
      return
    }
    if try system.entry(publicKeyPath)?.kind == .file {
      // Found by random failures: a card that failed had made the file, and not written it.
      let bytes = try system.open(publicKeyPath, .read).bytes(at: 0, count: Signature.mostBytes)
      hasPublicKey = bytes.elementsEqual(publicKey.fileText.utf8)
    }
    if try system.entry(signaturePath)?.kind == .file {
      let file = try system.open(signaturePath, .read)
      signature = Signature(try file.bytes(at: 0, count: Signature.mostBytes + 1))
    }
    reader = ManifestReader(
      marking: signature.flatMap { ManifestHead($0.comment)?.lines }, sealedBy: key)
    let entry = try system.entry(path)
    if let entry, entry.byteCount > Self.mostBytes { return try setAside(.ofNothing, report) }
    if entry?.kind == .file {
      phase = .reading(try system.open(path, .read))
    } else {
      try end(fileBytes: 0, report)
    }
  }

  /// Decides what the bytes behind the last good line are. Lines that were signed had been synced
  /// before, so a power cut cannot have changed them.
  private func end(fileBytes: Int64, _ report: (String) -> Void) throws(TapeError) {
    let tail = fileBytes - reader.byteCount
    let signed = signature.flatMap { signature in
      signature.hasValidComment(by: key.publicKey) ? ManifestHead(signature.comment) : nil
    }
    if let signed, reader.marked?.hash != signed.hash || !isValid(signature) {
      return try setAside(signed.hash, report)
    }
    if tail > Self.mostTornBytes { return try setAside(reader.last.hash, report) }
    (signedCount, isTorn) = (signed?.lines ?? 0, tail > 0)
    kept = found.sorted()
    found = []
    phase = .read
  }

  private func isValid(_ signature: Signature?) -> Bool {
    guard let signature, let marked = reader.marked else { return false }
    return signature.isValid(for: marked.sum, by: key.publicKey)
  }

  /// Gives the files of a manifest that another program changed other names, and begins a new one,
  /// whose first line has the head of the old one.
  private func setAside(
    _ head: SHA256.Sum, _ report: (String) -> Void
  ) throws(TapeError) {
    let files = IndexFiles(system: system)
    for name in [name, name + ".minisig"] { try files.setAside(name, at: Self.directory) }
    try system.syncDirectory(Self.directory)
    forget()
    predecessor = head
    phase = .read
    report(
      "The manifest of this card was changed by another program. It was set aside in the directory"
        + " \(Self.directory), and a new one begins.")
  }

  // MARK: Writing

  /// Appends lines, and returns when they are on the card.
  func append(_ events: [ManifestEvent], at time: WallTime) throws(TapeError) {
    precondition(isRead && events.count <= Self.batchCount, "read first, and write in batches")
    let lines = try lines(for: events, at: time)
    do {
      try makeFile()
      let file = try system.open(path, .change)
      try cutTail(of: file)
      try file.write(lines.flatMap(\.bytes), at: reader.byteCount)
      try file.sync()
    } catch {
      // What reached the card is found out by reading.
      forget()
      throw error
    }
    isSynced = true
    for line in lines { reader.add(line) }
    for event in events { note(event) }
  }

  private func lines(
    for events: [ManifestEvent], at time: WallTime
  ) throws(TapeError) -> [ManifestLine] {
    let text = CalendarDate(time, utcOffsetSeconds: 0).iso8601
    var before = reader.count == 0 ? try headBefore() : reader.last.hash
    var lines: [ManifestLine] = []
    for event in events {
      let line = ManifestLine(
        number: reader.count + lines.count + 1, event.event,
        RecordingID(high: event.id.high, low: event.id.low), sequence: event.sequence, time: text,
        hashes: event.hashes, before: before, sealedBy: key)
      var hash = SHA256()
      hash.update(line.bytes)
      before = hash.sum
      lines.append(line)
    }
    return lines
  }

  private func note(_ event: ManifestEvent) {
    let place = place(of: event.id)
    let isKept = place < kept.count && kept[place] == event.id
    switch event.event {
    case .kept: if !isKept { kept.insert(event.id, at: place) }
    case .erased, .recycled: if isKept { kept.remove(at: place) }
    }
  }

  private func makeFile() throws(TapeError) {
    if reader.count > 0 { return }
    if try system.entry(Self.directory) == nil {
      try system.makeDirectory(Self.directory)
      try system.syncDirectory("")
    }
    if try system.entry(path) == nil {
      try system.open(path, .create).sync()
      try system.syncDirectory(Self.directory)
    }
  }

  private func cutTail(of file: System.File) throws(TapeError) {
    if try file.byteCount() > reader.byteCount {
      try file.truncate(to: reader.byteCount)
      try file.sync()
    }
    isTorn = false
  }

  /// Writes the signature of all lines, over the one before: one that a power cut tears is no
  /// signature, and is made again. A rename would copy it on FAT.
  func sign() throws(TapeError) {
    do {
      let file = try system.open(path, .change)
      try cutTail(of: file)
      // A signature must never be of lines that a power cut can still take away.
      if !isSynced { try file.sync() }
    } catch {
      forget()
      throw error
    }
    isSynced = true
    if !hasPublicKey { try write(publicKey.fileText, to: publicKeyPath) }
    hasPublicKey = true
    let signature = signatureOfAll
    try write(signature.text, to: signaturePath)
    (self.signature, signedCount) = (signature, reader.count)
  }

  private func write(_ text: String, to path: String) throws(TapeError) {
    let isNew = try system.entry(path) == nil
    let file = try system.open(path, isNew ? .create : .change)
    let bytes = Array(text.utf8)
    try file.write(bytes, at: 0)
    if try file.byteCount() > Int64(bytes.count) { try file.truncate(to: Int64(bytes.count)) }
    try file.sync()
    if isNew { try system.syncDirectory(Self.directory) }
  }

  // MARK: Other manifests

  /// What the first line has before it: the head of the manifest that was set aside, or of the
  /// latest one of another recorder, or of an older key of this one.
  private func headBefore() throws(TapeError) -> SHA256.Sum {
    if let predecessor { return predecessor }
    guard try system.entry(Self.directory)?.kind == .directory else { return .ofNothing }
    var latest: (time: String, hash: SHA256.Sum)?
    for (other, kind) in try system.names(Self.directory).prefix(100)
    where kind == .file && other.hasSuffix(".txt") && other != name {
      if let end = try lastLine(of: join(Self.directory, other)), end.time > latest?.time ?? "" {
        latest = end
      }
    }
    return latest?.hash ?? .ofNothing
  }

  private func lastLine(of path: String) throws(TapeError) -> (time: String, hash: SHA256.Sum)? {
    let file = try system.open(path, .read)
    let count = Int64(2 * ManifestLine.mostBytes)
    let end = try file.bytes(at: max(0, try file.byteCount() - count), count: Int(count))
    guard let last = end.split(separator: 10).last, end.last == 10,
      let line = ManifestLine(last)
    else { return nil }
    var hash = SHA256()
    hash.update(line.bytes)
    return (line.time, hash.sum)
  }
}
