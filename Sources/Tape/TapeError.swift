// What can go wrong with one recording: a code to decide by, the system's errno if it had a part,
// and the sentence a user should read. Any thread may make one; it never touches a file.
import Glibc
import Realtime

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

  /// What the system refused. A full disk gets its own code, whatever was being done.
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
