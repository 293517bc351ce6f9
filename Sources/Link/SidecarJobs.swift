// Reading the texts beside a copy, and replacing them, as state machines. A file is replaced only
// if it is still the one that was read: where a server can compare, it does; elsewhere the file is
// moved away first, under a name of this recorder's own, and compared. What a crash leaves under
// that name is merged before anything else, so that nothing that was typed is lost. Pure.
import Digest

/// What came of looking for the texts.
public enum SidecarFinding: Equatable, Sendable {
  case absent
  /// It is the version that is known.
  case unchanged
  /// It is in the job's file now.
  case found(ContentHashes, version: String?, changedSeconds: Int64?)
  /// What was moved away when this recorder was cut short is in the job's file. It is to be merged,
  /// and then removed.
  case leftOver(ContentHashes)
  case failed(LinkError)
}

/// Looks for the texts beside a copy, and reads them if they are others than those known.
public struct FindSidecarJob: RemoteMachine, Equatable, Sendable {
  private enum Stage: Equatable {
    case start, lookingForTaken, bringingBack, fetchingTaken, looking, fetching
  }

  private let name: SidecarName
  private let known: String?
  private let looksForTaken: Bool
  private var stage = Stage.start
  private var version: String?
  private var changedSeconds: Int64?

  /// - Parameters:
  ///   - known: the version that was read last.
  ///   - looksForTaken: whether this recorder may have been cut short while it replaced them.
  public init(
    _ name: SidecarName, known: String?, looksForTaken: Bool, traits: TargetTraits
  ) {
    (self.name, self.known) = (name, known)
    self.looksForTaken = looksForTaken && !traits.replacesByVersion
  }

  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<SidecarFinding> {
    guard let answer else { return lookForTaken() }
    switch (stage, answer) {
    case (.bringingBack, .done), (.bringingBack, .absent): return askVersion()
    case (.bringingBack, _):
      stage = .fetchingTaken
      return fetch(name.taken)
    case (_, .failed(let error)): return .end(.failed(error))
    case (.lookingForTaken, .version):
      stage = .bringingBack
      return .perform(.move(name.taken, to: name.file))
    case (.lookingForTaken, .absent): return askVersion()
    case (.fetchingTaken, .hashed(let hashes)): return .end(.leftOver(hashes))
    case (.fetchingTaken, .absent): return askVersion()
    case (.looking, .version(let version, let changed)):
      if let version, version == known { return .end(.unchanged) }
      (self.version, changedSeconds) = (version, changed)
      stage = .fetching
      return fetch(name.file)
    case (.looking, .absent): return .end(.absent)
    case (.fetching, .hashed(let hashes)):
      return .end(.found(hashes, version: version, changedSeconds: changedSeconds))
    case (.fetching, .absent): return .end(.failed(.othersWrite(name.file)))
    case (.fetching, .tooLong), (.fetchingTaken, .tooLong):
      return .end(.failed(.sidecarTooLong(name.file)))
    default: return .end(.failed(.unexpected("read the texts")))
    }
  }

  private mutating func lookForTaken() -> RemoteStep<SidecarFinding> {
    guard looksForTaken else { return askVersion() }
    stage = .lookingForTaken
    return .perform(.version(name.taken))
  }

  private mutating func askVersion() -> RemoteStep<SidecarFinding> {
    stage = .looking
    return .perform(.version(name.file))
  }

  private func fetch(_ name: RemoteName) -> RemoteStep<SidecarFinding> {
    .perform(.fetch(name, atMost: Int64(Sidecar.bytesMaximum), soundFrom: 0))
  }
}

/// What the texts of a recording are called. The name never changes, whatever the recording is
/// called and wherever it is moved: so two recorders that have it find the same file.
public struct SidecarName: Equatable, Sendable {
  public let file: RemoteName
  /// What they are called while this recorder replaces them. No other uses that name.
  public let taken: RemoteName

  /// The folder of all texts.
  public static let folder = "texts"

  /// - Parameter recorder: digits that no other recorder has.
  public init(
    of id: String, number: Int?, below prefix: [String], recorder: String
  ) throws(LinkError) {
    let digits = number.map { String(repeating: "0", count: max(0, 4 - "\($0)".count)) + "\($0)-" }
    let name = (digits ?? "") + id.prefix { $0 != "-" }
    file = try RemoteName(prefix + [Self.folder, name + ".json"])
    taken = try RemoteName(prefix + [Self.folder, "\(name).\(recorder).old"])
  }
}

