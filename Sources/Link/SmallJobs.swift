// Jobs of one step, as state machines: fetching a copy, looking whether it is still there and
// whole, and removing it. Pure.

/// What came of fetching a copy.
public enum FetchOutcome: Equatable, Sendable {
  case fetched(ContentHashes)
  case missing
  case failed(LinkError)
}

/// Fetches one file from a target; the caller compares its hashes, and makes the recording.
public struct FetchJob: RemoteMachine, Equatable, Sendable {
  private let name: RemoteName
  private let limit: Int64
  private let soundFrom: Int64

  public init(_ name: RemoteName, atMost limit: Int64, soundFrom: Int64) {
    self.name = name
    self.limit = limit
    self.soundFrom = soundFrom
  }

  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<FetchOutcome> {
    switch answer {
    case nil: .perform(.fetch(name, atMost: limit, soundFrom: soundFrom))
    case .hashed(let hashes): .end(.fetched(hashes))
    case .absent: .end(.missing)
    case .failed(let error): .end(.failed(error))
    default: .end(.failed(.unexpected("read")))
    }
  }
}

/// What came of listing a folder.
public enum ListOutcome: Equatable, Sendable {
  /// In no order; none if there is no such folder.
  case names([String])
  case failed(LinkError)
}

/// Lists the files of a folder.
public struct ListJob: RemoteMachine, Equatable, Sendable {
  private let folder: RemoteName
  private var names: [String] = []

  public init(_ folder: RemoteName) { self.folder = folder }

  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<ListOutcome> {
    switch answer {
    case nil: return .perform(.list(folder, after: nil))
    case .names(let more, let hasMore):
      names += more
      // A server that repeats itself is not asked for ever.
      let isNew = more.last.map { $0 != names.dropLast(more.count).last } ?? false
      if hasMore, isNew, names.count < RemoteListing.namesMaximum {
        return .perform(.list(folder, after: more.last))
      }
      return .end(.names(names))
    case .absent: return .end(.names([]))
    case .failed(let error): return .end(.failed(error))
    default: return .end(.failed(.unexpected("list")))
    }
  }
}

/// Removes one file: a trial copy.
public struct RemoveJob: RemoteMachine, Equatable, Sendable {
  private let name: RemoteName

  public init(_ name: RemoteName) { self.name = name }

  /// The outcome is nil if the file is gone.
  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<LinkError?> {
    switch answer {
    case nil: .perform(.remove(name))
    case .done, .absent: .end(nil)
    case .failed(let error): .end(error)
    default: .end(.unexpected("remove"))
    }
  }
}

/// What an audit found.
public enum AuditOutcome: Equatable, Sendable {
  /// The sound is there; the tags may be older.
  case whole
  case missing
  /// There is other content of that name.
  case changed
  case failed(LinkError)
}

/// Looks whether a copy is still there, long after it was verified, or reads it again. A copy that
/// is missing or changed is none: the recording is to be copied anew.
public struct AuditJob: RemoteMachine, Equatable, Sendable {
  private let name: RemoteName
  private let content: Content
  private let reads: Bool

  public init(_ name: RemoteName, _ content: Content, reads: Bool = true) {
    (self.name, self.content, self.reads) = (name, content, reads)
  }

  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<AuditOutcome> {
    switch answer {
    case nil: .perform(reads ? .read(name, content) : .probe(name))
    // Its length says little: its tags may be older.
    case .present: .end(.whole)
    case .hashed(let hashes): .end(content.isSameSound(as: hashes) ? .whole : .changed)
    case .tooLong: .end(.changed)
    case .absent: .end(.missing)
    case .failed(let error): .end(.failed(error))
    default: .end(.failed(.unexpected("read")))
    }
  }
}
