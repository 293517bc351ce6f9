// Reads a manifest piece by piece, of any length and in bounded memory: follows the chain of its
// lines, and hashes all of them for the signature. The caller decides what a fault means. Any
// thread, one at a time for each value.

/// Follows the lines of a manifest. A class, because Swift 6.0 does not compile it as a struct that
/// cannot be copied.
public final class ManifestReader {
  /// What is wrong with a line.
  public enum Fault: Hashable, Sendable {
    /// The bytes behind so many lines are no line.
    case unreadable(after: Int)
    /// These lines are not there.
    case missing(ClosedRange<Int>)
    /// The line is not behind the one before it.
    case misplaced(Int)
    /// The next line has another hash of this line.
    case altered(Int)
    /// The key that was named did not write the line.
    case forged(Int)
    /// The last bytes have no line end.
    case torn
  }

  /// What one line is, and its hash.
  public struct Item: Sendable {
    public let line: ManifestLine
    public let hash: SHA256.Sum
    /// The lines of the manifest up to and with this one.
    public let count: Int
  }

  /// The number of the last line so far, and its hash.
  public private(set) var last: (number: Int, hash: SHA256.Sum) = (0, .ofNothing)
  /// What the first line has before it: of nothing, or the head of another manifest.
  public private(set) var beginning: SHA256.Sum?
  /// The bytes of all lines so far, and how many lines they are.
  public private(set) var byteCount: Int64 = 0
  public private(set) var count = 0
  /// Of those bytes.
  private var blake = BLAKE2b()
  private var rest: [UInt8] = []
  private var highest = 0
  private var isInOrder = true

  private let markedCount: Int?
  private let key: SigningKey?
  /// The hash of the line of the number that was asked for, and the BLAKE2b-512 up to it.
  public private(set) var marked: (hash: SHA256.Sum, sum: [UInt8])?

  /// - Parameter count: of how many lines the sum is wanted, such as those of a signature.
  /// - Parameter key: the one that must have written each line; nil if that cannot be known.
  public init(marking count: Int? = nil, sealedBy key: SigningKey? = nil) {
    (markedCount, self.key) = (count, key)
  }

  /// The BLAKE2b-512 of all lines so far.
  public var sum: [UInt8] { blake.sum }

  /// The bytes that were added so far.
  public var bytesTaken: Int64 { byteCount + Int64(rest.count) }

  /// Whether all bytes so far are whole lines.
  public var isAtLineEnd: Bool { rest.isEmpty }

  /// Adds the next bytes. `onFault` returns whether to go on; the bytes of a line that is refused
  /// are not added.
  /// - Returns: false if a fault ended it.
  public func add(
    _ piece: UnsafeRawBufferPointer, onFault: (Fault) -> Bool, onLine: (Item) -> Void
  ) -> Bool {
    let bytes = rest + piece
    var start = 0
    var isGoingOn = true
    while isGoingOn, let end = Self.lineEnd(bytes, from: start) {
      isGoingOn = addLine(Array(bytes[start...end]), onFault, onLine)
      if isGoingOn { start = end + 1 }
    }
    rest = Array(bytes[start...])
    // More than any line, without a line end.
    if isGoingOn, rest.count >= ManifestLine.mostBytes {
      isGoingOn = onFault(.unreadable(after: count))
      if isGoingOn { skip() }
    }
    return isGoingOn
  }

  /// Adds a line that is known to follow, such as one that was just written.
  public func add(_ line: ManifestLine) {
    _ = addLine(line.bytes, { _ in preconditionFailure("it does not follow") }, { _ in })
  }

  /// The fault of the bytes behind the last line; nil if there are none.
  public var faultAtEnd: Fault? { rest.isEmpty ? nil : .torn }

  private static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    bytes[start...].prefix(ManifestLine.mostBytes).firstIndex(of: 10)
  }

  /// Counts bytes that are no line as a part of the file.
  private func skip() {
    blake.update(rest)
    byteCount += Int64(rest.count)
    rest = []
    isInOrder = false
  }

  private func addLine(
    _ bytes: [UInt8], _ onFault: (Fault) -> Bool, _ onLine: (Item) -> Void
  ) -> Bool {
    guard let line = ManifestLine(bytes.dropLast()) else {
      guard onFault(.unreadable(after: count)) else { return false }
      isInOrder = false
      count(bytes)
      return true
    }
    if let fault = fault(of: line, bytes), !onFault(fault) { return false }
    beginning = beginning ?? line.before
    (isInOrder, highest) = (true, max(highest, line.number))
    var sha256 = SHA256()
    sha256.update(bytes)
    last = (line.number, sha256.sum)
    count(bytes)
    onLine(Item(line: line, hash: last.hash, count: count))
    return true
  }

  private func count(_ bytes: [UInt8]) {
    blake.update(bytes)
    byteCount += Int64(bytes.count)
    count += 1
    if count == markedCount { marked = (last.hash, blake.sum) }
  }

  private func fault(of line: ManifestLine, _ bytes: [UInt8]) -> Fault? {
    if let key, !line.isSealed(by: key, in: bytes) { return .forged(line.number) }
    if line.number > highest + 1 { return .missing(highest + 1...line.number - 1) }
    if line.number <= highest { return .misplaced(line.number) }
    // Behind a fault there is nothing to compare with.
    guard count > 0, isInOrder, line.number == last.number + 1 else { return nil }
    return line.before == last.hash ? nil : .altered(last.number)
  }
}
