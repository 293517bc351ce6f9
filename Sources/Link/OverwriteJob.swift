// A file that only this recorder writes, and writes anew: its manifest. It is sent under a
// temporary name, and takes the place of the one before, which is removed. A crash between the two
// leaves the part, and the next job sends it once more. Pure.

/// Writes a file in place of the one before.
public struct OverwriteJob: RemoteMachine, Equatable, Sendable {
  private enum Stage: Equatable {
    case start, sending, removing, publishing, sendingAgain
    case making([RemoteName])
  }

  private let name: RemoteName
  private let content: Content
  private let traits: TargetTraits
  private var stage = Stage.start
  private var hasMadeFolders = false

  public init(_ content: Content, to name: RemoteName, traits: TargetTraits) {
    (self.content, self.name, self.traits) = (content, name, traits)
  }

  private var part: RemoteName { name.part }

  /// The outcome is nil if the file is there.
  public mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<LinkError?> {
    guard let answer else { return begin() }
    if case .failed(let error) = answer { return .end(error) }
    switch (stage, answer) {
    case (.sending, .sent): return remove()
    case (.sending, .folderMissing) where !hasMadeFolders:
      hasMadeFolders = true
      return make(name.folders)
    case (.making(let folders), .done), (.making(let folders), .taken): return make(folders)
    case (.removing, .done) where !traits.hasParts, (.removing, .absent) where !traits.hasParts:
      stage = .sendingAgain
      return .perform(.send(name, content, resumes: false))
    case (.removing, .done), (.removing, .absent):
      stage = .publishing
      return .perform(.move(part, to: name))
    case (.publishing, .done), (.sendingAgain, .sent): return .end(nil)
    default: return .end(.unexpected("write the manifest"))
    }
  }

  private mutating func begin() -> RemoteStep<LinkError?> {
    if !traits.hasParts { return remove() }
    stage = .sending
    return .perform(.send(part, content, resumes: false))
  }

  private mutating func remove() -> RemoteStep<LinkError?> {
    stage = .removing
    return .perform(.remove(name))
  }

  private mutating func make(_ folders: [RemoteName]) -> RemoteStep<LinkError?> {
    guard let first = folders.first else { return begin() }
    stage = .making(Array(folders.dropFirst()))
    return .perform(.makeFolder(first))
  }
}
