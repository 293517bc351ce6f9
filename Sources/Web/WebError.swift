// Why the server cannot do something: a code for programs, the errno, and the sentence that a user
// reads. A value, for any thread.

/// An error of the server.
public struct WebError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// The command line is wrong.
    case usage
    /// The system refuses something.
    case system
    /// The file of sessions cannot be read or written.
    case state
    /// The page's files are missing.
    case page
    /// The certificate or its key cannot be used.
    case certificate
  }

  public let code: Code
  public let errorNumber: Int32
  public let sentence: String

  init(_ code: Code, errorNumber: Int32 = 0, _ sentence: String) {
    self.code = code
    self.errorNumber = errorNumber
    self.sentence = sentence
  }

  public var description: String { sentence }
}
