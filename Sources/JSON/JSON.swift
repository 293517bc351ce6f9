// The project's only JSON parser and encoder. Any bytes give a value or a `JSONError`; it must
// never trap. Touches no file; any thread.

/// Reads and writes values as JSON.
public enum JSON {
  /// Limits for a text.
  public struct Limits: Sendable {
    public let bytes: Int
    public let depth: Int

    public init(bytes: Int = 64 << 20, depth: Int = JSONReader.depthLimit) {
      self.bytes = bytes
      self.depth = depth
    }
  }

  /// Parses a text into values that have their offsets.
  public static func parse(
    _ text: [UInt8], dialect: JSONReader.Dialect = .json, limits: Limits = Limits()
  ) throws(JSONError) -> JSONValue {
    if text.count > limits.bytes {
      throw JSONError(
        .size, offset: limits.bytes, "a text may have \(limits.bytes) bytes; this has more")
    }
    let result = text.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes, dialect: dialect, depthLimit: limits.depth)
        return try reader.document()
      }
    }
    return try result.get()
  }

  /// Decodes a value. Throws a `JSONError`, also for a `DecodingError`; other errors of the value's
  /// `init(from:)` are passed on.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Collection<UInt8>, limits: Limits = Limits()
  ) throws -> Value {
    try parse(Array(bytes), limits: limits).decoded(type)
  }

  /// How a text is laid out.
  public enum Layout: Sendable {
    /// On one line, without blanks.
    case line
    /// A member or item on each line, indented by two, for people.
    case pretty
  }

  /// Encodes a value. Members are sorted by their keys, and slashes are not escaped. Throws a
  /// `JSONError` for a number that is not finite, or what `encode(to:)` throws.
  public static func encode(_ value: some Encodable, _ layout: Layout = .line) throws -> [UInt8] {
    var printer = JSONPrinter(isPretty: layout == .pretty)
    printer.write(try JSONNode(of: value))
    return printer.bytes
  }
}
