// The texts of minisign: a public key (`RW…`), and a signature of a file in four lines. A
// signature that is made here is of the file's BLAKE2b-512 (`ED`), as minisign's own are. Pure
// functions; bytes from outside are checked.

import CSodium

/// A signature of a file, with a comment that is signed, too.
public struct Signature: Hashable, Sendable {
  static let signatureBytes = 64
  /// No signature of minisign is longer.
  public static let mostBytes = 4_096

  /// The number of the key that made it.
  let identity: UInt64
  let signature: [UInt8]
  public let comment: String
  let ofComment: [UInt8]

  private static let algorithm = Array("ED".utf8)
  private static let trusted = "trusted comment: "
  private static let untrusted = "untrusted comment: "

  /// Signs a file.
  /// - Parameter sum: the BLAKE2b-512 of its bytes.
  public init(of sum: [UInt8], comment: String, by key: SigningKey) {
    precondition(sum.count == BLAKE2b.byteCount && !comment.utf8.contains(10), "one line")
    let signature = key.signature(of: sum)
    self.signature = signature
    self.comment = comment
    identity = key.publicKey.identity
    ofComment = key.signature(of: signature + Array(comment.utf8))
  }

  /// Reads the text of a `.minisig`; nil if it is none, or not of a BLAKE2b-512.
  public init?(_ text: [UInt8]) {
    guard text.count <= Self.mostBytes, let text = String(validating: text, as: UTF8.self) else {
      return nil
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 4, lines[0].hasPrefix(Self.untrusted), lines[2].hasPrefix(Self.trusted),
      let first = Base64.bytes(lines[1]), first.count == 2 + 8 + Self.signatureBytes,
      Array(first.prefix(2)) == Self.algorithm,
      let last = Base64.bytes(lines[3]), last.count == Self.signatureBytes
    else { return nil }
    identity = littleEndian(first[2..<10])
    signature = Array(first[10...])
    comment = String(lines[2].dropFirst(Self.trusted.count))
    ofComment = last
  }

  /// The four lines of a `.minisig`.
  public var text: String {
    let first = Base64.text(Self.algorithm + littleEndianBytes(of: identity) + signature)
    let key = PublicKey(identity: identity, bytes: []).keyID
    return """
      \(Self.untrusted)signature by the recorder with the key \(key)
      \(first)
      \(Self.trusted)\(comment)
      \(Base64.text(ofComment))

      """
  }

  /// Whether the key has signed the comment, and with it the signature of some file.
  public func hasValidComment(by key: PublicKey) -> Bool {
    identity == key.identity && key.accepts(ofComment, of: signature + Array(comment.utf8))
  }

  /// Whether the key has signed a file with this BLAKE2b-512, and the comment.
  public func isValid(for sum: [UInt8], by key: PublicKey) -> Bool {
    hasValidComment(by: key) && key.accepts(signature, of: sum)
  }
}

extension PublicKey {
  private static let algorithm = Array("Ed".utf8)

  /// Reads `RW…`, or the text of a file of minisign, whose last line is that.
  public init?(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard text.utf8.count <= Signature.mostBytes, let line = lines.last,
      let bytes = Base64.bytes(line), bytes.count == 2 + 8 + Self.keyBytes,
      Array(bytes.prefix(2)) == Self.algorithm
    else { return nil }
    self.init(identity: littleEndian(bytes[2..<10]), bytes: Array(bytes[10...]))
  }

  /// 56 characters, which begin with `RW`.
  public var text: String {
    Base64.text(Self.algorithm + littleEndianBytes(of: identity) + bytes)
  }

  /// The text of a file of minisign.
  public var fileText: String { "untrusted comment: minisign public key \(keyID)\n\(text)\n" }
}

private enum Base64 {
  static func text(_ bytes: [UInt8]) -> String {
    let count = (bytes.count + 2) / 3 * 4
    var text = [CChar](repeating: 0, count: count + 1)
    sodium_bin2base64(&text, text.count, bytes, bytes.count, sodium_base64_VARIANT_ORIGINAL)
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func bytes(_ text: Substring) -> [UInt8]? {
    let text = Array(text.utf8).map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: text.count)
    var count = 0
    let result = sodium_base642bin(
      &bytes, bytes.count, text, text.count, nil, &count, nil, sodium_base64_VARIANT_ORIGINAL)
    return result == 0 ? Array(bytes[..<count]) : nil
  }
}

private func littleEndianBytes(of number: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
}

private func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
