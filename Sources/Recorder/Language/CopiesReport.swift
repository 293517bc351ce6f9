// Copies elsewhere, as the protocol and people get them: the targets, what is not safe yet and why.
// Plain values, and pure functions of the state.

/// The recordings that a target lacks, and how the targets are.
public struct CopiesReport: Equatable, Codable, Sendable {
  /// How many recordings have no copy elsewhere.
  public let onlyHere: Int
  public let targets: [CopyTargetReport]
  /// The oldest first.
  public let items: [ItemReport]
  /// How many of such there are in all, or at least.
  public let count: Int
  /// What to pass as --after for the rest; nil if there is none.
  public let next: String?
}

/// A target of copies.
public struct CopyTargetReport: Equatable, Codable, Sendable {
  public let name: String
  /// Whether a program that copies to it is connected.
  public let isRunning: Bool
  public let state: CopyCondition
  public let waiting: Int?
  public let why: String?
  /// In milliseconds since 1970.
  public let nextTry: Int64?
}

/// A copy of a recording, or what became of the attempt to make one.
public struct CopyReport: Equatable, Codable, Sendable {
  public let target: String
  public let state: CopyCondition
  public var verifiedAt: DateReport?
  /// What the target calls the file of the first track.
  public var remote: String?
  /// The path of that file on the card when it was copied.
  public var file: String?
  /// The checksum of the texts that the target has with it.
  public var texts: String?
  public var why: String?
  public var nextTry: DateReport?
}

extension CopiesReport {
  init(_ page: CopyPage, in state: State) {
    onlyHere = state.uncopiedCount
    targets = state.copying.targets.map(CopyTargetReport.init)
    items = page.recordings.map { ItemReport($0, in: state) }
    count = page.count
    next = page.next?.text
  }
}

extension CopyTargetReport {
  init(_ target: CopyTarget) {
    (name, waiting) = (target.name, target.waiting)
    isRunning = target.console != nil
    state = target.news?.condition ?? .waiting
    why = target.news?.why
    nextTry = target.news?.nextTry?.milliseconds
  }
}

extension CopyReport {
  /// Those a recording has, then what is known of the targets that lack it; nil if there is nothing
  /// to say.
  static func all(of recording: Recording, in state: State) -> [CopyReport]? {
    let made = recording.copies.map { copy in
      // Of a copy that is safe, a name or a text may wait.
      let news = state.copying.target(copy.target)?.items[recording.id]
      return CopyReport(
        target: copy.target, state: .verified,
        verifiedAt: DateReport(copy.verifiedAt, in: state), remote: copy.remote,
        file: copy.file, texts: copy.texts, why: news?.why,
        nextTry: news?.nextTry.map { DateReport($0, in: state) })
    }
    let missing = state.copying.targets.filter { recording.copy(at: $0.name) == nil }
    let awaited = missing.map { target in
      let news = target.items[recording.id]
      return CopyReport(
        target: target.name, state: news?.condition ?? .waiting, why: news?.why,
        nextTry: news?.nextTry.map { DateReport($0, in: state) })
    }
    let all = made + awaited
    return all.isEmpty ? nil : all
  }
}

extension State {
  /// How many recordings have no copy elsewhere; those in the trash do not count.
  public var uncopiedCount: Int { library.root?.tally.uncopied ?? 0 }
}
