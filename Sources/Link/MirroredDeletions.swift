// Which copies are to be removed because a person deleted their recordings for good. The recorder's
// manifest says so, line by line; this is how far it was read, and what is left to be done. What
// was deleted before that stays at the target, and so does what the recorder removed to make room.
// A plain value; the bytes of a manifest are checked.
import Digest

/// The deletions that one target has yet to follow.
public struct MirroredDeletions: Equatable, Sendable, Codable {
  /// A recording that is gone.
  public struct Deletion: Equatable, Sendable, Codable {
    public let id: String
    /// Nil if it had none.
    public let number: Int?

    public init(id: String, number: Int?) { (self.id, self.number) = (id, number) }
  }

  /// The end of what was read.
  public struct Place: Equatable, Sendable, Codable {
    public let bytes: Int64
    /// Of the last line.
    public let hash: String

    public init(bytes: Int64, hash: String) { (self.bytes, self.hash) = (bytes, hash) }
  }

  /// Nil before the first manifest was seen.
  public private(set) var place: Place?
  /// The oldest first.
  public private(set) var left: [Deletion] = []

  /// What is behind so many is read later.
  static let leftMaximum = 1000

  public init() {}

  /// Whether more may be read.
  public var hasRoom: Bool { left.count < Self.leftMaximum }

  /// Begins behind all lines of a manifest that was not read before.
  public mutating func begin(at place: Place) { self.place = place }

  /// Reads the whole lines among the bytes behind the place.
  /// - Returns: false if they do not follow it: this is the manifest of another card.
  public mutating func read(_ bytes: [UInt8]) -> Bool {
    guard var place else { return false }
    var rest = bytes[...]
    while hasRoom, let end = rest.firstIndex(of: 10) {
      guard let line = ManifestLine(rest[..<end]), "\(line.before)" == place.hash else {
        return false
      }
      var hash = SHA256()
      hash.update(Array(rest[...end]))
      place = Place(bytes: place.bytes + Int64(end + 1 - rest.startIndex), hash: "\(hash.sum)")
      rest = rest[(end + 1)...]
      note(line)
    }
    self.place = place
    return true
  }

  private mutating func note(_ line: ManifestLine) {
    let id = "\(line.recording)"
    switch line.event {
    case .erased:
      if left.contains(where: { $0.id == id }) { return }
      left.append(Deletion(id: id, number: line.sequence > 0 ? line.sequence : nil))
    // It came back.
    case .kept: left.removeAll { $0.id == id }
    case .recycled: break
    }
  }

  /// The copy is gone.
  public mutating func settle(_ deletion: Deletion) { left.removeAll { $0 == deletion } }

  /// It is tried again after all others.
  public mutating func postpone(_ deletion: Deletion) {
    settle(deletion)
    left.append(deletion)
  }
}
