// Whether a recording of clicks a second apart holds every frame between them: a frame lost or
// heard twice anywhere moves all clicks after it. Reads any file; reads it whole.
import Tape

/// Returns the number of clicks; throws if one is out of place.
func checkClicks(_ arguments: [String]) throws -> String? {
  guard arguments.count == 1 else { return nil }
  var reader = try SoundReader.open(arguments[0])
  let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 48_000 * reader.channels)
  defer { block.deallocate() }
  var (frame, clicks) = (0, [Int]())
  while case let count = try reader.read(into: block), count > 0 {
    for index in 0..<count where block[index * reader.channels] > 8_000 {
      // A click is encoded as a few high samples: the first is its place.
      if clicks.last.map({ frame + index - $0 > 1_000 }) ?? true { clicks.append(frame + index) }
    }
    frame += count
  }
  for (one, next) in zip(clicks, clicks.dropFirst()) where abs(next - one - 48_000) > 2 {
    throw MisplacedClick(frame: next, distance: next - one)
  }
  return "\(clicks.count)"
}

private struct MisplacedClick: Error {
  let frame: Int
  let distance: Int
}
