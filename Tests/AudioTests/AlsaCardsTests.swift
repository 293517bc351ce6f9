// Which card a name selects, and the sentence a person gets about it. Pure; runs on any thread.
import Testing

@testable import Audio

@Suite struct AlsaCardsTests {
  static let usb = card(3, "Device", "USB Audio Device", "USB-Audio", records: true, plays: true)
  static let headphones = card(
    0, "Headphones", "bcm2835 Headphones", "bcm2835_headpho", records: false, plays: true)
  static let screen = card(1, "vc4hdmi0", "vc4-hdmi-0", "vc4-hdmi", records: false, plays: true)
  static let hat = card(
    2, "sndrpihifiberry", "snd_rpi_hifiberry_dacplusadc", "HifiberryDacp", records: true,
    plays: true)
  static let loopback = card(4, "Loopback", "Loopback", "Loopback", records: true, plays: true)

  @Test("auto takes USB before built-in before loopback, and no screen")
  func order() throws {
    let all = [Self.headphones, Self.screen, Self.hat, Self.usb, Self.loopback]
    let choice = try AlsaCards.choose("auto", .capture, among: all)
    #expect(choice.pcmName == "hw:CARD=Device")
    #expect(
      choice.sentence
        == "Using the sound card Device (USB Audio Device): USB cards come first. "
        + "Others that can record: sndrpihifiberry, Loopback. "
        + "Of no use to record: Headphones, vc4hdmi0.")
    #expect(
      try name(.capture, [Self.screen, Self.loopback, Self.hat]) == "hw:CARD=sndrpihifiberry")
    #expect(try name(.capture, [Self.screen, Self.loopback]) == "hw:CARD=Loopback")
    #expect(try name(.playback, [Self.screen, Self.headphones]) == "hw:CARD=Headphones")
    #expect(throws: AlsaError.self) { try name(.playback, [Self.screen]) }
  }

  @Test("auto skips a card that could not be opened, and says why")
  func rejected() throws {
    let busy = AlsaRejection(cardID: "Device", sentence: "It cannot be opened: it is in use.")
    let choice = try AlsaCards.choose(
      "auto", .capture, among: [Self.usb, Self.hat], without: [busy])
    #expect(choice.cardID == "sndrpihifiberry")
    #expect(
      choice.sentence
        == "Using the sound card sndrpihifiberry (snd_rpi_hifiberry_dacplusadc): it is the only "
        + "one left that can record. It cannot be opened: it is in use.")
    do {
      _ = try AlsaCards.choose("auto", .capture, among: [Self.usb], without: [busy])
      Issue.record("a card that is in use was chosen")
    } catch {
      #expect(
        error.sentence
          == "No sound card that is free can record. It cannot be opened: it is in use. "
          + "There is: Device (USB Audio Device), records and plays.")
    }
  }

  @Test("a card that was in use and is gone is awaited for 10 s before another takes its place")
  func loyalty() {
    var loyalty = AlsaLoyalty()
    #expect(loyalty.misses([], nowNanoseconds: 5) == nil)
    loyalty.cardID = "Device"
    #expect(loyalty.misses([Self.usb, Self.hat], nowNanoseconds: 10) == nil)
    #expect(loyalty.misses([Self.hat], nowNanoseconds: 1_000_000_000) == "Device")
    #expect(loyalty.misses([Self.usb], nowNanoseconds: 9_000_000_000) == nil)
    #expect(loyalty.misses([Self.hat], nowNanoseconds: 20_000_000_000) == "Device")
    #expect(loyalty.misses([Self.hat], nowNanoseconds: 29_999_999_999) == "Device")
    #expect(loyalty.misses([Self.hat], nowNanoseconds: 30_000_000_000) == nil)
    #expect(loyalty.misses([Self.hat], nowNanoseconds: 31_000_000_000) == nil)
  }

  @Test("between two of a kind the name decides, not the order in which they were found")
  func twins() throws {
    var other = Self.usb
    other.id = "Device_1"
    other.number = 0
    let choice = try AlsaCards.choose("auto", .capture, among: [other, Self.usb])
    #expect(choice.pcmName == "hw:CARD=Device")
    #expect(choice.sentence.contains("USB cards come first, this one by its name"))
  }

  @Test("a USB box for screens records; a modem does not")
  func oddities() throws {
    let grabber = Self.card(1, "MS2109", "HDMI grabber", "USB-Audio", records: true, plays: false)
    #expect(try name(.capture, [grabber]) == "hw:CARD=MS2109")
    var modem = Self.hat
    for index in modem.ports.indices { modem.ports[index].isModem = true }
    #expect(throws: AlsaError.self) { try name(.capture, [modem]) }
    var second = Self.hat
    second.ports[0].device = 2
    #expect(try name(.capture, [second]) == "hw:CARD=sndrpihifiberry,DEV=2")
  }

  @Test("a card whose second device is a screen is used by its first")
  func mixedCard() throws {
    var card = Self.card(0, "PCH", "HDA Intel PCH", "HDA-Intel", records: false, plays: true)
    card.ports.insert(
      AlsaPort(device: 3, direction: .playback, name: "HDMI 0", ability: nil), at: 0)
    #expect(try name(.playback, [card]) == "hw:CARD=PCH")
  }

  @Test("no card, or none that records, is reported with the cards that exist")
  func none() {
    #expect(
      sentence("auto", [])
        == "No sound card can record. There is no sound card at all; is it plugged in?")
    #expect(
      sentence("auto", [Self.headphones, Self.screen])
        == "No sound card can record. There is: Headphones (bcm2835 Headphones), plays; "
        + "vc4hdmi0 (vc4-hdmi-0), of no use here.")
  }

  @Test("a card's id is enough, and a wrong id is answered with the right ones")
  func byID() throws {
    let choice = try AlsaCards.choose("Device", .capture, among: [Self.hat, Self.usb])
    #expect(choice.pcmName == "hw:CARD=Device")
    for wrong in ["hw:CARD=Divece", "plughw:Divece,0", "hw:DEV=0,CARD=Divece"] {
      #expect(
        sentence(wrong, [Self.usb])
          == "There is no sound card or device called Divece. "
          + "There is: Device (USB Audio Device), records and plays.")
    }
    #expect(sentence("Headphones", [Self.headphones]).contains("cannot record"))
  }

  @Test("names of ALSA go through as they are; a number is taken, with advice")
  func names() throws {
    for name in ["default", "mic_with_gain", "dsnoop:CARD=Device,DEV=0", "hw:CARD=Device"] {
      #expect(try AlsaCards.choose(name, .capture, among: [Self.usb]).pcmName == name)
    }
    let choice = try AlsaCards.choose("hw:3,0", .capture, among: [Self.usb])
    #expect(choice.pcmName == "hw:3,0")
    #expect(choice.sentence.hasSuffix("Numbers of cards change; CARD=Device names it for good."))
  }

  @Test("percent are shares of a control's range")
  func percent() {
    #expect(AlsaMixer.step(percent: 0, of: -10...30) == -10)
    #expect(AlsaMixer.step(percent: 50, of: 0...31) == 16)
    #expect(AlsaMixer.step(percent: 100, of: 0...31) == 31)
    #expect(AlsaMixer.step(percent: 250, of: 0...31) == 31)
    #expect(AlsaMixer.step(percent: -1, of: 5...5) == 5)
  }

  private func name(_ direction: AlsaDirection, _ cards: [AlsaCard]) throws -> String {
    try AlsaCards.choose("auto", direction, among: cards).pcmName
  }

  private func sentence(_ wanted: String, _ cards: [AlsaCard]) -> String {
    do {
      return try AlsaCards.choose(wanted, .capture, among: cards).sentence
    } catch {
      return error.sentence
    }
  }

  private static func card(
    _ number: Int, _ id: String, _ name: String, _ driver: String, records: Bool, plays: Bool
  ) -> AlsaCard {
    var ports: [AlsaPort] = []
    if records { ports.append(AlsaPort(device: 0, direction: .capture, name: "in", ability: nil)) }
    if plays { ports.append(AlsaPort(device: 0, direction: .playback, name: "out", ability: nil)) }
    return AlsaCard(number: number, id: id, name: name, driver: driver, ports: ports)
  }
}
