// The errors of finding, opening or setting up a sound card: a code to branch on, the errno, and a
// sentence for the user. Made by ordinary threads; a running stream reports by an `Arrival` or a
// `Departure` instead.
import CALSA
import Glibc

/// Why a sound device cannot be used.
public struct AlsaError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Sendable { case notThere, inUse, notPermitted, unsuitable, failed }

  public let code: Code
  public let errno: Int32
  public let sentence: String

  public var description: String { sentence }

  init(_ code: Code, _ sentence: String, errno: Int32 = 0) {
    self.code = code
    self.errno = errno
    self.sentence = sentence
  }

  /// Returns the error for a negative result of alsa-lib.
  static func refused(_ name: String, _ doing: String, result: Int32) -> AlsaError {
    let start = "\(name) cannot \(doing): "
    switch -result {
    case EBUSY:
      return AlsaError(.inUse, start + "another program is using it.", errno: EBUSY)
    case EACCES, EPERM:
      let advice = "permission is missing; add the user to the group audio."
      return AlsaError(.notPermitted, start + advice, errno: -result)
    case ENOENT, ENODEV, ENXIO, ECONNREFUSED:
      return AlsaError(.notThere, start + "it is not there.", errno: -result)
    case driverDoesNotSupport:
      return AlsaError(.unsuitable, start + "its driver does not support that.", errno: -result)
    default:
      let words = snd_strerror(result).map { String(cString: $0) } ?? "error \(-result)"
      return AlsaError(.failed, start + words.lowercased() + ".", errno: -result)
    }
  }

  /// The kernel's ENOTSUPP, which has no name in user space.
  private static let driverDoesNotSupport: Int32 = 524
}
