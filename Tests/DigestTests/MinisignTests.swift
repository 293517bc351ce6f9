// Keys and signatures: in the formats of minisign, and refused if one byte of them is another. That
// minisign itself agrees is shown by the process tests.

import Testing

@testable import Digest

@Suite struct MinisignTests {
  private let key: SigningKey

  init() throws { key = try #require(SigningKey(seed: [UInt8](0..<32))) }

  private func sum(_ text: String) -> [UInt8] {
    var hash = BLAKE2b()
    hash.update(Array(text.utf8))
    return hash.sum
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("BLAKE2b has the sum of RFC 7693, also in pieces, and a sum in between changes nothing")
  func blake() {
    let abc =
      "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
      + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
    #expect(hexadecimal(sum("abc")) == abc)
    var pieces = BLAKE2b()
    pieces.update([0x61])
    let early = pieces.sum
    pieces.update([0x62, 0x63])
    #expect(hexadecimal(pieces.sum) == abc && early == sum("a"))
  }

  @Test("a seed has 32 bytes, and always makes the same key, which is written and read back")
  func keys() throws {
    #expect(SigningKey(seed: [1, 2, 3]) == nil)
    let text = key.publicKey.text
    #expect(text.hasPrefix("RW") && text.count == 56)
    #expect(SigningKey(seed: [UInt8](0..<32))?.publicKey == key.publicKey)
    #expect(PublicKey(text) == key.publicKey && PublicKey(key.publicKey.fileText) == key.publicKey)
    #expect(key.publicKey.keyID.count == 16)
    for bad in ["", "RW", String(text.dropLast()), "X" + text.dropFirst(), text + "A"] {
      #expect(PublicKey(bad) == nil)
    }
  }

  @Test("the public key of the first example of RFC 8032 is that of its seed")
  func example() throws {
    let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    let bytes = stride(from: 0, to: 64, by: 2).compactMap { index in
      UInt8(String(Array(seed)[index...index + 1]), radix: 16)
    }
    let made = try #require(SigningKey(seed: bytes)).publicKey
    #expect(
      hexadecimal(made.bytes) == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
  }

  @Test("a signature is written and read back, and is valid for these bytes and this key only")
  func signatures() throws {
    let signature = Signature(of: sum("text"), comment: "reel 1 2 3", by: key)
    let read = try #require(Signature(Array(signature.text.utf8)))
    #expect(read == signature && read.comment == "reel 1 2 3")
    #expect(read.isValid(for: sum("text"), by: key.publicKey))
    #expect(!read.isValid(for: sum("tex"), by: key.publicKey))
    let other = try #require(SigningKey(seed: [UInt8](repeating: 7, count: 32)))
    #expect(!read.isValid(for: sum("text"), by: other.publicKey))
  }

  @Test("a signature in which any byte is another is none, or not valid")
  func changed() throws {
    let text = Array(Signature(of: sum("text"), comment: "reel 1 2 3", by: key).text.utf8)
    // The first line is a comment that counts for nothing
    let start = try #require(text.firstIndex(of: 10))
    for index in start + 1..<text.count - 1 {
      var bytes = text
      bytes[index] ^= 1
      let read = Signature(bytes)
      #expect(read?.isValid(for: sum("text"), by: key.publicKey) != true, "byte \(index)")
    }
    #expect(Signature(text)?.isValid(for: sum("text"), by: key.publicKey) == true)
    for bad in [[], Array(text.dropLast(40)), [UInt8](repeating: 10, count: 9), text + [0xFF]] {
      #expect(Signature(bad) == nil)
    }
  }
}
