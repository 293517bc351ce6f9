// The progress of long work, and whether to go on. Used on the thread that does the work.

/// How far long work has come.
public struct Progress: Equatable, Sendable {
  public var done: Int64
  /// Nil if unknown.
  public var total: Int64?

  init(done: Int64, of total: Int64?) {
    self.done = done
    self.total = total
  }
}

/// Whether long work goes on or is cancelled.
public enum Onward: Sendable {
  case goOn, cancel

  func check() throws(TapeError) {
    if self == .cancel { throw TapeError(.cancelled, "Cancelled.") }
  }
}
