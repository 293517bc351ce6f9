// What the store asks of a card: little enough that a card in memory, which loses power, tears
// writes and fills up, can be put under the very same code. Called on the card's thread only, and
// every call may take as long as the card likes. Paths are relative to the root folder, "" is the
// root itself, and none begins or ends with a slash.

import Tape

public protocol FileSystem: Sendable {
  /// Closed when the last reference goes.
  associatedtype File: TapeFile & Sendable

  func open(_ path: String, _ mode: OpenMode) throws(TapeError) -> File
  /// From now on what is read of a file is what the card has. What could not be written is shown
  /// as if it had been, even to a process that comes later and was told of no failure.
  func forgetUnwritten(_ path: String)
  /// What is in a directory, in no order, without "." and "..".
  func list(_ path: String) throws(TapeError) -> [FileEntry]
  /// The same without what takes a look at each file; names that are no valid UTF-8 are left out.
  func names(_ path: String) throws(TapeError) -> [(name: String, kind: FileEntry.Kind)]
  /// Nil when there is nothing of that name. Never follows a symbolic link.
  func entry(_ path: String) throws(TapeError) -> FileEntry?
  /// Fails with EEXIST when there is something of that name.
  func makeDirectory(_ path: String) throws(TapeError)
  /// Fails with EEXIST rather than replace anything. After a cut the file is whole under one of the
  /// names or both: see `settleRename`.
  func rename(_ path: String, to target: String) throws(TapeError)
  /// A name that is no valid UTF-8 can be said in bytes only: gives it one that can be read.
  func rename(rawName: [UInt8], in directory: String, to name: String) throws(TapeError)
  func remove(_ path: String) throws(TapeError)
  func removeDirectory(_ path: String) throws(TapeError)
  /// Returns once the names in the directory are on the disk, as far as its kind of file system
  /// keeps any such promise.
  func syncDirectory(_ path: String) throws(TapeError)
  func space() throws(TapeError) -> FileSpace
  /// Whether a folder that is renamed has one of its two names after a cut, whatever happens.
  var renamesFoldersSafely: Bool { get }
  /// Whether renaming a file takes as long as copying it.
  var copiesToRename: Bool { get }
}

extension FileSystem {
  public var copiesToRename: Bool { false }

  public func names(_ path: String) throws(TapeError) -> [(name: String, kind: FileEntry.Kind)] {
    try list(path).compactMap { entry in entry.name.map { ($0, entry.kind) } }
  }
}

public enum OpenMode: Sendable {
  case read, change
  /// Makes it; fails with EEXIST when there is something of that name.
  case create
}

public struct FileEntry: Equatable, Sendable {
  public enum Kind: Sendable { case file, directory, other }

  public let rawName: [UInt8]
  public let kind: Kind
  public let byteCount: Int64
  /// Nanoseconds since 1970.
  public let modified: Int64

  public init(rawName: [UInt8], kind: Kind, byteCount: Int64, modified: Int64) {
    self.rawName = rawName
    self.kind = kind
    self.byteCount = byteCount
    self.modified = modified
  }

  /// Nil when it is no valid UTF-8.
  public var name: String? { String(validating: rawName, as: UTF8.self) }
}

public struct FileSpace: Equatable, Sendable {
  public let freeBytes: Int64
  public let totalBytes: Int64
  public let isReadOnly: Bool
  /// What is written is in memory, and gone after a restart.
  public let isVolatile: Bool

  public init(
    freeBytes: Int64, totalBytes: Int64, isReadOnly: Bool, isVolatile: Bool = false
  ) {
    self.freeBytes = freeBytes
    self.totalBytes = totalBytes
    self.isReadOnly = isReadOnly
    self.isVolatile = isVolatile
  }
}