/// What came of replacing the texts.
public enum SidecarReplacement: Equatable, Sendable {
  case done
  /// They are not what was read any more: they must be read and merged again.
  case changed
  case failed(LinkError)
}

/// Writes the texts beside a copy: anew, or in place of those that were read.
public struct ReplaceSidecarJob: RemoteMachine, Equatable, Sendable {
  /// What was read.
  public struct Former: Equatable, Sendable {
    let hashes: ContentHashes
    let version: String?

    public init(_ hashes: ContentHashes, version: String?) {
      (self.hashes, self.version) = (hashes, version)
    }
  }

  private enum Stage: Equatable {
    case start, sending
    case making([RemoteName])
    case taking, lookingAfterTaking, comparing
    case givingBack(SidecarReplacement)
    case publishing
    case lookingAfterPublishing(LinkError)
    case removing(SidecarReplacement)
    case cleaning(SidecarReplacement)
  }

  private let name: SidecarName
  private let content: Content
  private let former: Former?
  private let traits: TargetTraits
  private var stage = Stage.start
  private var hasMadeFolders = false

  public init(
    _ content: Content, to name: SidecarName, former: Former?, traits: TargetTraits
  ) {
    (self.content, self.name) = (content, name)
    (self.former, self.traits) = (former, traits)
  }

  private var part: RemoteName { name.taken.part }

  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<SidecarReplacement> {
    guard let answer else { return send() }
    switch stage {
    case .start: return send()
    case .sending: return afterSending(answer)
    case .making(let folders): return make(folders, after: answer)
    case .taking: return afterTaking(answer)
    case .lookingAfterTaking: return afterLooking(answer)
    case .comparing: return afterComparing(answer)
    case .givingBack(let outcome): return clean(outcome)
    case .publishing: return afterPublishing(answer)
    case .lookingAfterPublishing(let error): return afterLookingAgain(answer, error)
    case .removing(let outcome): return afterRemoving(answer, outcome)
    case .cleaning(let outcome): return .end(outcome)
    }
  }

  private mutating func send() -> RemoteStep<SidecarReplacement> {
    stage = .sending
    if traits.hasParts { return .perform(.send(part, content, resumes: false)) }
    guard let former else { return .perform(.send(name.file, content, resumes: false)) }
    return .perform(.replace(name.file, content, version: former.version ?? ""))
  }

  private mutating func afterSending(_ answer: RemoteAnswer) -> RemoteStep<SidecarReplacement> {
    switch answer {
    case .sent where traits.hasParts: return former == nil ? publish() : moveAway()
    case .sent: return .end(.done)
    case .taken, .absent: return .end(.changed)
    case .folderMissing where !hasMadeFolders && !name.file.folders.isEmpty:
      hasMadeFolders = true
      return make(name.file.folders, after: .done)
    case .folderMissing: return .end(.failed(.noPlace))
    default: return failed(answer, "write the texts")
    }
  }

  private mutating func make(
    _ folders: [RemoteName], after answer: RemoteAnswer
  ) -> RemoteStep<SidecarReplacement> {
    switch answer {
    case .done, .taken: break
    default: return failed(answer, "make a folder")
    }
    guard let first = folders.first else { return send() }
    stage = .making(Array(folders.dropFirst()))
    return .perform(.makeFolder(first))
  }

  // MARK: Taking the old ones away

  private mutating func moveAway() -> RemoteStep<SidecarReplacement> {
    stage = .taking
    return .perform(.move(name.file, to: name.taken))
  }

  private mutating func afterTaking(_ answer: RemoteAnswer) -> RemoteStep<SidecarReplacement> {
    switch answer {
    case .done: return compare()
    // Some servers don't say why a rename failed; and its answer may have been lost.
    case .failed(let error) where error.scope == .recording:
      stage = .lookingAfterTaking
      return .perform(.version(name.file))
    case .failed(let error): return clean(.failed(error))
    // It is gone, or an earlier one is left over, which comes first.
    default: return clean(.changed)
    }
  }

  private mutating func afterLooking(_ answer: RemoteAnswer) -> RemoteStep<SidecarReplacement> {
    if case .absent = answer { return compare() }
    return clean(.changed)
  }

