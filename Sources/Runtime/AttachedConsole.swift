// A console as the runtime sees it: its number, and its callbacks. Used by the loop's thread.

import Console
import Recorder

/// A console that the heart can address, with a callback for each of its commands.
public struct AttachedConsole {
  public let id: Int
  /// Sent at the start, if the console exists from the start.
  public var opened: ConsoleDescription?
  /// Runs an entered line.
  public var run: ((_ line: String) -> Void)?
  public var complete: ((_ line: String) -> Void)?
  public var close: (() -> Void)?
  public var show: ((Meter) -> Void)?

  public init(id: Int) { self.id = id }
}
