// BLAKE2b-512 by libsodium, piece by piece: what minisign signs of a file. Any thread, one at a
// time for each value. A sum in between leaves the state as it is, so that a file that only grows
// is never hashed from its beginning again.

import CSodium

/// The BLAKE2b-512 of bytes that come in pieces.
public struct BLAKE2b: ~Copyable {
  public static let byteCount = 64
  /// libsodium wants its state at an address that is divisible by this. Swift does not import a
  /// type of such an alignment.
  private static let alignment = 64
  private static let stateBytes = crypto_generichash_blake2b_statebytes()

  private let state: UnsafeMutableRawPointer

  public init() {
    state = .allocate(byteCount: Self.stateBytes, alignment: Self.alignment)
    crypto_generichash_blake2b_init(OpaquePointer(state), nil, 0, Self.byteCount)
  }

  deinit { state.deallocate() }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    crypto_generichash_blake2b_update(
      OpaquePointer(state), start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
  }

  public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// The sum of bytes with a key of 32 bytes, which cannot be computed without that.
  static func sum(of bytes: [UInt8], key: [UInt8], byteCount: Int) -> [UInt8] {
    precondition(key.count == 32 && (16...64).contains(byteCount), "as BLAKE2b allows")
    var sum = [UInt8](repeating: 0, count: byteCount)
    crypto_generichash_blake2b(
      &sum, byteCount, bytes, UInt64(bytes.count), key, key.count)
    return sum
  }

  /// The 64 bytes of the sum so far. More may follow.
  public var sum: [UInt8] {
    let copy = UnsafeMutableRawPointer.allocate(
      byteCount: Self.stateBytes, alignment: Self.alignment)
    defer { copy.deallocate() }
    copy.copyMemory(from: state, byteCount: Self.stateBytes)
    var sum = [UInt8](repeating: 0, count: Self.byteCount)
    crypto_generichash_blake2b_final(OpaquePointer(copy), &sum, Self.byteCount)
    return sum
  }
}
