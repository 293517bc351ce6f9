// Facts about the card, and the checks made from them: whether it takes recordings, its free space,
// its speed and its stalls. Pure.

/// What a checkup finds of the card.
public struct CardFacts: Equatable, Sendable {
  public var folder: String
  /// Why nothing can be written there, and what to do.
  public var trouble: String?
  public var isHandedOut = false
  public var isReadOnly = false
  /// The folder is in memory and is lost with the power.
  public var isVolatile = false
  public var freeBytes: Int64?
  public var totalBytes: Int64?
  /// The recording time that fits into the free space.
  public var leftSeconds: Int64?
  /// Less recording time than this fails the check.
  public var warnSeconds: Int64 = 600
  public var speed: Speed?

  public enum Speed: Equatable, Sendable {
    case measured(CardSpeed)
    /// A short measurement, because a recording is running or the card is nearly full.
    case measuredLittle(CardSpeed, why: String)
    case notMeasured(why: String)
    case failed(String)
  }

  public init(folder: String) { self.folder = folder }

  /// Computes the recording time left from the configured bit rate.
  public mutating func countTime(by settings: Settings) {
    warnSeconds = settings.warnMilliseconds / 1000
    leftSeconds = freeBytes.flatMap(settings.milliseconds(in:)).map { $0 / 1000 }
  }

  var checks: [CheckupView.Check] {
    if isHandedOut {
      return [
        .init(
          "card", .unknown, "A computer has it.", "Take it back with `reelctl hand-over off`.")
      ]
    }
    return [writing, space, keeping, measure].compactMap { $0 }
  }

  private var writing: CheckupView.Check {
    if let trouble { return .init("card", .wrong, trouble) }
    if isReadOnly {
      return .init(
        "card", .wrong, "\(folder) can only be read.",
        "The card may be locked, worn out, or mounted so after an error: see `dmesg`, and try"
          + " another card.")
    }
    return .init("card", .well, "\(folder) takes recordings.")
  }

  private var keeping: CheckupView.Check? {
    guard isVolatile else { return nil }
    return .init(
      "card", .wrong, "\(folder) is kept in memory: recordings are gone after a restart.",
      "Mount a card or a disk there, or turn the overlay off (raspi-config).")
  }

  private var space: CheckupView.Check? {
    guard let freeBytes else { return nil }
    let (free, left) = (Amount.bytes(freeBytes), leftSeconds.map(Duration.words(seconds:)))
    let sentence =
      switch (totalBytes.map(Amount.bytes), left) {
      case (let total?, let left?): "\(free) of \(total) free: \(left) of sound."
      case (let total?, nil): "\(free) of \(total) free."
      case (nil, let left?): "\(free) free: \(left) of sound."
      case (nil, nil): "\(free) free."
      }
    if let leftSeconds, leftSeconds < warnSeconds {
      return .init(
        "space", .wrong, sentence,
        "Delete recordings and `reelctl trash empty`, or put in a larger card.")
    }
    return .init("space", .well, sentence)
  }

  private var measure: CheckupView.Check? {
    switch speed {
    case nil: nil
    case .measured(let speed): speed.check("")
    case .measuredLittle(let speed, let why): speed.check(" Measured but a little: \(why).")
    case .notMeasured(let why): .init("speed", .unknown, "Not measured: \(why).")
    case .failed(let why):
      .init("speed", .wrong, why, "Try another card; see `dmesg` for what the kernel says of it.")
    }
  }
}

/// The measured write speed of a card.
public struct CardSpeed: Equatable, Sendable {
  /// The rate of a write in one go; nil if it was not measured.
  public var bytesPerSecond: Int64?
  public var syncs: Int
  public var medianSyncMicroseconds: Int64
  public var worstMicroseconds: Int64
  public var seconds: Double

  public init(
    bytesPerSecond: Int64?, syncs: Int, medianSyncMicroseconds: Int64, worstMicroseconds: Int64,
    seconds: Double
  ) {
    self.bytesPerSecond = bytesPerSecond
    self.syncs = syncs
    self.medianSyncMicroseconds = medianSyncMicroseconds
    self.worstMicroseconds = worstMicroseconds
    self.seconds = seconds
  }

  /// Below this, copying an hour of sound takes minutes.
  static let slowBytesPerSecond: Int64 = 500_000
  /// The interval at which a recording is synced.
  static let longMicroseconds: Int64 = 1_000_000

  func check(_ remark: String) -> CheckupView.Check {
    let median = Amount.time(microseconds: medianSyncMicroseconds)
    let worst = Amount.time(microseconds: worstMicroseconds)
    let time = Amount.decimal(seconds)
    let measured =
      bytesPerSecond.map {
        "\(Amount.bytes($0)) a second; a sync takes \(median), the longest wait was \(worst)"
          + " in \(time) s."
      } ?? "A sync takes \(median), the longest wait was \(worst) in \(time) s."
    let sentence = measured + remark
    if worstMicroseconds > Self.longMicroseconds {
      return .init(
        "speed", .wrong, sentence,
        "A recording waits for that and loses nothing, but a power cut then costs more than a"
          + " second: try a card that is made for cameras or boards.")
    }
    if let bytesPerSecond, bytesPerSecond < Self.slowBytesPerSecond {
      return .init("speed", .wrong, sentence, "That is slow: try another card.")
    }
    return .init("speed", .well, sentence)
  }
}
