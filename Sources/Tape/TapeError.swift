// An error with one recording: a code to decide by, the errno if a system call failed, and a
// sentence for the user. Any thread may make one; it never touches a file.
import Glibc
import Realtime

/// Why a file of sound cannot be read or written.
public struct TapeError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Sendable {
    case badSettings, cannotOpen, cannotRead, cannotWrite, diskFull, notSound, damaged, noRoom
    case unsupported, tooSoon, cancelled, outOfMemory
  }

  public let code: Code
  public let errno: Int32
  public let sentence: String

  public var description: String { sentence }

  public init(_ code: Code, _ sentence: String, errno: Int32 = 0) {
    self.code = code
    self.errno = errno
    self.sentence = sentence
  }

  /// The error of a failed system call. A full disk always has its own code.
  public static func system(_ code: Code, _ doing: String, errno: Int32) -> TapeError {
    let full = [ENOSPC, EDQUOT, EFBIG].contains(errno)
    return TapeError(full ? .diskFull : code, "\(doing): \(words(for: errno)).", errno: errno)
  }

  private static func words(for errno: Int32) -> String {
    switch errno {
    case 0: return "the system gave no reason"
    case ENOSPC: return "the disk is full"
    case EDQUOT: return "the quota on this disk is used up"
    case EFBIG: return "the file is larger than this disk can hold"
    case ENOENT: return "there is no such file or folder"
    case EACCES, EPERM: return "permission is missing"
    case EROFS: return "the disk is read-only"
    case EISDIR: return "it is a folder"
    case EIO: return "the disk failed to read or write (I/O error)"
    default: return systemWords(for: errno)
    }
  }
}
