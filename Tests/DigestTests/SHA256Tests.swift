// SHA-256 against the examples of its standard, and against itself in pieces of any length.

import Digest
import Testing

@Suite struct SHA256Tests {
  @Test(
    "the examples of FIPS 180-4 have their sums",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, sum: String) {
    var hash = SHA256()
    hash.update(Array(text.utf8))
    #expect(hash.sum.description == sum)
  }

  @Test(
    "a million letters a have their sum, in pieces of any length", arguments: [1, 63, 64, 4_097])
  func pieces(count: Int) {
    var hash = SHA256()
    var left = 1_000_000
    while left > 0 {
      let piece = min(left, count)
      hash.update([UInt8](repeating: UInt8(ascii: "a"), count: piece))
      left -= piece
    }
    #expect(
      hash.sum.description == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("a sum in between changes nothing of what follows")
  func between() {
    var (one, other) = (SHA256(), SHA256())
    one.update([1, 2, 3])
    let early = one.sum
    for hash in [early, one.sum] { #expect(hash == early) }
    one.update([4])
    other.update([1, 2, 3, 4])
    #expect(one.sum == other.sum && one.sum != early)
  }
}
