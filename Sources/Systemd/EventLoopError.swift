// An error of the event loop: a code to branch on, the errno it came from, and a sentence for the
// log. A value, for any thread; it does nothing by itself.
import Glibc
import Realtime

/// Why the event loop cannot do something.
public struct EventLoopError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Sendable {
    /// A regular file or a directory: always ready, so the kernel refuses to watch it.
    case notPollable
    /// The descriptor or the signal is being watched in this loop.
    case alreadyWatched
    /// The descriptor is not open.
    case badDescriptor
    /// A limit on open files, watches or memory.
    case outOfResources
    /// The loop has exited; it takes nothing new and does not run again.
    case finished
    /// The loop was asked to run from inside one of its handlers.
    case alreadyRunning
    /// None of the above: the errno says it.
    case system
  }

  public let code: Code
  public let errorNumber: Int32
  /// What could not be done, and what to do about it.
  public let description: String

  /// Compares codes and errnos, not sentences.
  public static func == (one: Self, other: Self) -> Bool {
    one.code == other.code && one.errorNumber == other.errorNumber
  }

  /// `doing` completes the sentence "cannot ...".
  init(_ code: Code? = nil, errorNumber: Int32, doing: String) {
    self.code = code ?? Self.code(for: errorNumber)
    self.errorNumber = errorNumber
    description = "cannot \(doing): \(Self.reason(self.code, errorNumber))"
  }

  private static func code(for errorNumber: Int32) -> Code {
    switch errorNumber {
    case EPERM: .notPollable
    case EEXIST: .alreadyWatched
    case EBADF: .badDescriptor
    case EMFILE, ENFILE, ENOSPC, ENOMEM: .outOfResources
    case ESTALE: .finished
    default: .system
    }
  }

  private static func reason(_ code: Code, _ errorNumber: Int32) -> String {
    switch code {
    case .notPollable: "a regular file or directory is always ready; read it without watching it"
    case .alreadyWatched: "it is being watched in this loop; stop that watch first"
    case .badDescriptor: "the descriptor is not open"
    case .outOfResources:
      "\(systemWords(for: errorNumber)); raise the limit or close something"
    case .finished: "the event loop has exited"
    case .alreadyRunning: "the event loop is running; a handler must return instead"
    case .system: systemWords(for: errorNumber)
    }
  }
}
