// A summary of the state, for programs and for one line of text: `reelctl status`, the service's
// STATUS=, the metrics. Its keys are part of the protocol: keys are added, not changed.

import Catalogue

/// The status, for people and for programs.
public struct StatusView: Equatable, Codable, Sendable {
  public let version: String
  public let state: Word
  public let sentence: String
  public let take: TakeView?
  public let deck: DeckView?
  public let waiting: [ItemID]
  public let refusal: Refusal?
  public let folder: String
  public let unheard: Int
  /// Nil while nothing was copied, and no program that copies has told of a target.
  public let copies: CopiesView?
  public let recordings: Int
  public let leftSeconds: Int64?
  public let freeBytes: Int64?
  public let device: DeviceView
  public let volumePercent: Int
  public let clockIsSynchronised: Bool
  public let isLocked: Bool
  /// While the program that serves the page is asked for a code; another number for each wish.
  public let codeWish: Int64?
  public let panelFaults: [String]
  public let cardState: CardWord
  public let cardBehindMilliseconds: Int64?
  /// What encoding costs; nil until it was measured.
  public let encoding: EncodingView?
  public let unseenNotices: Int

  /// One word for what the appliance is doing.
  public enum Word: String, Codable, Sendable {
    case starting, idle, arming, recording, waiting, playing, paused, refused, stopping, stopped
  }

  public enum CardWord: String, Codable, Sendable {
    case opening, ready, full, readOnly, exported, failed
  }

  public struct TakeView: Equatable, Codable, Sendable {
    public let id: ItemID
    public let title: String
    public let seconds: Int64
    public let lostFrames: Int64
    /// Of the track that clipped most.
    public let clippedFrames: Int64
    /// The tracks that clipped, if there are several.
    public let clippedTracks: [String]
    public let microphoneSeemsDead: Bool
    /// The first silent channel of several, counted from 1.
    public let deadChannel: Int?
    public let marks: Int
  }

  public struct DeckView: Equatable, Codable, Sendable {
    public let id: ItemID
    public let title: String
    public let isPlaying: Bool
    public let positionMilliseconds: Int64
    public let lengthMilliseconds: Int64
  }

  public struct CopiesView: Equatable, Codable, Sendable {
    /// How many recordings have no copy elsewhere.
    public let onlyHere: Int
    public let targets: [CopyTargetReport]
    /// Grows whenever a recording or a folder changes: then the targets may lack something.
    public let revision: Int
  }

  public struct EncodingView: Equatable, Codable, Sendable {
    /// Of one processor core; 1 is all of it.
    public let share: Double
    public let percent: Int
    /// There is too little to spare.
    public let isHeavy: Bool
  }

  public struct DeviceView: Equatable, Codable, Sendable {
    public let name: String?
    public let rate: Int?
    public let channels: Int?
    public let isOpen: Bool
    /// Open, but delivering no frames.
    public let isSilent: Bool
    public let canPlay: Bool
    public let why: String?
    public let denied: [String]
  }
}

extension StatusView {
  public init(_ state: State) {
    version = state.host.version
    self.state = Self.word(state)
    take = Self.take(state)
    deck = Self.deck(state)
    waiting = state.closing
    refusal = state.transport.refusal?.refusal
    folder = state.pathText(of: state.panel.place.folder)
    unheard = state.unheardCount
    copies = Self.copies(state)
    recordings = state.library.root?.tally.recordings ?? 0
    leftSeconds = state.leftMilliseconds.map { $0 / 1000 }
    freeBytes = state.card.freeBytes
    device = Self.device(state)
    volumePercent = state.device.volumePercent
    clockIsSynchronised = state.clock.isSynchronised
    isLocked = state.panel.isLocked
    codeWish = state.pairing.wish
    panelFaults = state.panel.faults
    cardState = Self.card(state)
    cardBehindMilliseconds = state.card.behindMilliseconds
    encoding = state.device.encoding.map {
      EncodingView(
        share: Double($0.permille) / 1000, percent: $0.percent, isHeavy: $0.isHeavy)
    }
    unseenNotices = state.notices.unacknowledged.count
    sentence = Self.phrase(self.state, take, deck, leftSeconds, unheard).english
  }

