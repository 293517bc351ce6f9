// A resource that the system refused, and what to do about it. Thrown if the work cannot go on
// without it; reported if the work goes on with less. Made during set-up, never in a realtime
// section: the sentence is a String.
import CRealtime

/// A resource that the system refused.
public struct RealtimeError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Resource: String, Equatable, Sendable {
    case memory, lockedMemory, thread, realtimePriority, processor, wakeUp
  }

  public let resource: Resource
  public let errno: CInt
  /// One sentence for a user.
  public let sentence: String

  public var description: String { sentence }

  init(_ resource: Resource, errno: CInt, _ what: String, advice: String) {
    self.resource = resource
    self.errno = errno
    let reason = String(cString: realtime_errno_words(errno))
    sentence = "\(what) was refused (\(reason)): \(advice)."
  }
}
