// The playback worker: writes the mixer's chunks to the speaker. A state machine whose step is run
// on the realtime thread; the step waits in the device and nowhere else. The mixer is checked as
// realtime code. The device is not: it has locks of its own.
import Glibc
import Realtime

struct PlayWorker<Stream: PlaybackStream & ~Copyable>: ~Copyable, Sendable {
  private var stream: Stream
  private var mixer: PlayMixer

  init(_ stream: consuming Stream, _ mixer: consuming PlayMixer) {
    self.stream = stream
    self.mixer = mixer
  }

  /// The result of a step.
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

  /// Plays until it is told to stop or the speaker is gone. `pulse` beats when the speaker takes
  /// sound.
  mutating func run(until stop: StopFlag, _ pulse: Pulse) {
    while !stop.isRaised() {
      switch step() {
      case .played: pulse.beat()
      case .waited: break
      case .noSound:
        pulse.beat()
        usleep(500)
      case .gone: return
      }
    }
    finish()
  }

  /// Fades out before the thread ends, so that nothing is cut off.
  mutating func finish() {
    guard mixer.isSounding() else { return }
    mixer.hush()
    // The fade takes a chunk or two. A device that takes none cannot click.
    for _ in 0..<8 where mixer.isSounding() {
      if step() == .gone { return }
    }
    stream.drain()
  }
}
