// What encoding costs: the share of a processor core that the tracks of a take need, as the sound
// path measured it. A plain value.

/// The share of one processor core that encoding takes.
public struct EncodingLoad: Equatable, Codable, Sendable {
  /// In thousandths of the core.
  public let permille: Int
  /// There is too little to spare.
  public let isHeavy: Bool

  /// Above this, encoding may fall behind: one thread encodes all tracks. The rest of the core is
  /// for the pre-roll, which is encoded at once when a take begins, for the threads of the sound
  /// and of the card, and for a processor that slows down when it is hot.
  static let heavyPermille = 700
  /// Below this, it is well again: a figure that wavers is not reported again and again.
  static let lightPermille = 600

  /// - Parameter before: what was measured last.
  public init(permille: Int, after before: EncodingLoad? = nil) {
    // A core that is a hundred times too slow is slow enough.
    self.permille = min(max(0, permille), 100_000)
    let limit = before?.isHeavy == true ? Self.lightPermille : Self.heavyPermille
    isHeavy = self.permille > limit
  }

  /// In percent; at least 1.
  public var percent: Int { max(1, (permille + 5) / 10) }
}

extension EncodingLoad {
  /// The check of a checkup.
  var check: CheckupView.Check {
    let sentence = "Encoding a take needs \(percent) % of a processor core."
    if !isHeavy { return .init("encoding", .well, sentence) }
    return .init(
      "encoding", .wrong, sentence,
      "Record fewer tracks, or set a lower rate, level or complexity in reel.json.")
  }
}
