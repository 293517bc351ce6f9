// The sound path of the random sequences: a device that comes and goes, takes that begin, progress
// and end, a deck that plays. It answers each command as the real one does, and sends events by
// itself.

import Loop

@testable import Recorder

struct SoundModel {
  private var takes: [ItemID] = []
  private var cue: Cue?
  private var isThere = true
  private let info = CaptureInfo(name: "USB Mic", rate: 48_000, channels: 1)

  mutating func perform(
    _ command: SoundCommand, at now: Instant, _ random: inout SplitMix64
  ) -> [SoundEvent] {
    switch command {
    case .open: return isThere && random.chance(95) ? [.opened(info)] : lose()
    case .close: return [.closed]
    case .begin(let order, _):
      takes.append(order.id)
      return [.take(order.id, .began(at: order.pressed, rate: info.rate))]
    case .attach, .label, .tone, .configure: return []
    case .greet(let id): return random.chance(90) ? [.greeted(id, at: now)] : []
    case .mark(let id, _, let name):
      return [.take(id, .marked(Mark(frame: Int64(random.below(100_000)), name: name)))]
    case .split(let id, _, let next, _):
      takes.append(next.id)
      return [end(id, .split, &random), .take(next.id, .began(at: now, rate: info.rate))]
    case .end(let id, _, let reason): return [end(id, reason, &random)]
    }
  }

  mutating func perform(
    _ command: DeckCommand, at now: Instant, _ random: inout SplitMix64
  ) -> [SoundEvent] {
    switch command {
    case .load(let loaded, _, let startsPaused):
      cue = loaded
      if random.chance(5) { return [.deck(cue: loaded.id, .failed("no such file"))] }
      return startsPaused
        ? [.deck(cue: loaded.id, .paused(frame: loaded.startFrame))]
        : [playing(loaded.id, loaded.startFrame, now)]
    case .pause(let id): return [.deck(cue: id, .paused(frame: Int64(random.below(1000))))]
    case .resume(let id): return [playing(id, Int64(random.below(1000)), now)]
    case .seek(let id, let frame): return [playing(id, frame, now)]
    case .unload:
      cue = nil
      return []
    case .volume: return []
    }
  }

  /// Returns events that no command caused.
  mutating func ownNews(at now: Instant, _ random: inout SplitMix64) -> [SoundEvent] {
    if random.chance(8) {
      isThere.toggle()
      return isThere ? [.found(info)] : lose()
    }
    if random.chance(6) { return [.delivers(random.chance(50))] }
    if random.chance(10) { return [.output(canPlay: random.chance(85), whileRecording: true)] }
    if let cue, random.chance(40) { return [.deck(cue: cue.id, .reachedEnd)] }
    guard let id = takes.last else { return isThere ? [.found(info)] : [] }
    switch random.below(6) {
    case 0: return [.take(id, .gap(Gap(frame: 100, frames: 480, cause: .overrun)))]
    case 1: return [.take(id, .clipped(frames: 12))]
    case 2 where random.chance(30):
      return [.take(id, .channelSeemsDead(random.chance(50) ? 2 : nil, of: 2))]
    case 2: return [.take(id, .microphoneSeemsDead(random.chance(50)))]
    case 3: return [.take(id, .progress(frames: 48_000, behindMilliseconds: 9000))]
    case 4 where random.chance(20):
      return [end(id, random.pick([.cardFull, .failed, .deviceLost]), &random)]
    default: return [.take(id, .progress(frames: 96_000, behindMilliseconds: nil))]
    }
  }

  private mutating func lose() -> [SoundEvent] {
    isThere = false
    var random = SplitMix64(seed: UInt64(takes.count))
    let ends = takes.map { end($0, .deviceLost, &random) }
    return takes.count % 2 == 0 ? ends + [.lost("unplugged")] : [.lost("unplugged")] + ends
  }

  private func playing(_ id: ItemID, _ frame: Int64, _ now: Instant) -> SoundEvent {
    .deck(cue: id, .playing(Anchor(frame: frame, instant: now)))
  }

  private mutating func end(
    _ id: ItemID, _ reason: StopReason, _ random: inout SplitMix64
  ) -> SoundEvent {
    takes.removeAll { $0 == id }
    let sound = Sound(frames: Int64(random.below(3_000_000)), rate: info.rate, sizeBytes: 10_000)
    let report = TakeReport(
      sound: sound, integrity: Integrity(device: info.name, stopReason: reason))
    return .take(id, .ended(report))
  }
}
