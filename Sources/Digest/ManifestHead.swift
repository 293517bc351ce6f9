// Where a manifest ends: the key, the number of its lines and the hash of the last. It is the
// comment that the signature signs, and one line that people and programs keep elsewhere, so that a
// manifest which was cut short since is found out. Plain values; any thread.

/// Where a manifest ends.
public struct ManifestHead: Hashable, Sendable {
  /// Of the key that signs the manifest: 16 hexadecimal digits.
  public let keyID: String
  /// How many lines there are.
  public let lines: Int
  /// The SHA-256 of the last line, with its line end.
  public let hash: SHA256.Sum

  public init(keyID: String, lines: Int, hash: SHA256.Sum) {
    (self.keyID, self.lines, self.hash) = (keyID, lines, hash)
  }

  /// `reel KEYID LINES HASH`.
  public var text: String { "reel \(keyID) \(lines) \(hash)" }

  /// Reads `text`, also behind other words of its line; nil if it is none.
  public init?(_ text: String) {
    let words = text.split(whereSeparator: { $0 == " " || $0.isNewline })
    guard let start = words.firstIndex(of: "reel"), words.count >= start + 4,
      words[start + 1].utf8.count == 16, let lines = Int(words[start + 2]), lines >= 0,
      let hash = SHA256.Sum(String(words[start + 3]))
    else { return nil }
    self.init(keyID: String(words[start + 1]), lines: lines, hash: hash)
  }
}
