// The configured sound card, in one direction: found, tried, and remembered until it is opened.
// What `auto` finds must work, so a card counts only if it can be opened and set up now. Used by
// ordinary threads, one for each direction: it may take its time.

import CALSA
import Realtime
import Recorder

/// A sound device by its name.
public final class AlsaDevice: Sendable {
  private let wanted: String
  private let direction: AlsaDirection
  private let preferred: AlsaRequest
  /// Receives a sentence on the device and why it was chosen, or why there is none, whenever it
  /// changes.
  private let say: @Sendable (String) -> Void
  private let memory = Locked(Memory())

  private struct Memory {
    var found: Found?
    var said = ""
    /// Of the device that was found last, even once it is opened.
    var ability: (card: String, AlsaAbility)?
    var levels: [MixerLevel] = []
    var loyalty = AlsaLoyalty()
  }

  /// A device that could be set up a moment ago.
  public struct Found: Equatable, Sendable {
    public let choice: AlsaChoice
    public let setup: AlsaSetup
    public let ability: AlsaAbility?

    /// The name by which its mixer is opened.
    var card: String { choice.cardID.map { "hw:CARD=\($0)" } ?? choice.pcmName }
  }

  /// `wanted` is `auto`, the id of a card, or any name ALSA knows; `preferred` is the set-up that
  /// is requested from it.
  public init(
    _ wanted: String, _ direction: AlsaDirection, like preferred: AlsaRequest? = nil,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.wanted = wanted
    self.direction = direction
    self.preferred = preferred ?? Self.standard(direction)
    self.say = say
  }

  /// Sets the mixer levels, from the next opening on.
  public func set(_ levels: [MixerLevel]) {
    let mine = levels.filter { ($0.direction == .capture) == (direction == .capture) }
    memory.withLock { $0.levels = mine }
  }

  /// Finds the device and tries to set it up.
  public func find() throws(AlsaError) -> Found {
    AlsaCards.forget()
    do throws(AlsaError) {
      let cards = AlsaCards.present(withAbilities: false)
      try stay(with: cards)
      let found = try search(among: cards)
      memory.withLock {
        $0.found = found
        $0.ability = found.ability.map { (found.card, $0) }
      }
      report(found.choice.sentence)
      return found
    } catch {
      memory.withLock { ($0.found, $0.ability) = (nil, nil) }
      report(error.sentence)
      throw error
    }
  }

  /// Returns what to open: the device that was found last. Sets its mixer; `complaints` are
  /// sentences on levels that could not be set.
  func prepare() throws(AlsaError) -> (request: AlsaRequest, complaints: [String]) {
    let (earlier, levels) = memory.withLock { ($0.found, $0.levels) }
    let found = if let earlier { earlier } else { try find() }
    // If opening it fails now, the next attempt searches again.
    memory.withLock { memory in
      memory.found = nil
      memory.loyalty.cardID = found.choice.cardID
    }
    return (request(found.choice), AlsaMixer.set(levels, of: found.card))
  }

  /// Returns what the device can do that was found last; nil if there is none. It only reads the
  /// mixer, so that a recording goes on undisturbed.
  public func ability() -> MicrophoneAbility? {
    memory.withLock { $0.ability }.map { card, ability in
      MicrophoneAbility(ability, volumes: AlsaMixer.captureVolumes(of: card))
    }
  }

  /// Throws for ten seconds after `auto`'s card was unplugged: no other card takes over at once.
  private func stay(with cards: [AlsaCard]) throws(AlsaError) {
    guard wanted == "auto" else { return }
    let missed = memory.withLock { $0.loyalty.misses(cards, nowNanoseconds: calsa_now()) }
    guard let missed else { return }
    throw AlsaError(.notThere, "The sound card \(missed) was pulled out; plug it in again.")
  }

  private func search(among cards: [AlsaCard]) throws(AlsaError) -> Found {
    var rejections: [AlsaRejection] = []
    while true {
      let choice = try AlsaCards.choose(wanted, direction, among: cards, without: rejections)
      do throws(AlsaError) {
        return try setUp(choice)
      } catch {
        guard wanted == "auto", let id = choice.cardID else { throw error }
        rejections.append(AlsaRejection(cardID: id, sentence: error.sentence))
      }
    }
  }

  /// Opens a device for a moment.
  private func setUp(_ choice: AlsaChoice) throws(AlsaError) -> Found {
    let (name, isPlug) = (choice.pcmName, choice.pcmName.hasPrefix("plughw:"))
    let plain = isPlug ? AlsaAbility.probe(name, direction, converts: false) : nil
    let pcm = try AlsaPCM.open(name, direction)
    // Before the set-up, which leaves one of each.
    let ability = plain ?? AlsaAbility.of(pcm)
    return Found(choice: choice, setup: try pcm.configure(request(choice)), ability: ability)
  }

  private func request(_ choice: AlsaChoice) -> AlsaRequest {
    var request = preferred
    request.pcmName = choice.pcmName
    return request
  }

  private static func standard(_ direction: AlsaDirection) -> AlsaRequest {
    var request = AlsaRequest(pcmName: "")
    if direction == .playback { request.channels = 2 }
    return request
  }

  private func report(_ sentence: String) {
    let isNews = memory.withLock { memory in
      defer { memory.said = sentence }
      return memory.said != sentence
    }
    if isNews { say(sentence) }
  }
}

/// How long `auto` waits for a card that was unplugged.
struct AlsaLoyalty: Equatable, Sendable {
  /// The card that was opened last.
  var cardID: String?
  private var goneSinceNanoseconds: Int64?
  static let patienceNanoseconds: Int64 = 10_000_000_000

  /// Returns the missing card that is waited for; nil if there is none, or no longer.
  mutating func misses(_ cards: [AlsaCard], nowNanoseconds now: Int64) -> String? {
    guard let cardID, !cards.contains(where: { $0.id == cardID }) else {
      goneSinceNanoseconds = nil
      return nil
    }
    let since = goneSinceNanoseconds ?? now
    goneSinceNanoseconds = since
    if now - since < Self.patienceNanoseconds { return cardID }
    (self.cardID, goneSinceNanoseconds) = (nil, nil)
    return nil
  }
}

extension AlsaCapture {
  /// Returns the microphone for a room; `logError` receives what the mixer could not set.
  public static func source(
    _ device: AlsaDevice, logError: @escaping @Sendable ([String]) -> Void
  ) -> CaptureSource<AlsaCapture> {
    CaptureSource(
      look: {
        do throws(AlsaError) {
          let found = try device.find()
          return .success(
            CaptureInfo(name: found.choice.name, rate: found.setup.rate, channels: 1))
        } catch {
          return .failure(Absence(error.sentence))
        }
      },
      open: {
        let (request, complaints) = try device.prepare()
        if !complaints.isEmpty { logError(complaints) }
        return try AlsaCapture.open(request)
      })
  }
}

extension AlsaPlayback {
  /// Finds the speaker and opens it; `logError` receives what the mixer could not set.
  public static func open(
    _ device: AlsaDevice, logError: @Sendable ([String]) -> Void
  ) throws(AlsaError) -> AlsaPlayback {
    _ = try device.find()
    let (request, complaints) = try device.prepare()
    if !complaints.isEmpty { logError(complaints) }
    return try open(request)
  }
}
