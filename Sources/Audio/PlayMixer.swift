// Makes the sound for the speaker: the recording at its volume, faded where it stops and where it
// goes on in the middle, and tones over it. The block processing of the realtime thread, and only
// that: no allocation, no lock, no log, no call that could wait. It writes to memory; `PlayWorker`
// has the device.
import Realtime

/// The mixer's ends of the decoder's rings.
struct PlayIntake: ~Copyable, Sendable {
  var sound: RingConsumer<UInt8>
  var blocks: RingConsumer<PlayBlock>
}

struct PlayMixer: ~Copyable, Sendable {
  /// A stretch of either a recording's frames or silence; over either, tones.
  private struct Chunk: Sendable {
    var frames = 0
    var taken = 0
    var firstFrame: Int64 = 0
    var isSound = false
    /// To be announced as soon as the time at which it will be heard is known.
    var isBeginning = false
    var isLast = false
  }

  let format: StreamFormat
  private let frameBytes: Int
  private let speakerWaits: Bool
  private var chunk = Chunk()
  private let output: Buffer<UInt8>
  private let tones: ToneBank
  private var intake: PlayIntake
  private var orders: RingConsumer<PlayOrder>
  private var notices: RingProducer<PlayNotice>
  private var position: SnapshotWriter<PlayPosition>
  private let waker: Waker

  // The wanted state.
  private var wanted: UInt32 = 0
  private var isStopped = true
  private var isPaused = false
  private var mustTellPause = false
  private var ordersTaken: UInt32 = 0
  // The heard state: that of `wanted`, or an earlier generation that fades out.
  private var heard: UInt32 = 0
  private var block: PlayBlock?
  private var next: Int64?
  private var mustAnnounce = false
  private var hasEnded = false
  private var hasAskedForMore = false
  private var volume: PlayGain
  private var fade: PlayGain
  private var voice: PlayVoice?
  private var leaving: PlayVoice?
  private var idleFrames = 0
  private var played = PlayPosition()
  /// When the last frame that the device took will have been heard.
  private var heardUntil: Int64 = 0

  init(
    _ format: StreamFormat, volume: Float, speakerWaits: Bool, tones: ToneBank,
    _ intake: consuming PlayIntake, orders: consuming RingConsumer<PlayOrder>,
    notices: consuming RingProducer<PlayNotice>,
    position: consuming SnapshotWriter<PlayPosition>, waker: consuming Waker
  ) {
    self.format = format
    frameBytes = format.frameBytes
    self.speakerWaits = speakerWaits
    self.tones = tones
    self.intake = intake
    self.orders = orders
    self.notices = notices
    self.position = position
    self.waker = waker
    output = Buffer(count: format.periodFrames * format.frameBytes)
    self.volume = PlayGain(volume, frames: format.rate / 100)
    fade = PlayGain(0, frames: format.rate / 200)
  }

  // MARK: For the worker

