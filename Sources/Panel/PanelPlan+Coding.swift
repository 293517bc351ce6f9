// How a panel's plan is written down. What is not given has its default; names are plain words, so
// that the same keys serve the configuration file and a console. Pure; reads and writes no file.
import Recorder

/// `"GPIO17"`, or `{ "chip": "pinctrl-bcm2711", "offset": 17 }`.
extension LineAddress: Codable {
  private enum CodingKeys: String, CodingKey { case chip, offset }

  public init(from decoder: any Decoder) throws {
    // Not a string: then it is the other form, whose mistakes are reported below.
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self = .name(name)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = .chip(
      label: try container.decode(String.self, forKey: .chip),
      offset: try container.decode(Int.self, forKey: .offset))
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .name(let name):
      var container = encoder.singleValueContainer()
      try container.encode(name)
    case .chip(let label, let offset):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(label, forKey: .chip)
      try container.encode(offset, forKey: .offset)
    }
  }
}

extension ButtonUse: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(named: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension ButtonPlan: Codable {
  private enum CodingKeys: String, CodingKey {
    case control, line, bias, activeLow, debounceMilliseconds, stuckMilliseconds
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(ButtonUse.self, forKey: .control),
      try container.decode(LineAddress.self, forKey: .line))
    bias = try container.decodeIfPresent(Bias.self, forKey: .bias) ?? bias
    isActiveLow = try container.decodeIfPresent(Bool.self, forKey: .activeLow) ?? isActiveLow
    debounceMilliseconds =
      try container.decodeIfPresent(Int64.self, forKey: .debounceMilliseconds)
    stuckMilliseconds = try container.decodeIfPresent(Int64.self, forKey: .stuckMilliseconds)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(use, forKey: .control)
    try container.encode(line, forKey: .line)
    try container.encode(bias, forKey: .bias)
    try container.encode(isActiveLow, forKey: .activeLow)
    try container.encodeIfPresent(debounceMilliseconds, forKey: .debounceMilliseconds)
    try container.encodeIfPresent(stuckMilliseconds, forKey: .stuckMilliseconds)
  }
}

/// A light has a `line`, a `led`, or neither.
extension LightPlan: Codable {
  private enum CodingKeys: String, CodingKey { case light, line, activeLow, drive, led }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    light = try container.decode(LightName.self, forKey: .light)
    let line = try container.decodeIfPresent(LineAddress.self, forKey: .line)
    let led = try container.decodeIfPresent(String.self, forKey: .led)
    if line != nil, led != nil {
      throw DecodingError.dataCorruptedError(
        forKey: .led, in: container,
        debugDescription: "a light has a line or a led, not both")
    }
    if let line {
      output = .line(
        line, isActiveLow: try container.decodeIfPresent(Bool.self, forKey: .activeLow) ?? false,
        try container.decodeIfPresent(Drive.self, forKey: .drive) ?? .pushPull)
    } else {
      output = led.map { .led($0) } ?? .none
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(light, forKey: .light)
    switch output {
    case .line(let line, let isActiveLow, let drive):
      try container.encode(line, forKey: .line)
      try container.encode(isActiveLow, forKey: .activeLow)
      try container.encode(drive, forKey: .drive)
    case .led(let name): try container.encode(name, forKey: .led)
    case .none: break
    }
  }
}

extension InputPlan: Codable {
  private enum CodingKeys: String, CodingKey { case device, keys, grab }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(String.self, forKey: .device),
      keys: try container.decode([String: ButtonUse].self, forKey: .keys))
    isGrabbed = try container.decodeIfPresent(Bool.self, forKey: .grab) ?? isGrabbed
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(device, forKey: .device)
    try container.encode(keys, forKey: .keys)
    try container.encode(isGrabbed, forKey: .grab)
  }
}
