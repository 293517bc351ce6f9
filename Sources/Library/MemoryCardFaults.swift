// Faults that a test can give a card in memory, and the card's counts. Plain values; the card reads
// the faults before each operation.

/// One operation on the card.
public struct MemoryCardOperation: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case openFile, createFile, read, write, truncate, sync, setTime
    case list, look, makeDirectory, rename, remove, removeDirectory, syncDirectory, measure

    /// Whether it changes what is on the card, or makes a change safe.
    public var isChange: Bool {
      switch self {
      case .openFile, .read, .list, .look, .measure: false
      case .createFile, .write, .truncate, .sync, .setTime, .makeDirectory, .rename, .remove,
        .removeDirectory, .syncDirectory:
        true
      }
    }
  }

  public let kind: Kind
  public let path: String
  /// From 0; every operation counts.
  public let number: Int
}

/// What was written to a card in memory.
public struct MemoryCardCounts: Equatable, Sendable {
  public var operations = 0
  /// Those that change something, or sync a change.
  public var changes = 0
  public var syncs = 0
  public var bytesRead = 0
  public var bytesWritten = 0

  public init() {}
}

/// How the card fails from now on.
public struct MemoryCardFaults: Sendable {
  /// Operations that fail, by number, with this errno.
  public var failures: [Int: Int32] = [:]
  /// Everything at this path or below it fails, with this errno.
  public var brokenPath: (path: String, errno: Int32)?
  /// How many bytes its files may hold together.
  public var capacity = 1 << 35
  public var isReadOnly = false
  /// Read-only without saying so, like a file system that stopped on an error.
  public var hidesReadOnly = false
  public var isVolatile = false
  /// On FAT: renames files without a copy; a power cut may leave half of the rename.
  public var renamesPlainly = false
  /// After so many operations the power is cut: the next one and all after it fail.
  public var cutAfter: Int?

  public init() {}

  func errno(of operation: MemoryCardOperation) -> Int32? {
    if let cutAfter, operation.number >= cutAfter { return deviceGone }
    if let errno = failures[operation.number] { return errno }
    if let (path, errno) = brokenPath, isBelow(path, operation.path) { return errno }
    return isReadOnly && isRefusedReadOnly(operation.kind) ? readOnly : nil
  }

  private func isBelow(_ path: String, _ asked: String) -> Bool {
    asked == path || asked.hasPrefix(path.isEmpty ? path : path + "/")
  }

  private func isRefusedReadOnly(_ kind: MemoryCardOperation.Kind) -> Bool {
    kind.isChange && kind != .sync && kind != .syncDirectory
  }
}
