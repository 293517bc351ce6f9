// Proves what happens when an open device delivers nothing: it is reported everywhere and never
// shown as recording, the take goes on, a press is refused, and a device that hangs in open counts
// as lost. Values only.

import Testing

@testable import Recorder

@Suite struct SilentDeviceTests {
  private let armed = Given().booted().withDevice()
  private let recording = Given().booted().withDevice().recording()
  private let silent = Action.sound(.delivers(false))

  @Test("It is reported once, and the take goes on")
  func told() throws {
    let given = recording.when(silent).when(silent)
    #expect(given.running?.id == recording.running?.id)
    #expect(given.notices(.deviceSilent) == 1)
    let status = StatusView(given.state)
    #expect(status.state == .waiting && status.take != nil && status.device.isSilent)
    #expect(status.sentence == "Waiting for the sound device")
    #expect(status.device.why == "\(Given.mic.name) delivers no sound.")
  }

  @Test("When sound comes back nothing is left to acknowledge")
  func back() {
    let given = recording.when(silent).when(.sound(.delivers(true)))
    #expect(given.running?.id == recording.running?.id && !given.state.device.isSilent)
    #expect(given.state.notices.unacknowledged.isEmpty)
    #expect(given.panel.record == .steady && StatusView(given.state).state == .recording)
  }

  @Test("A press is refused meanwhile")
  func refused() {
    let given = armed.when(silent).press(.record)
    #expect(given.state.transport.take == .none)
    #expect(given.state.transport.refusal?.refusal == .deviceSilent)
  }

  @Test("Given up, it is waited for like an unplugged one, and not reported a second time")
  func givenUp() {
    let given = recording.when(silent).when(.sound(.lost("USB Mic delivers no sound")))
    guard case .waitingForDevice(let order, _) = given.state.transport.take else {
      Issue.record("the take is \(given.state.transport.take)")
      return
    }
    #expect(order.part == 2 && order.continues == recording.running?.id)
    #expect(given.notices(.deviceSilent) == 1 && given.notices(.deviceLost) == 0)
    let back = given.when([.sound(.found(Given.mic)), .sound(.opened(Given.mic))])
    #expect(back.running?.request.part == 2)
    #expect(!back.state.notices.contains(.deviceSilent))
  }

  @Test("A stop ends the take, and a recorder that is not armed closes the device")
  func stopped() {
    let given = Given { $0.isArmed = false }.booted().withDevice().recording()
      .when(.sound(.opened(Given.mic))).when(silent)
    #expect(given.state.device.isSilent)
    let stopped = given.press(.record).takeEnds()
    #expect(stopped.state.device.capture == .closed(Given.mic))
  }

  @Test("An event that repeats the known state changes nothing")
  func noNews() {
    let absent = Given().booted()
    #expect(absent.when(silent).state.device == absent.state.device)
    #expect(armed.when(.sound(.delivers(true))).state.device == armed.state.device)
  }

  @Test("A device that is not open after five seconds counts as lost")
  func opening() {
    let opening = Given().booted().when(.sound(.found(Given.mic)))
    guard case .opening = opening.state.device.capture else {
      Issue.record("it is \(opening.state.device.capture)")
      return
    }
    guard case .opening = opening.passing(4_900).state.device.capture else {
      Issue.record("it was given up too early")
      return
    }
    let lost = opening.passing(5_100)
    #expect(lost.state.device.capture == .absent("\(Given.mic.name) does not answer"))
    #expect(lost.notices(.deviceLost) == 1)
    // And when it answers after all, it is used
    #expect(lost.when(.sound(.opened(Given.mic))).state.device.isRunning)
  }
}
