// What the queue of a target works on: recordings as the recorder lists them, and what came of the
// work on one. Plain values, for any thread.
import Digest

/// A recording that a target lacks, or has under an old name, as the recorder lists it.
public struct QueuedRecording: Equatable, Sendable {
  /// One for each track.
  public struct File: Equatable, Sendable {
    public let track: String
    /// Its directories and its name on the card.
    public let path: [String]
    public let sizeBytes: Int64
    public let soundFrom: Int64
    /// The hash of its sound.
    public let sound: SHA256.Sum

    public init(
      track: String, path: [String], sizeBytes: Int64, soundFrom: Int64, sound: SHA256.Sum
    ) {
      (self.track, self.path, self.sizeBytes) = (track, path, sizeBytes)
      (self.soundFrom, self.sound) = (soundFrom, sound)
    }
  }

  public let id: String
  public let folder: String
  /// The path of its folder, such as `/Interviews/May`.
  public let folderPath: String
  public let files: [File]
  /// What the target has of it; nil if it has no copy.
  public let copy: Copy?
  /// Its texts; nil if the target gets none.
  public let words: QueuedTexts?

  /// A copy that was verified.
  public struct Copy: Equatable, Sendable {
    /// What the target calls the first file.
    public let remote: String
    /// The path of that file on the card when it was copied.
    public let file: String
    /// When it was last read back, in seconds since 1970.
    public let verifiedSeconds: Int64

    public init(remote: String, file: String, verifiedSeconds: Int64) {
      (self.remote, self.file, self.verifiedSeconds) = (remote, file, verifiedSeconds)
    }
  }

  public init(
    id: String, folder: String, folderPath: String, files: [File], copy: Copy?,
    words: QueuedTexts? = nil
  ) {
    (self.id, self.folder, self.folderPath) = (id, folder, folderPath)
    (self.files, self.copy, self.words) = (files, copy, words)
  }

  /// What is to be done about it next.
  enum Task: Equatable { case send, rename, describe }

  var task: Task {
    guard let copy else { return .send }
    let isMoved = copy.file != files[0].path.joined(separator: "/")
    return isMoved && words?.texts.isDeleted != true ? .rename : .describe
  }
}

/// The texts of a recording as the recorder lists them.
public struct QueuedTexts: Equatable, Sendable {
  public let texts: Texts
  public let facts: SidecarFacts
  /// The recorder's checksum of the texts.
  public let sum: String
  /// The checksum of those that the target has.
  public let knownSum: String?

  public init(_ texts: Texts, _ facts: SidecarFacts, sum: String, knownSum: String?) {
    (self.texts, self.facts) = (texts, facts)
    (self.sum, self.knownSum) = (sum, knownSum)
  }
}

/// An answer of the recorder: the next recordings, and what to ask for the rest.
public struct QueuePage: Equatable, Sendable {
  public let recordings: [QueuedRecording]
  public let next: String?
  /// How many the target lacks in all.
  public let waiting: Int

  public init(_ recordings: [QueuedRecording], next: String?, waiting: Int) {
    (self.recordings, self.next, self.waiting) = (recordings, next, waiting)
  }
}

/// What came of bringing texts to where the other side has them.
public enum DescribeOutcome: Equatable, Sendable {
  /// The target has those that the recorder listed.
  case same
  /// The recording has others now; the recorder lists it again.
  case changedHere
  case failed(LinkError)
}

/// What came of looking at a copy.
public enum LookOutcome: Equatable, Sendable {
  case fine
  case changedHere
  /// It was read again, and is what was recorded.
  case reread
  /// There is none any more, or other content.
  case gone
  case failed(LinkError)
}
