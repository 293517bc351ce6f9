// Proves of the greeting: it is heard before a recording and is not in it, and no failure of it
// prevents the recording.

import Testing

@testable import Recorder

@Suite struct GreetingTests {
  static let greets = {
    var settings = Settings()
    settings.sound.greeting = "/etc/reel/hello.wav"
    return settings
  }()
  let ready = Given(greets).booted().withDevice()

  private func order(_ given: Given) throws -> TakePlan {
    guard case .greeting(let order, _) = given.state.transport.take else {
      throw NotGreeting(take: given.state.transport.take)
    }
    return order
  }

  struct NotGreeting: Error { let take: Take }

  @Test("A press plays the greeting; the recording begins at its end, without pre-roll")
  func greeting() throws {
    let pressed = ready.press(.record)
    let id = try order(pressed).id
    #expect(pressed.sounds == [.greet(id)])
    #expect(pressed.panel.record == .slowBlink && StatusView(pressed.state).state == .arming)
    let end = pressed.now.adding(milliseconds: 3500)
    let begun = pressed.when(.sound(.greeted(id, at: end)), after: 3520)
    let take = try #require(begun.running)
    #expect(take.id == id && take.start == .expected(end))
    #expect(take.request.prerollMilliseconds == 0)
    #expect(begun.sounds.contains(.tone(.started)))
  }

  @Test("A recording that plays is stopped for it")
  func playing() throws {
    let pressed = ready.withRecording("old").playing(.of("old")).press(.record)
    #expect(pressed.decks == [.unload] && pressed.state.transport.deck == .empty)
  }

  @Test("A greeting that cannot be heard holds up nothing")
  func failing() throws {
    let pressed = ready.press(.record)
    let failed = try pressed.when(.sound(.greeted(order(pressed).id, at: nil)), after: 20)
    #expect(failed.running?.start == .expected(failed.now))
    #expect(pressed.passing(119_000).running == nil)
    #expect(pressed.passing(120_000).running != nil, "nobody said that it is over")
  }

  @Test("Without a speaker, or a greeting, a press is the start")
  func none() {
    let deaf = Given(Self.greets).booted().withDevice(canPlay: false)
    #expect(deaf.press(.record).running?.request.prerollMilliseconds == 2000)
    #expect(Given().booted().withDevice().press(.record).running != nil)
  }

  @Test("A second press, a stop and a shutdown cancel it", arguments: [0, 1, 2])
  func calledOff(how: Int) throws {
    let pressed = ready.withConsole().press(.record)
    let over =
      switch how {
      case 0: pressed.press(.record)
      case 1: pressed.request(.take(.stop))
      default: pressed.request(.system(.shutDown), from: .appliance)
      }
    #expect(over.state.transport.take == .none && over.decks.contains(.unload))
    // And its late event begins no take, nor does that of another greeting
    let late = try over.when(.sound(.greeted(order(pressed).id, at: nil)))
    #expect(late.running == nil)
    let again = ready.press(.record).when(.sound(.greeted(.of("another"), at: nil)))
    #expect(again.running == nil)
  }

  @Test("A device that goes away during it is waited for")
  func deviceLost() throws {
    let lost = ready.press(.record).when(.sound(.lost("unplugged")))
    #expect(lost.decks == [.unload] && lost.panel.record == .slowBlink)
    let back = lost.when([.sound(.found(Given.mic)), .sound(.opened(Given.mic))])
    #expect(back.running?.request.part == 1)
  }

  @Test("New sound settings of the configuration go to the sound room")
  func configured() {
    var settings = Self.greets
    settings.sound.tones.stopped = .off
    let given = Given().booted().when(.host(.configured(settings)))
    #expect(given.sounds == [.configure(settings.sound)])
    #expect(given.when(.host(.configured(settings))).sounds == [])
  }
}
