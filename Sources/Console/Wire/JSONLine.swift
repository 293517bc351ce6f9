// Values as one line of JSON and back, the way the socket and the serial console say them: keys in
// order, no blanks, strokes unescaped. What comes in is bounded before it is believed. Any thread.

import FoundationEssentials

public enum JSONLine {
  /// Nobody needs more to name a command.
  public static let depthLimit = 32

  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Collection<UInt8>
  ) throws -> Value {
    guard isShallow(bytes) else { throw TooDeep() }
    return try JSONDecoder().decode(type, from: Data(bytes))
  }

  public struct TooDeep: Error, CustomStringConvertible {
    public var description: String { "nested more than \(depthLimit) deep" }
  }

  /// Whether brackets nest no deeper than they may; those in strings do not count.
  static func isShallow(_ bytes: some Collection<UInt8>) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isInString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        if depth > depthLimit { return false }
      }
    }
    return true
  }
}
