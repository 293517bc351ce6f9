// Manifests, signatures, keys and heads, as a card or a person gives them: reading does not depend
// on how bytes are split, a line that was read is written as it was, and what is read of a text is
// bounded by its length.

@testable import Digest

extension FuzzTarget {
  /// The text of a manifest, of a signature and of a key, and the head, between 0xFF.
  static let manifest = FuzzTarget(
    name: "manifest", limitBytes: 4096,
    seeds: {
      guard let key = SigningKey(seed: [UInt8](0..<32)) else { throw Broken("no key") }
      let lines = someLines(key)
      var blake = BLAKE2b()
      var last = SHA256()
      blake.update(lines.flatMap(\.bytes))
      last.update(lines[2].bytes)
      let head = ManifestHead(keyID: key.publicKey.keyID, lines: 3, hash: last.sum)
      let signature = Signature(of: blake.sum, comment: head.text, by: key)
      let texts = [signature.text, key.publicKey.fileText, head.text].map { Array($0.utf8) }
      let whole = lines.flatMap(\.bytes)
      return [
        .sections([whole] + texts), .sections([lines[0].bytes + lines[2].bytes] + texts),
        .sections([Array(whole.dropLast(9))]),
      ]
    },
    run: { bytes in
      let parts = bytes.sections
      try check(parts[0])
      if parts.count > 1, let read = Signature(parts[1]) {
        try prove(Signature(Array(read.text.utf8)) == read, "a signature changes by being written")
        _ = read.isValid(for: BLAKE2b().sum, by: PublicKey(identity: 0, bytes: [UInt8](0..<32)))
      }
      for text in parts.dropFirst(2).map({ String(decoding: $0, as: UTF8.self) }) {
        if let key = PublicKey(text) {
          try prove(PublicKey(key.fileText) == key, "a key changes by being written")
        }
        if let head = ManifestHead(text) {
          try prove(ManifestHead(head.text) == head, "a head changes by being written")
        }
      }
    })

  private static func someLines(_ key: SigningKey) -> [ManifestLine] {
    var lines: [ManifestLine] = []
    var before = SHA256.Sum.ofNothing
    for number in 1...3 {
      let line = ManifestLine(
        number: number, number == 3 ? .erased : .kept, RecordingID(high: 7, low: 1), sequence: 1,
        time: "2026-11-20T14:03:22Z", hashes: number == 3 ? [] : [.ofNothing], before: before,
        sealedBy: key)
      var hash = SHA256()
      hash.update(line.bytes)
      before = hash.sum
      lines.append(line)
    }
    return lines
  }

  private static func check(_ bytes: [UInt8]) throws {
    let (whole, split) = (try read(bytes, piece: .max), try read(bytes, piece: 13))
    try prove(whole.lines == split.lines, "lines depend on how bytes are split")
    try prove(whole.sum == split.sum || !whole.isLineLike, "the sum depends on it")
    for line in whole.lines {
      try prove(ManifestLine(line.bytes.dropLast()) == line, "a line changes by being written")
      try prove(line.bytes.count <= ManifestLine.mostBytes, "a line is too long")
    }
    var ledger = ManifestLedger()
    for line in whole.lines { ledger.add(line) }
    try prove(ledger.missing.count == ledger.keptCount, "what is kept is not missing")
  }

  private static func read(
    _ bytes: [UInt8], piece: Int
  ) throws -> (lines: [ManifestLine], sum: [UInt8], isLineLike: Bool) {
    let reader = ManifestReader(marking: 2)
    var (lines, faults): ([ManifestLine], [ManifestReader.Fault]) = ([], [])
    var rest = bytes[...]
    while !rest.isEmpty {
      _ = Array(rest.prefix(piece)).withUnsafeBytes { bytes in
        reader.add(
          bytes,
          onFault: {
            faults.append($0)
            return true
          }, onLine: { lines.append($0.line) })
      }
      rest = rest.dropFirst(min(piece, rest.count))
    }
    let (taken, sum) = (reader.bytesTaken, reader.sum)
    try prove(taken == Int64(bytes.count), "bytes are lost")
    let isLineLike = !faults.contains { if case .unreadable = $0 { true } else { false } }
    return (lines, sum, isLineLike)
  }
}
