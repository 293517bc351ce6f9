// The mistakes in a panel's plan, in sentences for the author of the configuration. Pure; it knows
// nothing of the board: whether a line exists is found out when it is requested.
import Recorder

extension PanelPlan {
  /// Returns one sentence per mistake; none if the plan can be used. `bindings` say which controls
  /// exist.
  public func mistakes(bindings: [Binding] = Binding.defaults) -> [String] {
    duplicateLines() + duplicateLights() + duplicateInputs() + chipNumbers()
      + unknownControls(bindings) + unknownKeys() + duplicateKeys() + emptyNames()
      + timesOutOfRange()
  }

  private var lines: [(owner: String, line: LineAddress)] {
    let ofButtons = buttons.map { ("The button \($0.use.name)", $0.line) }
    let ofLights = lights.compactMap { light -> (String, LineAddress)? in
      guard case .line(let line, _, _) = light.output else { return nil }
      return ("The light \(light.light.rawValue)", line)
    }
    return ofButtons + ofLights
  }

  private func duplicateLines() -> [String] {
    var owners: [LineAddress: String] = [:]
    return lines.compactMap { owner, line in
      if let first = owners[line] {
        return "\(owner) is on the line \(line), where \(lowered(first)) is; give each its own."
      }
      owners[line] = owner
      return nil
    }
  }

  private func duplicateLights() -> [String] {
    var leds: [String: LightName] = [:]
    return lights.compactMap { light in
      guard case .led(let name) = light.output else { return nil }
      if let first = leds[name] {
        return "The lights \(first.rawValue) and \(light.light.rawValue) both use the led"
          + " \(name); give each its own."
      }
      leds[name] = light.light
      return nil
    }
  }

  private func duplicateInputs() -> [String] {
    var seen: Set<String> = []
    return inputs.compactMap { input in
      if seen.insert(input.device).inserted { return nil }
      return "The input device \(input.device) is there twice; put its keys into one."
    }
  }

  /// The meaning of a number changes with the kernel, the board and the order of plugging in.
  private func chipNumbers() -> [String] {
    let chips = lines.compactMap { owner, line -> String? in
      guard case .chip(let label, let offset) = line else { return nil }
      if isNumbered(label, "gpiochip") {
        return "\(owner) is on \(label), a number that changes with the kernel; use the chip's"
          + " label, such as pinctrl-bcm2711."
      }
      return offset < 0 ? "\(owner) is on line \(offset) of \(label); lines begin at 0." : nil
    }
    let devices = inputs.compactMap { input -> String? in
      guard isNumbered(input.device.split(separator: "/").last.map(String.init) ?? "", "event")
      else { return nil }
      return "The input device \(input.device) is a number that changes when it is plugged in"
        + " again; use its name in /dev/input/by-id."
    }
    return chips + devices
  }

  private func isNumbered(_ text: String, _ prefix: String) -> Bool {
    let rest = text.dropFirst(prefix.count)
    return text.hasPrefix(prefix) && !rest.isEmpty && rest.allSatisfy { ("0"..."9").contains($0) }
  }

  private func unknownControls(_ bindings: [Binding]) -> [String] {
    let known = Set(bindings.map(\.control))
    let onKeys = inputs.flatMap { input in
      input.keys.sorted { $0.key < $1.key }.map { ("The key \($0.key)", $0.value) }
    }
    let all = buttons.map { ("The button \($0.use.name)", $0.use) } + onKeys
    let names = known.map(\.name) + [ButtonUse.holdSwitch.name]
    return all.compactMap { owner, use in
      guard case .control(let control) = use, !known.contains(control) else { return nil }
      let nearest = Spelling.nearest(to: control.name, among: names)
      let hint = nearest.map { "did you mean \($0)?" } ?? "bind an action to it, or take it out."
      return "\(owner) is for \(control.name), which does nothing; \(hint)"
    }
  }

  private func unknownKeys() -> [String] {
    inputs.flatMap { input in
      input.keys.keys.sorted().filter { KeyCode.number($0) == nil }.map { key in
        let nearest = Spelling.nearest(to: key, among: KeyCode.names)
        let hint = nearest.map { "did you mean \($0)?" } ?? "use its number."
        return "The input device \(input.device) has no key \(key); \(hint)"
      }
    }
  }

  private func duplicateKeys() -> [String] {
    inputs.flatMap { input -> [String] in
      var names: [UInt16: String] = [:]
      return input.keys.keys.sorted().compactMap { key in
        guard let code = KeyCode.number(key) else { return nil }
        if let first = names[code] {
          return "The input device \(input.device) has one key twice, as \(first) and \(key);"
            + " take one out."
        }
        names[code] = key
        return nil
      }
    }
  }

  private func emptyNames() -> [String] {
    let ofLines = lines.filter { $0.line == .name("") }.map { "\($0.owner) has no line." }
    let ofLights = lights.filter { $0.output == .led("") || isPath($0.output) }
      .map { "The light \($0.light.rawValue) needs the name of a led in /sys/class/leds." }
    let ofInputs = inputs.filter { $0.device.isEmpty }.map { _ in "An input device has no name." }
    return ofLines + ofLights + ofInputs
  }

  private func isPath(_ output: LightOutput) -> Bool {
    guard case .led(let name) = output else { return false }
    return name.contains("/") || name == "." || name == ".."
  }

  private func timesOutOfRange() -> [String] {
    var found: [String] = []
    func check(_ name: String, _ value: Int64, _ range: ClosedRange<Int64>) {
      if range.contains(value) { return }
      found.append(
        "\(name) is \(value) ms; it can be \(range.lowerBound) to \(range.upperBound) ms.")
    }
    check("glitch", timings.glitchMilliseconds, 0...50)
    check("debounce", timings.debounceMilliseconds, 0...1000)
    check("hold", timings.holdMilliseconds, 100...60_000)
    check("doublePress", timings.doublePressMilliseconds, 0...5000)
    checkStuck("stuck", timings.stuckMilliseconds)
    for button in buttons {
      let name = "of the button \(button.use.name)"
      check("debounce \(name)", button.debounceMilliseconds ?? 0, 0...1000)
      checkStuck("stuck \(name)", button.stuckMilliseconds ?? 0)
    }
    return found

    func checkStuck(_ name: String, _ value: Int64) {
      // 0 means never.
      if value != 0 { check(name, value, max(1, timings.holdMilliseconds)...86_400_000) }
    }
  }

  private func lowered(_ sentence: String) -> String {
    sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}
