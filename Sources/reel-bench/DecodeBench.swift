// A recording decoded from beginning to end, as playback and export do it: to 16 bits, in blocks of
// 20 ms. What it costs is measured from outside, by Benchmarks/cost.c.
import Tape

/// Returns the frames decoded; nil if the arguments make no sense.
func decodeFile(_ arguments: [String]) throws -> String? {
  guard arguments.count == 1 else { return nil }
  var reader = try SoundReader.open(arguments[0])
  let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 960 * reader.channels)
  defer { block.deallocate() }
  var frames = 0
  while case let count = try reader.read(into: block), count > 0 { frames += count }
  return "\(frames)"
}
