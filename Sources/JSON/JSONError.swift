// Why a text is not the JSON that was expected: a code for programs, the offset of the first
// mistake, and a sentence for people. A plain value, for any thread.

/// The first mistake in a JSON text, or a value that cannot be written as JSON.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// The text breaks the grammar.
    case syntax
    /// A byte is not UTF-8, or an escape is half of a surrogate pair.
    case encoding
    /// A number is out of range, or cannot be written.
    case number
    /// Lists and groups are nested deeper than the limit.
    case depth
    /// The text is longer than the limit.
    case size
    /// A key occurs twice in one group.
    case duplicate
    /// Bytes follow the value.
    case trailing
    /// A value is of another kind than expected.
    case type
    /// A key is missing.
    case missing
  }

  public let code: Code
  /// In bytes from the beginning of the text.
  public let offset: Int
  public let sentence: String

  public init(_ code: Code, offset: Int, _ sentence: String) {
    self.code = code
    self.offset = offset
    self.sentence = sentence
  }

  public var description: String { "\(sentence) (byte \(offset))" }
}