  /// Returns what the device is to take next, in the mixer's memory. Empty only if the speaker
  /// waits.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func prepare() -> UnsafeRawBufferPointer {
    if chunk.taken == chunk.frames { makeChunk() }
    return UnsafeRawBufferPointer(
      start: output.start + chunk.taken &* frameBytes,
      count: (chunk.frames &- chunk.taken) &* frameBytes)
  }

  /// Notes that the device took `frames`, the first of which is heard at `nanoseconds`.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func departed(_ frames: Int, heardAt nanoseconds: Int64) {
    if chunk.isSound || played.isSounding { publish(nanoseconds) }
    if chunk.isBeginning {
      chunk.isBeginning = false
      report(.began(generation: heard, frame: played.frame, at: nanoseconds))
    }
    chunk.taken &+= frames
    heardUntil = nanoseconds &+ Int64(frames) &* 1_000_000_000 / Int64(format.rate)
    if chunk.isLast, chunk.taken == chunk.frames {
      report(.ended(generation: heard, at: heardUntil))
    }
  }

  /// Notes that the device ran dry and goes on.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func ranDry() {
    played.underruns &+= 1
    position.write(played)
    if chunk.isSound { chunk.isBeginning = true }
  }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func isGone(errno: Int32) { report(.gone(errno: errno)) }

  /// Fades out all sound, as if that had been ordered.
  mutating func hush() {
    isStopped = true
    voice?.end()
    leaving?.end()
  }

  /// Returns whether there is any sound that is not silence.
  func isSounding() -> Bool { fade.value > 0 || voice != nil || leaving != nil }

  // MARK: One chunk

  private mutating func makeChunk() {
    obey()
    chunk = Chunk()
    if heard != wanted, fade.value == 0 { turnOver() }
    if mustTellPause, fade.value == 0 {
      mustTellPause = false
      report(.paused(generation: wanted, next: next))
    }
    if readSound() {
      load()
    } else if speakerWaits, !isPaused, !isStopped, !hasEnded, voice == nil, leaving == nil {
      return
    } else {
      silence()
    }
    mixTones()
    requestMore()
  }

  private mutating func obey() {
    while let order = orders.pop() {
      ordersTaken &+= 1
      idleFrames = 0
      switch order {
      case .play(let generation, let isPaused):
        (wanted, isStopped, self.isPaused) = (generation, false, isPaused)
        mustAnnounce = true
        mustTellPause = false
      case .pause:
        isPaused = true
        mustTellPause = true
      case .resume:
        isPaused = false
        mustTellPause = false
        mustAnnounce = true
      case .stop(let generation):
        (wanted, isStopped, mustTellPause) = (generation, true, false)
      case .volume(let gain):
        volume.target = gain
      case .tone(let index):
        begin(tone: index)
      }
    }
  }

  private mutating func begin(tone index: Int) {
    leaving = voice
    leaving?.end()
    let tone = tones.places.start[index]
    voice = PlayVoice(tone, channels: format.channels, fadeFrames: format.rate / 200)
  }

  /// Drops the stale blocks and turns to the wanted generation.
  private mutating func turnOver() {
    if let stale = block { skip(stale) }
    while let header = front(), Int32(bitPattern: header.generation &- wanted) < 0 {
      intake.blocks.consume(1)
      skip(header)
    }
    (heard, block, next, hasEnded) = (wanted, nil, nil, false)
    waker.wake()
  }

  private mutating func skip(_ block: PlayBlock) {
    intake.sound.consume(intake.sound.peek(atMost: block.frames &* frameBytes).count)
  }

  private mutating func front() -> PlayBlock? {
    intake.blocks.peek(atMost: 1).first.first
  }

  /// Chooses which frames of the recording come next. Returns false if none do.
  private mutating func readSound() -> Bool {
    let goesOn = heard == wanted && !isPaused && !isStopped
    if !goesOn && fade.value == 0 { return false }
    guard let front = nextBlock() else {
      if !speakerWaits || !goesOn || hasEnded { fade.jump(to: 0) }
      return false
    }
    // Sound fades in, except at the beginning of a recording.
    if fade.value == 0, front.firstFrame == 0 { fade.jump(to: 1) }
    fade.target = goesOn ? 1 : 0
    chunk.isSound = true
    chunk.isBeginning = mustAnnounce && goesOn
    chunk.firstFrame = front.firstFrame
    chunk.frames = min(format.periodFrames, front.frames)
    if !goesOn { chunk.frames = min(chunk.frames, fade.framesLeft) }
    if chunk.isBeginning { mustAnnounce = false }
    advance(front)
    return true
  }

  /// Returns the block of the next frames; nil at the end, or if the decoder is late.
  private mutating func nextBlock() -> PlayBlock? {
    if let block { return block }
    if mustAnnounce, fade.value == 0, !hasHeadStart() { return nil }
    while let header = front(), header.generation == heard {
      intake.blocks.consume(1)
      if header.frames > 0 { return header }
      hasEnded = true
      report(.ended(generation: heard, at: heardUntil))
    }
    if !hasEnded, next != nil, !mustAnnounce, !speakerWaits {
      // It will be announced again when it goes on.
      mustAnnounce = true
      played.starvations &+= 1
    }
    return nil
  }

  /// Returns whether some blocks wait, so that a decoder that has only begun is not late at once.
  private mutating func hasHeadStart() -> Bool {
    let blocks = intake.blocks.peek(atMost: 4)
    return blocks.count == 4 || blocks.first.last?.isLast == true
      || blocks.second.last?.isLast == true
  }

  /// Takes the chunk's frames off the front of the block.
  private mutating func advance(_ front: PlayBlock) {
    var rest = front
    rest.firstFrame &+= Int64(chunk.frames)
    rest.frames &-= chunk.frames
    next = rest.firstFrame
    block = rest.frames > 0 ? rest : nil
    chunk.isLast = front.isLast && rest.frames == 0
    if chunk.isLast { hasEnded = true }
  }

  private mutating func load() {
    let bytes = UnsafeMutableRawBufferPointer(
      start: output.start, count: chunk.frames &* frameBytes)
    let count = intake.sound.read(into: bytes)
    precondition(count == bytes.count, "the sound of a block is there before its header")
    turnDown(output.start, frames: chunk.frames, format, &volume, &fade)
  }

  private mutating func silence() {
    chunk.frames = format.periodFrames
    for index in 0..<output.count { output.start[index] = 0 }
    volume.skip(chunk.frames)
    let isIdle = voice == nil && leaving == nil && (isStopped || isPaused || hasEnded)
    idleFrames = isIdle ? idleFrames &+ chunk.frames : 0
    if idleFrames >= format.rate {
      idleFrames = 0
      report(.idle(orders: ordersTaken))
    }
  }

  private mutating func mixTones() {
    voice?.mix(tones.samples.start, into: output.start, frames: chunk.frames, format.samples)
    leaving?.mix(tones.samples.start, into: output.start, frames: chunk.frames, format.samples)
    if voice?.framesLeft == 0 { voice = nil }
    if leaving?.framesLeft == 0 { leaving = nil }
  }

  /// Wakes the decoder, once each time the ring gets half empty.
  private mutating func requestMore() {
    let isLow = intake.sound.availableCount() < intake.sound.capacity / 2
    if isLow, !hasAskedForMore { waker.wake() }
    hasAskedForMore = isLow
  }

  private mutating func publish(_ nanoseconds: Int64) {
    played.generation = heard
    played.isSounding = chunk.isSound
    if chunk.isSound { played.frame = chunk.firstFrame &+ Int64(chunk.taken) }
    played.nanoseconds = nanoseconds
    position.write(played)
  }

  private mutating func report(_ notice: PlayNotice) {
    // There is room: the deck empties the ring before it orders anything new.
    _ = notices.push(notice)
    waker.wake()
  }
}
