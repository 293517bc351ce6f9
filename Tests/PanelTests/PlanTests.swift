// A panel's plan: written down and read again, with what is left out, and every mistake that can be
// seen without a board, each in one sentence.
import FoundationEssentials
import Recorder
import Testing

@testable import Panel

@Suite struct PlanTests {
  private func read(_ text: String) throws -> PanelPlan {
    try JSONDecoder().decode(PanelPlan.self, from: Data(text.utf8))
  }

  @Test("what is left out has its default")
  func defaults() throws {
    #expect(try read("{}") == PanelPlan())
    let plan = try read(
      """
      { "buttons": [ { "control": "record", "line": "GPIO17" } ],
        "lights": [ { "light": "record", "line": { "chip": "pinctrl-bcm2711", "offset": 27 } } ],
        "timings": { "glitchMilliseconds": 5 } }
      """)
    #expect(plan.buttons == [ButtonPlan(.control(.record), .name("GPIO17"))])
    #expect(plan.buttons.first?.bias == .pullUp && plan.buttons.first?.isActiveLow == true)
    let line = LineAddress.chip(label: "pinctrl-bcm2711", offset: 27)
    #expect(plan.lights == [LightPlan(.record, .line(line, isActiveLow: false, .pushPull))])
    #expect(plan.timings.glitchMilliseconds == 5 && plan.timings.debounceMilliseconds == 30)
  }

  @Test("what is written is read as the same")
  func roundTrip() throws {
    var plan = PanelPlan(
      buttons: [
        ButtonPlan(.holdSwitch, .name("GPIO4")),
        ButtonPlan(.control(.named("bell")), .chip(label: "expander", offset: 3)),
      ],
      lights: [
        LightPlan(.record, .led("ACT")), LightPlan(.play, .none),
        LightPlan(.status, .line(.name("GPIO22"), isActiveLow: true, .openDrain)),
      ],
      inputs: [InputPlan("usb-Pedal", keys: ["KEY_B": .control(.record), "48": .holdSwitch])])
    plan.buttons[1].bias = .none
    plan.buttons[1].isActiveLow = false
    plan.buttons[1].debounceMilliseconds = 80
    plan.buttons[0].stuckMilliseconds = 0
    plan.inputs[0].isGrabbed = false
    plan.timings.holdMilliseconds = 700
    let text = try JSONEncoder().encode(plan)
    #expect(try JSONDecoder().decode(PanelPlan.self, from: text) == plan)
  }

  @Test("a light cannot be in two places")
  func twoOutputs() {
    let text = #"{ "lights": [ { "light": "record", "line": "GPIO1", "led": "ACT" } ] }"#
    #expect(throws: DecodingError.self) { try read(text) }
  }

  @Test("a plan without mistakes has none")
  func none() {
    let plan = PanelPlan(
      buttons: [
        ButtonPlan(.control(.record), .name("GPIO17")), ButtonPlan(.holdSwitch, .name("GPIO4")),
        ButtonPlan(.control(.record), .chip(label: "pinctrl-rp1", offset: 3)),
      ],
      lights: [LightPlan(.record, .led("ACT")), LightPlan(.play, .none)],
      inputs: [InputPlan("usb-Pedal", keys: ["KEY_B": .control(.mark)])])
    #expect(plan.mistakes().isEmpty)
  }

