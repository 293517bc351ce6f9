// The deck: what is loaded, where playback goes on, when the speaker is needed. It performs
// commands, decodes ahead, handles the mixer's notices and reports to the heart. A state machine:
// the room owns its thread, an ordinary one as it waits for the card, and the speaker's. Never
// touches the speaker.
import Glibc
import Realtime
import Recorder
import Tape

struct PlayDeck: ~Copyable, Sendable {
  /// When to call `step` again, if nothing comes from outside.
  enum Rest: Equatable, Sendable {
    case now
    case until(nanoseconds: Int64)
    case forever
  }

  /// Events for the heart.
  private(set) var events: [SoundEvent] = []
  /// True if nothing sounded for a second, or the speaker is gone: close it, then call
  /// `disconnect`.
  private(set) var mustClose = false

  private var settings: PlaySettings
  private let bell: WakeUp
  private var volumePercent: Int
  private var tones: ToneBank?
  private var tonesToCome: [Int] = []
  private var denied: [String] = []

  private var loaded: LoadedCue?
  private var decoder: PlayDecoder?
  private var generation: UInt32 = 0

  private var line: PlayLine?
  private var ordersGiven: UInt32 = 0
  /// Orders for which the ring had no room.
  private var ordersToCome: [PlayOrder] = []

  private var canPlay: Bool?
  private var probeAt: Int64? = 0
  private var probeAfter = Self.firstProbe
  private static let firstProbe: Int64 = 2_000_000_000
  private static let lastProbe: Int64 = 64_000_000_000

  /// - Parameter bell: rung by the mixer when there is something to do.
  init(_ settings: PlaySettings, bell: WakeUp) {
    self.settings = settings
    self.bell = bell
    volumePercent = settings.volumePercent
  }

  /// The mixer's position; nil while the speaker is closed.
  var position: PlayPosition? { mutating get { line?.position.read() } }

  mutating func drainEvents() -> [SoundEvent] {
    defer { events = [] }
    return events
  }

  // MARK: Commands

  mutating func perform(_ command: DeckCommand) {
    switch command {
    case .load(let cue, let path, let startsPaused): load(cue, path, startsPaused)
    case .pause(let id) where id == loaded?.cue.id: pause()
    case .resume(let id) where id == loaded?.cue.id: resume()
    case .seek(let id, let frame) where id == loaded?.cue.id: seek(to: frame)
    case .unload: unload()
    case .volume(let percent):
      volumePercent = percent
      order(.volume(PlayGain.ofVolume(percent: percent)))
    case .pause, .resume, .seek: break  // late, for a cue that is gone
    }
  }

  mutating func sound(_ tone: Tone) {
    guard settings.tones[tone] != .off, let index = Tone.allCases.firstIndex(of: tone) else {
      return
    }
    if line != nil {
      order(.tone(index))
    } else if canPlay != false {
      tonesToCome = [index]
    }
  }

  mutating func configure(_ sound: SoundSettings) {
    settings.greeting = sound.greeting
    if settings.tones == sound.tones { return }
    settings.tones = sound.tones
    tones = nil
  }

  /// Plays the greeting before a take. The heart is told when it is over, even if it fails.
  mutating func greet(_ take: ItemID) {
    unload()
    guard let path = settings.greeting else { return endGreeting(take) }
    do {
      let opened = try PlayDecoder.open(try PosixFile.open(path, .read))
      loaded = .greeting(take, path: path, rate: 48_000)
      decoder = consume opened
    } catch {
      events.append(.denied(["The greeting cannot be played: \(error.sentence)"]))
      return endGreeting(take)
    }
    begin()
  }

  private mutating func endGreeting(_ take: ItemID, at nanoseconds: Int64? = nil) {
    events.append(.greeted(take, at: nanoseconds.map { Instant(nanoseconds: $0) }))
  }

  /// Reports an event of the loaded recording. Of a greeting, it reports only a failure.
  private mutating func report(_ event: DeckEvent) {
    guard let loaded else { return }
    if loaded.greets == nil { return events.append(.deck(cue: loaded.cue.id, event)) }
    if case .failed(let why) = event {
      events.append(.denied(["The greeting cannot be played: \(why)"]))
    }
  }

