// The loudness of bare samples, measured as it is in a take: 16 bits at 48 kHz, 20 ms at a time.
// What it costs is measured from outside, by Benchmarks/cost.c.
import Glibc
import Tape

/// Returns the loudness in LUFS; nil if the arguments make no sense.
func measureLoudness(_ arguments: [String]) throws -> String? {
  guard arguments.count == 2, let channels = Int(arguments[1]), (1...2).contains(channels),
    let file = fopen(arguments[0], "rb")
  else { return nil }
  defer { fclose(file) }
  var loudness = try Loudness.open(channels: channels, sampleRate: 48_000)
  let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 960 * channels)
  defer { block.deallocate() }
  while fread(block.baseAddress, 2 * channels, 960, file) == 960 {
    loudness.add(UnsafeBufferPointer(block))
  }
  return loudness.integrated.map { "\(($0 * 10).rounded() / 10)" } ?? "none"
}
