// A file that is not on the card: named by its path, or opened by somebody who may and passed to
// the recorder, which may not. The state and the flight log hold no more of that than a number.

public struct OutsideFile: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// How the recorder reaches it; of one that was passed, only its name.
  public let path: String
  /// Under which the open file is kept.
  public let passed: Int?

  public init(_ path: String, passed: Int? = nil) {
    self.path = path
    self.passed = passed
  }

  public init(stringLiteral path: String) { self.init(path) }
}

extension OutsideFile: Codable {
  private enum Key: String, CodingKey { case path, passed }

  /// A path by itself is just a text.
  public init(from decoder: any Decoder) throws {
    // Which of both it is shows only in trying.
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
