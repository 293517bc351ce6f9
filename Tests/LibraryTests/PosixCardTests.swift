// The card as the system mounts it, where it differs from one in memory: links, pipes, and file
// systems that cannot promise to replace nothing.

import Glibc
import Tape
import Testing

@testable import Library

@Suite struct PosixCardTests {
  private let scratch: Scratch
  private let card: PosixCard

  init() throws {
    scratch = try Scratch()
    card = try PosixCard.open(scratch.path)
  }

  private func inCard(_ name: String) -> String { "\(scratch.path)/\(name)" }

  @Test("a link is seen as something else and never followed")
  func links() throws {
    defer { scratch.remove() }
    try card.open("target", .create).put("precious", at: 0)
    try card.makeDirectory("folder")
    #expect(symlink("target", inCard("link")) == 0 && symlink("folder", inCard("way")) == 0)
    #expect(try card.entry("link")?.kind == .other)
    expectRefusal(ELOOP) { _ = try card.open("link", .change) }
    expectRefusal(EEXIST) { _ = try card.open("link", .create) }
    expectRefusal(ENOTDIR) { _ = try card.list("way") }
    try card.remove("link")
    #expect(try card.open("target", .read).all() == Array("precious".utf8))
  }

  @Test("a pipe on the card is refused at once instead of being waited for")
  func pipes() throws {
    defer { scratch.remove() }
    #expect(mkfifo(inCard("pipe"), 0o644) == 0)
    #expect(try card.entry("pipe")?.kind == .other)
    #expect(throws: TapeError.self) { _ = try card.open("pipe", .read) }
    #expect(throws: TapeError.self) { _ = try card.open("folder/none", .read) }
  }

  @Test("where the system cannot promise it, renaming replaces nothing either")
  func renamesWithoutPromise() throws {
    defer { scratch.remove() }
    try card.open("one", .create).put("one", at: 0)
    try card.open("two", .create).put("two", at: 0)
    try card.makeDirectory("folder")
    try card.makeDirectory("empty")
    func move(_ old: String, _ new: String) -> Int32 {
      moveByLink(inCard(old), AT_FDCWD, inCard(new), AT_FDCWD)
    }
    #expect(move("one", "two") == EEXIST)
    #expect(move("one", "folder") == EEXIST)
    #expect(move("folder", "empty") == EEXIST)
    #expect(move("none", "new") == ENOENT)
    #expect(move("one", "none/one") == ENOENT)
    #expect(move("one", "folder/moved") == 0)
    #expect(move("folder", "renamed") == 0)
    #expect(try card.open("renamed/moved", .read).all() == Array("one".utf8))
    #expect(try card.open("two", .read).all() == Array("two".utf8))
    #expect(Set(try card.list("").compactMap(\.name)) == ["two", "renamed", "empty"])
  }

  @Test("a card that is not there says so in words")
  func notThere() {
    defer { scratch.remove() }
    let error = refusal { _ = try PosixCard.open(inCard("none")) }
    #expect(error?.errno == ENOENT && error?.sentence.contains("no such") == true)
  }

  @Test("what is open stays readable while its folder is renamed from outside")
  func staysTheSame() throws {
    defer { scratch.remove() }
    try card.open("take", .create).put("sound", at: 0)
    let elsewhere = scratch.path + "-moved"
    #expect(rename(scratch.path, elsewhere) == 0)
    #expect(try card.open("take", .read).all() == Array("sound".utf8))
    #expect(rename(elsewhere, scratch.path) == 0)
  }
}
