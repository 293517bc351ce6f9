// The manifests of a directory: reads each line by line, in bounded memory, checks its chain, its
// signature and where it begins, and adds what it says to one ledger. Main thread; it waits for the
// disk.

import Digest
import Glibc
import Realtime
import Recorder
import Tape

struct ManifestSet {
  private let directory: String
  /// Only manifests of this key count; nil: each by the key beside it.
  private let key: PublicKey?
  private(set) var ledger = ManifestLedger()
  /// The hashes of all lines, and of what the first lines have before them.
  private var hashes: Set<SHA256.Sum> = []
  private var beginnings: [(keyID: String, hash: SHA256.Sum)] = []
  private var keyIDs: Set<String> = []

  init(directory: String, key: PublicKey?) { (self.directory, self.key) = (directory, key) }

  /// Reads the named manifest, or all of the directory.
  mutating func read(
    _ named: String?, head: ManifestHead?, _ report: inout ManifestReport
  ) throws(ExitError) {
    let place = directory + "/.manifest/"
    let names = SmallFile.names(in: place)
    let paths = named.map { [$0] } ?? names.filter { $0.hasSuffix(".txt") }.map { place + $0 }
    if paths.isEmpty {
      throw ExitError(
        ExitCode.noInput, "there is no manifest in \(directory); name one: --manifest")
    }
    for path in paths { try read(path, isNamed: named != nil, head: head, &report) }
    if named == nil {
      for name in names where name.contains(".txt.damaged-") {
        report.add(
          "The recorder set \(name) aside: another program had changed it.",
          file: ".manifest/" + name)
      }
      for (keyID, hash) in beginnings where hash != .ofNothing && !hashes.contains(hash) {
        report.add("The manifest \(keyID) begins with the head of a manifest that is not here.")
      }
    }
    for wanted in [key?.keyID, head?.keyID].compactMap({ $0 }) where !keyIDs.contains(wanted) {
      report.add("There is no manifest here of the key \(wanted).")
    }
  }

  /// Returns at most what a signature, a key or a head may have.
  static func contents(of path: String) throws(ExitError) -> [UInt8] {
    do throws(SmallFile.ReadError) {
      return try SmallFile.bytes(of: path, atMost: Signature.mostBytes + 1)
    } catch {
      throw ExitError(ExitCode.noInput, "cannot read \(path): \(error.words)")
    }
  }

  private mutating func read(
    _ path: String, isNamed: Bool, head: ManifestHead?, _ report: inout ManifestReport
  ) throws(ExitError) {
    let stem = path.hasSuffix(".txt") ? String(path.dropLast(4)) : path
    let signature = optional(path + ".minisig").flatMap(Signature.init)
    let beside = optional(stem + ".pub").flatMap { PublicKey(String(decoding: $0, as: UTF8.self)) }
    guard let own = key ?? beside else {
      return report.add("The key of \(path) is not beside it; name one with --key.", file: path)
    }
    // Of another key, and not asked for.
    if key != nil, !isNamed, let beside, beside != own {
      return report.ignored.append(beside.keyID)
    }
    keyIDs.insert(own.keyID)
    var reading = ManifestReading(own, signature, head: head?.keyID == own.keyID ? head : nil)
    do throws(TapeError) { try reading.read(PosixFile.open(path, .read), &ledger, &hashes) } catch {
      return report.add("\(path) cannot be read: \(error.sentence)", file: path)
    }
    reading.judge(&report)
    if let beginning = reading.reader.beginning { beginnings.append((own.keyID, beginning)) }
    report.manifests.append(
      ManifestReport.Manifest(
        keyID: own.keyID, publicKey: own.text, lines: reading.reader.count,
        hash: "\(reading.reader.last.hash)", isKeyGiven: key != nil))
  }

  private func optional(_ path: String) -> [UInt8]? {
    // A file that cannot be read is as good as none: the report says that it is missing.
    try? SmallFile.bytes(of: path, atMost: Signature.mostBytes + 1)
  }
}

/// A manifest that is being read.
private struct ManifestReading {
  private let key: PublicKey
  private let signature: Signature?
  private let head: ManifestHead?
  let reader: ManifestReader
  private var hashAtHead: SHA256.Sum?
  private var faults: [ManifestReader.Fault] = []

  /// More faults are not named one by one.
  private static let mostFaults = 1_000

  init(_ key: PublicKey, _ signature: Signature?, head: ManifestHead?) {
    (self.key, self.signature, self.head) = (key, signature, head)
    reader = ManifestReader(marking: signature.flatMap { ManifestHead($0.comment)?.lines })
  }

  mutating func read(
    _ file: borrowing PosixFile, _ ledger: inout ManifestLedger, _ hashes: inout Set<SHA256.Sum>
  ) throws(TapeError) {
    var own = ManifestLedger()
    var found: [ManifestReader.Fault] = []
    var hashAtHead: SHA256.Sum?
    let wanted = head?.lines
    while true {
      let piece = try file.bytes(at: reader.bytesTaken, count: 1 << 18)
      if piece.isEmpty { break }
      _ = piece.withUnsafeBytes { bytes in
        reader.add(
          bytes,
          onFault: { fault in
            if found.count < Self.mostFaults { found.append(fault) }
            return true
          },
          onLine: { item in
            own.add(item.line)
            hashes.insert(item.hash)
            if item.count == wanted { hashAtHead = item.hash }
          })
      }
    }
    if let fault = reader.faultAtEnd { found.append(fault) }
    (faults, self.hashAtHead) = (found, hashAtHead)
    ledger.add(own)
  }

  /// Adds what is wrong with it.
  func judge(_ report: inout ManifestReport) {
    // A line that is elsewhere is not missing.
    let misplaced = faults.compactMap { if case .misplaced(let line) = $0 { line } else { nil } }
    for fault in faults {
      if case .missing(let lines) = fault, lines.allSatisfy(misplaced.contains) { continue }
      report.add(fault)
    }
    judgeSignature(&report)
    if let head, head.lines > 0, hashAtHead != head.hash {
      report.add(
        "The manifest \(key.keyID) does not have line \(head.lines) as the head that was kept.")
    }
  }

  private func judgeSignature(_ report: inout ManifestReport) {
    guard let signature else {
      return report.add("The manifest \(key.keyID) has no signature.")
    }
    if signature.isValid(for: reader.sum, by: key) { return }
    let signed = ManifestHead(signature.comment)
    let isOurs = signature.hasValidComment(by: key)
    if let marked = reader.marked, let signed, signature.isValid(for: marked.sum, by: key) {
      report.add("Lines \(signed.lines + 1) to \(reader.count) of the manifest are not signed.")
    } else if isOurs, let signed, signed.lines > reader.count {
      report.add(
        "The manifest \(key.keyID) had \(signed.lines) lines when it was signed, and has"
          + " \(reader.count).")
    } else if isOurs {
      report.add("The manifest \(key.keyID) was changed since it was signed.")
    } else {
      report.add("The signature of the manifest is not one of the key \(key.keyID).")
    }
  }
}
