// Repairs a clipped track from a safety track: the same microphone, recorded at a lower level. The
// first pass, here, finds the clipped stretches and matches the levels; the second is a
// `RepairedReader`, which mixes. Long work that blocks on the disk: give it a thread of its own.
// Memory does not grow with the recording's length; no file is changed.
//
// The two tracks are channels of one device, so they have one clock, and no delay is looked for.

import Realtime

/// Finds out how a safety track repairs a main track.
public enum ClippingRepair {
  /// The length of a cross-fade, which lies outside of the clipped samples.
  static let fadeMilliseconds = 5
  /// In more stretches than this, neighbours are joined.
  static let mostStretches = 65_536
  /// The peak of what is repaired: -1 dBFS.
  static let highestPeak: Float = 0.891_250_9
  /// A safety track whose peak is below -60 dBFS is silent: beside it, the main track clips.
  private static let silence: Float = 0.001
  private static let blockFrames = 1_024

  /// Reads both tracks to their ends. Throws if the safety track cannot repair the main one; that
  /// nothing is clipped is no error.
  public static func examine(
    main: consuming SoundReader, safety: consuming SoundReader,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> ClippingPlan {
    try examine(main: main, safety: safety, mostStretches: mostStretches, progress: progress)
  }

  static func examine(
    main: consuming SoundReader, safety: consuming SoundReader, mostStretches: Int,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> ClippingPlan {
    var main = main
    var safety = safety
    try checkFormats(main, safety)
    var found = Findings(main, safety, mostStretches: mostStretches)
    let mainBlock = Buffer<Float>(count: blockFrames * main.channels)
    let safetyBlock = Buffer<Float>(count: blockFrames * main.channels)
    while case let count = try main.read(into: mainBlock.all), count > 0 {
      let samples = count * main.channels
      let safetyCount = try safety.read(into: safetyBlock.slice(0..<samples))
      safetyBlock.slice(safetyCount * main.channels..<safetyBlock.count).update(repeating: 0)
      tame(mainBlock.slice(0..<samples))
      tame(safetyBlock.slice(0..<samples))
      found.add(mainBlock.start, count, safetyBlock.start, safetyCount)
      try progress(Progress(done: found.mainFrames, of: main.frames)).check()
    }
    return try found.plan()
  }

  private static func checkFormats(
    _ main: borrowing SoundReader, _ safety: borrowing SoundReader
  ) throws(TapeError) {
    guard main.sampleRate == safety.sampleRate else {
      throw TapeError(
        .unsupported,
        "The safety track has \(safety.sampleRate) Hz and the main track \(main.sampleRate) Hz;"
          + " give both the same format in reel.json.")
    }
    guard main.channels == safety.channels, main.channels <= UInt8.bitWidth else {
      throw TapeError(
        .unsupported,
        "Channels of the safety track: \(safety.channels), of the main track: \(main.channels);"
          + " give both the same number, 8 at most, in reel.json.")
    }
  }

  /// Makes samples of a hostile file such that sums of them stay finite.
  static func tame(_ samples: UnsafeMutableBufferPointer<Float>) {
    for index in samples.indices {
      let sample = samples[index]
      samples[index] = sample.isFinite ? max(-16, min(16, sample)) : 0
    }
  }

  static func fadeFrames(sampleRate: Int) -> Int64 {
    Int64(max(1, sampleRate / 1_000 * fadeMilliseconds))
  }

  /// What the first pass has measured.
  private struct Findings {
    let sampleRate: Int
    var finder: ClippingFinder
    var measures: [LevelMeasure]
    var mainFrames: Int64 = 0
    var safetyFrames: Int64 = 0

    init(
      _ main: borrowing SoundReader, _ safety: borrowing SoundReader, mostStretches: Int
    ) {
      sampleRate = main.sampleRate
      let stretches = ClippedStretches(
        nearestFrames: 2 * fadeFrames(sampleRate: sampleRate), most: mostStretches)
      finder = ClippingFinder(
        channels: main.channels, rule: main.isOpus ? .lossy : .lossless,
        safetyRule: safety.isOpus ? .lossy : .lossless, stretches: stretches)
      measures = Array(repeating: LevelMeasure(sampleRate: sampleRate), count: main.channels)
    }

    mutating func add(
      _ main: UnsafePointer<Float>, _ count: Int, _ safety: UnsafePointer<Float>,
      _ safetyCount: Int
    ) {
      finder.add(main, safety, frames: count)
      let stride = measures.count
      for channel in measures.indices {
        measures[channel].add(
          main + channel, safety + channel, frames: safetyCount, stride: stride)
      }
      mainFrames += Int64(count)
      safetyFrames += Int64(safetyCount)
    }

    mutating func plan() throws(TapeError) -> ClippingPlan {
      finder.finish()
      let (all, fade) = (finder.stretches.all, fadeFrames(sampleRate: sampleRate))
      let repairable = all.filter {
        min($0.frames.upperBound + fade, mainFrames) <= safetyFrames
      }
      var plan = ClippingPlan(
        sampleRate: sampleRate, channels: measures.count, stretches: repairable,
        unrepaired: all.count - repairable.count)
      if repairable.isEmpty { return plan }
      if repairable.allSatisfy(\.isSafetyClipped) { throw bothClip }
      var peak = finder.mainPeak
      for channel in measures.indices
      where repairable.contains(where: { $0.channels & 1 << channel != 0 }) {
        let match = try match(of: channel)
        plan.matches[channel] = match
        for sample in [finder.channels[channel].lowest, finder.channels[channel].highest] {
          peak = max(peak, abs(match.gain * sample + match.offset))
        }
      }
      plan.attenuation = min(1, highestPeak / peak)
      return plan
    }

    private func match(of channel: Int) throws(TapeError) -> LevelMatch {
      if finder.channels[channel].safetyPeak < silence { throw isSilent }
      switch measures[channel].outcome {
      case .match(let match): return match
      case .tooLittle: throw tooLittle
      case .unlike: throw isUnlike
      }
    }
  }

  private static let isSilent = TapeError(
    .unsupported,
    "The safety track is silent; check its cable and its level, or export without repair.")
  private static let bothClip = TapeError(
    .unsupported,
    "The safety track clips wherever the main track does; record it at a lower level.")
  private static let isUnlike = TapeError(
    .unsupported,
    "The safety track is not the sound of the main track; record the same microphone in both.")
  private static let tooLittle = TapeError(
    .unsupported,
    "Too little of the sound is not clipped to match the safety track's level; export without"
      + " repair.")
}
