// The lines of a program on a serial port, which go to the heart one after another: the next begins
// when the answer to the one before has been sent, so that at most one answer is queued, however
// long it is. A plain value that sends nothing itself.

import Recorder

struct ProgramLines {
  /// What the heart is to run next.
  enum Next: Equatable {
    case line(String)
    /// The rest of a long listing.
    case words([String])
  }

  private var waiting: [String] = []
  private var running: Next?
  private var rest: [String]?

  static let limit = 100

  /// Adds a line; returns false if too many wait.
  mutating func add(_ line: String) -> Bool {
    if waiting.count >= Self.limit { return false }
    waiting.append(line)
    return true
  }

  /// Returns what begins now; nil while an answer is outstanding or nothing waits.
  mutating func next() -> Next? {
    guard running == nil else { return nil }
    if let words = rest {
      (running, rest) = (.words(words), nil)
    } else if !waiting.isEmpty {
      running = .line(waiting.removeFirst())
    }
    return running
  }

  /// The answer to what runs is complete.
  mutating func finish(_ answer: Answer) {
    switch running {
    case .line(let line): rest = Self.rest(of: answer, to: Words(line).words)
    case .words(let words): rest = Self.rest(of: answer, to: words)
    case nil: break
    }
    running = nil
  }

  /// Returns the command for the next part of a listing; nil if it is complete or limited by
  /// `--count`.
  static func rest(of answer: Answer, to words: [String]) -> [String]? {
    guard case .listing(let listing) = answer, !words.hasOption("--count"),
      listing.from + listing.items.count < listing.total, !listing.items.isEmpty
    else { return nil }
    let from = "\(listing.from + listing.items.count)"
    return words.replacingOption("--from", with: from)
  }
}
