// A rename as a state machine. A rename at the box becomes one at the target, never a second
// upload; where a target cannot rename, it copies by itself, the copy is compared, and only then
// the old name is removed. Pure.

/// What came of a rename.
public enum RenameOutcome: Equatable, Sendable {
  case renamed(RemoteName)
  /// There is no file of the old name: the recording has no copy there.
  case missing
  case failed(LinkError)
}

/// Renames one copy at one target.
public struct RenameJob: RemoteMachine, Equatable, Sendable {
  private enum Stage: Equatable {
    case start, moving, comparing, removing
    case checking(NameCheck)
    case making([RemoteName])
    case probingAfterMove(LinkError)
  }

  private let old: RemoteName
  private let wanted: RemoteName
  private let content: Content
  private let traits: TargetTraits
  private var stage = Stage.start
  private var number = 1
  private var hasMadeFolders = false

  public init(
    _ old: RemoteName, to name: RemoteName, _ content: Content, traits: TargetTraits
  ) {
    self.old = old
    wanted = name
    self.content = content
    self.traits = traits
  }

  private var name: RemoteName { wanted.numbered(number) }

  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<RenameOutcome> {
    if wanted == old { return .end(.renamed(old)) }
    guard let answer, stage != .start else { return check() }
    if case .checking(let check) = stage { return goOn(check, answer) }
    if case .failed(let error) = answer { return afterFailure(error) }
    switch (stage, answer) {
    case (.moving, .taken), (.probingAfterMove, .present): return check(isThere: true)
    case (.moving, .done): return traits.moves ? .end(.renamed(name)) : compare()
    case (.moving, .absent): return .end(.missing)
    case (.making, .folderMissing): return .end(.failed(.noPlace))
    case (.making(let folders), .done), (.making(let folders), .taken): return make(folders)
    case (.probingAfterMove(let error), .absent): return .end(.failed(error))
    case (.comparing, .hashed(let hashes)) where content.isSameSound(as: hashes): return finish()
    case (.comparing, _): return .end(.failed(.mismatch))
    case (.removing, _): return .end(.renamed(name))
    default: return .end(.failed(.unexpected("rename")))
    }
  }

  private mutating func check(isThere: Bool = false) -> RemoteStep<RenameOutcome> {
    goOn(NameCheck(of: name, content, isThere: isThere), nil)
  }

  private mutating func goOn(
    _ check: NameCheck, _ answer: RemoteAnswer?
  ) -> RemoteStep<RenameOutcome> {
    var check = check
    switch check.next(answer) {
    case .perform(let operation):
      stage = .checking(check)
      return .perform(operation)
    case .end(.free): return move()
    // It was renamed before, and the answer was lost.
    case .end(.same): return finish()
    case .end(.other): return tryNextName()
    case .end(.gone): return .end(.failed(.unexpected("rename")))
    case .end(.failed(let error)): return .end(.failed(error))
    }
  }

  private mutating func tryNextName() -> RemoteStep<RenameOutcome> {
    number += 1
    if number > CopyJob.numbersMaximum { return .end(.failed(.tooManyNames(wanted))) }
    // The copy has that name: what is wanted is taken by another file.
    if name == old { return .end(.renamed(old)) }
    return check()
  }

  /// Servers don't agree on what they say of a missing folder, so it is made before.
  private mutating func move() -> RemoteStep<RenameOutcome> {
    if !hasMadeFolders, wanted.folders.last != old.folders.last {
      hasMadeFolders = true
      return make(wanted.folders)
    }
    stage = .moving
    return .perform(traits.moves ? .move(old, to: name) : .duplicate(old, to: name))
  }

  private mutating func make(_ folders: [RemoteName]) -> RemoteStep<RenameOutcome> {
    guard let first = folders.first else { return move() }
    stage = .making(Array(folders.dropFirst()))
    return .perform(.makeFolder(first))
  }

  private mutating func compare() -> RemoteStep<RenameOutcome> {
    stage = .comparing
    return .perform(.read(name, content))
  }

  /// The new name is good; where targets copy, the old one may be left.
  private mutating func finish() -> RemoteStep<RenameOutcome> {
    if traits.moves { return .end(.renamed(name)) }
    stage = .removing
    return .perform(.remove(old))
  }

  private mutating func afterFailure(_ error: LinkError) -> RemoteStep<RenameOutcome> {
    // The copy is good; what is left of the old name is removed by the next rename.
    if stage == .removing { return .end(.renamed(name)) }
    guard stage == .moving, traits.moveIsVague, error.scope == .recording else {
      return .end(.failed(error))
    }
    stage = .probingAfterMove(error)
    return .perform(.probe(name))
  }
}
