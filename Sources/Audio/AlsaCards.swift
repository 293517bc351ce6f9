// The sound cards as plain values, and the choice among them: pure functions that decide and
// explain, so that they are tested without hardware. A card is named by its id, never by its
// number, which changes with the order in which cards were found. Ordinary threads only.

/// To record from or to play on.
public enum AlsaDirection: Equatable, Sendable { case capture, playback }

/// The abilities of a card's device; of the rates, only the common ones.
public struct AlsaAbility: Equatable, Sendable {
  public var channels: ClosedRange<Int>
  public var rates: [Int]
  public var formats: [AlsaSampleFormat]
  /// False if a plugin or a sound server converts.
  public var isNative = true
}

/// One device of a card, in one direction.
public struct AlsaPort: Equatable, Sendable {
  public var device: Int
  public var direction: AlsaDirection
  public var name: String
  public var isModem = false
  /// Nil if it was not probed, or could not be, because another program is using it.
  public var ability: AlsaAbility?
}

/// A sound card.
public struct AlsaCard: Equatable, Sendable {
  /// Only to resolve names with a number, such as `hw:1`.
  public var number: Int
  public var id: String
  public var name: String
  public var driver: String
  public var ports: [AlsaPort]

  /// In the order in which `auto` tries them.
  public enum Kind: Int, Sendable { case usb, builtIn, loopback }

  public var kind: Kind {
    if driver == "USB-Audio" { return .usb }
    let others = ["Loopback", "Dummy", "UAC1_Gadget", "UAC2_Gadget"]
    return others.contains(driver) ? .loopback : .builtIn
  }

  /// Returns the ALSA name of the first useful device in a direction; nil if there is none.
  public func pcmName(_ direction: AlsaDirection) -> String? {
    guard let port = ports.first(where: { $0.direction == direction && isUseful($0) }) else {
      return nil
    }
    return "hw:CARD=\(id)" + (port.device == 0 ? "" : ",DEV=\(port.device)")
  }

  /// Modems are never useful. HDMI is useful only on USB: some USB boxes capture it.
  private func isUseful(_ port: AlsaPort) -> Bool {
    if port.isModem { return false }
    if kind == .usb { return true }
    return ![driver, name, port.name].contains { $0.lowercased().contains("hdmi") }
  }
}

/// The chosen device, and why.
public struct AlsaChoice: Equatable, Sendable {
  public let pcmName: String
  public let sentence: String
  /// The id of the card, if the card is present.
  public var cardID: String?
  /// The name for the user.
  public var name: String
}

/// A card that was tried and cannot be used.
public struct AlsaRejection: Equatable, Sendable {
  public let cardID: String
  public let sentence: String
}

/// The sound cards of this computer.
public enum AlsaCards {
  /// Finds the device for `auto`, the id of a card, or any name ALSA knows. `auto` passes over the
  /// cards in `rejections`.
  public static func choose(
    _ wanted: String, _ direction: AlsaDirection, among cards: [AlsaCard],
    without rejections: [AlsaRejection] = []
  ) throws(AlsaError) -> AlsaChoice {
    if wanted == "auto" { return try choose(direction, among: cards, without: rejections) }
    if let card = cards.first(where: { $0.id == wanted }) {
      guard let name = card.pcmName(direction) else {
        let (name, records) = (described(card), direction == .capture)
        let sentence =
          records ? "The sound card \(name) cannot record." : "The sound card \(name) cannot play."
        throw AlsaError(.unsuitable, sentence + " " + listed(cards))
      }
      return choice(card, name, "Using the sound card \(described(card)).")
    }
    guard let reference = cardReference(in: wanted) else {
      return AlsaChoice(
        pcmName: wanted, sentence: "Using the ALSA device \(wanted).", name: wanted)
    }
    guard let card = cards.first(where: { $0.id == reference || "\($0.number)" == reference })
    else { throw missing(reference, among: cards) }
    var sentence = "Using \(wanted), a device of the sound card \(described(card))."
    if card.id != reference {
      sentence += " Numbers of cards change; CARD=\(card.id) names it for good."
    }
    return choice(card, wanted, sentence)
  }

  private static func choice(
    _ card: AlsaCard, _ pcmName: String, _ sentence: String
  ) -> AlsaChoice {
    AlsaChoice(
      pcmName: pcmName, sentence: sentence, cardID: card.id,
      name: card.name.isEmpty ? card.id : card.name)
  }

