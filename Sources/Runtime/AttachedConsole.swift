// A console as the runtime sees it: its number, and its callbacks. Used by the loop's thread.

import Console
import Recorder

/// A console that the heart can address, with a callback for each of its commands.
public struct AttachedConsole {
  public let id: Int
  /// Sent at the start, if the console exists from the start.
  public var opened: ConsoleDescription?
  /// Writes a part of an answer, or its end.
  public var answer: ((Answer, _ isLast: Bool) -> Void)?
  /// The command on an entered line begins.
  public var began: ((_ line: String) -> Void)?
  public var close: (() -> Void)?
  public var show: ((Meter) -> Void)?

  public init(id: Int) { self.id = id }
}
