// Which sound cards there are, as plain values, and which of them is meant: pure functions that
// decide and explain, so that they are tested without hardware. A card goes by its id, never by its
// number: that changes with the order in which cards were found. Ordinary threads only.

public enum AlsaDirection: Equatable, Sendable { case capture, playback }

/// What a card's device can do, as far as the rates people use go.
public struct AlsaAbility: Equatable, Sendable {
  public var channels: ClosedRange<Int>
  public var rates: [Int]
  public var formats: [AlsaSampleFormat]
}

/// One device of a card, one way.
public struct AlsaPort: Equatable, Sendable {
  public var device: Int
  public var direction: AlsaDirection
  public var name: String
  public var isModem = false
  /// Nil when it was not asked, or could not be: another program is using it.
  public var ability: AlsaAbility?
}

public struct AlsaCard: Equatable, Sendable {
  /// Of use only to understand names that others wrote.
  public var number: Int
  public var id: String
  public var name: String
  public var driver: String
  public var ports: [AlsaPort]

  /// The order in which `auto` looks.
  public enum Kind: Int, Sendable { case usb, builtIn, loopback }

  public var kind: Kind {
    if driver == "USB-Audio" { return .usb }
    let others = ["Loopback", "Dummy", "UAC1_Gadget", "UAC2_Gadget"]
    return others.contains(driver) ? .loopback : .builtIn
  }

  /// How the first useful device that way is opened; nil if there is none.
  public func pcmName(_ direction: AlsaDirection) -> String? {
    guard let port = ports.first(where: { $0.direction == direction && isUseful($0) }) else {
      return nil
    }
    return "hw:CARD=\(id)" + (port.device == 0 ? "" : ",DEV=\(port.device)")
  }

  /// Modems never; screens never, but there are USB boxes that record what is meant for one.
  private func isUseful(_ port: AlsaPort) -> Bool {
    if port.isModem { return false }
    if kind == .usb { return true }
    return ![driver, name, port.name].contains { $0.lowercased().contains("hdmi") }
  }
}

/// What was decided, and why.
public struct AlsaChoice: Equatable, Sendable {
  public let pcmName: String
  public let sentence: String
  /// The id of the card, if it is one that is there.
  public var cardID: String?
  /// How it is called in front of people.
  public var name: String
}

/// A card that was tried and cannot be used.
public struct AlsaRejection: Equatable, Sendable {
  public let cardID: String
  public let sentence: String
}

public enum AlsaCards {
  /// What is meant by `auto`, the id of a card, or any name ALSA knows. `auto` passes over the
  /// cards that were tried in vain.
  public static func choose(
    _ wanted: String, _ direction: AlsaDirection, among cards: [AlsaCard],
    without rejections: [AlsaRejection] = []
  ) throws(AlsaError) -> AlsaChoice {
    if wanted == "auto" { return try choose(direction, among: cards, without: rejections) }
    if let card = cards.first(where: { $0.id == wanted }) {
      guard let name = card.pcmName(direction) else {
        let sentence = "The sound card \(described(card)) cannot \(verb(direction))."
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

  /// The one sensible card: USB before built-in before loopback, then by id.
  private static func choose(
    _ direction: AlsaDirection, among cards: [AlsaCard], without rejections: [AlsaRejection]
  ) throws(AlsaError) -> AlsaChoice {
    let able = cards.filter { $0.pcmName(direction) != nil }
      .sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
    let fit = able.filter { card in !rejections.contains { $0.cardID == card.id } }
    let tried = rejections.map(\.sentence)
    guard let card = fit.first, let name = card.pcmName(direction) else {
      let start = able.isEmpty ? "No sound card can" : "No sound card that is free can"
      let words = ["\(start) \(verb(direction))."] + tried + [listed(cards)]
      throw AlsaError(.notThere, words.joined(separator: " "))
    }
    let reason =
      fit.count == 1
      ? "it is the only one \(rejections.isEmpty ? "" : "left ")that can \(verb(direction))"
      : reason(card.kind, isAlone: fit[1].kind != card.kind)
    let others = fit.dropFirst().map(\.id)
    let unable = cards.filter { $0.pcmName(direction) == nil }.map(\.id)
    var words = ["Using the sound card \(described(card)): \(reason)."] + tried
    if !others.isEmpty { words.append(listed("Others that can", direction, others)) }
    if !unable.isEmpty { words.append(listed("Of no use to", direction, unable)) }
    return choice(card, name, words.joined(separator: " "))
  }

  private static func listed(
    _ start: String, _ direction: AlsaDirection, _ cards: [String]
  ) -> String {
    "\(start) \(verb(direction)): \(cards.joined(separator: ", "))."
  }

  /// There is no such card; these are there.
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
    return isAlone ? what : what + ", this one by its name"
  }

  private static func listed(_ cards: [AlsaCard]) -> String {
    if cards.isEmpty { return "There is no sound card at all; is it plugged in?" }
    return "There is: " + cards.map(summary).joined(separator: "; ") + "."
  }

  /// One card and what it can do, for lists.
  public static func summary(_ card: AlsaCard) -> String {
    let able = [AlsaDirection.capture, .playback].filter { card.pcmName($0) != nil }
    let verbs = able.map { verb($0) + "s" }.joined(separator: " and ")
    return described(card) + (verbs.isEmpty ? ", of no use here" : ", " + verbs)
  }

  private static func described(_ card: AlsaCard) -> String {
    card.name == card.id ? card.id : "\(card.id) (\(card.name))"
  }

  private static func verb(_ direction: AlsaDirection) -> String {
    direction == .capture ? "record" : "play"
  }

  /// The card that a name like `plughw:CARD=Device,DEV=0` or `hw:1` is about.
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
