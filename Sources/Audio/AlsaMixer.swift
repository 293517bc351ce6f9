// Sets a card's levels and switches from a list, each time before it is opened: a person would do
// so once in alsamixer, but a card forgets when it loses power. A failure is reported in a
// sentence, and stops nothing. Ordinary threads only.
import CALSA
import Recorder

/// Sets the levels of a sound card.
public enum AlsaMixer {
  /// Sets the levels. Returns one sentence for each that could not be set.
  public static func set(_ levels: [MixerLevel], of card: String) -> [String] {
    if levels.isEmpty { return [] }
    calsa_be_quiet()
    calsa_forget_cards()
    guard let mixer = OpenMixer.open(card) else {
      return ["\(card) has no mixer, so its levels stay as they are."]
    }
    return levels.flatMap { mixer.set($0, card) }
  }

  /// Returns the step of a control's range that is nearest to `percent`.
  static func step(percent: Double, of range: ClosedRange<Int>) -> Int {
    let share = min(max(percent, 0), 100) / 100
    return range.lowerBound + Int((Double(range.upperBound - range.lowerBound) * share).rounded())
  }
}

struct OpenMixer: ~Copyable {
  let handle: OpaquePointer

  static func open(_ card: String) -> OpenMixer? {
    var handle: OpaquePointer?
    guard snd_mixer_open(&handle, 0) >= 0, let handle else { return nil }
    let mixer = OpenMixer(handle)
    guard snd_mixer_attach(handle, card) >= 0,
      snd_mixer_selem_register(handle, nil, nil) >= 0, snd_mixer_load(handle) >= 0
    else { return nil }
    return mixer
  }

  private init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { snd_mixer_close(handle) }

  func set(_ level: MixerLevel, _ card: String) -> [String] {
    guard let element = find(level.control, level.index) else {
      return [missing(level.control, card)]
    }
    let control = MixerControl(element: element, direction: level.direction)
    var complaints: [String] = []
    if !level.values.isEmpty, !control.set(level.values) {
      complaints.append(complaint("its level", level, card))
    }
    if let isOn = level.isOn, !control.set(isOn) {
      complaints.append(complaint(isOn ? "it on" : "it off", level, card))
    }
    return complaints
  }

  private func find(_ name: String, _ index: Int) -> OpaquePointer? {
    var id: OpaquePointer?
    snd_mixer_selem_id_malloc(&id)
    defer { snd_mixer_selem_id_free(id) }
    snd_mixer_selem_id_set_name(id, name)
    snd_mixer_selem_id_set_index(id, UInt32(clamping: index))
    return snd_mixer_find_selem(handle, id)
  }

  private func missing(_ name: String, _ card: String) -> String {
    var names: [String] = []
    var element = snd_mixer_first_elem(handle)
    while let here = element {
      names.append(snd_mixer_selem_get_name(here).map { String(cString: $0) } ?? "")
      element = snd_mixer_elem_next(here)
    }
    let present = names.isEmpty ? "none at all" : names.joined(separator: ", ")
    return "\(card) has no control called \(name); it has \(present)."
  }

  private func complaint(_ what: String, _ level: MixerLevel, _ card: String) -> String {
    let way = level.direction == .capture ? "recording" : "playing"
    return "\(card) cannot set \(what) for \(way) at its control \(level.control)."
  }
}

private struct MixerControl {
  let element: OpaquePointer
  let direction: MixerLevel.Direction

  /// Sets all channels to a single value, or each channel to its own. Returns false if any failed.
  func set(_ values: [MixerLevel.Value]) -> Bool {
    guard hasVolume else { return false }
    if values.count == 1 { return all(values[0]) }
    let sides = [SND_MIXER_SCHN_FRONT_LEFT, SND_MIXER_SCHN_FRONT_RIGHT]
    return zip(sides, values).map(one).allSatisfy { $0 }
  }

  func set(_ isOn: Bool) -> Bool {
    let value: Int32 = isOn ? 1 : 0
    if direction == .capture {
      return snd_mixer_selem_has_capture_switch(element) != 0
        && snd_mixer_selem_set_capture_switch_all(element, value) >= 0
    }
    return snd_mixer_selem_has_playback_switch(element) != 0
      && snd_mixer_selem_set_playback_switch_all(element, value) >= 0
  }

  private var hasVolume: Bool {
    direction == .capture
      ? snd_mixer_selem_has_capture_volume(element) != 0
      : snd_mixer_selem_has_playback_volume(element) != 0
  }

  private func all(_ value: MixerLevel.Value) -> Bool {
    switch (value, direction) {
    case (.percent(let percent), .capture):
      snd_mixer_selem_set_capture_volume_all(element, step(percent)) >= 0
    case (.percent(let percent), .playback):
      snd_mixer_selem_set_playback_volume_all(element, step(percent)) >= 0
    case (.decibels(let decibels), .capture):
      snd_mixer_selem_set_capture_dB_all(element, hundredths(decibels), 0) >= 0
    case (.decibels(let decibels), .playback):
      snd_mixer_selem_set_playback_dB_all(element, hundredths(decibels), 0) >= 0
    }
  }

  private func one(_ side: snd_mixer_selem_channel_id_t, _ value: MixerLevel.Value) -> Bool {
    switch (value, direction) {
    case (.percent(let percent), .capture):
      snd_mixer_selem_set_capture_volume(element, side, step(percent)) >= 0
    case (.percent(let percent), .playback):
      snd_mixer_selem_set_playback_volume(element, side, step(percent)) >= 0
    case (.decibels(let decibels), .capture):
      snd_mixer_selem_set_capture_dB(element, side, hundredths(decibels), 0) >= 0
    case (.decibels(let decibels), .playback):
      snd_mixer_selem_set_playback_dB(element, side, hundredths(decibels), 0) >= 0
    }
  }

  private func step(_ percent: Double) -> Int {
    var least = 0
    var most = 0
    if direction == .capture {
      snd_mixer_selem_get_capture_volume_range(element, &least, &most)
    } else {
      snd_mixer_selem_get_playback_volume_range(element, &least, &most)
    }
    return AlsaMixer.step(percent: percent, of: least...max(least, most))
  }

  /// ALSA counts in hundredths of a decibel.
  private func hundredths(_ decibels: Double) -> Int {
    Int((min(max(decibels, -1000), 1000) * 100).rounded())
  }
}
