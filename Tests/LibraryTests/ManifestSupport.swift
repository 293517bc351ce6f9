// What a manifest on a card must be, whenever the store has nothing left to do: whole, signed, with
// one line for each recording that is complete and hashed, and none that is kept and not there.

import Digest
import Recorder
import Tape
import Testing

@testable import Library

/// What a manifest says.
struct ManifestContent {
  var lines: [ManifestLine] = []
  var kept: [ItemID: [SHA256.Sum]] = [:]
  var bytes: [UInt8] = []
  var signature = ""
  var publicKey = ""

  /// A key for tests.
  static let key = SigningKey(seed: [UInt8](1...32))

  /// Nil if there is none.
  static func read<System: FileSystem>(
    _ system: System, key: SigningKey
  ) throws -> ManifestContent? {
    let path = ".manifest/" + key.publicKey.keyID
    guard try system.entry(".manifest") != nil else { return nil }
    let names = try system.list(".manifest").compactMap(\.name).sorted()
    try Broken.unless(!names.contains { $0.contains("damaged") }, "set aside: \(names)")
    guard try system.entry(path + ".txt") != nil else { return nil }
    var content = ManifestContent()
    content.bytes = try system.open(path + ".txt", .read).all()
    if content.bytes.isEmpty { return nil }
    content.signature = try text(system, path + ".txt.minisig")
    content.publicKey = try text(system, path + ".pub")
    try content.follow(key)
    return content
  }

  private static func text<System: FileSystem>(_ system: System, _ path: String) throws -> String {
    try Broken.unless(try system.entry(path) != nil, "\(path) is not there")
    return String(decoding: try system.open(path, .read).all(), as: UTF8.self)
  }

  private mutating func follow(_ key: SigningKey) throws {
    let reader = ManifestReader()
    var (faults, lines): ([ManifestReader.Fault], [ManifestLine]) = ([], [])
    _ = bytes.withUnsafeBytes { bytes in
      reader.add(
        bytes,
        onFault: {
          faults.append($0)
          return true
        }, onLine: { lines.append($0.line) })
    }
    let isAtEnd = reader.isAtLineEnd
    try Broken.unless(faults.isEmpty && isAtEnd, "the manifest has faults: \(faults)")
    self.lines = lines
    for line in lines { try count(line) }
    let (last, sum) = (reader.last, reader.sum)
    let head = ManifestHead(keyID: key.publicKey.keyID, lines: lines.count, hash: last.hash)
    guard let signature = Signature(Array(signature.utf8)) else {
      throw Broken(description: "the signature is none: \(self.signature)")
    }
    try Broken.unless(
      signature.isValid(for: sum, by: key.publicKey) && signature.comment == head.text,
      "the signature is of \(signature.comment), not \(head.text)")
    try Broken.unless(PublicKey(publicKey) == key.publicKey, "the key is not there")
  }

  private mutating func count(_ line: ManifestLine) throws {
    let id = ItemID(high: line.recording.high, low: line.recording.low)
    let isKept = kept[id] != nil
    try Broken.unless(isKept == (line.event != .kept), "a line too many: \(line)")
    kept[id] = line.event == .kept ? line.hashes : nil
  }
}

extension StoreRig {
  /// Throws unless the manifest has exactly the recordings that the store lists.
  func expectManifest(of key: SigningKey) throws {
    let content = try ManifestContent.read(system, key: key)
    var hashed: [ItemID: [String]] = [:]
    var left: [ItemID] = [.root, .trash]
    while let id = left.popLast() {
      let listing = try listing(of: id)
      left += listing.folders.map(\.id)
      for recording in listing.recordings {
        if let hashes = recording.soundHashes { hashed[recording.id] = hashes }
      }
    }
    let kept = (content?.kept ?? [:]).mapValues { $0.map(\.description) }
    for (id, hashes) in hashed where kept[id] != hashes {
      throw Broken(description: "\(id) has the line \(kept[id] ?? []), not \(hashes)")
    }
    for id in kept.keys where hashed[id] == nil {
      throw Broken(description: "\(id) is kept in the manifest, and is not on the card")
    }
  }
}