  private mutating func compare() -> RemoteStep<SidecarReplacement> {
    guard let former else { return publish() }
    stage = .comparing
    return .perform(.read(name.taken, Content(hashes: former.hashes, soundFrom: 0)))
  }

  private mutating func afterComparing(_ answer: RemoteAnswer) -> RemoteStep<SidecarReplacement> {
    switch answer {
    case .hashed(let hashes) where hashes == former?.hashes: return publish()
    case .failed(let error): return giveBack(.failed(error))
    case .absent: return clean(.changed)
    default: return giveBack(.changed)
    }
  }

  /// If there are others by now, those taken away are left over, and merged next.
  private mutating func giveBack(
    _ outcome: SidecarReplacement
  ) -> RemoteStep<SidecarReplacement> {
    stage = .givingBack(outcome)
    return .perform(.move(name.taken, to: name.file))
  }

  // MARK: The new ones

  private mutating func publish() -> RemoteStep<SidecarReplacement> {
    stage = .publishing
    return .perform(.move(part, to: name.file))
  }

  /// Those taken away were merged before: they can go, whatever is there now.
  private mutating func afterPublishing(_ answer: RemoteAnswer) -> RemoteStep<SidecarReplacement> {
    let outcome: SidecarReplacement
    switch answer {
    case .done: outcome = .done
    // The name may be taken, or the answer was lost.
    case .failed(let error) where error.scope == .recording:
      stage = .lookingAfterPublishing(error)
      return .perform(.version(name.file))
    case .failed(let error): return former == nil ? clean(.failed(error)) : giveBack(.failed(error))
    default: outcome = .changed
    }
    return removeTaken(outcome)
  }

  private mutating func afterLookingAgain(
    _ answer: RemoteAnswer, _ error: LinkError
  ) -> RemoteStep<SidecarReplacement> {
    if case .version = answer { return removeTaken(.changed) }
    return former == nil ? clean(.failed(error)) : giveBack(.failed(error))
  }

  private mutating func removeTaken(
    _ outcome: SidecarReplacement
  ) -> RemoteStep<SidecarReplacement> {
    if former == nil { return outcome == .done ? .end(.done) : clean(outcome) }
    stage = .removing(outcome)
    return .perform(.remove(name.taken))
  }

  /// What stays is merged once more, so both sides have not come together yet.
  private mutating func afterRemoving(
    _ answer: RemoteAnswer, _ outcome: SidecarReplacement
  ) -> RemoteStep<SidecarReplacement> {
    if case .failed(let error) = answer { return clean(.failed(error)) }
    return outcome == .done ? .end(.done) : clean(outcome)
  }

  private mutating func clean(
    _ outcome: SidecarReplacement
  ) -> RemoteStep<SidecarReplacement> {
    stage = .cleaning(outcome)
    return .perform(.remove(part))
  }

  private func failed(_ answer: RemoteAnswer, _ what: String) -> RemoteStep<SidecarReplacement> {
    if case .failed(let error) = answer { return .end(.failed(error)) }
    return .end(.failed(.unexpected(what)))
  }
}

extension LinkError {
  static func othersWrite(_ name: RemoteName) -> LinkError {
    LinkError(
      .busy, .recording,
      "Another program is writing “\(name.file)”; it is looked at again later.")
  }

  public static func keepsChanging(_ name: RemoteName) -> LinkError {
    LinkError(
      .busy, .recording, "“\(name.file)” keeps changing; it is looked at again later.")
  }

  public static func foreign(_ name: RemoteName) -> LinkError {
    LinkError(
      .name, .recording,
      "“\(name.file)” is about another recording; move it away, or correct its \"id\".")
  }

  public static func unwritable(_ name: RemoteName) -> LinkError {
    LinkError(.source, .recording, "“\(name.file)” cannot be written as JSON.")
  }

  /// The recorder did not take over what was edited at the target.
  public static func waits(_ why: String, at target: String) -> LinkError {
    LinkError(.source, .recording, "What was edited at \(target) waits: \(why)")
  }

  static func sidecarTooLong(_ name: RemoteName) -> LinkError {
    LinkError(
      .source, .recording,
      "“\(name.file)” is longer than 256 KiB and is not read; shorten it, or delete it.")
  }
}
