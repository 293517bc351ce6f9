// The sound rooms joined to the loop: whatever kind of microphone and speaker they have, commands
// go in on the loop's thread; news comes from the rooms' own threads by way of a letter box and a
// waker, and is sent on from the loop's thread.

import Audio
import Realtime
import Recorder
import Systemd

/// What the appliance asks of its sound, real or virtual.
protocol SoundRooms: AnyObject {
  func carryOut(_ command: SoundCommand)
  func carryOut(_ command: DeckCommand)
  /// Looks for devices, at the start and while there is none.
  func look()
  func meter(_ isOn: Bool)
  /// The loudest now, 1 being full scale; nil while no device is open.
  var peak: Float? { get }
  /// How long the slowest thread has been at its present piece of work: of those that only hear and
  /// encode, and of those that may have to wait for the card.
  var busyMilliseconds: (sound: Int64, card: Int64) { get }
}

/// Where sound comes from and where it goes.
struct SoundPlan<
  Microphone: CaptureStream & ~Copyable, Speaker: PlaybackStream & ~Copyable
> {
  let microphone: CaptureSource<Microphone>
  let record: RecordSettings
  let openSpeaker: @Sendable () throws -> Speaker
  let play: PlaySettings
  let directory: String
  /// Told how the sound cards' own controls are to be set.
  var setLevels: ([MixerLevel]) -> Void = { _ in }
}

final class RunningRooms<
  Microphone: CaptureStream & ~Copyable, Speaker: PlaybackStream & ~Copyable
>: SoundRooms {
  private let microphone: RecordRoom<Microphone>
  private let speaker: PlayRoom<Speaker>
  private let setLevels: ([MixerLevel]) -> Void
  private let watch: WakerWatch
  private var folder: FolderWatch?
  private var lookTimer: Timer?

  init(
    on loop: EventLoop, _ plan: SoundPlan<Microphone, Speaker>, news: SoundNews,
    send: @escaping (Action) -> Void
  ) throws {
    setLevels = plan.setLevels
    let collector = Collector()
    watch = try loop.watchWaker(priority: .urgent) {
      for event in collector.collect?() ?? [] { send(.sound(event)) }
      for event in news.takeAll() { send(.sound(event)) }
    }
    let waker = watch.waker
    news.wakes(waker)
    let microphone = RecordRoom(
      plan.microphone, settings: plan.record, directory: plan.directory, wake: { waker.wake() })
    self.microphone = microphone
    collector.collect = { [unowned microphone] in microphone.collect() }
    speaker = try PlayRoom.start(
      plan.play, open: plan.openSpeaker, report: { event in news.post(event) })
  }

  /// Looks as soon as a device comes; what the system knows by no file there is asked for anyway,
  /// while there is none. A card is several files, which get their rights one after another.
  func watch(_ folder: String, on loop: EventLoop) throws(EventLoopError) {
    let timer = try loop.timer(afterMilliseconds: 200, slackMilliseconds: 50) {
      [unowned self] in look()
    }
    timer.pause()
    lookTimer = timer
    self.folder = try FolderWatch([folder], on: loop) { [unowned timer] in
      timer.restart(afterMilliseconds: 200)
    }
  }

  func carryOut(_ command: SoundCommand) {
    switch command {
    case .tone(let tone): speaker.sound(tone)
    case .greet(let id): speaker.greet(id)
    case .configure(let settings):
      setLevels(settings.levels)
      speaker.configure(settings)
    case .open, .close, .begin, .attach, .label, .mark, .split, .end:
      microphone.carryOut(command)
    }
  }

  func carryOut(_ command: DeckCommand) { speaker.carryOut(command) }

  func look() {
    microphone.announce()
    speaker.look()
  }

  var busyMilliseconds: (sound: Int64, card: Int64) {
    let recording = microphone.busyMilliseconds
    return (recording.sound, max(recording.card, speaker.busyMilliseconds()))
  }

  func meter(_ isOn: Bool) { microphone.meter(isOn) }

  var peak: Float? { microphone.meterReading.map { max($0.leftPeak, $0.rightPeak) } }
}

/// Fills in what does not exist yet when the watch is set up. Used by the loop's thread.
private final class Collector {
  var collect: (() -> [SoundEvent])?
}

/// What other threads have to say, until the loop fetches it.
final class SoundNews: Sendable {
  private let events = Mailbox<SoundEvent>()
  private let waker = Locked<Systemd.Waker?>(nil)

  func post(_ event: SoundEvent) {
    events.post(event)
    waker.withLock { $0 }?.wake()
  }

  fileprivate func wakes(_ waker: Systemd.Waker) { self.waker.withLock { $0 = waker } }

  fileprivate func takeAll() -> [SoundEvent] { events.takeAll() }
}
