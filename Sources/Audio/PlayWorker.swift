// The playback worker: the mixer's chunks into the speaker. A state machine whose step is run on
// the realtime thread; the step waits in the device and nowhere else. What the mixer does is
// checked as realtime code; what the device does is the device's, which has locks of its own.
import Realtime

struct PlayWorker<Stream: PlaybackStream & ~Copyable>: ~Copyable, Sendable {
  private var stream: Stream
  private var mixer: PlayMixer

  init(_ stream: consuming Stream, _ mixer: consuming PlayMixer) {
    self.stream = stream
    self.mixer = mixer
  }

  /// What a step came to.
  enum Outcome: Equatable, Sendable { case played, waited, noSound, gone }

  mutating func step() -> Outcome {
    let frames = inRealtimeSection { mixer.prepare() }
    if frames.isEmpty { return .noSound }
    switch stream.write(from: frames) {
    case .taken(let count, let heardAt):
      inRealtimeSection { mixer.departed(count, heardAt: heardAt) }
      return .played
    case .nothing:
      return .waited
    case .restarted:
      inRealtimeSection { mixer.ranDry() }
      return .waited
    case .gone(let errno):
      inRealtimeSection { mixer.isGone(errno: errno) }
      return .gone
    }
  }

  /// For the end of the thread: nothing is cut off, it fades.
  mutating func finish() {
    guard mixer.isSounding() else { return }
    mixer.hush()
    // The fade is in the next chunk or two; a device that takes none has nothing to click with.
    for _ in 0..<8 where mixer.isSounding() {
      if step() == .gone { return }
    }
    stream.drain()
  }
}
