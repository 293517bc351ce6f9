// Which deletions a target has to follow: read from the recorder's manifest, piece by piece, and
// remembered. No server, no loop.
import Digest
import JSON
import Testing

@testable import Link

@Suite struct MirroredDeletionsTests {
  private let key: SigningKey

  init() throws { key = try #require(SigningKey(seed: [UInt8](0..<32))) }

  /// The lines of a manifest, one for each word such as `kept 1`.
  private func lines(_ words: [String]) throws -> [[UInt8]] {
    var before = SHA256.Sum.ofNothing
    return try words.enumerated().map { index, word in
      let parts = word.split(separator: " ")
      let number = try #require(Int(parts[1]))
      let event = try #require(ManifestLine.Event(rawValue: String(parts[0])))
      let line = ManifestLine(
        number: index + 1, event, id(number), sequence: number, time: "2026-11-28T00:00:00Z",
        hashes: event == .kept ? [.ofNothing] : [], before: before, sealedBy: key)
      before = hash(line.bytes)
      return line.bytes
    }
  }

  private func id(_ number: Int) -> RecordingID { RecordingID(high: 7, low: UInt64(number)) }

  private func hash(_ bytes: [UInt8]) -> SHA256.Sum {
    var hash = SHA256()
    hash.update(bytes)
    return hash.sum
  }

  /// What has to follow, if the first lines were there before.
  private func deletions(_ words: [String], after count: Int) throws -> MirroredDeletions {
    let lines = try lines(words)
    var deletions = MirroredDeletions()
    let before = lines[..<count].flatMap { $0 }
    let last = count == 0 ? SHA256.Sum.ofNothing : hash(lines[count - 1])
    deletions.begin(at: MirroredDeletions.Place(bytes: Int64(before.count), hash: "\(last)"))
    let isRead = deletions.read(lines[count...].flatMap { $0 })
    #expect(isRead && deletions.place?.bytes == Int64(lines.joined().count))
    return deletions
  }

  @Test("what a person deleted is to follow; not what made room, came back, or was gone before")
  func followed() throws {
    let words = [
      "kept 1", "erased 1", "kept 2", "kept 3", "kept 4", "recycled 2", "erased 3", "erased 4",
      "kept 4", "erased 3",
    ]
    let left = try deletions(words, after: 2).left
    #expect(left == [MirroredDeletions.Deletion(id: "\(id(3))", number: 3)])
    #expect(try deletions(words, after: 0).left.map(\.number) == [1, 3])
  }

  @Test("read in pieces cut anywhere, and remembered in between, it is the same")
  func pieces() throws {
    let words = ["kept 1", "kept 2", "erased 1", "kept 3", "erased 2", "recycled 3"]
    let whole = try deletions(words, after: 0)
    let bytes = try lines(words).flatMap { $0 }
    for size in [700, 333, 290] {
      var deletions = MirroredDeletions()
      deletions.begin(at: MirroredDeletions.Place(bytes: 0, hash: "\(SHA256.Sum.ofNothing)"))
      while let place = deletions.place, place.bytes < bytes.count {
        let isRead = deletions.read(Array(bytes.dropFirst(Int(place.bytes)).prefix(size)))
        #expect(isRead)
        deletions = try JSON.decode(MirroredDeletions.self, from: JSON.encode(deletions))
        try #require(deletions.place?.bytes != place.bytes, "pieces of \(size) bytes")
      }
      #expect(deletions == whole)
    }
  }

  @Test("the manifest of another card, or one that was changed, is not followed")
  func foreign() throws {
    let known = try deletions(["kept 1", "erased 1"], after: 0)
    let other = try lines(["kept 1", "kept 5", "erased 5"]).flatMap { $0 }
    for bytes in [other, Array("no line\n".utf8), [10]] {
      for before in [known, MirroredDeletions()] {
        var deletions = before
        let isRead = deletions.read(bytes)
        #expect(!isRead && deletions == before)
      }
    }
  }

  @Test("one that fails is tried after the others, and more than a thousand wait to be read")
  func bounded() throws {
    let limit = MirroredDeletions.leftMaximum
    let lines = try lines((1...limit + 2).map { "erased \($0)" })
    var deletions = MirroredDeletions()
    deletions.begin(at: MirroredDeletions.Place(bytes: 0, hash: "\(SHA256.Sum.ofNothing)"))
    let isRead = deletions.read(lines.flatMap { $0 })
    #expect(isRead && !deletions.hasRoom && deletions.left.count == limit)
    let first = deletions.left[0]
    deletions.postpone(first)
    #expect(deletions.left.last == first && deletions.left.count == limit)
    deletions.settle(deletions.left[0])
    let place = Int(try #require(deletions.place).bytes)
    let isRestRead = deletions.read(Array(lines.flatMap { $0 }[place...]))
    #expect(isRestRead && deletions.left.last?.number == limit + 1)
  }
}
