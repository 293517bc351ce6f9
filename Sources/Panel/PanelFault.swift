// A fault of a panel, as a value: a code to branch on, and a sentence for the user that says what
// to do. A fault of one button or light does not affect the others.

/// Something wrong with the wiring.
public struct PanelFault: Error, Equatable, Codable, Sendable, CustomStringConvertible {
  public enum Code: String, Codable, Sendable {
    case missing, taken, forbidden, ambiguous, failed
    /// The button has been down for too long.
    case stuck
  }

  public let code: Code
  public let errno: Int32
  public let sentence: String

  public var description: String { sentence }

  init(_ code: Code, _ sentence: String, errno: Int32 = 0) {
    self.code = code
    self.errno = errno
    self.sentence = sentence
  }
}