  /// Probes for a speaker again, if there was none, because a device came or went.
  mutating func poll() {
    if line == nil, canPlay != true { (probeAt, probeAfter) = (0, Self.firstProbe) }
  }

  private mutating func load(_ cue: Cue, _ path: CardPath, _ startsPaused: Bool) {
    unload()
    do {
      let opened = try PlayDecoder.open(try settings.open(path))
      decoder = consume opened
    } catch {
      return events.append(.deck(cue: cue.id, .failed(error.sentence)))
    }
    loaded = LoadedCue(cue, name: path.components.last ?? "", isPaused: startsPaused)
    if startsPaused { reportPaused() }
    begin()
  }

  private mutating func pause() {
    guard loaded?.isPaused == false else { return }
    loaded?.isPaused = true
    loaded?.anchor = nil
    if line == nil { return reportPaused() }
    loaded?.isPausing = true
    order(.pause)
  }

  private mutating func resume() {
    guard loaded?.isPaused == true else { return }
    loaded?.isPaused = false
    loaded?.isPausing = false
    order(.resume)
  }

  private mutating func seek(to frame: Int64) {
    loaded?.goTo(frame)
    if loaded?.isPaused == true { reportPaused() }
    begin()
  }

  private mutating func unload() {
    if let take = loaded?.greets { endGreeting(take, at: loaded?.endsAt) }
    if loaded != nil {
      generation &+= 1
      order(.stop(generation: generation))
    }
    loaded = nil
    decoder = nil
  }

  /// Starts decoding from where the cue is, and orders the mixer to play that.
  private mutating func begin() {
    guard let format = line?.format, let cue = loaded else { return }
    generation &+= 1
    do {
      try decoder?.begin(generation, at: cue.place.frame(atRate: format.rate), for: format)
    } catch {
      return fail(error.sentence)
    }
    order(.play(generation: generation, isPaused: cue.isPaused))
  }

  private mutating func fail(_ sentence: String) {
    report(.failed(sentence))
    unload()
  }

  private mutating func reportPaused() {
    guard let loaded else { return }
    self.loaded?.isPausing = false
    report(.paused(frame: loaded.frame))
  }

  private mutating func order(_ order: PlayOrder) {
    if line == nil { return }
    ordersToCome.append(order)
    sendOrders()
  }

  private mutating func sendOrders() {
    while let order = ordersToCome.first, line?.orders.push(order) == true {
      ordersToCome.removeFirst()
      ordersGiven &+= 1
    }
  }

  // MARK: The speaker

  /// Returns whether the speaker should be opened now, to play or only to probe for it.
  func wantsSpeaker(_ now: Int64) -> Bool {
    line == nil && (hasSomethingToPlay || probeAt.map { $0 <= now } == true)
  }

  var hasSomethingToPlay: Bool { loaded?.isPaused == false || !tonesToCome.isEmpty }

  /// Notes that there is a speaker.
  mutating func found() {
    probeAt = nil
    probeAfter = Self.firstProbe
    report(canPlay: true)
  }

  /// Makes the mixer of an open speaker, and orders it to play what is to be played.
  mutating func connect(_ format: StreamFormat) throws(RealtimeError) -> PlayMixer {
    let tones =
      tones.flatMap { $0.format == format ? $0 : nil } ?? ToneBank(settings.tones, for: format)
    self.tones = tones
    let mixer = try PlayMixer.make(
      format, volume: PlayGain.ofVolume(percent: volumePercent),
      speakerWaits: settings.speakerWaits, tones: tones, waker: bell.makeWaker(), line: &line)
    ordersGiven = 0
    begin()
    for tone in tonesToCome { order(.tone(tone)) }
    tonesToCome = []
    return mixer
  }

  /// Reports what the system refused.
  mutating func note(refusals: [RealtimeError]) {
    var words = refusals.map(\.sentence) + (tones?.complaints ?? [])
    words += (line?.refusals ?? []).map(\.sentence)
    if words != denied { events.append(.denied(words)) }
    denied = words
  }

