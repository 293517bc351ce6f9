// Converts tags to KEY=value comments and back. Tags that never change come first, so that
// rewriting a header in place touches few bytes and a torn one keeps its identity.

extension Tags {
  /// Every tag that is set, as key and value.
  public var comments: [Comment] {
    let fixed: [(String, String?)] = [
      ("REEL_ID", id),
      ("TRACKNUMBER", sequence.map { "\($0)" }),
      ("REEL_BOOT", bootID),
      ("REEL_MONOTONIC_NS", monotonicNanoseconds.map { "\($0)" }),
      ("REEL_DEVICE", device),
      ("REEL_RATE", sampleRate.map { "\($0)" }),
      ("REEL_CHANNELS", channels.map { "\($0)" }),
      ("ENCODER", software),
    ]
    let changing: [(String, String?)] = [
      ("REEL_FOLDER", folder),
      ("DATE", date),
      ("REEL_TIME_QUALITY", timeQuality?.rawValue),
      ("TITLE", title),
      ("R128_TRACK_GAIN", trackGain.map { "\($0)" }),
      ("LOCATION", place),
      ("ARTIST", speaker),
    ]
    let notes = Self.comment("DESCRIPTION", notes).map { [$0] } ?? []
    // The first comment of a key counts, so a duplicate must stay behind it.
    let names = Set(changing.map(\.0) + ["DESCRIPTION"])
    let isLast = others.map { other in
      let key = other.key.uppercased()
      return names.contains(key) || key.hasPrefix(Self.factPrefix) || Chapters.isOne(other)
    }
    let first = zip(others, isLast).filter { !$0.1 }.map(\.0)
    let last = zip(others, isLast).filter { $0.1 && !becomesMark($0.0) }.map(\.0)
    return fixed.compactMap(Self.comment) + first + changing.compactMap(Self.comment) + facts
      + notes + marks.prefix(Self.mostMarks).enumerated().flatMap(Self.chapter) + last
  }

  static let mostMarks = 1_000
  private static let factPrefix = "REEL_"
  private static let mostFacts = 64
  /// Keys of facts that have properties of their own.
  private static let ownKeys: Set = [
    "REEL_ID", "REEL_BOOT", "REEL_MONOTONIC_NS", "REEL_DEVICE", "REEL_RATE", "REEL_CHANNELS",
    "REEL_FOLDER", "REEL_TIME_QUALITY",
  ]

  /// Whether a duplicate chapter time would become a mark, since no mark has its number now.
  private func becomesMark(_ comment: Comment) -> Bool {
    Chapters.number(ofTime: comment).map { $0 >= marks.count } ?? false
  }

  private static func comment(_ key: String, _ value: String?) -> Comment? {
    value.map { Comment(key: key, value: $0) }
  }

  /// The first comment of each known key counts. Duplicates and invalid values stay in `others`.
  public init(comments: [Comment]) {
    var chapters = Chapters()
    for comment in comments {
      let key = comment.key.uppercased()
      if apply(key, comment.value) || chapters.apply(key, comment.value) { continue }
      others.append(comment)
    }
    marks = chapters.marks
    others += chapters.orphans
  }

  private mutating func apply(_ key: String, _ value: String) -> Bool {
    switch key {
    case "REEL_ID" where id == nil: id = value
    case "TRACKNUMBER" where sequence == nil: return Self.set(&sequence, value)
    case "REEL_BOOT" where bootID == nil: bootID = value
    case "REEL_MONOTONIC_NS" where monotonicNanoseconds == nil:
      return Self.set(&monotonicNanoseconds, value)
    case "REEL_DEVICE" where device == nil: device = value
    case "REEL_RATE" where sampleRate == nil: return Self.set(&sampleRate, value)
    case "REEL_CHANNELS" where channels == nil: return Self.set(&channels, value)
    case "ENCODER" where software == nil: software = value
    case "REEL_FOLDER" where folder == nil: folder = value
    case "DATE" where date == nil: date = value
    case "REEL_TIME_QUALITY" where timeQuality == nil:
      timeQuality = TimeQuality(rawValue: value)
      return timeQuality != nil
    case "TITLE" where title == nil: title = value
    case "R128_TRACK_GAIN" where trackGain == nil: return Self.set(&trackGain, value)
    case "LOCATION" where place == nil: place = value
    case "ARTIST" where speaker == nil: speaker = value
    case "DESCRIPTION" where notes == nil: notes = value
    default: return addFact(key, value)
    }
    return true
  }

