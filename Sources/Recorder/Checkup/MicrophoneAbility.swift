// What a microphone's device can do, and the check that says so: sample formats, rates, channels
// and the volumes of its mixer. A plain value and pure functions; its keys are part of the
// protocol.

/// The abilities of a microphone's device, without what ALSA or a sound server converts.
public struct MicrophoneAbility: Equatable, Codable, Sendable {
  public enum Format: String, Codable, CaseIterable, Sendable {
    case bits16 = "16"
    case bits24 = "24"
    case bits32 = "32"
    case float
  }

  /// Whether they are the device's own. If a sound server or a plugin converts, the formats, rates
  /// and channels are those that it offers, and tell nothing of the device.
  public var isNative: Bool
  public var formats: [Format]
  /// Of the usual rates, those that it takes.
  public var rates: [Int]
  public var leastChannels: Int
  public var mostChannels: Int
  /// The mixer's controls with a volume for recording.
  public var volumes: [Volume]

  public init(
    isNative: Bool = true, formats: [Format], rates: [Int], channels: ClosedRange<Int>,
    volumes: [Volume] = []
  ) {
    self.isNative = isNative
    self.formats = formats
    self.rates = rates
    leastChannels = channels.lowerBound
    mostChannels = channels.upperBound
    self.volumes = volumes
  }

  /// A control of the mixer with a volume for recording.
  public struct Volume: Equatable, Codable, Sendable {
    /// As `amixer scontrols` shows it.
    public var control: String
    public var index: Int
    /// Whether left and right have volumes of their own.
    public var isPerChannel: Bool
    /// Nil if the control does not know decibels.
    public var decibels: Decibels?

    public init(
      _ control: String, index: Int = 0, isPerChannel: Bool = false, decibels: Decibels? = nil
    ) {
      self.control = control
      self.index = index
      self.isPerChannel = isPerChannel
      self.decibels = decibels
    }
  }

  /// The range of a volume, and where it is now.
  public struct Decibels: Equatable, Codable, Sendable {
    public var least: Double
    public var most: Double
    public var now: Double

    public init(least: Double, most: Double, now: Double) {
      self.least = least
      self.most = most
      self.now = now
    }
  }
}

extension MicrophoneAbility {
  var check: CheckupView.Check {
    guard isNative else {
      return .init(
        "device", .well,
        "A plugin or a sound server converts for it, so what the device itself can do is not"
          + " known; \(volumeWords).")
    }
    let rates = rates.map(Self.kilohertz).joined(separator: ", ")
    return .init(
      "device", .well,
      "By itself it delivers \(formatWords) at \(rates) kHz, \(channelWords); \(volumeWords).")
  }

  /// The deepest integer format; a float has no more than 24 bits.
  var mostBits: Int { formats.compactMap { Int($0.rawValue) }.max() ?? 0 }

  private var formatWords: String {
    let bits = formats.filter { $0 != .float }.map(\.rawValue).joined(separator: ", ")
    let hasFloat = formats.contains(.float)
    if bits.isEmpty { return hasFloat ? "float" : "no known format" }
    return hasFloat ? "\(bits) bits or float" : "\(bits) bits"
  }

  private var channelWords: String {
    if leastChannels < mostChannels { return "\(leastChannels) to \(mostChannels) channels" }
    return mostChannels == 1 ? "mono" : "\(mostChannels) channels"
  }

  private var volumeWords: String {
    guard let first = volumes.first else { return "it has no volume to set" }
    let others = volumes.dropFirst().map(\.control).joined(separator: ", ")
    if others.isEmpty { return "its volume is \(first.words)" }
    return "its volume is \(first.words), and there is \(others)"
  }

  /// "44.1", "48".
  private static func kilohertz(_ rate: Int) -> String {
    var fraction = String(1000 + rate % 1000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return fraction.isEmpty ? "\(rate / 1000)" : "\(rate / 1000).\(fraction)"
  }
}

extension MicrophoneAbility.Volume {
  fileprivate var words: String {
    switch (isPerChannel, decibels != nil) {
    case (true, true): "\(control) (each channel by itself, in dB)"
    case (true, false): "\(control) (each channel by itself)"
    case (false, true): "\(control) (in dB)"
    case (false, false): control
    }
  }
}
