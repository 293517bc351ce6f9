// Why a copy failed, as a value: a code to branch on, what it holds up, and the one sentence that a
// user reads, which says what to do. Values, for any thread. No secret is ever in a sentence.
import Glibc

/// An error of the link.
public struct LinkError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The user, the password or the key was refused.
    case credentials
    /// The server or the disk is full.
    case space
    /// The server does not accept the name.
    case name
    /// The server does not do what is needed, or is broken.
    case server
    /// The server asks to wait.
    case busy
    /// The server cannot be reached, or a transfer stalled.
    case network
    /// The certificate or the host key is not the right one.
    case identity
    /// A mounted directory or a stick is not there.
    case absent
    /// What was read back is not what was sent.
    case mismatch
    /// The recording on the card cannot be read, or is not what it was.
    case source
    /// The target's configuration cannot work.
    case configuration
    /// This machine has no memory or descriptors left.
    case system
  }

  /// What has to wait.
  public enum Scope: String, Sendable {
    /// Every copy to the target.
    case target
    /// Only this recording.
    case recording
  }

  public let code: Code
  public let scope: Scope
  /// The status of HTTP, libcurl's code or the errno; 0 if there is none.
  public let number: Int
  /// What the server asks for, in seconds.
  public let retryAfterSeconds: Int64?
  public let sentence: String

  public var description: String { sentence }

  init(
    _ code: Code, _ scope: Scope, number: Int = 0, retryAfterSeconds: Int64? = nil,
    _ sentence: String
  ) {
    self.code = code
    self.scope = scope
    self.number = number
    self.retryAfterSeconds = retryAfterSeconds
    self.sentence = printable(sentence)
  }

  /// An error of this machine's disk.
  public static func local(_ sentence: String, _ number: Int32) -> LinkError {
    let isFull = number == ENOSPC || number == EDQUOT || number == EROFS || number == EIO
    return LinkError(.system, isFull ? .target : .recording, number: Int(number), sentence)
  }

  static let noMemory = LinkError(
    .system, .target,
    "This machine has no memory or descriptors left for a transfer; it is tried again.")
}

/// Returns the text without characters that a terminal obeys, and not longer than a sentence.
func printable(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(500) {
    let isControl =
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      || (0x200B...0x200F).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value)
      || (0x2060...0x206F).contains(scalar.value)
    result.append(isControl ? "\u{FFFD}" : scalar)
  }
  return String(result)
}
