// What a job asks of a target, and what the target answers: the language between the state machines
// of jobs, which know no protocol, and targets, which know nothing else. Plain values.
import Digest

/// A step of a job. Each is one transfer, or one task on a mounted disk.
public enum RemoteOperation: Equatable, Sendable {
  /// Asks whether there is a file of that name.
  case probe(RemoteName)
  case makeFolder(RemoteName)
  /// Sends the content under that name. Where names don't appear before they are whole, it never
  /// replaces a file.
  case send(RemoteName, Content, resumes: Bool)
  /// Renames; never replaces a file.
  case move(RemoteName, to: RemoteName)
  /// Copies at the target; never replaces a file.
  case duplicate(RemoteName, to: RemoteName)
  /// Reads a file back, and hashes it.
  case read(RemoteName, Content)
  /// Reads a file into the job's file.
  case fetch(RemoteName, atMost: Int64, soundFrom: Int64)
  case remove(RemoteName)
  /// Lists the files of a folder, behind the one named if the target answers in pages.
  case list(RemoteName, after: String?)
  /// Asks which version of a file is there.
  case version(RemoteName)
  /// Writes a file in place of one that is of that version; only for targets that can compare it.
  case replace(RemoteName, Content, version: String)
  /// A step of sending a file in pieces; only for targets that put pieces together.
  case pieces(RemoteName, Content, Pieces, PieceOperation)
}

/// What a file consists of, as the store knows it.
public struct Content: Equatable, Sendable {
  public let hashes: ContentHashes
  public let soundFrom: Int64
  /// Of all bytes; only for a target that has to send it.
  public let whole: SHA256.Sum?
  /// Of a large file for a target that takes pieces.
  public let pieces: Pieces?

  public init(
    hashes: ContentHashes, soundFrom: Int64, whole: SHA256.Sum? = nil, pieces: Pieces? = nil
  ) {
    (self.hashes, self.soundFrom) = (hashes, soundFrom)
    (self.whole, self.pieces) = (whole, pieces)
  }

  /// Whether it is this content, to the byte.
  func isSame(as other: ContentHashes) -> Bool { hashes == other }

  /// Whether it is this sound; the tags before it may be older.
  func isSameSound(as other: ContentHashes) -> Bool {
    hashes.length == other.length && hashes.sound == other.sound
  }
}

/// What a target answers.
public enum RemoteAnswer: Equatable, Sendable {
  case done
  /// An upload ended; `hashes` are of what was sent from `resumedFrom` on.
  case sent(ContentHashes?, resumedFrom: Int64)
  case absent
  /// The length, if the target says it.
  case present(Int64?)
  /// There is a file of that name, or of another version.
  case taken
  /// A text that is another one whenever the file is, if the target has such, and when the file was
  /// changed.
  case version(String?, changedSeconds: Int64?)
  case folderMissing
  case hashed(ContentHashes)
  /// The file is longer than it may be.
  case tooLong
  /// The names of files, and whether there are more behind the last.
  case names([String], hasMore: Bool)
  /// What the server calls an upload in pieces.
  case upload(String)
  /// The pieces that it has, and the number behind which there are more.
  case pieces([RemotePiece], next: Int?)
  /// A piece arrived: what the server calls it, and the hash of what was sent.
  case piece(String, SHA256.Sum?)
  case failed(LinkError)
}

/// What a target can do.
public struct TargetTraits: Equatable, Sendable {
  /// Uploads go to a temporary name first. Else a file appears under its name when it is whole.
  public var hasParts = true
  /// An upload that was cut can go on.
  public var resumes = false
  /// Renames. Else a file is copied at the target, compared, and removed.
  public var moves = true
  /// A rename that fails doesn't say whether the name is taken.
  public var moveIsVague = false
  /// Replaces a file only if it is of the version that is meant. Else it is moved away before.
  public var replacesByVersion = false
  /// Uploads are signed with a hash of all bytes.
  public var signsContent = false
  /// A file that is longer is sent in pieces of so many bytes, or more; nil if there are none.
  public var pieceBytes: Int64?

  public init() {}
}

/// A state machine: an answer in, the next operation out.
public protocol RemoteMachine {
  associatedtype Outcome

  /// Returns the first step for nil, then the step after each answer.
  mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<Outcome>
}

/// What a job does next.
public enum RemoteStep<Outcome> {
  case perform(RemoteOperation)
  case end(Outcome)
}

extension RemoteStep: Equatable where Outcome: Equatable {}
extension RemoteStep: Sendable where Outcome: Sendable {}
