// Joins the sound rooms to the loop, whatever kind of microphone and speaker they have: commands go
// in on the loop's thread; events of the rooms' own threads come through a mailbox and a waker, and
// are sent on from the loop's thread.

import Audio
import Realtime
import Recorder
import Systemd

/// What the appliance asks of its sound, real or virtual.
protocol SoundRooms: AnyObject {
  func perform(_ command: SoundCommand)
  func perform(_ command: DeckCommand)
  /// Probes for devices, at the start and while there is none.
  func poll()
  func meter(_ isOn: Bool)
  /// Begins or ends to pass on what is heard.
  func listen(_ isOn: Bool)
  /// Returns what was heard since the last call.
  func readLive() -> [LiveBlock]
  /// The current peak, where 1 is full scale; nil while no device is open.
  var peak: Float? { get }
  /// Returns what the microphone can do, if that is known. Called by a thread that may wait.
  var ability: @Sendable () -> MicrophoneAbility? { get }
  /// How long the slowest thread has been busy with its present piece of work: among those that
  /// only capture and encode, and among those that may have to wait for the card.
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
  let openToWrite: OpenRecording
  /// Sets the mixer controls of the sound cards.
  var setLevels: ([MixerLevel]) -> Void = { _ in }
  var ability: @Sendable () -> MicrophoneAbility? = { nil }
}

final class RunningRooms<
  Microphone: CaptureStream & ~Copyable, Speaker: PlaybackStream & ~Copyable
>: SoundRooms {
  private let microphone: RecordRoom<Microphone>
  private let speaker: PlayRoom<Speaker>
  private let setLevels: ([MixerLevel]) -> Void
  let ability: @Sendable () -> MicrophoneAbility?
  private let watch: WakerWatch
  private var folder: FolderWatch?
  private var pollTimer: Timer?

  init(
    on loop: EventLoop, _ plan: SoundPlan<Microphone, Speaker>, news: SoundNews,
    send: @escaping (Action) -> Void
  ) throws {
    setLevels = plan.setLevels
    ability = plan.ability
    let collector = Collector()
    watch = try loop.watchWaker(priority: .urgent) {
      for event in collector.collect?() ?? [] { send(.sound(event)) }
      for event in news.drain() { send(.sound(event)) }
    }
    let waker = watch.waker
    news.wakes(waker)
    let microphone = RecordRoom(
      plan.microphone, settings: plan.record, open: plan.openToWrite, wake: { waker.wake() })
    self.microphone = microphone
    collector.collect = { [unowned microphone] in microphone.collect() }
    speaker = try PlayRoom.start(
      plan.play, open: plan.openSpeaker, report: { event in news.post(event) })
  }

  /// Probes as soon as a device appears. A card is several device nodes, which get their
  /// permissions one after another, hence the delay. ALSA names without a node can't be watched:
  /// they are polled.
  func watch(_ folder: String, on loop: EventLoop) throws(EventLoopError) {
    let timer = try loop.timer(afterMilliseconds: 200, slackMilliseconds: 50) {
      [unowned self] in
      microphone.announce(isNews: true)
      speaker.poll()
    }
    timer.pause()
    pollTimer = timer
    self.folder = try FolderWatch([folder], on: loop) { [unowned timer] in
      timer.restart(afterMilliseconds: 200)
    }
  }

  func perform(_ command: SoundCommand) {
    switch command {
    case .tone(let tone): speaker.sound(tone)
    case .greet(let id): speaker.greet(id)
    case .configure(let settings):
      setLevels(settings.levels)
      speaker.configure(settings)
    case .open, .close, .begin, .attach, .label, .mark, .split, .end:
      microphone.perform(command)
    }
  }

  func perform(_ command: DeckCommand) { speaker.perform(command) }

  func poll() {
    microphone.announce()
    speaker.poll()
  }

  var busyMilliseconds: (sound: Int64, card: Int64) {
    let recording = microphone.busyMilliseconds
    return (recording.sound, max(recording.card, speaker.busyMilliseconds()))
  }

  func meter(_ isOn: Bool) { microphone.meter(isOn) }
  func listen(_ isOn: Bool) { microphone.listen(isOn) }
  func readLive() -> [LiveBlock] { microphone.readLive() }

  var peak: Float? { microphone.meterReading.map { max($0.leftPeak, $0.rightPeak) } }
}

/// Holds `collect`, which does not exist yet when the watch is set up. Used by the loop's thread.
private final class Collector {
  var collect: (() -> [SoundEvent])?
}

/// Events from other threads, until the loop's thread takes them.
final class SoundNews: Sendable {
  private let events = Mailbox<SoundEvent>()
  private let waker = Locked<LoopWaker?>(nil)

  func post(_ event: SoundEvent) {
    events.post(event)
    waker.withLock { $0 }?.wake()
  }

  fileprivate func wakes(_ waker: LoopWaker) { self.waker.withLock { $0 = waker } }

  fileprivate func drain() -> [SoundEvent] { events.drain() }
}
