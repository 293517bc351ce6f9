// What a recording's file says about it beyond the standard tags: with these facts, the entry of a
// lost index is made again. docs/card.md lists the keys. Pure functions; any thread. A value from a
// file is hostile, so each is checked before it is used.

/// A key and a value in the tags of a file.
public struct Fact: Equatable, Sendable {
  public let key: String
  public let value: String

  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// Which of a take's tracks a file is.
public struct TrackFact: Equatable, Sendable {
  /// From 1.
  public let number: Int
  public let count: Int
  public let name: String

  public init(number: Int, count: Int, name: String) {
    self.number = number
    self.count = count
    self.name = name
  }

  /// Nil if there is nothing to tell: it is the only track, and has the usual name.
  public init?(telling number: Int, of count: Int, name: String) {
    if count == 1, name == TrackPlan.usualName { return nil }
    self.init(number: number, count: count, name: name)
  }

  /// Whether its file is named after another.
  public var isOther: Bool { number > 1 }
}

extension Tracks {
  /// Nil if there is nothing to tell.
  public func fact(of number: Int) -> TrackFact? {
    let name = number == 1 ? firstName : others.first { $0.number == number }?.plan.name
    return name.flatMap {
      TrackFact(telling: number, of: others.map(\.number).max() ?? 1, name: $0)
    }
  }
}

/// The facts about a recording. One that a file lacks, or whose value is not valid, is as in a new
/// recording.
public struct RecordingFacts: Equatable, Sendable {
  /// To the millisecond; the standard tag counts seconds.
  public private(set) var wall: WallTime?
  public private(set) var titleIsDefault = false
  public private(set) var isRecovered = false
  public private(set) var part = 1
  public private(set) var continues: ItemID?
  /// Without the device, which has a tag of its own.
  public private(set) var integrity = Integrity()
  /// Nil if the take has one track without a name of its own.
  public var track: TrackFact?

  /// In the order in which they are written: those that never change come first, and the longest
  /// last.
  private enum Key: String, CaseIterable {
    case part = "REEL_PART"
    case continues = "REEL_CONTINUES"
    case wall = "REEL_WALL_MS"
    case defaultTitle = "REEL_DEFAULT_TITLE"
    case stage = "REEL_STAGE"
    case stop = "REEL_STOP"
    case cut = "REEL_CUT_BYTES"
    case clipped = "REEL_CLIPPED"
    case peak = "REEL_PEAK_DBFS"
    case loudness = "REEL_LOUDNESS_LUFS"
    case dead = "REEL_DEAD"
    case deadChannel = "REEL_DEAD_CHANNEL"
    case track = "REEL_TRACK"
    case gaps = "REEL_GAPS"
  }

  /// The keys of all facts.
  public static let keys = Set(Key.allCases.map(\.rawValue))
  /// The key of the fact that says which track a file is.
  public static let trackKey = Key.track.rawValue

  /// The facts of a recording, with the integrity that is known by now.
  /// - Parameter number: which of its tracks the file is, counted from 1.
  public init(_ recording: Recording, _ integrity: Integrity? = nil, track number: Int = 1) {
    track = recording.tracks.fact(of: number)
    wall = recording.began.wall
    titleIsDefault = recording.titleIsDefault
    isRecovered = recording.stage == .recovered
    part = recording.part
    continues = recording.continues
    self.integrity = integrity ?? recording.integrity
    (self.integrity.device, self.integrity.endIsOwed) = ("", false)
  }

  /// Reads the facts of a file.
  public init(_ facts: [Fact]) {
    for fact in facts {
      if let key = Key(rawValue: fact.key) { read(key, fact.value) }
    }
  }

  /// The facts that are set.
  public var facts: [Fact] {
    Key.allCases.compactMap { key in
      value(of: key).map { Fact(key: key.rawValue, value: $0) }
    }
  }

