// One copy as a state machine: probe, send under a temporary name, rename, read back, compare. Only
// bytes that were read back and are the same make a copy verified; no answer of a server does. It
// never replaces a file, and it removes only what it has sent itself. Pure: a lost answer or a
// power cut is repaired by the next job, which finds what this one left.

/// What came of a copy.
public enum CopyOutcome: Equatable, Sendable {
  case verified(CopyReceipt)
  case failed(LinkError)
}

/// A copy that was read back.
public struct CopyReceipt: Equatable, Sendable {
  public let name: RemoteName
  public let hashes: ContentHashes
  /// It was there before; nothing was sent.
  public let wasThere: Bool
  /// The sound is the same, the tags at the target are older.
  public let hasOlderTags: Bool
}

/// Copies one recording to one target.
public struct CopyJob: RemoteMachine, Equatable, Sendable {
  private enum Stage: Equatable {
    case start, sending, publishing, reading
    case checking(NameCheck)
    case sendingPieces(PiecesUpload)
    case making([RemoteName])
    case probingAfterMove(LinkError)
    case removingWrong
    case removingPart(CopyOutcome)
  }

  private let wanted: RemoteName
  private let content: Content
  private let traits: TargetTraits
  private var stage = Stage.start
  private var number = 1
  private var hasPart = false
  private var mayResume: Bool
  /// Of an upload in pieces.
  private var mayGoOn = true
  private var takesPieces = true
  private var hasResumed = false
  private var hasMadeFolders = false
  private var restarts = 0

  /// Names with more numbers than this are a mistake of another program.
  static let numbersMaximum = 50
  private static let restartsMaximum = 2

  public init(_ content: Content, to name: RemoteName, traits: TargetTraits) {
    wanted = name
    self.content = content
    self.traits = traits
    mayResume = traits.resumes && traits.hasParts
  }

  private var name: RemoteName { wanted.numbered(number) }
  private var part: RemoteName { wanted.part(of: content.hashes) }

  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<CopyOutcome> {
    guard let answer else { return check() }
    switch stage {
    case .start: return check()
    case .checking(let check): return goOn(check, answer)
    case .sending: return afterSending(answer)
    case .sendingPieces(let upload): return goOn(upload, answer)
    case .making(let folders): return afterMaking(answer, folders)
    case .publishing: return afterPublishing(answer)
    case .probingAfterMove(let error):
      if case .present = answer { return check(isThere: true) }
      return end(.failed(error))
    case .reading: return afterReading(answer)
    case .removingWrong: return afterRemovingWrong()
    case .removingPart(let outcome): return end(outcome)
    }
  }

  // MARK: Steps

  private mutating func check(isThere: Bool = false) -> RemoteStep<CopyOutcome> {
    goOn(NameCheck(of: name, content, isThere: isThere), nil)
  }

  private mutating func goOn(
    _ check: NameCheck, _ answer: RemoteAnswer?
  ) -> RemoteStep<CopyOutcome> {
    var check = check
    switch check.next(answer) {
    case .perform(let operation):
      stage = .checking(check)
      return .perform(operation)
    case .end(.free): return hasPart ? publish() : send()
    case .end(.same(let hashes)): return endWithoutPart(verified(hashes, wasThere: true))
    case .end(.other): return tryNextName()
    case .end(.gone): return restart()
    case .end(.failed(let error)): return end(.failed(error))
    }
  }

  private mutating func send() -> RemoteStep<CopyOutcome> {
    let name = traits.hasParts ? part : name
    if takesPieces, let pieces = content.pieces {
      return goOn(PiecesUpload(content, pieces, to: name, resumes: mayGoOn), nil)
    }
    stage = .sending
    return .perform(.send(name, content, resumes: mayResume))
  }

  private mutating func goOn(
    _ upload: PiecesUpload, _ answer: RemoteAnswer?
  ) -> RemoteStep<CopyOutcome> {
    var upload = upload
    switch upload.next(answer) {
    case .perform(let operation):
      stage = .sendingPieces(upload)
      return .perform(operation)
    case .end where upload.isRefused:
      takesPieces = false
      return send()
    case .end(let outcome): return afterSending(outcome)
    }
  }

  private mutating func publish() -> RemoteStep<CopyOutcome> {
    stage = .publishing
    return .perform(.move(part, to: name))
  }

  private mutating func readBack() -> RemoteStep<CopyOutcome> {
    stage = .reading
    return .perform(.read(name, content))
  }

  private mutating func tryNextName() -> RemoteStep<CopyOutcome> {
    number += 1
    if number > Self.numbersMaximum { return endWithoutPart(.failed(.tooManyNames(wanted))) }
    return check()
  }

  private func end(_ outcome: CopyOutcome) -> RemoteStep<CopyOutcome> { .end(outcome) }

