// The operations that the store needs from a card. Few, so that tests run the same code on a card
// in memory that loses power, tears writes and fills up. Called on the card's thread only; any call
// may block for as long as the card does. Paths are relative to the root folder, "" is the root
// itself, and none begins or ends with a slash.

import Tape

/// What the store needs of a card.
public protocol FileSystem: Sendable {
  /// Closed with its last reference.
  associatedtype File: TapeFile & Sendable

  func open(_ path: String, _ mode: OpenMode) throws(TapeError) -> File
  /// Creates a file that will grow while what it has must not be lost. It may have one byte, zero.
  func create(growing path: String) throws(TapeError) -> File
  /// Drops a file's cached bytes, so that reads return what the card has. After a failed write the
  /// cache shows bytes that were never written, even to a later process.
  func forgetUnwritten(_ path: String)
  /// A directory's entries, in no order, without "." and "..".
  func list(_ path: String) throws(TapeError) -> [FileEntry]
  /// Like `list`, without examining each file. Names that are not valid UTF-8 are left out.
  func names(_ path: String) throws(TapeError) -> [(name: String, kind: FileEntry.Kind)]
  /// Nil if the name does not exist. Never follows a symbolic link.
  func entry(_ path: String) throws(TapeError) -> FileEntry?
  /// Fails with EEXIST if the name exists.
  func makeDirectory(_ path: String) throws(TapeError)
  /// Fails with EEXIST rather than replace anything. After a power cut the file is whole under one
  /// name or both: see `settleRename`.
  func rename(_ path: String, to target: String) throws(TapeError)
  /// Gives a readable name to an entry whose own name is not valid UTF-8.
  func rename(rawName: [UInt8], in directory: String, to name: String) throws(TapeError)
  /// Opens a file for C libraries, which read it themselves; nil on a card in memory.
  func plainFile(_ path: String) throws(TapeError) -> PosixFile?
  func remove(_ path: String) throws(TapeError)
  func removeDirectory(_ path: String) throws(TapeError)
  /// Returns once the directory's names are on the disk, as far as its file system guarantees that.
  func syncDirectory(_ path: String) throws(TapeError)
  func space() throws(TapeError) -> FileSpace
  /// Whether a renamed folder has one of its two names after any power cut.
  var renamesFoldersSafely: Bool { get }
  /// Whether renaming a file takes as long as copying it.
  var copiesToRename: Bool { get }
}

extension FileSystem {
  public func create(growing path: String) throws(TapeError) -> File { try open(path, .create) }

  public var copiesToRename: Bool { false }

  public func plainFile(_ path: String) throws(TapeError) -> PosixFile? { nil }

  public func names(_ path: String) throws(TapeError) -> [(name: String, kind: FileEntry.Kind)] {
    try list(path).compactMap { entry in entry.name.map { ($0, entry.kind) } }
  }
}

/// The most bytes of a file that nothing was written to: see `create(growing:)`.
let newFileBytes: Int64 = 1

/// How a file is opened.
public enum OpenMode: Sendable {
  case read, change
  /// Creates the file; fails with EEXIST if the name exists.
  case create
}

/// An entry of a directory.
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

  /// Nil if it is not valid UTF-8.
  public var name: String? { String(validating: rawName, as: UTF8.self) }
}

/// The space of a card.
public struct FileSpace: Equatable, Sendable {
  public let freeBytes: Int64
  public let totalBytes: Int64
  public let isReadOnly: Bool
  /// Data is kept in memory and lost at a restart.
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