  private func value(of key: Key) -> String? {
    switch key {
    case .part: part == 1 ? nil : "\(part)"
    case .continues: continues?.description
    case .wall: wall.map { "\($0.milliseconds)" }
    case .defaultTitle: titleIsDefault ? Self.yes : nil
    case .stage: isRecovered ? Recording.Stage.recovered.rawValue : nil
    case .stop: integrity.stopReason?.rawValue
    case .cut: integrity.recoveredCutBytes.map { "\($0)" }
    case .clipped: integrity.clippedFrames == 0 ? nil : "\(integrity.clippedFrames)"
    case .peak: integrity.peakMillibels.map(Self.hundredths)
    case .loudness: integrity.loudnessCentiLUFS.map(Self.hundredths)
    case .dead: integrity.microphoneSeemsDead ? Self.yes : nil
    case .deadChannel: integrity.deadChannel.map { "\($0)" }
    case .track: track.map { "\($0.number)/\($0.count) \($0.name)" }
    case .gaps:
      integrity.gaps.isEmpty ? nil : integrity.gaps.map(Self.text).joined(separator: ", ")
    }
  }

  private mutating func read(_ key: Key, _ value: String) {
    switch key {
    case .part: part = Self.number(value, in: 1...1_000_000).map(Int.init) ?? part
    case .continues: continues = ItemID(value)
    case .wall:
      wall = Self.number(value, in: -Self.mostWall...Self.mostWall).map(
        WallTime.init(milliseconds:))
    case .defaultTitle: titleIsDefault = value == Self.yes
    case .stage: isRecovered = value == Recording.Stage.recovered.rawValue
    case .stop: integrity.stopReason = StopReason(rawValue: value)
    case .cut: integrity.recoveredCutBytes = Self.number(value)
    case .clipped: integrity.clippedFrames = Self.number(value) ?? 0
    case .peak: integrity.peakMillibels = Self.hundredths(value)
    case .loudness: integrity.loudnessCentiLUFS = Self.hundredths(value)
    case .dead: integrity.microphoneSeemsDead = value == Self.yes
    case .deadChannel: integrity.deadChannel = Self.number(value, in: 1...64).map(Int.init)
    case .track: track = Self.track(value)
    case .gaps: integrity.gaps = value.split(separator: ",").prefix(10_000).compactMap(Self.gap)
    }
  }

  // MARK: Values

  private static let yes = "1"
  /// Frames and bytes of any real file are below this, and sums of a few don't overflow.
  private static let most: Int64 = 1 << 52
  /// Some 4,000 years before and after 1970: a calendar can show it.
  private static let mostWall: Int64 = 1 << 47

  private static func number(
    _ text: some StringProtocol, in range: ClosedRange<Int64> = 0...most
  ) -> Int64? {
    Int64(text).flatMap { range.contains($0) ? $0 : nil }
  }

  /// "-1.20" for -120.
  private static func hundredths(_ number: Int) -> String {
    let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(number < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func hundredths(_ text: String) -> Int? {
    let digits = text.filter { $0 != "." }
    guard let number = Int(digits), (-100_000...100_000).contains(number) else { return nil }
    return hundredths(number) == text ? number : nil
  }

  /// "2/3 guitar"
  private static func track(_ text: String) -> TrackFact? {
    let words = text.split(separator: " ", maxSplits: 1)
    let numbers = words.first?.split(separator: "/").compactMap { number($0, in: 1...mostTracks) }
    guard words.count == 2, let numbers, numbers.count == 2, numbers[0] <= numbers[1],
      let name = TrackPlan.name(String(words[1]))
    else { return nil }
    return TrackFact(number: Int(numbers[0]), count: Int(numbers[1]), name: name)
  }

  private static let mostTracks = Int64(Tracks.most)

  /// "48000+960 overrun": where it begins, how long it is, both at 48 kHz, and why.
  private static func text(_ gap: Gap) -> String {
    "\(gap.frame)+\(gap.frames) \(gap.cause.rawValue)"
  }

  private static func gap(_ text: Substring) -> Gap? {
    let words = text.split(separator: " ")
    guard words.count == 2, let cause = Gap.Cause(rawValue: String(words[1])) else { return nil }
    let numbers = words[0].split(separator: "+", omittingEmptySubsequences: false)
    guard numbers.count == 2, let frame = number(numbers[0]), let frames = number(numbers[1]) else {
      return nil
    }
    return Gap(frame: frame, frames: frames, cause: cause)
  }
}
