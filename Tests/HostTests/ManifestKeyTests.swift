// The secret key of the manifest: made once, kept from other users, and never replaced while it can
// be read.

import Digest
import FoundationEssentials
import Glibc
import Scratch
import Testing

@testable import Host

@Suite struct ManifestKeyTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path + "/manifest.key" }

  private func load() -> (key: SigningKey?, words: [String]) {
    var words: [String] = []
    let key = ManifestKey.load(from: path) { words.append($0) }
    return (key, words)
  }

  @Test("it is made at the first start, for this user only, and is the same from then on")
  func first() throws {
    let (first, words) = load()
    let key = try #require(first)
    #expect(words == [] && load().key?.publicKey == key.publicKey)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_size == 32)
    let other = ManifestKey.load(from: folder.path + "/other.key") { _ in }
    #expect(other?.publicKey != key.publicKey)
  }

  @Test("a damaged one is set aside and told, and a new one is made", arguments: [0, 31, 33])
  func damaged(count: Int) throws {
    #expect(FileManager.default.createFile(atPath: path, contents: Data(count: count)))
    let (key, words) = load()
    #expect(key != nil && words.count == 1 && words[0].contains("set aside as"))
    #expect(FileManager.default.contents(atPath: path + ".damaged")?.count == count)
    #expect(load().words == [] && load().key?.publicKey == key?.publicKey)
  }

  @Test("where it cannot be written there is none, and that is told")
  func unwritable() {
    let path = folder.path + "/none/manifest.key"
    var words: [String] = []
    #expect(ManifestKey.load(from: path) { words.append($0) } == nil)
    #expect(words.count == 1 && words[0].contains("cannot be written"))
  }

  @Test("a link in its place is not followed")
  func link() {
    let target = folder.path + "/target"
    #expect(FileManager.default.createFile(atPath: target, contents: Data(repeating: 7, count: 32)))
    #expect(symlink(target, path) == 0)
    let (key, words) = load()
    #expect(key == nil && words.count == 1)
  }
}
