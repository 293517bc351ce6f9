// Questions about the manifest of the card, and what it answers. Plain values.

/// What is asked of the manifest.
public enum ManifestQuery: String, Codable, Sendable {
  /// Where it ends.
  case head
  /// The same, with its text and its signature.
  case open
  /// The key; the rest as far as there is a card.
  case about
}

/// The key that signs the manifest, and where that ends. The hash and the key are texts, because
/// the heart only passes them on.
public struct ManifestFacts: Equatable, Codable, Sendable {
  /// Nil without a key, as when its file cannot be written.
  public let keyID: String?
  /// As minisign writes it: `RW…`.
  public let publicKey: String?
  /// How many lines there are; nil without a card.
  public let lines: Int?
  /// The SHA-256 of the last line.
  public let hash: String?
  /// The text of its `.minisig`.
  public var signature: String?
  /// The text of the manifest, which is passed beside the answer.
  public var file: ClientFile?

  public init(keyID: String?, publicKey: String?, lines: Int? = nil, hash: String? = nil) {
    (self.keyID, self.publicKey) = (keyID, publicKey)
    (self.lines, self.hash) = (lines, hash)
  }
}
