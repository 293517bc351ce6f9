// The sound rooms of the virtual appliance: a microphone and a speaker that are not there, joined
// to the loop. Commands go in on the loop's thread; news comes from the rooms' own threads by way
// of a letter box and a waker, and is sent on from the loop's thread.

import Audio
import Recorder
import Synchronization
import Systemd

final class VirtualRooms {
  private let microphone: RecordRoom<VirtualMicrophone>
  private let speaker: PlayRoom<VirtualSpeaker>
  private let watch: WakerWatch

  init(
    on loop: EventLoop, directory: String, _ arguments: Arguments,
    send: @escaping (Action) -> Void
  ) throws {
    let box = SpeakerNews()
    let collector = Collector()
    watch = try loop.watchWaker(priority: .urgent) {
      for event in collector.collect?() ?? [] { send(.sound(event)) }
      for event in box.takeAll() { send(.sound(event)) }
    }
    let waker = watch.waker
    let microphone = RecordRoom(
      arguments.microphone.source, settings: RecordSettings(), directory: directory,
      wake: { waker.wake() })
    self.microphone = microphone
    collector.collect = { [unowned microphone] in microphone.collect() }
    let format = StreamFormat(rate: 48_000, channels: 2, samples: .int16, periodFrames: 960)
    let file = try arguments.speakerFile.map { try SpeakerFile($0, format) }
    // Of a virtual device nobody's ears depend on its priority.
    let settings = PlaySettings(directory: directory, realtimePriority: nil)
    speaker = try PlayRoom.start(
      settings, open: { try VirtualSpeaker.open(format, into: file) },
      report: {
        box.post($0)
        waker.wake()
      })
  }

  func carryOut(_ command: SoundCommand) {
    if case .tone(let tone) = command { speaker.sound(tone) } else { microphone.carryOut(command) }
  }

  func carryOut(_ command: DeckCommand) { speaker.carryOut(command) }

  /// Looks for devices, at the start and while there is none.
  func look() {
    microphone.announce()
    speaker.look()
  }

  func meter(_ isOn: Bool) { microphone.meter(isOn) }

  /// The loudest now, 1 being full scale; nil while no device is open.
  var peak: Float? { microphone.meterReading.map { max($0.leftPeak, $0.rightPeak) } }
}

/// Fills in what does not exist yet when the watch is set up. Used by the loop's thread.
private final class Collector {
  var collect: (() -> [SoundEvent])?
}

/// What the speaker's thread has to say, until the loop fetches it.
private final class SpeakerNews: Sendable {
  private let events = Mutex<[SoundEvent]>([])

  func post(_ event: SoundEvent) { events.withLock { $0.append(event) } }

  func takeAll() -> [SoundEvent] {
    events.withLock { events in
      let taken = events
      events = []
      return taken
    }
  }
}