  static let mistakes: [(PanelPlan, String)] = [
    (
      PanelPlan(
        buttons: [ButtonPlan(.control(.record), .name("A"))],
        lights: [LightPlan(.record, .line(.name("A"), isActiveLow: false, .pushPull))]),
      "The light record is on the line A, where the button record is; give each its own."
    ),
    (
      PanelPlan(buttons: [ButtonPlan(.control(.named("rekord")), .name("A"))]),
      "The button rekord is for rekord, which does nothing; did you mean record?"
    ),
    (
      PanelPlan(buttons: [ButtonPlan(.control(.named("telephone")), .name("A"))]),
      "The button telephone is for telephone, which does nothing; bind an action to it, or take it"
        + " out."
    ),
    (
      PanelPlan(buttons: [ButtonPlan(.control(.play), .chip(label: "gpiochip0", offset: 1))]),
      "The button play is on gpiochip0, a number that changes with the kernel; use the chip's"
        + " label, such as pinctrl-bcm2711."
    ),
    (
      PanelPlan(buttons: [ButtonPlan(.control(.play), .chip(label: "rp1", offset: -1))]),
      "The button play is on line -1 of rp1; lines begin at 0."
    ),
    (
      PanelPlan(buttons: [ButtonPlan(.control(.play), .name(""))]), "The button play has no line."
    ),
    (
      PanelPlan(lights: [LightPlan(.record, .led("ACT")), LightPlan(.play, .led("ACT"))]),
      "The lights record and play both use the led ACT; give each its own."
    ),
    (
      PanelPlan(lights: [LightPlan(.record, .led("../../etc"))]),
      "The light record needs the name of a led in /sys/class/leds."
    ),
    (
      PanelPlan(inputs: [InputPlan("event3", keys: [:])]),
      "The input device event3 is a number that changes when it is plugged in again; use its name"
        + " in /dev/input/by-id."
    ),
    (
      PanelPlan(inputs: [InputPlan("P", keys: [:]), InputPlan("P", keys: [:])]),
      "The input device P is there twice; put its keys into one."
    ),
    (
      PanelPlan(inputs: [InputPlan("P", keys: ["KEY_PLAYPUASE": .control(.play)])]),
      "The input device P has no key KEY_PLAYPUASE; did you mean KEY_PLAYPAUSE?"
    ),
    (
      PanelPlan(inputs: [InputPlan("P", keys: ["KEY_A": .control(.play), "30": .holdSwitch])]),
      "The input device P has one key twice, as 30 and KEY_A; take one out."
    ),
    (
      PanelPlan(inputs: [InputPlan("P", keys: ["70000": .control(.play)])]),
      "The input device P has no key 70000; use its number."
    ),
  ]

  @Test("each mistake is one sentence", arguments: PlanTests.mistakes)
  func mistake(plan: PanelPlan, sentence: String) {
    #expect(plan.mistakes() == [sentence])
  }

  @Test("a control that somebody bound is known")
  func bound() {
    let bell = Control.named("bell")
    let plan = PanelPlan(buttons: [ButtonPlan(.control(bell), .name("A"))])
    #expect(plan.mistakes(bindings: [Binding(bell, .press, .take(.toggle))]).isEmpty)
  }

  @Test("times that cannot be meant are told with what they can be")
  func times() {
    var plan = PanelPlan(buttons: [ButtonPlan(.control(.record), .name("A"))])
    plan.timings.glitchMilliseconds = 51
    plan.timings.debounceMilliseconds = -1
    plan.timings.holdMilliseconds = 10
    plan.timings.doublePressMilliseconds = 6000
    plan.timings.stuckMilliseconds = 5
    plan.buttons[0].debounceMilliseconds = 2000
    plan.buttons[0].stuckMilliseconds = -1
    let mistakes = plan.mistakes()
    #expect(mistakes.count == 7)
    #expect(mistakes.first == "glitchMilliseconds is 51; it can be 0 to 50.")
    #expect(mistakes.last?.hasPrefix("stuckMilliseconds of the button record is -1;") == true)
  }

  @Test("keys go by their name or their number, and a number is shown by its name")
  func keys() {
    #expect(KeyCode.number("KEY_A") == 30)
    #expect(KeyCode.number("BTN_LEFT") == 0x110)
    #expect(KeyCode.number("113") == 113)
    #expect(KeyCode.number("0") == nil && KeyCode.number("768") == nil)
    #expect(KeyCode.number("key_a") == nil)
    #expect(KeyCode.name(113) == "KEY_MUTE")
    #expect(KeyCode.name(700) == "700")
  }
}