  private mutating func endWithoutPart(_ outcome: CopyOutcome) -> RemoteStep<CopyOutcome> {
    if !hasPart { return .end(outcome) }
    stage = .removingPart(outcome)
    return .perform(.remove(part))
  }

  private func verified(_ hashes: ContentHashes, wasThere: Bool) -> CopyOutcome {
    .verified(
      CopyReceipt(
        name: name, hashes: hashes, wasThere: wasThere,
        hasOlderTags: !content.isSame(as: hashes)))
  }

  private func end(_ answer: RemoteAnswer, _ operation: String) -> RemoteStep<CopyOutcome> {
    if case .failed(let error) = answer { return .end(.failed(error)) }
    return .end(.failed(.unexpected(operation)))
  }

  // MARK: Answers

  /// Begins anew: another program moves files at the target.
  private mutating func restart() -> RemoteStep<CopyOutcome> {
    restarts += 1
    return restarts > Self.restartsMaximum ? .end(.failed(.unexpected("read"))) : check()
  }

  private mutating func afterSending(_ answer: RemoteAnswer) -> RemoteStep<CopyOutcome> {
    switch answer {
    case .sent(let hashes, let resumedFrom):
      hasPart = traits.hasParts
      hasResumed = resumedFrom > 0
      if !hasResumed, let hashes, hashes != content.hashes {
        // A server that is content before it has all of the file keeps none of it.
        let isCut = hashes.length < content.hashes.length
        return endWithoutPart(.failed(isCut ? .unexpected("send") : .sourceChanged))
      }
      return traits.hasParts ? publish() : readBack()
    case .folderMissing where !hasMadeFolders && !wanted.folders.isEmpty:
      hasMadeFolders = true
      return make(wanted.folders)
    case .folderMissing: return .end(.failed(.noPlace))
    case .taken: return check(isThere: true)
    // Some servers refuse to go on with a file.
    case .failed(let error) where mayResume && error.code == .server:
      mayResume = false
      return send()
    default: return end(answer, "send")
    }
  }

  private mutating func make(_ folders: [RemoteName]) -> RemoteStep<CopyOutcome> {
    guard let first = folders.first else { return send() }
    stage = .making(Array(folders.dropFirst()))
    return .perform(.makeFolder(first))
  }

  private mutating func afterMaking(
    _ answer: RemoteAnswer, _ folders: [RemoteName]
  ) -> RemoteStep<CopyOutcome> {
    switch answer {
    case .done, .taken: make(folders)
    case .folderMissing: .end(.failed(.noPlace))
    default: end(answer, "make a folder")
    }
  }

  private mutating func afterPublishing(_ answer: RemoteAnswer) -> RemoteStep<CopyOutcome> {
    switch answer {
    case .done:
      hasPart = false
      return readBack()
    case .taken: return check(isThere: true)
    // The answer to an earlier rename was lost, or another program took the file.
    case .absent:
      hasPart = false
      return restart()
    case .failed(let error) where traits.moveIsVague && error.scope == .recording:
      stage = .probingAfterMove(error)
      return .perform(.probe(name))
    default: return end(answer, "rename")
    }
  }

  private mutating func afterReading(_ answer: RemoteAnswer) -> RemoteStep<CopyOutcome> {
    switch answer {
    case .hashed(let hashes) where content.isSame(as: hashes):
      return end(verified(hashes, wasThere: false))
    case .hashed, .tooLong:
      stage = .removingWrong
      return .perform(.remove(name))
    case .absent: return end(.failed(.mismatch))
    default: return end(answer, "read back")
    }
  }

  /// What was sent by this job is gone. An upload that had gone on is sent once more from its
  /// beginning: what was there before may have been damaged.
  private mutating func afterRemovingWrong() -> RemoteStep<CopyOutcome> {
    guard hasResumed else { return end(.failed(.mismatch)) }
    (mayResume, mayGoOn) = (false, false)
    return send()
  }
}

extension LinkError {
  static let mismatch = LinkError(
    .mismatch, .recording,
    "What was read back is not what was sent; the recording is sent again later.")
  static let sourceChanged = LinkError(
    .source, .recording,
    "The recording changed while it was sent; it is sent again later.")
  static let noPlace = LinkError(
    .configuration, .recording,
    "The folder of the target is not there and cannot be made; check its 'url' or 'path'.")

  static func tooManyNames(_ name: RemoteName) -> LinkError {
    LinkError(
      .name, .recording,
      "There are too many files named “\(name.file)” at the target; rename the recording.")
  }

  static func unexpected(_ operation: String) -> LinkError {
    LinkError(
      .server, .recording,
      "The server's answers to “\(operation)” contradict each other; check what else writes there.")
  }
}
