// What the first pass of a repair found out, which the second one carries out, and what is reported
// of it. Plain values; any thread.

import Glibc

/// Where and how a safety track replaces a main track.
public struct ClippingPlan: Sendable {
  let sampleRate: Int
  let channels: Int
  /// In order; their fades do not touch each other.
  let stretches: [ClippedStretch]
  let unrepaired: Int
  /// For each channel; nil if nothing of it is replaced.
  var matches: [LevelMatch?]
  /// What the whole recording is multiplied by, at most 1.
  var attenuation: Float = 1

  init(sampleRate: Int, channels: Int, stretches: [ClippedStretch], unrepaired: Int) {
    (self.sampleRate, self.channels) = (sampleRate, channels)
    (self.stretches, self.unrepaired) = (stretches, unrepaired)
    matches = Array(repeating: nil, count: channels)
  }

  /// Leaves the level as it is, for formats of floating point, which have room above full scale.
  public mutating func keepLevel() { attenuation = 1 }

  /// Whether anything is replaced. If not, the plain export is the repaired one.
  public var isNeeded: Bool { !stretches.isEmpty }

  var fadeFrames: Int64 { ClippingRepair.fadeFrames(sampleRate: sampleRate) }

  public var report: ClippingReport {
    ClippingReport(
      sampleRate: sampleRate, repaired: stretches.count,
      frames: stretches.reduce(0) { $0 + Int64($1.frames.count) },
      stillClipped: stretches.count(where: \.isSafetyClipped), unrepaired: unrepaired,
      levelMillibels: matches.compactMap { $0?.levelMillibels },
      attenuationMillibels: Int((-2_000 * log10(Double(attenuation))).rounded()))
  }
}

/// What a repair did, for tags and for the user.
public struct ClippingReport: Equatable, Sendable {
  public var sampleRate: Int
  /// Stretches that come from the safety track, and their frames without the fades.
  public var repaired: Int
  public var frames: Int64
  /// Those of them in which the safety track clips, too.
  public var stillClipped: Int
  /// Stretches after the end of the safety track, which stay as they are.
  public var unrepaired: Int
  /// How much higher the safety track is recorded than the main one, in hundredths of a decibel, in
  /// each channel that is repaired: -1200 if it is 12 dB lower.
  public var levelMillibels: [Int]
  /// By how much the export is softer, in hundredths of a decibel.
  public var attenuationMillibels: Int

  /// The key of the tag. An index is not rebuilt from it.
  public static let key = "REEL_REPAIRED"

  /// The fact for the tags of an export; nil if nothing was clipped.
  public var comment: Tags.Comment? {
    guard repaired + unrepaired > 0 else { return nil }
    var value = "stretches \(repaired), frames \(frames)"
    let levels = levelMillibels.map(Self.decibels).joined(separator: "/")
    if repaired > 0 { value += ", safety \(levels) dB" }
    if attenuationMillibels != 0 { value += ", gain \(Self.decibels(-attenuationMillibels)) dB" }
    if stillClipped > 0 { value += ", still clipped \(stillClipped)" }
    if unrepaired > 0 { value += ", left \(unrepaired)" }
    return Tags.Comment(key: Self.key, value: value)
  }

  /// What the user is told, a sentence each.
  public var sentences: [String] {
    if repaired + unrepaired == 0 { return ["Nothing is clipped, so nothing was repaired."] }
    var found: [String] = []
    if repaired > 0 {
      let (tenths, level) = ((attenuationMillibels + 5) / 10, levelMillibels.first ?? 0)
      found = [
        "Clipped stretches repaired from the safety track: \(repaired), \(seconds) s in all.",
        "The safety track is \(Self.decibels(-level)) dB below the main track.",
        "The export is \(tenths / 10).\(tenths % 10) dB softer than the recording.",
      ]
    }
    if stillClipped > 0 {
      found.append("Stretches in which the safety track clips as well: \(stillClipped).")
    }
    if unrepaired > 0 {
      found.append("Clipped stretches after the end of the safety track: \(unrepaired).")
    }
    return found
  }

  private var seconds: String {
    let milliseconds = scaled(frames, from: sampleRate, to: 1_000)
    return "\(milliseconds / 1_000).\(Tags.padded(Int(milliseconds % 1_000), 3))"
  }

  private static func decibels(_ millibels: Int) -> String {
    let size = abs(millibels)
    return "\(millibels < 0 ? "-" : "")\(size / 100).\(Tags.padded(size % 100, 2))"
  }
}
