// The seeds of random tests. Each run has a number from which its seeds follow, so that no two runs
// try the same; it is printed, and REEL_RUN=… repeats the run. REEL_SEED=… tries one seed alone.
// What failed once is kept in `Tests/cases`, one case a line, and comes first in every run. Any
// thread.

import FoundationEssentials
import Glibc

public struct Seeds: Sequence, IteratorProtocol {
  private var cases: ArraySlice<UInt64>
  private var numbers: StrideToIterator<Int>

  /// Gives the cases of that name, then `count` fresh seeds; of both, every `parts`-th belongs to a
  /// part.
  public init(_ name: String, count: Int = .max, part: Int = 0, of parts: Int = 1) {
    if let only = Self.only {
      cases = part == 0 ? [only] : []
      numbers = stride(from: 0, to: 0, by: 1).makeIterator()
    } else {
      let all = Self.cases(name).compactMap { $0.first.flatMap { UInt64($0) } }
      cases = all.indices.filter { $0 % parts == part }.map { all[$0] }[...]
      numbers = stride(from: part, to: count, by: parts).makeIterator()
    }
  }

  public mutating func next() -> UInt64? {
    cases.popFirst() ?? numbers.next().map { Self.run << 20 + UInt64($0) + 1 }
  }

  /// The one seed that this run is to try.
  public static let only = number("REEL_SEED")

  /// The number of this run; 0 gives the seeds 1, 2, 3 and so on.
  private static let run: UInt64 = {
    let run = number("REEL_RUN") ?? .random(in: 1..<1 << 30)
    print("REEL_RUN=\(run) repeats the seeds of this run")
    return run
  }()

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  // MARK: Cases

  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/cases/"

  /// The words of each line of `Tests/cases/NAME`; the first is a seed. Words after a # say why.
  public static func cases(_ name: String) -> [[Substring]] {
    let data = FileManager.default.contents(atPath: folder + name) ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      $0.prefix { $0 != "#" }.split(separator: " ")
    }.filter { !$0.isEmpty }
  }

  /// Saves a failed seed as a case, unless this run repeats another; returns a sentence for the
  /// report.
  public static func keep(_ name: String, _ words: String, because why: String) -> String {
    let line = "\(words)  # \(why.prefix { $0 != "\n" })\n"
    if only != nil || getenv("REEL_RUN") != nil { return "" }
    if cases(name).contains(where: { $0.joined(separator: " ") == words }) { return "" }
    guard let file = fopen(folder + name, "a") else {
      return "To keep it as a case, add to Tests/cases/\(name): \(line)"
    }
    fputs(line, file)
    fclose(file)
    return "Kept as a case in Tests/cases/\(name)."
  }
}
