// Numbers for the playback tests that are the same on every run: signals, and the order in which
// the workers take their steps. Pure values, used by the thread of one test.

struct PlayRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
}
