// What both sides had last of each recording's texts, kept in the state directory, so that edits
// made while the program or the network was away are merged and not guessed. A line for each
// change, synced before the recorder is told. If the file is lost or damaged, texts that differ
// count as changed on both sides: then none is lost either. Waits for the disk.
import Glibc
import JSON
import Realtime

/// What is known of the texts of one recording at one target.
public struct KnownTexts: Equatable, Sendable {
  public var base: TextsBase
  /// The version that was read last; nil if it has to be read.
  public var version: String?

  public init(base: TextsBase, version: String?) {
    (self.base, self.version) = (base, version)
  }
}

/// Remembers the texts of one target's recordings.
public final class TextsMemory {
  /// Digits that no other recorder has.
  public let recorder: String
  private let path: String
  private var known: [String: KnownTexts] = [:]
  /// The checksum of a recording's texts that the target lacks, and when it was first seen.
  private var seen: [String: (texts: String, seconds: Int64)] = [:]
  private var lineCount = 0
  private var isDamaged = false

  static let bytesMaximum = 64 << 20
  private static let spareLines = 1000

  /// Reads the file. Throws only if new lines could not be kept either.
  public init(of target: String, in state: String) throws(LinkError) {
    mkdir(state + "/texts", 0o700)
    path = "\(state)/texts/\(target).jsonl"
    recorder = try Self.recorder(in: state)
    do throws(SmallFile.ReadError) {
      read(try SmallFile.bytes(of: path, atMost: Self.bytesMaximum))
    } catch { isDamaged = access(path, F_OK) == 0 }
    if isDamaged || lineCount > 2 * (known.count + seen.count) + Self.spareLines { try rewrite() }
  }

  /// Made at the first start. What was left over under other digits stays where it is.
  private static func recorder(in state: String) throws(LinkError) -> String {
    let path = state + "/texts/recorder"
    let known = try? SmallFile.bytes(of: path, atMost: 64)  // If there is none, one is made.
    if let known, known.count == 8,
      known.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    {
      return String(decoding: known, as: UTF8.self)
    }
    let digits = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
    try replace(path, with: Array(digits.utf8))
    return digits
  }

  public func texts(of id: String) -> KnownTexts? { known[id] }

  /// Keeps what both sides have now.
  public func keep(_ texts: KnownTexts, of id: String) throws(LinkError) {
    if known[id] == texts, seen[id] == nil { return }
    known[id] = texts
    seen[id] = nil
    try append([Line(id: id, texts)])
  }

  /// Returns when the program first saw that the recording has these texts.
  public func firstSeen(_ texts: String, of id: String, nowSeconds: Int64) -> Int64 {
    if let last = seen[id], last.texts == texts { return last.seconds }
    seen[id] = (texts, nowSeconds)
    // Without it, a later time counts after a restart.
    do { try append([Line(id: id, seen: texts, at: nowSeconds)]) } catch { isDamaged = true }
    return nowSeconds
  }

  public func forget(_ id: String) throws(LinkError) {
    if known[id] == nil { return }
    known[id] = nil
    try append([Line(id: id, seen: nil, at: nil)])
  }

  // MARK: The file

  private struct Line: Codable {
    let id: String
    var seen: String?
    var at: Int64?
    var version: String?
    /// In the order of `TextField`.
    var fields: [Int64]?
    var flags: [Bool]?
    var marks: [[Int64]]?

    init(id: String, seen: String?, at: Int64?) {
      (self.id, self.seen, self.at) = (id, seen, at)
    }

    init(id: String, _ texts: KnownTexts) {
      self.id = id
      version = texts.version
      fields = TextField.allCases.map { Int64(bitPattern: texts.base[$0]) }
      flags = [texts.base.isHeard, texts.base.isDeleted]
      marks = texts.base.marks.sorted { $0.key < $1.key }
        .map { [$0.key, Int64(bitPattern: $0.value)] }
    }

    var texts: KnownTexts? {
      guard let fields, fields.count == TextField.allCases.count, let flags,
        flags.count == 2
      else { return nil }
      var base = TextsBase()
      for (field, sum) in zip(TextField.allCases, fields) {
        base[field] = UInt64(bitPattern: sum)
      }
      (base.isHeard, base.isDeleted) = (flags[0], flags[1])
      for mark in marks ?? [] where mark.count == 2 {
        base.marks[mark[0]] = UInt64(bitPattern: mark[1])
      }
      return KnownTexts(base: base, version: version)
    }
  }

  private func read(_ bytes: [UInt8]) {
    if let last = bytes.last, last != 10 { isDamaged = true }
    for line in bytes.split(separator: 10) {
      lineCount += 1
      let decoded: Line
      do { decoded = try JSON.decode(Line.self, from: line) } catch {
        isDamaged = true
        continue
      }
      if let texts = decoded.texts {
        (known[decoded.id], seen[decoded.id]) = (texts, nil)
      } else if let sum = decoded.seen, let seconds = decoded.at {
        seen[decoded.id] = (sum, seconds)
      } else {
        known[decoded.id] = nil
      }
    }
  }

  private func bytes(of lines: [Line]) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines {
      // Texts and whole numbers can always be written.
      do { bytes += try JSON.encode(line) + [10] } catch { isDamaged = true }
    }
    return bytes
  }

  private func append(_ lines: [Line]) throws(LinkError) {
    lineCount += lines.count
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let descriptor = open(path, flags, 0o600)
    if descriptor < 0 { throw .cannotRemember(errno) }
    let file = OpenedFile(owning: descriptor)
    // With O_APPEND the position does not count.
    let failure = bytes(of: lines).withUnsafeBytes { file.write($0, at: 0) }
    if let failure { throw .cannotRemember(failure.errorNumber) }
    if fdatasync(file.descriptor) != 0 { throw .cannotRemember(errno) }
  }

  private func rewrite() throws(LinkError) {
    let lines =
      known.sorted { $0.key < $1.key }.map { Line(id: $0.key, $0.value) }
      + seen.sorted { $0.key < $1.key }
      .map { Line(id: $0.key, seen: $0.value.texts, at: $0.value.seconds) }
    try Self.replace(path, with: bytes(of: lines))
    (lineCount, isDamaged) = (lines.count, false)
  }

  private static func replace(_ path: String, with bytes: [UInt8]) throws(LinkError) {
    if let number = SmallFile.replace(path, with: bytes, mode: 0o600) {
      throw .cannotRemember(number)
    }
  }
}

extension LinkError {
  static func cannotRemember(_ number: Int32) -> LinkError {
    LinkError(
      .system, .target, number: Int(number),
      "What was last merged cannot be kept in the state directory: \(systemWords(for: number)).")
  }
}
