// Random numbers, hashes of tokens, and a comparison that takes the same time whatever is compared.
// Any thread; nothing here waits, once the kernel has entropy.
import Digest

enum Secrets {
  /// Returns random bytes of the kernel: on Linux the generator calls getrandom(2).
  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Returns a token of 64 hexadecimal digits.
  static func token() -> String { hexadecimal(bytes(32)) }

  /// Returns eight random decimal digits, each number as likely as any other.
  static func code() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = String(Int.random(in: 0..<100_000_000, using: &generator))
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Returns six random digits from 1 to 6, one of 46,656 codes. Of these a guesser, who is made to
  /// wait, tries some fifteen before the code's five minutes are over.
  static func winkedCode() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<6).map { _ in "\(Int.random(in: 1...6, using: &generator))" }.joined()
  }

  static func hash(_ text: String) -> String {
    var sum = SHA256()
    sum.update(Array(text.utf8))
    return sum.sum.description
  }

  /// Compares hashes, which have the same length, in a time that does not depend on them.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    let (left, right) = (Array(one.utf8), Array(other.utf8))
    var difference: UInt8 = left.count == right.count ? 0 : 1
    for index in 0..<min(left.count, right.count) { difference |= left[index] ^ right[index] }
    return difference == 0
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
