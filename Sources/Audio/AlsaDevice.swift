// The sound card that is meant, one way: looked for, tried, and remembered until it is opened. What
// `auto` finds must work, so a card counts only if it can be opened and set up just now. Used by
// ordinary threads, one way each: it may take its time.

import CALSA
import Realtime
import Recorder

public final class AlsaDevice: Sendable {
  private let wanted: String
  private let direction: AlsaDirection
  private let wish: AlsaRequest
  /// Says which device it is and why, or why there is none: each time that changes.
  private let say: @Sendable (String) -> Void
  private let memory = Locked(Memory())

  private struct Memory {
    var found: Found?
    var said = ""
    var levels: [MixerLevel] = []
    var loyalty = AlsaLoyalty()
  }

  /// A device that could be set up a moment ago.
  public struct Found: Equatable, Sendable {
    public let choice: AlsaChoice
    public let setup: AlsaSetup
  }

  /// `wanted` is `auto`, the id of a card, or any name ALSA knows; it is asked for what `wish` asks
  /// for.
  public init(
    _ wanted: String, _ direction: AlsaDirection, like wish: AlsaRequest? = nil,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.wanted = wanted
    self.direction = direction
    self.wish = wish ?? Self.standard(direction)
    self.say = say
  }

  /// From the next opening on.
  public func set(_ levels: [MixerLevel]) {
    let mine = levels.filter { ($0.direction == .capture) == (direction == .capture) }
    memory.withLock { $0.levels = mine }
  }

  /// Looks for it and tries it.
  public func find() throws(AlsaError) -> Found {
    AlsaCards.forget()
    do throws(AlsaError) {
      let cards = AlsaCards.present(withAbilities: false)
      try stay(with: cards)
      let found = try search(among: cards)
      memory.withLock { $0.found = found }
      tell(found.choice.sentence)
      return found
    } catch {
      memory.withLock { $0.found = nil }
      tell(error.sentence)
      throw error
    }
  }

  /// What to open: what was found last, with its mixer set. What could not be set, in sentences.
  func prepare() throws(AlsaError) -> (request: AlsaRequest, complaints: [String]) {
    let (earlier, levels) = memory.withLock { ($0.found, $0.levels) }
    let found = if let earlier { earlier } else { try find() }
    // Should it fail now, the next look begins from the start.
    memory.withLock { memory in
      memory.found = nil
      memory.loyalty.cardID = found.choice.cardID
    }
    let card = found.choice.cardID.map { "hw:CARD=\($0)" } ?? found.choice.pcmName
    return (request(found.choice), AlsaMixer.set(levels, of: card))
  }

  /// Another card does not take over at once from one that was pulled out by mistake.
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
        let setup = try AlsaPCM.open(choice.pcmName, direction).configure(request(choice))
        return Found(choice: choice, setup: setup)
      } catch {
        guard wanted == "auto", let id = choice.cardID else { throw error }
        rejections.append(AlsaRejection(cardID: id, sentence: error.sentence))
      }
    }
  }

  private func request(_ choice: AlsaChoice) -> AlsaRequest {
    var request = wish
    request.pcmName = choice.pcmName
    return request
  }

  private static func standard(_ direction: AlsaDirection) -> AlsaRequest {
    var request = AlsaRequest(pcmName: "")
    if direction == .playback { request.channels = 2 }
    return request
  }

  private func tell(_ sentence: String) {
    let isNews = memory.withLock { memory in
      defer { memory.said = sentence }
      return memory.said != sentence
    }
    if isNews { say(sentence) }
  }
}

/// How long `auto` stays with a card that is gone.
struct AlsaLoyalty: Equatable, Sendable {
  /// The card that was opened last.
  var cardID: String?
  private var goneSinceNanoseconds: Int64?
  static let patienceNanoseconds: Int64 = 10_000_000_000

  /// The card that is waited for; nil when there is none, or no longer.
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
  /// The microphone for a room; `complain` is told what of the mixer could not be set.
  public static func source(
    _ device: AlsaDevice, complain: @escaping @Sendable ([String]) -> Void
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
        if !complaints.isEmpty { complain(complaints) }
        return try AlsaCapture.open(request)
      })
  }
}

extension AlsaPlayback {
  /// Finds the speaker and opens it; `complain` is told what of the mixer could not be set.
  public static func open(
    _ device: AlsaDevice, complain: @Sendable ([String]) -> Void
  ) throws(AlsaError) -> AlsaPlayback {
    _ = try device.find()
    let (request, complaints) = try device.prepare()
    if !complaints.isEmpty { complain(complaints) }
    return try open(request)
  }
}
