// What the program that copies recordings has said of its targets: what it does, and what it could
// not do. It is forgotten with its connection; what is safe stands in the recordings themselves.

/// The targets of copies, as their program last told of them.
public struct Copying: Equatable, Codable, Sendable {
  public internal(set) var targets: [CopyTarget] = []

  public init() {}

  /// The most recordings of a target that are told of one by one.
  static let itemLimit = 200

  func target(_ name: String) -> CopyTarget? { targets.first { $0.name == name } }

  /// Follows a report. Targets beyond the limit are left out.
  mutating func follow(_ report: CopyingReport, from console: Int, at now: WallTime) {
    var target = target(report.target) ?? CopyTarget(name: report.target)
    target.console = console
    let nextTry = report.retrySeconds.map {
      WallTime(milliseconds: now.milliseconds.clampedAdding(Int64($0) * 1000))
    }
    let news = CopyNews(condition: report.condition, why: report.why, nextTry: nextTry)
    if let item = report.item {
      target.note(news, of: item)
    } else {
      target.news = news
    }
    target.waiting = report.waiting ?? target.waiting
    guard let index = targets.firstIndex(where: { $0.name == report.target }) else {
      if targets.count < RecordingCopy.most { targets.append(target) }
      return
    }
    targets[index] = target
  }

  /// The recording has its copy, or lost it: what was told of it is over.
  mutating func settle(_ id: ItemID, at target: String) {
    guard let index = targets.firstIndex(where: { $0.name == target }) else { return }
    targets[index].items[id] = nil
  }

  /// The program has gone. Its targets stay, so that their silence shows.
  mutating func forget(console: Int) {
    for index in targets.indices where targets[index].console == console {
      targets[index].console = nil
      targets[index].news = nil
      targets[index].items = [:]
    }
  }
}

/// A target of copies.
public struct CopyTarget: Equatable, Codable, Sendable {
  public let name: String
  /// The connection of the program that copies to it; nil if that is not running.
  public internal(set) var console: Int?
  public internal(set) var news: CopyNews?
  /// How many recordings it lacks, by the program's count.
  public internal(set) var waiting: Int?
  /// What was told of single recordings.
  public internal(set) var items: [ItemID: CopyNews] = [:]

  init(name: String) { self.name = name }

  fileprivate mutating func note(_ news: CopyNews, of item: ItemID) {
    if items[item] == nil, items.count >= Copying.itemLimit { return }
    items[item] = news.condition == .waiting && news.why == nil ? nil : news
  }
}

/// What was told of a target or of one recording.
public struct CopyNews: Equatable, Codable, Sendable {
  public let condition: CopyCondition
  public let why: String?
  public let nextTry: WallTime?
}

/// What a copy is doing.
public enum CopyCondition: String, CaseIterable, Codable, Sendable {
  case waiting, sending, sent, failed
  /// Only of copies, and only from the card: it was read back and compared.
  case verified

  /// Those that a program may report.
  public static let reported: [CopyCondition] = [.waiting, .sending, .sent, .failed]
}

/// What the program that copies recordings reports of a target, or of one recording there.
public struct CopyingReport: Equatable, Codable, Sendable {
  public let target: String
  public let item: ItemID?
  public let condition: CopyCondition
  public let waiting: Int?
  public let why: String?
  public let retrySeconds: Int?
  /// What was edited here and there, and how that was settled.
  public let editedTwice: String?

  public init(
    _ target: String, item: ItemID? = nil, _ condition: CopyCondition, waiting: Int? = nil,
    why: String? = nil, retrySeconds: Int? = nil, editedTwice: String? = nil
  ) {
    (self.target, self.item, self.condition) = (target, item, condition)
    (self.waiting, self.retrySeconds) = (waiting, retrySeconds)
    self.why = why.map(Self.sentence)
    self.editedTwice = editedTwice.map(Self.sentence)
  }

  private static func sentence(_ text: String) -> String {
    Text.cleaned(String(text.prefix(Self.whyLimit)), keepingLines: false)
  }

  /// The most characters of a reason.
  private static let whyLimit = 300
}
