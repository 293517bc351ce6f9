// Which histories a run lives, how many, and what it prints. The environment says: a number of
// hours (REEL_HOURS), one seed and its hours (REEL_SEED, REEL_LIFE), or a history in a file
// (REEL_SCRIPT); and after how many failures a run ends (REEL_ENOUGH). Any thread.

import FoundationEssentials
import Glibc
import Seeds
import Synchronization

struct SimulationRun {
  private let part: Int
  private let parts: Int
  /// An ordinary run uses short lives; a long one whole ones.
  private static let isLong = number("REEL_HOURS") != nil
  private static let wantedHours = number("REEL_HOURS").map(Double.init) ?? 2
  private static let enoughFailures = number("REEL_ENOUGH") ?? 5
  /// The failures of all parts; each part adds its own.
  private static let failureCount = Atomic<Int>(0)

  init(part: Int, of parts: Int) { (self.part, self.parts) = (part, parts) }

  /// Returns the shortened failures. A run goes on after one, to find others.
  func live() -> [String] {
    if let path = Self.word("REEL_SCRIPT") { return part == 0 ? live(fileAt: path) : [] }
    if let seed = Seeds.only {
      let hours = Self.word("REEL_LIFE").flatMap(Double.init)
      return part == 0 ? live(ScriptWriter.script(seed: seed, hours: hours)) : []
    }
    var tally = SimTally()
    var failures: [String] = []
    defer { Self.tell(tally) }
    // Each case has its own hours, so `Seeds` does not read the file as a list of seeds. Cases of
    // days are for a long run.
    let all = part == 0 ? Seeds.cases("simulation").compactMap(Self.script) : []
    let cases = all.filter { Self.isLong || $0.hours <= 5 }
    let fresh = Seeds("", part: part, of: parts).lazy.map {
      ScriptWriter.script(seed: $0, hours: Self.isLong ? nil : 0.2)
    }
    for script in cases where !Self.hasEnough { live(script, &tally, &failures) }
    for script in fresh {
      if tally.hours >= Self.wantedHours / Double(parts) || Self.hasEnough { break }
      live(script, &tally, &failures)
    }
    // Once every take was empty, and no promise broke.
    if tally.takesCounted >= 10, tally.framesFound == 0 {
      failures.append("of \(tally.takesCounted) takes not one frame was found on a card")
    }
    return failures
  }

  private func live(_ script: Script, _ tally: inout SimTally, _ failures: inout [String]) {
    CrashNote.note(script.seed)
    let outcome = Life.live(script)
    tally.add(outcome.tally)
    if let broken = outcome.broken {
      Self.failureCount.add(1, ordering: .relaxed)
      failures.append(sentence(script, broken))
    }
  }

  private static var hasEnough: Bool {
    failureCount.load(ordering: .relaxed) >= enoughFailures
  }

  /// Reads a case: a seed, and its hours.
  private static func script(_ words: [Substring]) -> Script? {
    guard words.count == 2, let seed = UInt64(words[0]), let hours = Double(words[1]) else {
      return nil
    }
    return ScriptWriter.script(seed: seed, hours: hours)
  }

  private func live(_ script: Script) -> [String] {
    CrashNote.note(script.seed)
    let outcome = Life.live(script)
    Self.tell(outcome.tally)
    return outcome.broken.map { [sentence(script, $0)] } ?? []
  }

  private func live(fileAt path: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: path),
      let script = Script(String(decoding: data, as: UTF8.self))
    else { return ["\(path) holds no history"] }
    return live(script)
  }

  private func sentence(_ script: Script, _ broken: Broken) -> String {
    let replay =
      "REEL_SEED=\(script.seed) REEL_LIFE=\(script.hours) scripts/test-simulation: \(broken)"
    let isSeeds = ScriptWriter.script(seed: script.seed, hours: script.hours) == script
    let words = "\(script.seed) \(script.hours)"
    let kept = isSeeds ? Seeds.keep("simulation", words, because: "\(broken)") : ""
    if Self.word("REEL_WHOLE") != nil { return "\(replay)\n\(kept)\n\(script.text)" }
    let shrinker = Shrinker(breaks: { Life.live($0).broken }, patience: .seconds(60))
    let (short, still) = shrinker.shrink(script, broken)
    return """
      \(replay)
      \(kept)
      \(short.happenings.count) happenings are enough for: \(still)
      Written to a file, they replay with REEL_SCRIPT=file scripts/test-simulation:
      \(short.text)
      """
  }

  private static func tell(_ tally: SimTally) {
    for (what, figure) in tally.figures { print("simulated: \(what)=\(figure)") }
  }

  private static func number(_ name: String) -> Int? { word(name).flatMap { Int($0) } }

  private static func word(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// Prints the seed beforehand, for when the process crashes in the middle of a life.
enum CrashNote {
  static func note(_ seed: UInt64) {
    guard getenv("REEL_TRACE") != nil else { return }
    print("REEL_SEED=\(seed)")
    fflush(nil)
  }
}
