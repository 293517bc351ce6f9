// Every mistake in a panel's plan that shows without a board is reported in one sentence, in the
// words of the configuration file.
import Recorder
import Testing

@testable import Panel

@Suite struct PlanTests {
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

  @Test("a control with a binding is known")
  func bound() {
    let bell = Control.named("bell")
    let plan = PanelPlan(buttons: [ButtonPlan(.control(bell), .name("A"))])
    #expect(plan.mistakes(bindings: [Binding(bell, .press, .take(.toggle))]).isEmpty)
  }

  @Test("times out of bounds are reported with their bounds")
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
    #expect(mistakes.first == "glitch is 51 ms; it can be 0 to 50 ms.")
    #expect(mistakes.last?.hasPrefix("stuck of the button record is -1 ms;") == true)
  }

  @Test("keys are given by name or number, and a number is shown by its name")
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
