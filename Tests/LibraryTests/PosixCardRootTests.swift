// No path reaches anything outside a card's directory, whether the kernel resolves it or Reel does
// by hand.

import Glibc
import Recorder
import Tape
import Testing

@testable import Library

@Suite struct PosixCardRootTests {
  /// A card with a file beside it, and links that lead there.
  private func withCard(
    _ resolver: CardRoot.Resolver, _ body: (PosixCard, Scratch) throws -> Void
  ) throws {
    let scratch = Scratch()
    try #require(mkdir(scratch.path + "/card", 0o755) == 0)
    try #require(mkdir(scratch.path + "/beside", 0o755) == 0)
    try scratch.plant(Array("precious".utf8), in: "beside")
    let card = try PosixCard.open(scratch.path + "/card", resolver: resolver)
    try card.makeDirectory("folder")
    try card.open("folder/take", .create).put("sound", at: 0)
    for (target, link) in [
      ("../beside", "out"), (scratch.path + "/beside", "absolute"), ("folder", "in"),
      ("../../beside/precious", "folder/file"), ("/proc/self/cwd", "magic"),
    ] {
      try #require(symlink(target, "\(scratch.path)/card/\(link)") == 0)
    }
    try body(card, scratch)
    #expect(access(scratch.path + "/beside/precious", F_OK) == 0)
    #expect(
      try PosixCard.open(scratch.path + "/beside").list("").compactMap(\.name) == ["precious"])
  }

  @Test("a path through a link is refused", arguments: CardRoot.Resolver.allCases)
  func links(resolver: CardRoot.Resolver) throws {
    try withCard(resolver) { card, _ in
      for way in ["out", "absolute", "in", "magic"] {
        let path = way + "/precious"
        expectRefusal(ENOTDIR) { _ = try card.open(path, .read) }
        expectRefusal(ENOTDIR) { _ = try card.open(way + "/new", .create) }
        expectRefusal(ENOTDIR) { try card.makeDirectory(way + "/new") }
        expectRefusal(ENOTDIR) { try card.remove(path) }
        expectRefusal(ENOTDIR) { try card.removeDirectory(path) }
        expectRefusal(ENOTDIR) { try card.rename(path, to: "mine") }
        expectRefusal(ENOTDIR) { try card.rename("folder/take", to: way + "/take") }
        expectRefusal(ENOTDIR) { try card.rename(rawName: [0xFF], in: way, to: "mine") }
        expectRefusal(ENOTDIR) { _ = try card.list(way) }
        expectRefusal(ENOTDIR) { _ = try card.names(way) }
        expectRefusal(ENOTDIR) { try card.syncDirectory(way) }
        #expect(try card.entry(path) == nil)
        #expect(try card.entry(way)?.kind == .other)
      }
      expectRefusal(ELOOP) { _ = try card.open("folder/file", .read) }
      expectRefusal(ELOOP) { _ = try card.open("folder/file", .change) }
      expectRefusal(EEXIST) { _ = try card.open("folder/file", .create) }
      #expect(try card.entry("folder/file")?.kind == .other)
      // A link itself can be renamed and removed; its target stays.
      try card.rename("folder/file", to: "folder/link")
      try card.remove("folder/link")
      try card.removeTree("folder")
    }
  }

  @Test("recording and playing reach no file through a link either")
  func recordings() throws {
    try withCard(.kernel) { _, scratch in
      let toRead = PosixCard.toRead(below: scratch.path + "/card")
      let toWrite = PosixCard.toWrite(below: scratch.path + "/card")
      let take = Recorder.CardPath(components: ["folder", "take"])
      try toWrite(take).write(Array("music".utf8), at: 0)
      #expect(try toRead(take).bytes(at: 0, count: 9) == Array("music".utf8))
      for way in [["out", "precious"], ["absolute", "precious"], ["in", "take"]] {
        expectRefusal(ENOTDIR) { _ = try toRead(Recorder.CardPath(components: way)).byteCount() }
        expectRefusal(ENOTDIR) { _ = try toWrite(Recorder.CardPath(components: way)).byteCount() }
      }
      let link = Recorder.CardPath(components: ["folder", "file"])
      expectRefusal(ELOOP) { _ = try toRead(link).byteCount() }
      expectRefusal(ELOOP) { _ = try toWrite(link).byteCount() }
    }
  }

  @Test("a path that is not made of names is refused", arguments: CardRoot.Resolver.allCases)
  func names(resolver: CardRoot.Resolver) throws {
    try withCard(resolver) { card, scratch in
      try refusesNoNames(card, absolute: scratch.path + "/beside/precious")
    }
  }

  @Test("a card in memory refuses the same paths", arguments: MemoryCard.Kind.allCases)
  func namesInMemory(kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    try card.makeDirectory("folder")
    try card.open("folder/take", .create).put("sound", at: 0)
    try refusesNoNames(card, absolute: "/beside/precious")
  }

  private func refusesNoNames(_ card: some FileSystem, absolute: String) throws {
    for path in [
      "..", ".", "../beside/precious", "folder/../../beside/precious", absolute, "/", "folder/",
      "folder//take", "folder/./take", "folder/..", "folder/take\0", "\0",
    ] {
      expectRefusal(EINVAL) { _ = try card.open(path, .read) }
      expectRefusal(EINVAL) { _ = try card.open(path, .create) }
      expectRefusal(EINVAL) { try card.makeDirectory(path) }
      expectRefusal(EINVAL) { try card.remove(path) }
      expectRefusal(EINVAL) { try card.removeDirectory(path) }
      expectRefusal(EINVAL) { try card.rename(path, to: "mine") }
      expectRefusal(EINVAL) { try card.rename("folder/take", to: path) }
      expectRefusal(EINVAL) { try card.rename(rawName: [0x41], in: "folder", to: path) }
      expectRefusal(EINVAL) { try card.rename(rawName: Array(path.utf8), in: "folder", to: "A") }
      expectRefusal(EINVAL) { _ = try card.list(path) }
      expectRefusal(EINVAL) { try card.syncDirectory(path) }
      expectRefusal(EINVAL) { _ = try card.entry(path) }
      card.forgetUnwritten(path)
    }
    #expect(try card.list("folder").contains { $0.name == "take" })
  }
}
