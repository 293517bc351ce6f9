// What the system refused and what to do about it. Thrown when nothing can go on without it;
// kept as a report when the work goes on with less. Made when things are set up, never in a
// realtime section: the sentence is a String.
import CRealtime

/// Something the system would not give.
public struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Wish: String, Equatable, Sendable {
    case memory, lockedMemory, thread, realtimePriority, processor, wakeUp
  }

  public let wish: Wish
  public let errno: CInt
  /// One sentence for a user.
  public let sentence: String

  public var description: String { sentence }

  init(_ wish: Wish, errno: CInt, _ what: String, advice: String) {
    self.wish = wish
    self.errno = errno
    let reason = String(cString: realtime_errno_words(errno))
    sentence = "\(what) was refused (\(reason)): \(advice)."
  }
}
