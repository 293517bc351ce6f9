// The sound of the real appliance: the cards that ALSA knows. Made on the loop's thread; devices
// are found, tried and opened on threads of the rooms.

import Audio
import Host
import Library
import Recorder
import Systemd

enum RealRooms {
  /// `say` receives which devices are used and why; called by any thread.
  static func start(
    on loop: EventLoop, directory: String, _ arguments: Arguments, _ configuration: Configuration,
    say: @escaping @Sendable (String) -> Void, send: @escaping (Action) -> Void
  ) throws -> RunningRooms<AlsaCapture, AlsaPlayback> {
    let news = SoundNews()
    let logError: @Sendable ([String]) -> Void = { news.post(.denied($0)) }
    let microphone = AlsaDevice(
      arguments.device ?? configuration.device, .capture, like: AlsaRequest(configuration),
      say: { say("microphone: \($0)") })
    let speaker = AlsaDevice(
      arguments.output ?? configuration.output, .playback, say: { say("speaker: \($0)") })
    var record = RecordSettings(configuration)
    // Above the speaker's: late capture loses sound, late playback is only late.
    record.realtimePriority = 50
    record.residency = .locked
    record.measuresEncoding = true
    let plan = SoundPlan(
      microphone: AlsaCapture.source(microphone, logError: logError), record: record,
      openSpeaker: { try AlsaPlayback.open(speaker, logError: logError) },
      play: PlaySettings(open: PosixCard.toRead(below: directory), realtimePriority: 40),
      openToWrite: PosixCard.toWrite(below: directory),
      setLevels: { levels in
        microphone.set(levels)
        speaker.set(levels)
      }, ability: { microphone.ability() })
    let rooms = try RunningRooms(on: loop, plan, news: news, send: send)
    try rooms.watch("/dev/snd", on: loop)
    return rooms
  }
}
