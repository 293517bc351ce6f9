// Support for enumerating power cuts: a log of what a cut would leave before each change to a card,
// a card that leaves out syncs, and how many states a run examines.

import Glibc
import Library
import Synchronization
import Tape
import Testing

/// Logs what a cut would leave before every operation that changes the card.
final class CutLog: Sendable {
  struct Moment: Sendable {
    let cut: MemoryCardCut
    /// The index of the latest fact that is known by then.
    let fact: Int
    /// The operation that would have come next.
    let next: String
  }

  private let state = Mutex<(moments: [Moment], fact: Int)>(([], 0))

  /// Logs a moment before every change to the card from now on.
  func watch(_ card: MemoryCard) {
    card.beforeEach { [self, unowned card] operation in
      guard operation.kind.isChange else { return }
      note(card, before: "\(operation.kind) \(operation.path)")
    }
  }

  func note(_ card: MemoryCard, before next: String) {
    let cut = card.ifCutNow
    state.withLock { $0.moments.append(Moment(cut: cut, fact: $0.fact, next: next)) }
  }

  /// Sets the fact that every cut from here on has to keep.
  func know(_ fact: Int) { state.withLock { $0.fact = fact } }

  var moments: [Moment] { state.withLock { $0.moments } }
}

/// Thrown when a state after a cut breaks a promise.
struct Broken: Error, CustomStringConvertible {
  let description: String

  static func unless(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(description: sentence()) }
  }
}

/// Numbers from the environment, which scripts/test-crashes sets.
enum CrashRun {
  /// How many states to examine, in all tests together.
  static let states = number("REEL_CRASHES")

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }
}

/// A card on which some syncs do nothing: tests must catch a program that runs on it.
final class ForgetfulCard: FileSystem {
  enum Lapse: Sendable { case files, folders, journals, snapshots, manifests }

  final class File: TapeFile, Sendable {
    private let file: MemoryCardFile
    private let syncs: Bool

    init(_ file: MemoryCardFile, syncs: Bool) {
      (self.file, self.syncs) = (file, syncs)
    }

    func byteCount() throws(TapeError) -> Int64 { try file.byteCount() }
    func read(
      into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(TapeError) -> Int { try file.read(into: buffer, at: offset) }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TapeError) {
      try file.write(bytes, at: offset)
    }
    func truncate(to byteCount: Int64) throws(TapeError) { try file.truncate(to: byteCount) }
    func sync() throws(TapeError) { if syncs { try file.sync() } }
    func modified() throws(TapeError) -> Int64 { try file.modified() }
    func setModified(_ nanoseconds: Int64) throws(TapeError) { try file.setModified(nanoseconds) }
  }

  private let card: MemoryCard
  private let lapse: Lapse

  init(_ card: MemoryCard, _ lapse: Lapse) { (self.card, self.lapse) = (card, lapse) }

  func forgetUnwritten(_ path: String) { card.forgetUnwritten(path) }

  func open(_ path: String, _ mode: OpenMode) throws(TapeError) -> File {
    let forgets =
      switch lapse {
      case .files: true
      case .folders: false
      case .journals: path.hasSuffix("folder.journal")
      case .manifests: path.hasSuffix(".txt")
      case .snapshots: path.hasSuffix(".json")
      }
    return File(try card.open(path, mode), syncs: !forgets)
  }
  func list(_ path: String) throws(TapeError) -> [FileEntry] { try card.list(path) }
  func entry(_ path: String) throws(TapeError) -> FileEntry? { try card.entry(path) }
  func makeDirectory(_ path: String) throws(TapeError) { try card.makeDirectory(path) }
  func rename(_ path: String, to target: String) throws(TapeError) {
    try card.rename(path, to: target)
  }
  func rename(rawName: [UInt8], in directory: String, to name: String) throws(TapeError) {
    try card.rename(rawName: rawName, in: directory, to: name)
  }
  func remove(_ path: String) throws(TapeError) { try card.remove(path) }
  func removeDirectory(_ path: String) throws(TapeError) { try card.removeDirectory(path) }
  func syncDirectory(_ path: String) throws(TapeError) {
    if lapse != .folders { try card.syncDirectory(path) }
  }
  func space() throws(TapeError) -> FileSpace { try card.space() }
  var renamesFoldersSafely: Bool { card.renamesFoldersSafely }
}
