// Lists the sound cards and what each can do, by opening every device for a moment. A device in use
// is left alone: it refuses to be opened. Ordinary threads only.
import CALSA

extension AlsaCards {
  /// Drops alsa-lib's cached cards, so that the next scan sees those that are present now.
  static func forget() {
    calsa_be_quiet()
    calsa_forget_cards()
  }

  /// Returns every card that is present. Without abilities, no device is opened.
  public static func present(withAbilities: Bool = true) -> [AlsaCard] {
    calsa_be_quiet()
    var cards: [AlsaCard] = []
    var number: Int32 = -1
    while snd_card_next(&number) >= 0, number >= 0 {
      if let control = AlsaControl.open("hw:\(number)") {
        cards.append(control.card(number, withAbilities: withAbilities))
      }
    }
    return cards
  }
}

/// The control device of a card.
private struct AlsaControl: ~Copyable {
  private let handle: OpaquePointer

  static func open(_ name: String) -> AlsaControl? {
    var handle: OpaquePointer?
    guard snd_ctl_open(&handle, name, SND_PCM_NONBLOCK) >= 0, let handle else { return nil }
    return AlsaControl(handle)
  }

  private init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { snd_ctl_close(handle) }

  func card(_ number: Int32, withAbilities: Bool) -> AlsaCard {
    var info: OpaquePointer?
    snd_ctl_card_info_malloc(&info)
    defer { snd_ctl_card_info_free(info) }
    var card = AlsaCard(number: Int(number), id: "\(number)", name: "", driver: "", ports: [])
    if snd_ctl_card_info(handle, info) >= 0 {
      card.id = text(snd_ctl_card_info_get_id(info))
      card.name = text(snd_ctl_card_info_get_name(info))
      card.driver = text(snd_ctl_card_info_get_driver(info))
    }
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(handle, &device) >= 0, device >= 0 {
      for direction in [AlsaDirection.capture, .playback] {
        guard var port = port(device, direction) else { continue }
        if withAbilities {
          port.ability = AlsaAbility.probe("hw:CARD=\(card.id),DEV=\(device)", direction)
        }
        card.ports.append(port)
      }
    }
    return card
  }

  private func port(_ device: Int32, _ direction: AlsaDirection) -> AlsaPort? {
    var info: OpaquePointer?
    snd_pcm_info_malloc(&info)
    defer { snd_pcm_info_free(info) }
    snd_pcm_info_set_device(info, UInt32(device))
    snd_pcm_info_set_subdevice(info, 0)
    snd_pcm_info_set_stream(info, direction.stream)
    guard snd_ctl_pcm_info(handle, info) >= 0 else { return nil }
    return AlsaPort(
      device: Int(device), direction: direction, name: text(snd_pcm_info_get_name(info)),
      isModem: snd_pcm_info_get_class(info) == SND_PCM_CLASS_MODEM)
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}

extension AlsaAbility {
  /// Returns the abilities of a device; nil if it could not be opened just now. Unless it
  /// `converts`, ALSA's `plughw` converts nothing, and shows the device's own.
  static func probe(
    _ name: String, _ direction: AlsaDirection, converts: Bool = true
  ) -> AlsaAbility? {
    guard let pcm = AlsaPCM.openQuietly(name, direction, converts: converts) else { return nil }
    var ability = of(pcm)
    if !converts { ability?.isNative = true }
    return ability
  }

  /// Returns the abilities of an open device that is not set up yet.
  static func of(_ pcm: borrowing AlsaPCM) -> AlsaAbility? {
    let parameters = AlsaParameters()
    guard snd_pcm_hw_params_any(pcm.handle, parameters.handle) >= 0 else { return nil }
    // The device's own rates, not those that a plugin makes of them.
    snd_pcm_hw_params_set_rate_resample(pcm.handle, parameters.handle, 0)
    var least: UInt32 = 1
    var most: UInt32 = 1
    snd_pcm_hw_params_get_channels_min(parameters.handle, &least)
    snd_pcm_hw_params_get_channels_max(parameters.handle, &most)
    let rates = [
      8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000,
      176_400, 192_000,
    ]
    return AlsaAbility(
      channels: Int(least)...Int(max(least, most)),
      rates: rates.filter {
        snd_pcm_hw_params_test_rate(pcm.handle, parameters.handle, UInt32($0), 0) >= 0
      },
      formats: AlsaSampleFormat.allCases.filter {
        snd_pcm_hw_params_test_format(pcm.handle, parameters.handle, $0.code) >= 0
      }, isNative: pcm.isNative)
  }
}