  private static func copies(_ state: State) -> CopiesView? {
    let hasCopies = (state.library.root?.tally.copied ?? 0) > 0
    guard hasCopies || !state.copying.targets.isEmpty else { return nil }
    return CopiesView(
      onlyHere: state.uncopiedCount,
      targets: state.copying.targets.map(CopyTargetReport.init),
      revision: Int(truncatingIfNeeded: state.library.lastRevision))
  }

  private static func word(_ state: State) -> Word {
    switch state.host.phase {
    case .starting: return .starting
    case .stopping: return .stopping
    case .stopped: return .stopped
    case .running: break
    }
    switch state.transport.take {
    case .recording: return state.device.isSilent ? .waiting : .recording
    case .greeting, .arming: return .arming
    case .waitingForDevice: return .waiting
    case .none: break
    }
    if state.transport.refusal != nil { return .refused }
    switch state.transport.deck {
    case .playing, .loading: return .playing
    case .paused: return .paused
    case .empty: return .idle
    }
  }

  private static func take(_ state: State) -> TakeView? {
    guard let take = state.transport.take.running,
      let recording = state.library.recordings[take.id]
    else { return nil }
    return TakeView(
      id: take.id, title: recording.title, seconds: state.takeMilliseconds / 1000,
      lostFrames: take.lostFrames, clippedFrames: take.clippedFrames,
      clippedTracks: take.clippedTracks, microphoneSeemsDead: take.microphoneSeemsDead,
      deadChannel: take.deadChannel, marks: recording.marks.count)
  }

  private static func deck(_ state: State) -> DeckView? {
    guard let cue = state.transport.deck.cue,
      let recording = state.library.recordings[cue.item]
    else { return nil }
    var isPlaying = false
    if case .playing = state.transport.deck { isPlaying = true }
    let frame = state.transport.deck.frame(at: state.now)
    return DeckView(
      id: cue.item, title: recording.title, isPlaying: isPlaying,
      positionMilliseconds: Frames.milliseconds(frame, rate: cue.rate),
      lengthMilliseconds: Frames.milliseconds(cue.lengthFrames, rate: cue.rate))
  }

  private static func device(_ state: State) -> DeviceView {
    let info = state.device.captureInfo
    var why: String?
    if case .absent(let reason) = state.device.capture { why = reason }
    if case .silent(let info) = state.device.capture { why = "\(info.name) delivers no sound." }
    return DeviceView(
      name: info?.name, rate: info?.rate, channels: info?.channels,
      isOpen: state.device.isRunning, isSilent: state.device.isSilent,
      canPlay: state.device.canPlay, why: why,
      denied: state.device.denials)
  }

  private static func card(_ state: State) -> CardWord {
    switch state.library.phase {
    case .closed, .opening: .opening
    case .exported: .exported
    case .failed: .failed
    case .ready where state.card.isReadOnly: .readOnly
    case .ready: state.leftMilliseconds == 0 ? .full : .ready
    }
  }

  /// The sentence for people; `sentence` is the same in English.
  public var phrase: Phrase { Self.phrase(state, take, deck, leftSeconds, unheard) }

  /// "Recording 0:12:31, 3 h 12 min left, 2 unheard".
  private static func phrase(
    _ word: Word, _ take: TakeView?, _ deck: DeckView?, _ leftSeconds: Int64?, _ unheard: Int
  ) -> Phrase {
    let activity: Phrase =
      switch word {
      case .recording:
        "Recording \(Duration.clock(milliseconds: (take?.seconds ?? 0) * 1000))"
      case .playing: "Playing \(deck?.title ?? "")"
      case .paused: "Paused in \(deck?.title ?? "")"
      case .waiting: "Waiting for the sound device"
      case .arming: "About to record"
      case .starting: "Starting"
      case .stopping: "Finishing"
      case .stopped: "Stopped"
      case .idle, .refused: "Ready"
      }
    let left = leftSeconds.map { "\(Duration.phrase(seconds: $0)) left" as Phrase }
    let new: Phrase? = unheard > 0 ? "\(unheard) unheard" : nil
    return [left, new].compactMap { $0 }.reduce(activity) { "\($0), \($1)" }
  }
}

extension State {
  /// The length of the running take by now.
  var takeMilliseconds: Int64 {
    guard let take = transport.take.running else { return 0 }
    return max(0, now.milliseconds(since: take.start.instant))
  }

  /// "Recordings / Interviews / May".
  func pathText(of folder: ItemID) -> String {
    library.path(to: folder).map(\.name).joined(separator: " / ")
  }
}
