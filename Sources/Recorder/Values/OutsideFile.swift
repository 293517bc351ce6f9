// A file that is not on the card: named by its path, or opened by a client and passed to the
// recorder, which may lack the permission. The state and the flight log hold no more of a passed
// file than its name and a number.

/// A file outside the card.
public struct OutsideFile: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The path to open; of a passed file, only its name.
  public let path: String
  /// The number under which a passed file is kept; nil if the path is to be opened.
  public let passed: Int?

  public init(_ path: String, passed: Int? = nil) {
    self.path = path
    self.passed = passed
  }

  public init(stringLiteral path: String) { self.init(path) }
}

extension OutsideFile: Codable {
  private enum Key: String, CodingKey { case path, passed }

  /// A path alone is encoded as a string.
  public init(from decoder: any Decoder) throws {
    // Only an attempt shows whether it is a string or an object.
    if let path = try? decoder.singleValueContainer().decode(String.self) {
      self.init(path)
      return
    }
    let json = try decoder.container(keyedBy: Key.self)
    self.init(
      try json.decode(String.self, forKey: .path),
      passed: try json.decode(Int.self, forKey: .passed))
  }

  public func encode(to encoder: any Encoder) throws {
    guard let passed else {
      var text = encoder.singleValueContainer()
      return try text.encode(path)
    }
    var json = encoder.container(keyedBy: Key.self)
    try json.encode(path, forKey: .path)
    try json.encode(passed, forKey: .passed)
  }
}
