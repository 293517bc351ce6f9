// Finds out what is at a target under a name: nothing, this content, or another file. A server that
// lies once must not give a recording a second copy under another name, so a file counts as another
// one only if the server says so twice in the same words. Pure.

/// Looks at one name at a target.
struct NameCheck: Equatable, Sendable {
  enum Finding: Equatable, Sendable {
    case free
    /// The sound is the same; the tags may be older.
    case same(ContentHashes)
    case other
    /// The file went while it was read.
    case gone
    case failed(LinkError)
  }

  private enum Stage: Equatable {
    case probing
    case probingAgain(Int64)
    case reading
    /// The hashes that were read before; nil if the file was too long.
    case readingAgain(ContentHashes?)
  }

  private let name: RemoteName
  private let content: Content
  private var stage: Stage
  /// The server has said that the length is that of the content.
  private var hasLength = false

  /// - Parameter isThere: the server has said that the name is taken.
  init(of name: RemoteName, _ content: Content, isThere: Bool) {
    (self.name, self.content) = (name, content)
    stage = isThere ? .reading : .probing
  }

  /// Returns the first step for nil, then the step after each answer.
  mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<Finding> {
    switch answer {
    case nil: stage == .probing ? .perform(.probe(name)) : .perform(.read(name, content))
    case .failed(let error): .end(.failed(error))
    case .absent: stage == .probing ? .end(.free) : afterAbsence()
    case .present(let length): afterProbe(length)
    case .hashed(let hashes): afterReading(hashes)
    case .tooLong: afterReading(nil)
    default: contradiction
    }
  }

  private var contradiction: RemoteStep<Finding> { .end(.failed(.unexpected("read"))) }

  private func afterAbsence() -> RemoteStep<Finding> {
    if case .probingAgain = stage { return contradiction }
    return .end(.gone)
  }

  private mutating func afterProbe(_ length: Int64?) -> RemoteStep<Finding> {
    let isOther = length.map { $0 != content.hashes.length } ?? false
    switch stage {
    case .probing where isOther:
      stage = .probingAgain(length ?? 0)
      return .perform(.probe(name))
    case .probingAgain(let before) where isOther:
      return before == length ? .end(.other) : contradiction
    case .probing, .probingAgain:
      hasLength = length != nil
      stage = .reading
      return .perform(.read(name, content))
    default: return contradiction
    }
  }

  private mutating func afterReading(_ hashes: ContentHashes?) -> RemoteStep<Finding> {
    if let hashes, content.isSameSound(as: hashes) { return .end(.same(hashes)) }
    switch stage {
    case .reading:
      if hasLength, hashes?.length != content.hashes.length { return contradiction }
      stage = .readingAgain(hashes)
      return .perform(.read(name, content))
    case .readingAgain(let before) where before == hashes: return .end(.other)
    default: return contradiction
    }
  }
}