  /// The first fact of each key counts.
  private mutating func addFact(_ key: String, _ value: String) -> Bool {
    guard key.hasPrefix(Self.factPrefix), !Self.ownKeys.contains(key),
      facts.count < Self.mostFacts, !facts.contains(where: { $0.key == key })
    else { return false }
    facts.append(Comment(key: key, value: value))
    return true
  }

  /// Accepts only what Reel would write: "+1" and "1/12" stay as they are, in `others`.
  private static func set<Number: FixedWidthInteger>(_ number: inout Number?, _ text: String)
    -> Bool
  {
    guard let read = Number(text), "\(read)" == text else { return false }
    number = read
    return true
  }

  // CHAPTER001=00:01:02.500 and CHAPTER001NAME=..., as Xiph's wiki has it.
  static func chapter(_ number: Int, _ mark: Mark) -> [Comment] {
    let key = "CHAPTER" + padded(number, 3)
    return [
      Comment(key: key, value: clock(milliseconds: max(0, mark.frame) / 48)),
      Comment(key: key + "NAME", value: mark.name),
    ]
  }

  static func clock(milliseconds: Int64) -> String {
    let (minutes, seconds) = (milliseconds / 60_000, Int(milliseconds / 1_000 % 60))
    return padded(Int(minutes / 60), 2) + ":" + padded(Int(minutes % 60), 2) + ":"
      + padded(seconds, 2) + "." + padded(Int(milliseconds % 1_000), 3)
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Chapters while they are being read: time and name come as two comments, in any order.
private struct Chapters {
  private var times: [Int: (frame: Int64, text: String)] = [:]
  private var names: [Int: String] = [:]

  /// False if it is not a chapter, or is a duplicate.
  mutating func apply(_ key: String, _ value: String) -> Bool {
    guard key.hasPrefix("CHAPTER") else { return false }
    let rest = key.dropFirst(7)
    guard rest.prefix(3).count == 3, let number = Int(rest.prefix(3)), number >= 0 else {
      return false
    }
    switch rest.dropFirst(3) {
    case "":
      guard times[number] == nil, let frame = Self.frame(value) else { return false }
      times[number] = (frame, value)
    case "NAME":
      guard names[number] == nil else { return false }
      names[number] = value
    default: return false
    }
    return true
  }

  static func isOne(_ comment: Tags.Comment) -> Bool {
    comment.key.uppercased().hasPrefix("CHAPTER")
  }

  /// The chapter number of a time; nil for any other comment.
  static func number(ofTime comment: Tags.Comment) -> Int? {
    let digits = comment.key.dropFirst(7)
    guard isOne(comment), digits.count == 3, frame(comment.value) != nil else { return nil }
    return Int(digits)
  }

  var marks: [Tags.Mark] {
    times.sorted { $0.key < $1.key }.map { number, time in
      Tags.Mark(frame: time.frame, name: names[number] ?? "")
    }
  }

  /// Names of chapters that have no time.
  var orphans: [Tags.Comment] {
    names.filter { times[$0.key] == nil }.sorted { $0.key < $1.key }.map { number, name in
      Tags.Comment(key: "CHAPTER" + Tags.padded(number, 3) + "NAME", value: name)
    }
  }

  private static func frame(_ clock: String) -> Int64? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]) else {
      return nil
    }
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard seconds.count == 2, seconds[1].count == 3 else { return nil }
    guard let whole = Int64(seconds[0]), let thousandths = Int64(seconds[1]) else { return nil }
    guard (0...99_999).contains(hours), (0...59).contains(minutes), (0...59).contains(whole) else {
      return nil
    }
    guard (0...999).contains(thousandths) else { return nil }
    return (((hours * 60 + minutes) * 60 + whole) * 1_000 + thousandths) * 48
  }
}