  /// Picks a card: USB before built-in before loopback, then by id.
  private static func choose(
    _ direction: AlsaDirection, among cards: [AlsaCard], without rejections: [AlsaRejection]
  ) throws(AlsaError) -> AlsaChoice {
    let able = cards.filter { $0.pcmName(direction) != nil }
      .sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
    let fit = able.filter { card in !rejections.contains { $0.cardID == card.id } }
    let tried = rejections.map(\.sentence)
    guard let card = fit.first, let name = card.pcmName(direction) else {
      let words = [none(direction, areTaken: !able.isEmpty)] + tried + [listed(cards)]
      throw AlsaError(.notThere, words.joined(separator: " "))
    }
    let reason =
      fit.count == 1
      ? only(direction, isLeft: !rejections.isEmpty)
      : reason(card.kind, isAlone: fit[1].kind != card.kind)
    let others = fit.dropFirst().map(\.id)
    let unable = cards.filter { $0.pcmName(direction) == nil }.map(\.id)
    var words = ["Using the sound card \(described(card)): \(reason)."] + tried
    if !others.isEmpty { words.append(Self.others(direction, others.joined(separator: ", "))) }
    if !unable.isEmpty { words.append(useless(direction, unable.joined(separator: ", "))) }
    return choice(card, name, words.joined(separator: " "))
  }

  private static func none(_ direction: AlsaDirection, areTaken: Bool) -> String {
    switch (direction, areTaken) {
    case (.capture, false): "No sound card can record."
    case (.playback, false): "No sound card can play."
    case (.capture, true): "No sound card that is free can record."
    case (.playback, true): "No sound card that is free can play."
    }
  }

  private static func only(_ direction: AlsaDirection, isLeft: Bool) -> String {
    switch (direction, isLeft) {
    case (.capture, false): "it is the only one that can record"
    case (.playback, false): "it is the only one that can play"
    case (.capture, true): "it is the only one left that can record"
    case (.playback, true): "it is the only one left that can play"
    }
  }

  private static func others(_ direction: AlsaDirection, _ names: String) -> String {
    direction == .capture
      ? "Others that can record: \(names)." : "Others that can play: \(names)."
  }

  private static func useless(_ direction: AlsaDirection, _ names: String) -> String {
    direction == .capture ? "Of no use to record: \(names)." : "Of no use to play: \(names)."
  }

  /// Returns the error for a card that does not exist; it lists those that do.
  static func missing(_ name: String, among cards: [AlsaCard]) -> AlsaError {
    AlsaError(.notThere, "There is no sound card or device called \(name). " + listed(cards))
  }

  private static func reason(_ kind: AlsaCard.Kind, isAlone: Bool) -> String {
    let what =
      switch kind {
      case .usb: "USB cards come first"
      case .builtIn: "there is no USB card, and built-in ones come next"
      case .loopback: "there are only loopbacks"
      }
    return isAlone ? what : "\(what), this one by its name"
  }

  private static func listed(_ cards: [AlsaCard]) -> String {
    if cards.isEmpty { return "There is no sound card at all; is it plugged in?" }
    return "There is: " + cards.map(summary).joined(separator: "; ") + "."
  }

  /// Describes a card and what it can do, for lists.
  public static func summary(_ card: AlsaCard) -> String {
    let name = described(card)
    return switch (card.pcmName(.capture) != nil, card.pcmName(.playback) != nil) {
    case (true, true): "\(name), records and plays"
    case (true, false): "\(name), records"
    case (false, true): "\(name), plays"
    case (false, false): "\(name), of no use here"
    }
  }

  private static func described(_ card: AlsaCard) -> String {
    card.name == card.id ? card.id : "\(card.id) (\(card.name))"
  }

  /// Returns the card in a name like `plughw:CARD=Device,DEV=0` or `hw:1`.
  private static func cardReference(in name: String) -> String? {
    let parts = name.split(separator: ":", maxSplits: 1)
    let families = ["hw", "plughw", "sysdefault", "front", "dsnoop", "dmix"]
    guard parts.count == 2, families.contains(String(parts[0])) else { return nil }
    let arguments = parts[1].split(separator: ",")
    if let named = arguments.first(where: { $0.hasPrefix("CARD=") }) {
      return String(named.dropFirst(5))
    }
    return arguments.first.flatMap { $0.contains("=") ? nil : String($0) }
  }
}
