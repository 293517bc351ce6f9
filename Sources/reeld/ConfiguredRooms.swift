// Converts the configuration to the types of the rooms. The rooms may not import one another, so
// the daemon, which imports all of them, does it. Pure.

import Audio
import Host
import Panel
import Recorder
import Tape

extension RecordSettings {
  init(_ configuration: Configuration) {
    self.init()
    tracks = zip(configuration.takeTracks, configuration.formats).map { track, format in
      TrackSettings(track, format, channels: configuration.places(of: track))
    }
    prerollMilliseconds = configuration.settings.prerollMilliseconds
    syncMilliseconds = configuration.syncMilliseconds
    stallSeconds = Int(configuration.stallMilliseconds / 1000)
  }
}

extension TrackSettings {
  fileprivate init(_ track: TrackConfiguration, _ format: TapeFormat, channels: [Int]) {
    self.init()
    name = track.name
    self.channels = channels
    gainMillibels = track.gainMillibels
    lowCutHertz = track.lowCutHertz
    self.format = format
  }
}

extension AlsaRequest {
  /// What the configuration asks of the microphone.
  init(_ configuration: Configuration) {
    self.init(pcmName: "")
    rate = configuration.deviceRate
    channels = configuration.devicePicks.count
    if configuration.picksChannels { picks = configuration.devicePicks }
    if configuration.wantsDepth { formats = AlsaSampleFormat.byDepth }
  }
}

extension TrackFacts {
  init(_ configuration: Configuration) {
    self.init(
      namesTracks: !configuration.tracks.isEmpty,
      setsLevels: !configuration.settings.sound.levels.isEmpty)
  }
}

extension PanelPlan {
  init(_ panel: PanelConfiguration) {
    var timings = Timings()
    timings.glitchMilliseconds = panel.glitchMilliseconds
    timings.debounceMilliseconds = panel.debounceMilliseconds
    timings.holdMilliseconds = panel.holdMilliseconds
    timings.doublePressMilliseconds = panel.doublePressMilliseconds
    timings.stuckMilliseconds = panel.stuckMilliseconds
    self.init(
      buttons: panel.buttons.map(ButtonPlan.init), lights: panel.lights.map(LightPlan.init),
      inputs: panel.inputs.map(InputPlan.init), timings: timings)
  }
}

extension LineAddress {
  fileprivate init(_ line: LineConfiguration) {
    switch line {
    case .name(let name): self = .name(name)
    case .chip(let label, let offset): self = .chip(label: label, offset: offset)
    }
  }
}

extension ButtonPlan {
  fileprivate init(_ button: ButtonConfiguration) {
    self.init(ButtonUse(named: button.control), LineAddress(button.line))
    switch button.bias {
    case .asIs: bias = .asIs
    case .none: bias = .none
    case .pullUp: bias = .pullUp
    case .pullDown: bias = .pullDown
    }
    isActiveLow = button.isActiveLow
    debounceMilliseconds = button.debounceMilliseconds
    stuckMilliseconds = button.stuckMilliseconds
  }
}

extension LightPlan {
  fileprivate init(_ light: LightConfiguration) {
    let name: LightName =
      switch light.light {
      case .record: .record
      case .status: .status
      case .play: .play
      }
    let drive: Drive =
      switch light.drive {
      case .pushPull: .pushPull
      case .openDrain: .openDrain
      case .openSource: .openSource
      }
    let line = light.line.map {
      LightOutput.line(LineAddress($0), isActiveLow: light.isActiveLow, drive)
    }
    self.init(name, line ?? light.led.map { .led($0) } ?? .none)
  }
}

extension InputPlan {
  fileprivate init(_ input: InputConfiguration) {
    self.init(input.device, keys: input.keys.mapValues(ButtonUse.init))
    isGrabbed = input.isGrabbed
  }
}
