// How many histories are lived, which ones, and what is told of them. The environment says: so many
// hours (REEL_HOURS), one seed and how long it lives (REEL_SEED, REEL_LIFE), or a history in a file
// (REEL_SCRIPT). Any thread.

import FoundationEssentials
import Glibc

struct SimulationRun {
  private let part: Int
  private let parts: Int
  /// An ordinary run lives short lives; a long one lives them whole.
  private static let isLong = number("REEL_HOURS") != nil
  private static let wantedHours = number("REEL_HOURS").map(Double.init) ?? 2
  private static let enoughFailures = 5
  private static let onlySeed = number("REEL_SEED").map(UInt64.init)

  init(part: Int, of parts: Int) { (self.part, self.parts) = (part, parts) }

  /// What broke, made short. A run goes on behind it: what else breaks is worth as much.
  func live() -> [String] {
    if let path = Self.word("REEL_SCRIPT") { return part == 0 ? live(fileAt: path) : [] }
    if let seed = Self.onlySeed {
      let hours = Self.word("REEL_LIFE").flatMap(Double.init)
      return part == 0 ? live(ScriptWriter.script(seed: seed, hours: hours)) : []
    }
    var tally = SimTally()
    var seed = UInt64(part + 1)
    var failures: [String] = []
    defer { Self.tell(tally) }
    while tally.hours < Self.wantedHours / Double(parts), failures.count < Self.enoughFailures {
      let script = ScriptWriter.script(seed: seed, hours: Self.isLong ? nil : 0.2)
      CrashNote.note(script.seed)
      let outcome = Life.live(script)
      tally.add(outcome.tally)
      if let broken = outcome.broken { failures.append(sentence(script, broken)) }
      seed += UInt64(parts)
    }
    return failures
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
    if Self.word("REEL_LONG") != nil { return "\(replay)\n\(script.text)" }
    let shrinker = Shrinker(breaks: { Life.live($0).broken }, patience: .seconds(60))
    let (short, still) = shrinker.shrink(script, broken)
    return """
      \(replay)
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

/// Says which life it was when the process comes down in the middle of one.
enum CrashNote {
  static func note(_ seed: UInt64) {
    guard getenv("REEL_TRACE") != nil else { return }
    print("REEL_SEED=\(seed)")
    fflush(nil)
  }
}
