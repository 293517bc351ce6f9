// Writes a history from a seed: mostly waiting; then a user comes, records, plays, tidies up; and
// faults happen all along, most of them during a visit. The same seed writes the same history.

@testable import Library

struct ScriptWriter {
  private var random: SplitMix64
  private let hours: Double
  private let trouble: Trouble
  private var happenings: [Happening] = []
  private var now: Int64 = 20_000

  /// The longest life in which libopus or libFLAC encodes.
  private static let encodedHours = 6.0

  /// The faults that this history may have.
  private struct Trouble {
    let cardFails: Bool
    let isDense: Bool
    let restarts: Bool
  }

  static func script(seed: UInt64, hours: Double? = nil) -> Script {
    var writer = ScriptWriter(seed: seed, hours: hours)
    return writer.write(seed)
  }

  private init(seed: UInt64, hours: Double?) {
    var random = SplitMix64(seed: seed &* 0xD134_2543_DE82_EF95 &+ 3)
    let isDense = random.below(3) == 0
    let usual = isDense ? Double(1 + random.below(3)) : Double(12 + random.below(84))
    // A take that is left running costs a minute of libopus for each few hours.
    let most = Setup(seed: seed).listsFrames ? usual : min(usual, Self.encodedHours)
    self.hours = hours ?? most
    trouble = Trouble(
      cardFails: random.below(3) == 0, isDense: isDense, restarts: random.below(5) > 0)
    self.random = random
  }

  private mutating func write(_ seed: UInt64) -> Script {
    let end = Int64(hours * 3_600_000)
    if random.below(3) > 0 { add(.clockSet, at: Int64(random.below(120_000))) }
    while now < end {
      visit()
      let minutes = trouble.isDense ? 3 : 300
      now += Int64(random.below(minutes * 120_000))
    }
    let sorted = happenings.filter { $0.atMilliseconds < end }.enumerated().sorted {
      ($0.element.atMilliseconds, $0.offset) < ($1.element.atMilliseconds, $1.offset)
    }
    return Script(seed: seed, hours: hours, happenings: sorted.map(\.element))
  }

  private mutating func add(_ kind: Happening.Kind, at: Int64, _ a: Int64 = 0, _ b: Int64 = 0) {
    happenings.append(Happening(atMilliseconds: at, kind: kind, a: a, b: b))
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int64 {
    Int64(range.lowerBound + random.below(range.upperBound - range.lowerBound + 1))
  }

  // MARK: A user's visit

  private mutating func visit() {
    let start = now
    for _ in 0..<number(1...5) {
      switch random.below(10) {
      case ..<6: record()
      case 6: play()
      default: tidyUp()
      }
      now += number(300...40_000)
    }
    for _ in 0..<random.below(4) { goWrong(at: start + number(0...Int(max(1, now - start)))) }
    if random.below(4) == 0 { add(.settings, at: now, number(0...7)) }
    if trouble.restarts, random.below(3) == 0 { end(at: start + number(0...Int(now - start))) }
  }

  private mutating func press(_ button: Int64, at: Int64) {
    add(.press, at: at, button, number(35...400))
    if random.below(6) == 0 { add(.spike, at: at + number(600...2000), button, number(50...1500)) }
  }

  private mutating func record() {
    if random.below(5) == 0 {
      add(.say, at: now, 0, number(0...1000))
    } else {
      press(0, at: now)
    }
    let length =
      switch random.below(20) {
      case ..<10: number(400...20_000)
      case ..<19: number(20_000...200_000)
      default: trouble.isDense ? number(60_000...900_000) : number(200_000...5_400_000)
      }
    for _ in 0..<random.below(3) {
      press(random.below(3) == 0 ? 2 : 1, at: now + number(0...Int(length)))
    }
    if random.below(3) == 0 { goWrong(at: now + number(0...Int(length))) }
    if trouble.restarts, random.below(6) == 0 { end(at: now + number(0...Int(length) + 3000)) }
    now += length
    if random.below(6) == 0 {
      add(.say, at: now, 1, number(0...1000))
    } else {
      press(0, at: now)
    }
  }

  private mutating func play() {
    if random.below(2) == 0 { press(3, at: now) } else { add(.say, at: now, 2, number(0...1000)) }
    for _ in 0..<random.below(4) {
      now += number(200...9000)
      press(number(3...9), at: now)
    }
    now += number(100...30_000)
    if random.below(2) == 0 { add(.say, at: now, 3, 0) }
  }

  private mutating func tidyUp() {
    for _ in 0..<number(1...6) {
      if random.below(4) == 0 {
        press(number(5...10), at: now)
      } else {
        add(.say, at: now, number(4...24), number(0...100_000))
      }
      now += random.below(3) == 0 ? 0 : number(10...4000)
    }
  }

  // MARK: Faults

  private mutating func goWrong(at: Int64) {
    switch random.below(trouble.cardFails ? 15 : 12) {
    case 0, 1:
      add(.unplug, at: at)
      add(.plug, at: at + (random.below(2) == 0 ? number(500...9000) : number(9000...400_000)))
    case 2: add(.overrun, at: at, number(20...3000))
    case 3: add(.stall, at: at, number(120...4000))
    case 4: add(.late, at: at, number(60...400))
    case 5: add(.starve, at: at, number(100...3000))
    case 6, 7: add(.cardStall, at: at, number(200...90_000))
    case 8:
      add(.cardFull, at: at, number(0...40_000))
      add(.cardRoom, at: at + number(1000...200_000))
    case 9: add(.clockJump, at: at, number(-100_000_000...100_000_000))
    case 10: add(.clockSet, at: at)
    case 11: add(.mute, at: at, silence(), number(0...1))
    case 12, 13: add(.cardErrors, at: at, number(1...30), number(0...60))
    default: add(.readOnly, at: at, number(1000...60_000))
    }
  }

  /// A short silence, one after which the device is opened again, or one that outlasts the visit.
  private mutating func silence() -> Int64 {
    switch random.below(4) {
    case 0: number(200...9000)
    case 1, 2: number(9000...200_000)
    default: 10_800_000
    }
  }

  private mutating func end(at: Int64) {
    switch random.below(10) {
    case ..<3: add(.cut, at: at, number(1000...90_000), number(0...1_000_000))
    case ..<6: add(.cutWithin, at: at, number(1...120), number(0...1_000_000))
    case 6, 7: add(.kill, at: at, number(200...3000))
    case 8: add(.killWithin, at: at, number(1...80))
    default: add(.stop, at: at, number(200...60_000))
    }
  }
}
