// Which tracks a checkup recommends if the configuration names none and the device could do more
// than is used: one sentence with the text for reel.json. Pure. It is advice, never a fault: one
// small Opus file is what most people want.

/// What the configuration says about tracks, as far as advice depends on it.
public struct TrackFacts: Equatable, Sendable {
  /// With tracks of its own, a configuration needs no advice.
  public var namesTracks: Bool
  /// The mixer is set by the configuration already.
  public var setsLevels: Bool

  public init(namesTracks: Bool, setsLevels: Bool) {
    self.namesTracks = namesTracks
    self.setsLevels = setsLevels
  }

  /// The check with the recommendation; nil if there is none.
  func check(_ ability: MicrophoneAbility) -> CheckupView.Check? {
    guard !namesTracks, ability.isNative else { return nil }
    let sentence = ability.trackForEach ?? ability.deepTrack ?? safety(ability)
    return sentence.map { .init("tracks", .well, $0) }
  }

  private func safety(_ ability: MicrophoneAbility) -> String? {
    setsLevels ? nil : ability.safetyTrack
  }
}

extension MicrophoneAbility {
  /// How much lower a safety track is: a shout overloads the main one only, and speech is still far
  /// above the noise of 16 bits.
  private static let safetyDecibels = 12.0

  private var isDeep: Bool { mostBits >= 24 }

  /// A device with many channels is a mixer or an interface: each channel is a microphone.
  fileprivate var trackForEach: String? {
    guard mostChannels > 2 else { return nil }
    let text = TrackText.each(channels: mostChannels, isDeep: isDeep)
    return "The device has \(mostChannels) channels; for a file of each, put into reel.json:"
      + " \(text)"
  }

  fileprivate var deepTrack: String? {
    guard isDeep else { return nil }
    return "The device delivers \(mostBits) bits; to keep 24, put into reel.json: \(TrackText.deep)"
  }

  /// One microphone on both channels, of which one is set lower: what overloads the first is whole
  /// on the second.
  fileprivate var safetyTrack: String? {
    guard mostChannels == 2,
      let volume = volumes.first(where: { $0.isPerChannel && $0.decibels != nil }),
      let decibels = volume.decibels, decibels.most - decibels.least >= Self.safetyDecibels
    else { return nil }
    let main = min(max(decibels.now, decibels.least + Self.safetyDecibels), decibels.most)
    let text = TrackText.safety(volume, main: main, safety: main - Self.safetyDecibels)
    return "If one microphone feeds both channels, the second can be a safety track, 12 dB lower;"
      + " put into reel.json: \(text)"
  }
}
