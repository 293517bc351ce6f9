// What the program that copies recordings asks of the card's room, and what it is told: which
// recordings a target lacks, and that one has arrived there and was compared. Plain values.

/// Asks which recordings a target lacks, or has under an old name, the oldest first.
public struct CopyQuery: Equatable, Codable, Sendable {
  /// Which recordings.
  public enum Scope: String, CaseIterable, Codable, Sendable {
    /// Those that the target lacks, or has under an old name.
    case lacking
    /// Also those whose texts there are older, and what is in the trash if its texts are.
    case stale
    /// Those that it has, in the trash too.
    case held
  }

  /// What is asked about, for a search that is kept.
  public struct Subject: Hashable, Sendable {
    public let target: String?
    public let scope: Scope
  }

  /// Nil: the recordings without any copy.
  public let target: String?
  public let scope: Scope
  /// The last recording of the answer before; nil for the first.
  public let after: CopyPlace?
  public let count: Int

  public init(
    target: String?, _ scope: Scope = .lacking, after: CopyPlace? = nil,
    count: Int = defaultCount
  ) {
    (self.target, self.scope, self.after) = (target, scope, after)
    self.count = min(max(count, Self.counts.lowerBound), Self.counts.upperBound)
  }

  public var subject: Subject { Subject(target: target, scope: scope) }

  public static let counts = 1...50
  public static let defaultCount = 20
}

/// A recording's place in the order of copying: by number, and by id if there is none.
public struct CopyPlace: Equatable, Codable, Sendable, Comparable {
  public let sequence: Int
  public let id: ItemID

  public init(sequence: Int, id: ItemID) {
    (self.sequence, self.id) = (sequence, id)
  }

  public init(_ recording: Recording) {
    self.init(sequence: recording.sequence ?? 0, id: recording.id)
  }

  public static func < (left: CopyPlace, right: CopyPlace) -> Bool {
    (left.sequence, left.id) < (right.sequence, right.id)
  }

  /// "41-62e2e4c1-…", as clients pass it.
  public var text: String { "\(sequence)-\(id)" }

  /// Nil if the text is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let sequence = Int(parts[0]), sequence >= 0,
      let id = ItemID(String(parts[1]))
    else { return nil }
    self.init(sequence: sequence, id: id)
  }
}

/// Some of the recordings that were asked for.
public struct CopyPage: Equatable, Codable, Sendable {
  public let recordings: [CopySource]
  /// Behind this place there may be more; nil if there are none.
  public let next: CopyPlace?
  /// How many there are in all, or at least.
  public let count: Int

  public init(_ recordings: [CopySource], next: CopyPlace?, count: Int) {
    (self.recordings, self.next, self.count) = (recordings, next, count)
  }
}

/// A recording and where it is, whether or not the library has read its folder.
public struct CopySource: Equatable, Codable, Sendable {
  public let recording: Recording
  /// The names of the folders from the root to its own, without the root's.
  public let folders: [String]
  /// Their directories on the card.
  public let directories: [String]
  public let isDeleted: Bool

  public init(
    _ recording: Recording, folders: [String], directories: [String], isDeleted: Bool = false
  ) {
    self.recording = recording
    (self.folders, self.directories) = (folders, directories)
    self.isDeleted = isDeleted
  }

  /// The path of the first track's file on the card.
  public var file: String { (directories + [recording.file ?? ""]).joined(separator: "/") }
}

/// A file of a recording, to be opened for a client.
public struct FileRequest: Equatable, Codable, Sendable {
  public let id: ItemID
  /// The folder in which the recording was; it may have moved since.
  public let folder: ItemID
  /// The name of a track; nil: the first.
  public let track: String?

  public init(_ id: ItemID, in folder: ItemID, track: String?) {
    (self.id, self.folder, self.track) = (id, folder, track)
  }
}

/// A file that was opened for a client, kept under a number until the answer is sent.
public struct ClientFile: Equatable, Codable, Sendable {
  public let number: Int
  /// The path of the file on the card.
  public let file: String
  public let sizeBytes: Int64

  public init(number: Int, file: String, sizeBytes: Int64) {
    (self.number, self.file, self.sizeBytes) = (number, file, sizeBytes)
  }
}

/// What has become of a copy.
public struct CopyNote: Equatable, Codable, Sendable {
  public let id: ItemID
  /// The folder in which the recording was; it may have moved since.
  public let folder: ItemID
  public let target: String
  public let change: Change

  public enum Change: Equatable, Codable, Sendable {
    /// It was read back: what the target calls the first track's file, the path of that file on the
    /// card when it was sent, and the hash of each file's sound, in the order of the tracks.
    case verified(remote: String, file: String, hashes: [String])
    /// It is there under another name.
    case renamed(remote: String, file: String)
    /// Its texts are there: `Recording.texts` of what was written.
    case described(texts: String)
    /// The target lost it, or has something else in its place.
    case gone
  }

  public init(_ id: ItemID, in folder: ItemID, at target: String, _ change: Change) {
    (self.id, self.folder, self.target, self.change) = (id, folder, target, change)
  }
}

/// The copies that a recording has now.
public struct CopyResult: Equatable, Codable, Sendable {
  public let id: ItemID
  public let copies: [RecordingCopy]
  /// The folders from the root to its own, and what changed in their counts: the library may not
  /// have read them.
  public let path: [ItemID]
  public let difference: Tally
  public let title: String
  /// The target that has lost its copy.
  public let lost: String?

  public init(
    _ id: ItemID, _ copies: [RecordingCopy], path: [ItemID], difference: Tally,
    title: String = "", lost: String? = nil
  ) {
    (self.id, self.copies, self.path, self.difference) = (id, copies, path, difference)
    (self.title, self.lost) = (title, lost)
  }
}
