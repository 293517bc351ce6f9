// The second pass of a repair: reads a main track whose clipped stretches come from its safety
// track. Its `SoundReader` owns it and calls it. Blocks on the disk: never call it from a thread
// that must not wait. Memory is fixed once it is made; frames outside of stretches and fades are
// those of the main track times the attenuation, exactly.

import Realtime

// Sendable: one `SoundReader`, which cannot be copied, owns it and is the only one to call it.
/// Reads a repaired track.
final class RepairedReader: @unchecked Sendable {
  private var main: SoundReader
  private var safety: SoundReader
  private let plan: ClippingPlan
  private let safetyBlock: Buffer<Float>
  private var position: Int64 = 0
  /// The first stretch whose fade does not lie before the position.
  private var next = 0
  private static let blockFrames = 4_096

  init(_ main: consuming SoundReader, _ safety: consuming SoundReader, _ plan: ClippingPlan) {
    precondition(
      main.channels == plan.channels && safety.channels == plan.channels,
      "a plan is of the tracks that it repairs")
    safetyBlock = Buffer(count: Self.blockFrames * plan.channels)
    self.plan = plan
    self.main = main
    self.safety = safety
  }

  /// Reads the next frames, interleaved; fewer than there is room for only at the end.
  func read(into samples: UnsafeMutableBufferPointer<Float>) throws(TapeError) -> Int {
    let (channels, room) = (plan.channels, samples.count / plan.channels)
    var done = 0
    while done < room {
      let wanted = min(room - done, Self.blockFrames)
      let block = UnsafeMutableBufferPointer(
        rebasing: samples[done * channels..<(done + wanted) * channels])
      let count = try main.read(into: block)
      guard count > 0 else { break }
      try repair(UnsafeMutableBufferPointer(rebasing: block[..<(count * channels)]))
      done += count
    }
    return done
  }

  func seek(to frame: Int64) throws(TapeError) {
    try main.seek(to: frame)
    // Behind its end, the safety track repairs nothing.
    try safety.seek(to: min(frame, safety.frames ?? frame))
    position = frame
    next =
      plan.stretches.firstIndex { $0.frames.upperBound + plan.fadeFrames > frame }
      ?? plan.stretches.count
  }

  private func repair(_ block: UnsafeMutableBufferPointer<Float>) throws(TapeError) {
    let frames = Int64(block.count / plan.channels)
    // Always, so that both tracks stay at the same frame.
    let count = try safety.read(into: safetyBlock.slice(0..<block.count))
    ClippingRepair.tame(block)
    ClippingRepair.tame(safetyBlock.slice(0..<count * plan.channels))
    while next < plan.stretches.count {
      let stretch = plan.stretches[next]
      if stretch.frames.lowerBound - plan.fadeFrames >= position + frames { break }
      replace(stretch, in: block, upTo: Int64(count))
      if stretch.frames.upperBound + plan.fadeFrames > position + frames { break }
      next += 1
    }
    if plan.attenuation != 1 {
      for index in block.indices { block[index] *= plan.attenuation }
    }
    position += frames
  }

  /// Replaces the frames of a stretch and of its fades that lie in a block.
  private func replace(
    _ stretch: ClippedStretch, in block: UnsafeMutableBufferPointer<Float>, upTo count: Int64
  ) {
    let first = max(0, stretch.frames.lowerBound - plan.fadeFrames - position)
    let end = min(count, stretch.frames.upperBound + plan.fadeFrames - position)
    guard first < end else { return }
    for channel in 0..<plan.channels where stretch.channels & 1 << channel != 0 {
      guard let match = plan.matches[channel] else { continue }
      for frame in Int(first)..<Int(end) {
        let place = frame * plan.channels + channel
        let weight = weight(of: position + Int64(frame), in: stretch.frames)
        let matched = match.gain * safetyBlock.start[place] + match.offset
        block[place] += weight * (matched - block[place])
      }
    }
  }

  /// How much of a frame is the safety track's: 1 in the stretch, falling in a straight line to 0
  /// on either side. As both are the same sound, the loudness stays the same.
  private func weight(of frame: Int64, in stretch: Range<Int64>) -> Float {
    let distance =
      max(0, stretch.lowerBound - frame, frame - stretch.upperBound + 1)
    return 1 - Float(distance) / Float(plan.fadeFrames + 1)
  }
}
