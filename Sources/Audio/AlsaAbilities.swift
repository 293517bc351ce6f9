// What a microphone can do, as the heart's values: the abilities of its device, and the controls of
// its card's mixer that set a level for recording. The mixer is only read, which disturbs no
// recording. Ordinary threads only.

import CALSA
import Recorder

extension MicrophoneAbility {
  init(_ ability: AlsaAbility, volumes: [Volume]) {
    let found = Set(ability.formats.map(Format.init))
    self.init(
      isNative: ability.isNative, formats: Format.allCases.filter(found.contains),
      rates: ability.rates, channels: ability.channels, volumes: volumes)
  }
}

extension MicrophoneAbility.Format {
  init(_ format: AlsaSampleFormat) {
    self =
      switch format {
      case .int16: .bits16
      case .int24Packed, .int24: .bits24
      case .int32: .bits32
      case .float32: .float
      }
  }
}

extension AlsaMixer {
  /// Returns the controls of a card that have a volume for recording; none if it has no mixer.
  static func captureVolumes(of card: String) -> [MicrophoneAbility.Volume] {
    calsa_be_quiet()
    guard let mixer = OpenMixer.open(card) else { return [] }
    var volumes: [MicrophoneAbility.Volume] = []
    var element = snd_mixer_first_elem(mixer.handle)
    while let here = element {
      if let volume = volume(of: here) { volumes.append(volume) }
      element = snd_mixer_elem_next(here)
    }
    return volumes
  }

  private static func volume(of element: OpaquePointer) -> MicrophoneAbility.Volume? {
    guard snd_mixer_selem_is_active(element) != 0,
      snd_mixer_selem_has_capture_volume(element) != 0,
      let name = snd_mixer_selem_get_name(element)
    else { return nil }
    return MicrophoneAbility.Volume(
      String(cString: name), index: Int(snd_mixer_selem_get_index(element)),
      isPerChannel: snd_mixer_selem_has_capture_volume_joined(element) == 0
        && snd_mixer_selem_has_capture_channel(element, SND_MIXER_SCHN_FRONT_RIGHT) != 0,
      decibels: decibels(of: element))
  }

  /// ALSA counts in hundredths of a decibel.
  private static func decibels(of element: OpaquePointer) -> MicrophoneAbility.Decibels? {
    var (least, most, now) = (0, 0, 0)
    guard snd_mixer_selem_get_capture_dB_range(element, &least, &most) >= 0, least < most,
      snd_mixer_selem_get_capture_dB(element, SND_MIXER_SCHN_FRONT_LEFT, &now) >= 0
    else { return nil }
    return MicrophoneAbility.Decibels(
      least: Double(least) / 100, most: Double(most) / 100, now: Double(now) / 100)
  }
}
