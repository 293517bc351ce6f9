// The sound of the virtual appliance: a virtual microphone and speaker, with faults at their times,
// and takes as fast as possible. Used by the loop's thread.

import Audio
import Host
import Library
import Realtime
import Recorder
import Systemd

final class VirtualRooms: SoundRooms {
  private let rooms: RunningRooms<VirtualMicrophone, VirtualSpeaker>
  private let faults = VirtualFaults()
  private let pace: FastPace?
  private var timers: [Timer] = []

  init(
    on loop: EventLoop, directory: String, _ arguments: Arguments,
    _ configuration: Configuration,
    send: @escaping (Action) -> Void
  ) throws {
    pace = arguments.pace == .max ? try FastPace(on: loop) : nil
    let news = SoundNews()
    rooms = try RunningRooms(
      on: loop, try Self.plan(directory, arguments, configuration, faults, pace, news),
      news: news, send: send)
    pace?.perform = { [unowned self] in rooms.perform($0) }
    for fault in arguments.faults {
      timers.append(
        try loop.timer(afterMilliseconds: fault.afterMilliseconds, slackMilliseconds: 1) {
          [faults] in fault.happen(to: faults)
        })
    }
  }

  private static func plan(
    _ directory: String, _ arguments: Arguments, _ configuration: Configuration,
    _ faults: VirtualFaults, _ pace: FastPace?, _ news: SoundNews
  ) throws -> SoundPlan<VirtualMicrophone, VirtualSpeaker> {
    let format = StreamFormat(rate: 48_000, channels: 2, samples: .int16, periodFrames: 960)
    let file = try arguments.speakerFile.map { try SpeakerFile($0, format) }
    let isFast = pace != nil
    var record = RecordSettings(configuration)
    record.microphoneWaits = isFast
    return SoundPlan(
      microphone: arguments.microphone.source(faults, pace?.clock, configuration), record: record,
      openSpeaker: { try VirtualSpeaker.open(format, pace: isFast ? .max : .real, into: file) },
      // Nothing audible depends on the priority of a virtual device.
      play: PlaySettings(
        open: PosixCard.toRead(below: directory), speakerWaits: isFast, realtimePriority: nil),
      openToWrite: PosixCard.toWrite(below: directory))
  }

  func perform(_ command: SoundCommand) {
    guard let pace else { return rooms.perform(command) }
    rooms.perform(pace.atItsTime(command))
    pace.follow(command)
  }

  func perform(_ command: DeckCommand) { rooms.perform(command) }
  func poll() { rooms.poll() }
  func meter(_ isOn: Bool) { rooms.meter(isOn) }
  func listen(_ isOn: Bool) { rooms.listen(isOn) }
  func readLive() -> [LiveBlock] { rooms.readLive() }
  var busyMilliseconds: (sound: Int64, card: Int64) { rooms.busyMilliseconds }
  var peak: Float? { rooms.peak }
  var ability: @Sendable () -> MicrophoneAbility? { rooms.ability }
}
