// Ed25519 by libsodium: a key that signs, and the public key that checks. Plain values; any thread.
// A secret key must never be printed, nor leave the process that made it from its seed.

import CSodium

/// A secret key, made from a seed of 32 random bytes.
public struct SigningKey: Sendable {
  public static let seedBytes = 32

  public let publicKey: PublicKey
  private let secret: [UInt8]
  private let sealingKey: [UInt8]

  /// Nil unless the seed has 32 bytes.
  public init?(seed: [UInt8]) {
    guard seed.count == Self.seedBytes else { return nil }
    var open = [UInt8](repeating: 0, count: PublicKey.keyBytes)
    var secret = [UInt8](repeating: 0, count: 64)
    guard crypto_sign_ed25519_seed_keypair(&open, &secret, seed) == 0 else { return nil }
    var hash = SHA256()
    hash.update(open)
    self.secret = secret
    sealingKey = BLAKE2b.sum(of: Array("reel manifest seal".utf8), key: seed, byteCount: 32)
    publicKey = PublicKey(identity: hash.sum.first, bytes: open)
  }

  /// The 64 bytes of a signature. The same bytes have the same signature.
  func signature(of bytes: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Signature.signatureBytes)
    crypto_sign_ed25519_detached(&signature, nil, bytes, UInt64(bytes.count), secret)
    return signature
  }
}

extension SigningKey {
  static let sealBytes = 16

  /// Bytes that only this key can make of these: by them it knows again what it wrote.
  func seal(of bytes: [UInt8]) -> [UInt8] {
    BLAKE2b.sum(of: bytes, key: sealingKey, byteCount: Self.sealBytes)
  }
}

/// A public key, and the number by which minisign tells keys apart.
public struct PublicKey: Hashable, Sendable {
  static let keyBytes = 32

  /// minisign's number of the key, which says nothing about it.
  let identity: UInt64
  let bytes: [UInt8]

  init(identity: UInt64, bytes: [UInt8]) {
    (self.identity, self.bytes) = (identity, bytes)
  }

  /// 16 hexadecimal digits, as minisign prints them.
  public var keyID: String {
    let digits = String(identity, radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  func accepts(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    guard signature.count == Signature.signatureBytes else { return false }
    return crypto_sign_ed25519_verify_detached(
      signature, bytes, UInt64(bytes.count), self.bytes) == 0
  }
}
