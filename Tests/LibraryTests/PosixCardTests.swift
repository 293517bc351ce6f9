// The card as the system mounts it, where it differs from one in memory: links, pipes, and file
// systems without a rename that replaces nothing.

import Glibc
import Scratch
import Tape
import Testing

@testable import Library

@Suite struct PosixCardTests {
  private let scratch: Scratch
  private let card: PosixCard

  init() throws {
    scratch = Scratch()
    card = try PosixCard.open(scratch.path)
  }

  private func inCard(_ name: String) -> String { "\(scratch.path)/\(name)" }

  @Test("a link is listed as `other` and never followed")
  func links() throws {
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

  @Test("a file that will grow gets its chain while it is empty, and nothing else is left")
  func chains() throws {
    let card = try PosixCard.open(scratch.path, resolver: nil, needsChains: true)
    // As a power cut leaves it.
    try card.open(".chain", .create).put("cut", at: 0)
    let file = try card.create(growing: "take.opus")
    #expect(try file.byteCount() == newFileBytes && file.all() == [0])
    #expect(try card.list("").map(\.name) == ["take.opus"])
    try file.put("sound", at: 0)
    #expect(try card.open("take.opus", .read).all() == Array("sound".utf8))
    expectRefusal(EEXIST) { _ = try card.create(growing: "take.opus") }
  }

  @Test("opening a pipe on the card fails at once instead of blocking")
  func pipes() throws {
    #expect(mkfifo(inCard("pipe"), 0o644) == 0)
    #expect(try card.entry("pipe")?.kind == .other)
    #expect(throws: TapeError.self) { _ = try card.open("pipe", .read) }
    #expect(throws: TapeError.self) { _ = try card.open("folder/none", .read) }
  }

  @Test("a file system without RENAME_NOREPLACE does not replace files either")
  func renamesWithoutPromise() throws {
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

  @Test("a missing card is reported in words")
  func notThere() {
    let error = refusal { _ = try PosixCard.open(inCard("none")) }
    #expect(error?.errno == ENOENT && error?.sentence.contains("no such") == true)
  }

  @Test("an open card stays readable while its folder is renamed from outside")
  func staysTheSame() throws {
    try card.open("take", .create).put("sound", at: 0)
    let elsewhere = scratch.path + "-moved"
    #expect(rename(scratch.path, elsewhere) == 0)
    #expect(try card.open("take", .read).all() == Array("sound".utf8))
    #expect(rename(elsewhere, scratch.path) == 0)
  }

  @Test("a card in memory reports that it is volatile, one on a disk does not")
  func volatile() throws {
    let isInMemory = FileSystemKind.isVolatile(
      try #require(FileSystemKind.at(scratch.path)), Mount(), kindAt: { _ in nil })
    #expect(try card.space().isVolatile == isInMemory)
    // Practically every Linux has /dev/shm.
    let inMemory = ScratchFolder(in: "/dev/shm")
    #expect(try PosixCard.open(inMemory.path).space().isVolatile)
  }

  @Test("a card's mount is read from the kernel's table; of an overlay, its upper directory counts")
  func mounts() {
    let table = """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      30 22 0:51 / /mnt/x rw,noatime - vfat /dev/sdb1 rw,dirsync,fmask=0022
      31 22 0:52 / / rw - overlay overlay rw,lowerdir=/ro,upperdir=/media/root\\040rw/up,workdir=/w
      """
    #expect(Mount.of(device: "0:51", in: table).options.contains("dirsync"))
    #expect(Mount.of(device: "8:1", in: table).options == ["rw", "relatime", "rw"])
    #expect(Mount.of(device: "9:9", in: table) == Mount())
    let overlay = Mount.of(device: "0:52", in: table)
    #expect(overlay.upperDirectory == "/media/root rw/up")
    let (kind, tmpfs, ext4) = (0x794c_7630, 0x0102_1994, 0xEF53)
    #expect(FileSystemKind.isVolatile(kind, overlay) { _ in tmpfs })
    #expect(!FileSystemKind.isVolatile(kind, overlay) { _ in ext4 })
    #expect(!FileSystemKind.isVolatile(kind, overlay) { _ in nil })
    #expect(!FileSystemKind.isVolatile(kind, Mount()) { _ in tmpfs })
    #expect(FileSystemKind.isVolatile(tmpfs, Mount()) { _ in nil })
    #expect(!FileSystemKind.isVolatile(ext4, Mount()) { _ in tmpfs })
    let root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(root) }
    #expect(!Mount.of(root).options.isEmpty)
  }
}
