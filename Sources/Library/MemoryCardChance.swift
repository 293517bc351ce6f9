// The random decisions of a power cut, the same for the same seed. A plain value; any thread.

struct MemoryCardChance {
  enum Fate { case kept, lost, torn }

  private enum Rule { case nothing, everything, names, bytes, thrown }

  var random: SplitMix64
  private let rule: Rule
  /// The share of unsynced changes that survive: cards differ.
  private let survivalPercent: Int

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    rule = seed < 4 ? [.nothing, .everything, .names, .bytes][Int(seed)] : .thrown
    survivalPercent = [10, 50, 90][random.below(3)]
  }

  var isThrown: Bool { rule == .thrown }

  mutating func below(_ limit: Int) -> Int { random.below(limit) }

  /// Always false under the fixed rules of seeds 0 to 3.
  mutating func happens(percent: Int) -> Bool { isThrown && random.below(100) < percent }

  mutating func survivingCount(of count: Int) -> Int {
    switch rule {
    case .nothing, .bytes: 0
    case .everything, .names: count
    case .thrown: random.below(count + 1)
    }
  }

  mutating func nameSurvives() -> Bool {
    switch rule {
    case .nothing, .bytes: false
    case .everything, .names: true
    case .thrown: random.below(100) < survivalPercent
    }
  }

  mutating func fateOfBytes() -> Fate {
    switch rule {
    case .nothing, .names: return .lost
    case .everything, .bytes: return .kept
    case .thrown:
      if random.below(100) < 30 { return .torn }
      return random.below(100) < survivalPercent ? .kept : .lost
    }
  }

  /// Where a write is torn: half the time at a sector boundary.
  mutating func place(in count: Int, from offset: Int) -> Int {
    let anywhere = random.below(count + 1)
    guard count > 512, random.below(2) == 0 else { return anywhere }
    return min(count, max(0, (offset + anywhere) / 512 * 512 - offset))
  }
}

/// Random numbers that are the same everywhere for the same seed.
struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
