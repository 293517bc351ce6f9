// The part of the configuration's table that is about the panel: buttons, lights, keys, times.
// Pure.
import Recorder

enum PanelTable {
  static var panel: Group<Configuration> {
    Group(keys: [
      Key(
        "buttons", \.panel.buttons,
        .list(of: button, called: "buttons", standard: ButtonConfiguration()).like(
          """
          [
            { control: "record", line: "GPIO17" },
            { control: "play", line: { chip: "pinctrl-rp1", offset: 27 } },
          ]
          """), .restart,
        "Buttons on pins."),
      Key(
        "lights", \.panel.lights,
        .list(of: light, called: "lights", standard: LightConfiguration()).like(
          """
          [
            { light: "record", line: "GPIO22" },
            { light: "status", led: "ACT" },
          ]
          """), .restart,
        "Lights, on pins or the board's own."),
      Key(
        "inputs", \.panel.inputs,
        .list(of: input, called: "input devices", standard: InputConfiguration()).like(
          #"[{ device: "usb-PCsensor_FootSwitch-event-kbd", keys: { KEY_B: "record" } }]"#),
        .restart,
        "Pedals, keypads and whatever else sends keys."),
      Key(
        "glitch", \.panel.glitchMilliseconds, .time(0...50, like: "2 ms"), .restart,
        "A shorter spike is no press."),
      Key(
        "debounce", \.panel.debounceMilliseconds, .time(0...1000, like: "30 ms"), .restart,
        "Chatter for this long after an edge is ignored."),
      Key(
        "hold", \.panel.holdMilliseconds, .time(100...60_000, like: "1 s"), .restart,
        "A button that is down for this long is held."),
      Key(
        "doublePress", \.panel.doublePressMilliseconds, .time(0...5000, like: "400 ms"), .restart,
        "From one press to the next, at most, to be a double press."),
      Key(
        "stuck", \.panel.stuckMilliseconds,
        .time(100...86_400_000, orNever: true, like: "1 min"), .restart,
        "A button that is down for longer is taken to be stuck, and told of."),
    ])
  }

  private static var button: Group<ButtonConfiguration> {
    Group(
      keys: [
        Key(
          "control", \.control, .control, isRequired: true, .restart,
          "What it is: record, play, next, previous, folder, mark, split, delete, volumeUp,"
            + " volumeDown, acknowledge, a name that bindings uses, or hold-switch."),
        Key("line", \.line, .line, isRequired: true, .restart, "The pin it is on."),
        Key("bias", \.bias, .word, .restart, "The pin's resistor."),
        Key(
          "activeLow", \.isActiveLow, .flag, .restart,
          "It is between the pin and ground. false: between the pin and 3.3 V."),
        Key(
          "debounce", \.debounceMilliseconds,
          .time(0...1000, orNever: false, instead: "as panel.debounce"), .restart,
          "Instead of the panel's."),
        Key(
          "stuck", \.stuckMilliseconds,
          .time(100...86_400_000, orNever: true, instead: "as panel.stuck"), .restart,
          "Instead of the panel's; \"never\" for one that may stay down, such as a hook."),
      ])
  }

  private static var light: Group<LightConfiguration> {
    Group(
      keys: [
        Key("light", \.light, .word, isRequired: true, .restart, "Which light it is."),
        Key("line", \.line, .optionalLine, .restart, "The pin it is on."),
        Key(
          "led", \.led, .text("the name of a directory in /sys/class/leds"), .restart,
          "Or a light of the kernel's, such as the board's own \"ACT\"."),
        Key("activeLow", \.isActiveLow, .flag, .restart, "It is on when the pin is low."),
        Key("drive", \.drive, .word, .restart, "How the pin drives it."),
      ],
      check: { light, item, reading in
        if light.line != nil, light.led != nil {
          reading.wrong(at: item.offset, "a light has a 'line' or a 'led', not both")
        } else if light.line == nil, light.led == nil {
          reading.wrong(at: item.offset, "a light needs a 'line' or a 'led'")
        }
      })
  }

  private static var input: Group<InputConfiguration> {
    Group(keys: [
      Key(
        "device", \.device, .text("a name in /dev/input/by-id, or the device's own name"),
        isRequired: true, .restart, "Which device. A number would change at the next plugging in."),
      Key(
        "keys", \.keys, .keys, isRequired: true, .restart,
        "What each key is, by the name Linux has for it, or by its number."),
      Key("grab", \.isGrabbed, .flag, .restart, "Nothing else hears of its keys."),
    ])
  }
}

extension Kind where Value == String {
  static var control: Kind {
    let text = Kind.text("the name of a button, such as \"record\", or \"hold-switch\"")
    return Kind(
      expected: text.expected,
      read: { item, reading in text.read(item, &reading).map(camelCase) }, write: text.write)
  }
}

extension Kind where Value == [String: String] {
  static var keys: Kind {
    let expected = "keys with a button each: { KEY_A: \"record\", … }"
    return Kind(
      expected: expected,
      read: { item, reading in
        guard case .table(let members) = item.value, !members.isEmpty else {
          reading.wrong(item, expected: expected)
          return nil
        }
        var keys: [String: String] = [:]
        for member in members {
          reading.below(member.key) { reading in
            keys[member.key] = Kind<String>.control.read(member.item, &reading)
          }
        }
        return keys
      },
      write: { keys in
        let written = keys.sorted { $0.key < $1.key }.map { "\(quoted($0)): \(quoted($1))" }
        return written.isEmpty ? "{}" : "{ \(written.joined(separator: ", ")) }"
      })
  }
}

/// `"GPIO17"`, or `{ chip: "pinctrl-bcm2711", offset: 17 }`.
private struct ChipDraft: Equatable {
  var label = ""
  var offset = 0

  static var group: Group<ChipDraft> {
    Group(
      keys: [
        Key(
          "chip", \.label, .text("the label of a chip, such as \"pinctrl-bcm2711\""),
          isRequired: true, .restart, "The chip's label."),
        Key(
          "offset", \.offset, .number(0...1023), isRequired: true, .restart,
          "The pin's number on it."),
      ])
  }
}

extension Kind where Value == LineConfiguration {
  static var line: Kind {
    let expected =
      "the name of a pin, such as \"GPIO17\", or { chip: \"pinctrl-bcm2711\", offset: 17 }"
    return Kind(
      expected: expected,
      read: { item, reading in
        switch item.value {
        case .string(let name) where isPrintable(name): return .name(name)
        case .table:
          var chip = ChipDraft()
          ChipDraft.group.read(item, into: &chip, &reading)
          return .chip(label: chip.label, offset: chip.offset)
        case .integer(let number):
          reading.wrong(item, expected: expected, hint: "did you mean \"GPIO\(number)\"?")
        default: reading.wrong(item, expected: expected)
        }
        return nil
      },
      write: { line in
        switch line {
        case .name(let name): quoted(name)
        case .chip(let label, let offset): "{ chip: \(quoted(label)), offset: \(offset) }"
        }
      })
  }
}

extension Kind where Value == LineConfiguration? {
  static var optionalLine: Kind {
    let line = Kind<LineConfiguration>.line
    return Kind(
      expected: line.expected,
      read: { item, reading in line.read(item, &reading).map { .some($0) } },
      write: { $0.map(line.write) ?? "none" })
  }
}
