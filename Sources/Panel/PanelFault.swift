// What does not work at a panel, as a value: a code to decide by, and the sentence a user should
// read, which says what to do. Whatever is wrong with one button or light, the others work.

public struct PanelFault: Error, Equatable, Codable, Sendable, CustomStringConvertible {
  public enum Code: String, Codable, Sendable {
    case missing, taken, forbidden, ambiguous, failed
    /// Somebody or something holds it down.
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