  mutating func cannotOpen(_ sentence: String, _ now: Int64) {
    tonesToCome = []
    probeAt = now + probeAfter
    probeAfter = min(probeAfter * 2, Self.lastProbe)
    if loaded?.isPaused == false { fail(sentence) }
    report(canPlay: false)
  }

  /// Forgets the speaker and its mixer, which are closed.
  mutating func disconnect() {
    line = nil
    mustClose = false
    ordersToCome = []
  }

  /// Handles a speaker that is gone, or hangs.
  mutating func lose(errno: Int32, _ now: Int64) {
    if loaded?.isPausing == true {
      stay(at: position)
      reportPaused()
    }
    disconnect()
    mustClose = true
    cannotOpen("The speaker is gone (\(systemWords(for: errno))).", now)
  }

  private mutating func report(canPlay: Bool) {
    if self.canPlay == canPlay { return }
    self.canPlay = canPlay
    events.append(
      .output(canPlay: canPlay, whileRecording: canPlay && settings.playsWhileRecording))
  }

  // MARK: A step

  mutating func step(_ now: Int64) -> Rest {
    sendOrders()
    while let notice = line?.notices.pop() { handle(notice, now) }
    finishCue(now)
    followDrift(now)
    if line?.fill(from: &decoder) == .more { return .now }
    let patience = ordersToCome.isEmpty ? nil : now + 10_000_000
    let times = [loaded?.endsAt, line == nil ? probeAt : nil, patience].compactMap { $0 }
    return times.min().map { .until(nanoseconds: $0) } ?? .forever
  }

  private mutating func handle(_ notice: PlayNotice, _ now: Int64) {
    switch notice {
    case .began(generation, let frame, let at) where loaded?.isPaused == false:
      anchor(frame, at, now)
    case .paused(generation, let next) where loaded?.isPausing == true:
      if let next, let rate = line?.format.rate { loaded?.place = .init(frame: next, rate: rate) }
      reportPaused()
    case .ended(generation, let at):
      loaded?.endsAt = at
    case .idle(let orders):
      let isWanted = loaded?.isPaused == false || !ordersToCome.isEmpty
      mustClose = mustClose || (orders == ordersGiven && !isWanted)
    case .gone(let errno):
      lose(errno: errno, now)
    case .began, .paused, .ended: break  // stale
    }
  }

  /// Ends the cue, if its last frame has been heard.
  private mutating func finishCue(_ now: Int64) {
    guard let cue = loaded, let time = cue.endsAt, time <= now, let rate = line?.format.rate else {
      return
    }
    let frames = scaledDown(decoder?.endFrame ?? 0, from: rate, to: cue.rate)
    if let words = decoder?.failure ?? cue.shortage(frames) { return fail(words) }
    report(.reachedEnd)
    unload()
  }

  private mutating func followDrift(_ now: Int64) {
    guard let anchor = loaded?.anchor, let position,
      position.generation == generation, position.isSounding, let rate = line?.format.rate
    else { return }
    let expected =
      anchor.nanoseconds
      + Int64(Double(position.frame - anchor.frame) * 1e9 / Double(rate))
    let drift = abs(position.nanoseconds - expected)
    if drift > 20_000_000, now - anchor.toldAt >= 200_000_000 {
      self.anchor(position.frame, position.nanoseconds, now)
    }
  }

  private mutating func anchor(_ frame: Int64, _ nanoseconds: Int64, _ now: Int64) {
    guard let cue = loaded, let rate = line?.format.rate else { return }
    loaded?.anchor = .init(frame: frame, nanoseconds: nanoseconds, toldAt: now)
    let anchor = Anchor(
      frame: scaledDown(frame, from: rate, to: cue.rate),
      instant: Instant(nanoseconds: nanoseconds))
    report(.playing(anchor))
  }

  private mutating func stay(at position: PlayPosition?) {
    guard let position, position.generation == generation, let rate = line?.format.rate else {
      return
    }
    loaded?.place = .init(frame: position.frame, rate: rate)
  }
}

extension PlayLine {
  fileprivate mutating func fill(from decoder: inout PlayDecoder?) -> PlayDecoder.Progress {
    decoder?.step(&feed) ?? .finished
  }
}
