// Decides what counts for a recording's loudness: blocks of 0.4 s that are not silence, nor much
// quieter than the rest. Blocks are kept as a histogram, so that a day takes no more memory than a
// minute. A plain value; it allocates when it is made and when a copy of it is changed.
import Glibc

struct LoudnessGate: Sendable {
  /// Blocks from -70 to +10 LUFS, in tenths: their number, and the sum of their energies.
  private var counts = [Int](repeating: 0, count: 800)
  private var sums = [Double](repeating: 0, count: 800)
  /// The energies of the last three tenths of a second, and the number of tenths so far.
  private var recent: (Float, Float, Float) = (0, 0, 0)
  private var stretches = 0

  /// Adds the mean energy of the next tenth of a second.
  mutating func add(_ energy: Float) {
    let block = Double(recent.0 + recent.1 + recent.2 + energy) / 4
    recent = (recent.1, recent.2, energy)
    stretches += 1
    guard stretches >= 4, let bin = Self.bin(Self.loudness(block)) else { return }
    counts[bin] += 1
    sums[bin] += block
  }

  /// In LUFS, of all blocks that count; nil if none does.
  var loudness: Double? {
    guard let all = mean(from: 0), let threshold = Self.bin(max(-70, Self.loudness(all) - 10))
    else { return nil }
    return mean(from: threshold).map(Self.loudness)
  }

  private func mean(from bin: Int) -> Double? {
    let count = counts[bin...].reduce(0, +)
    return count > 0 ? sums[bin...].reduce(0, +) / Double(count) : nil
  }

  private static func loudness(_ energy: Double) -> Double { -0.691 + 10 * log10(energy) }

  /// Nil for silence.
  private static func bin(_ loudness: Double) -> Int? {
    loudness >= -70 ? min(799, Int((loudness + 70) * 10)) : nil
  }
}
