// What a file of texts tells besides them, and how it is written: a key on each line, the
// texts first, since people edit them. Pure.
import Digest
import JSON

/// What is fixed about a recording. It is told, and never read back.
public struct SidecarFacts: Equatable, Sendable {
  public struct File: Equatable, Sendable, Encodable {
    /// Its path at the target.
    public let file: String
    public let track: String
    public let sizeBytes: Int64
    /// Of its sound, which begins at the byte `soundFrom`.
    public let sha256: String
    public let soundFrom: Int64

    public init(
      file: String, track: String, sizeBytes: Int64, sha256: String, soundFrom: Int64
    ) {
      (self.file, self.track, self.sizeBytes) = (file, track, sizeBytes)
      (self.sha256, self.soundFrom) = (sha256, soundFrom)
    }
  }

  public let id: String
  public let number: Int?
  /// In UTC, as ISO 8601 has it.
  public let began: String?
  public let lengthMilliseconds: Int64
  public let rate: Int
  /// A JSON object: how far the recording can be trusted.
  public let integrity: [UInt8]

  public init(
    id: String, number: Int?, began: String?, lengthMilliseconds: Int64, rate: Int,
    integrity: [UInt8]
  ) {
    (self.id, self.number, self.began) = (id, number, began)
    (self.lengthMilliseconds, self.rate) = (lengthMilliseconds, rate)
    self.integrity = integrity
  }
}

extension Sidecar {
  private struct Mark: Encodable {
    let at: Double
    let frame: Int64
    let name: String
  }

  /// Returns the file's bytes.
  public static func bytes(
    _ texts: Texts, _ facts: SidecarFacts, files: [SidecarFacts.File]
  ) throws -> [UInt8] {
    let rate = Double(max(1, facts.rate))
    let marks = texts.marks.sorted { $0.key < $1.key }.map {
      Mark(at: (Double($0.key) / rate * 1000).rounded() / 1000, frame: $0.key, name: $0.value)
    }
    var members: [(String, [UInt8])] = []
    for field in [TextField.title, .folder, .notes, .place, .speaker] {
      members.append((field.rawValue, try JSON.encode(texts[field])))
    }
    members += [
      ("heard", try JSON.encode(texts.isHeard)), ("deleted", try JSON.encode(texts.isDeleted)),
      ("marks", try list(marks)), ("id", try JSON.encode(facts.id)),
    ]
    if let number = facts.number { members.append(("number", try JSON.encode(number))) }
    if let began = facts.began { members.append(("began", try JSON.encode(began))) }
    members += [
      ("lengthMilliseconds", try JSON.encode(facts.lengthMilliseconds)),
      ("rate", try JSON.encode(facts.rate)), ("files", try list(files)),
      ("integrity", facts.integrity), ("reel", try JSON.encode(1)),
    ]
    let lines = members.map { Array("  \"\($0.0)\": ".utf8) + $0.1 }
    return Array("{\n".utf8) + Array(lines.joined(separator: Array(",\n".utf8)))
      + Array("\n}\n".utf8)
  }

  /// An item on each line.
  private static func list(_ items: [some Encodable]) throws -> [UInt8] {
    if items.isEmpty { return Array("[]".utf8) }
    let lines = try items.map { Array("    ".utf8) + (try JSON.encode($0)) }
    return Array("[\n".utf8) + Array(lines.joined(separator: Array(",\n".utf8)))
      + Array("\n  ]".utf8)
  }

  /// What is sent of a file: its hashes, which targets compare.
  public static func content(of bytes: [UInt8]) -> Content {
    var hasher = ContentHasher(soundFrom: 0)
    var whole = SHA256()
    bytes.withUnsafeBytes {
      hasher.append($0)
      whole.update($0)
    }
    return Content(hashes: hasher.hashes(), soundFrom: 0, whole: whole.sum)
  }
}
