// Ranges, names of files, records of archives, and the list of a folder as the recorder's changes
// make it. Pure.
import Glibc
import JSON
import Realtime
import Scratch
import Testing

@testable import Web

@Suite struct ByteRangeTests {
  private func range(_ text: String?, size: Int64 = 100, condition: String? = nil) -> ByteRange {
    ByteRange(text, condition: condition, tag: "\"a\"", size: size)
  }

  @Test("one range is sent, as far as the file goes")
  func parts() {
    #expect(range("bytes=0-9") == .part(first: 0, count: 10))
    #expect(range("bytes=90-") == .part(first: 90, count: 10))
    #expect(range("bytes=90-5000") == .part(first: 90, count: 10))
    #expect(range("bytes=-10") == .part(first: 90, count: 10))
    #expect(range("bytes=-500") == .part(first: 0, count: 100))
    #expect(range("bytes=99-99") == .part(first: 99, count: 1))
  }

  @Test("what lies outside the file is refused")
  func outside() {
    #expect(range("bytes=100-") == .outside && range("bytes=-0") == .outside)
    #expect(range("bytes=0-", size: 0) == .outside && range("bytes=-5", size: 0) == .outside)
  }

  @Test(
    "what is no range is ignored: the whole file is sent",
    arguments: [
      nil, "", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,3-4", "items=0-1", "bytes=a-b",
      "bytes=0x0-9", "bytes=99999999999999999999-", "bytes=+1-2", "bytes=--5", "bytes=1-2-3",
      "bytes=0-9;", "bytes=１-2",
    ])
  func ignored(_ text: String?) { #expect(range(text) == .whole) }

  @Test("a range under a condition counts only for the same file")
  func conditions() {
    #expect(range("bytes=0-9", condition: "\"a\"") == .part(first: 0, count: 10))
    #expect(range("bytes=0-9", condition: "\"b\"") == .whole)
  }
}

@Suite struct RequestTests {
  private func request(_ headers: [(String, String)]) -> HTTPRequest {
    HTTPRequest(method: "GET", path: "/", headers: headers)
  }

  @Test("a header that is there twice counts as missing")
  func twice() {
    let one = request([("Host", "a"), ("Origin", "b"), ("ORIGIN", "c")])
    #expect(one.header("host") == "a" && one.header("origin") == nil)
  }

  @Test("cookies are told apart; one that is there twice counts as missing")
  func cookies() {
    #expect(request([("Cookie", "a=1; reel-session=x=y ;b")]).cookie("reel-session") == "x=y")
    #expect(request([("Cookie", "xreel-session=1")]).cookie("reel-session") == nil)
    #expect(request([("Cookie", "a=1; a=2")]).cookie("a") == nil)
    #expect(request([]).cookie("a") == nil)
  }

  @Test("a saved file's name cannot end the header or begin another")
  func attachment() {
    let plain = "attachment; filename=\"a_b__X: __.opus\"; "
    let coded = "filename*=UTF-8''a%22b%0D%0AX%3A%20%C3%A4%25.opus"
    #expect(SoundAPI.attachment("a\"b\r\nX: ä%.opus") == plain + coded)
  }
}

@Suite struct ZipTests {
  @Test("a path of the archive stays below it")
  func names() {
    #expect(ZipWalk.name("A/B/0001 x.opus", below: ["A"]) == "B/0001 x.opus")
    #expect(ZipWalk.name("0001 x.opus", below: []) == "0001 x.opus")
    for bad in ["../x", "A/../x", "/x", "A//x", "A/./x", "", "a\\b", "a\u{1}"] {
      #expect(ZipWalk.name(bad, below: []) == nil, "\(bad)")
    }
  }

  @Test("a large file has 64-bit sizes, and a far one a 64-bit place")
  func large() {
    var entry = ZipEntry(name: "x", size: 5 << 30, modifiedSeconds: 1_700_000_000)
    #expect(entry.header.count == 30 + 1 + 20 && entry.descriptor.count == 24)
    entry.offset = 6 << 30
    #expect(entry.directoryRecord.count == 46 + 1 + 4 + 24)
    let small = ZipEntry(name: "x", size: 5, modifiedSeconds: -1)
    #expect(small.header.count == 31 && small.descriptor.count == 16)
    #expect(ZipFormat.end(count: 2, offset: 10, size: 10).count == 22)
    #expect(ZipFormat.end(count: 70_000, offset: 10, size: 10).count == 22 + 56 + 20)
  }
}

@Suite struct LargeArchiveTests {
  /// Runs Python's own reader of archives; returns what it prints.
  private func judge(_ path: String) throws -> String {
    let script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); "
      + "print([(i.filename, i.file_size) for i in z.infolist()], z.read('ä.txt'))"
    let program = "/usr/bin/python3"
    let words: [UnsafeMutablePointer<CChar>?] = [
      strdup(program), strdup("-c"), strdup(script), strdup(path), nil,
    ]
    defer { for word in words { free(word) } }
    let output = path + ".out"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    let settings: [UnsafeMutablePointer<CChar>?] = [strdup("LC_ALL=C.UTF-8"), nil]
    defer { free(settings[0]) }
    var child = pid_t()
    try #require(posix_spawn(&child, program, &actions, nil, words, settings) == 0)
    waitpid(child, nil, 0)
    return String(decoding: try SmallFile.bytes(of: output, atMost: 1 << 16), as: UTF8.self)
  }

  @Test("beyond 4 GiB another program finds sizes and places")
  func beyond() throws {
    // given an archive whose first file is 5 GiB of nothing, which takes no room on the disk
    let folder = ScratchFolder(in: "/var/tmp")
    let path = folder.path + "/large.zip"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    var length: UInt64 = 0
    func add(_ bytes: [UInt8]) {
      #expect(pwrite(file, bytes, bytes.count, off_t(length)) == bytes.count)
      length += UInt64(bytes.count)
    }
    let big = ZipEntry(name: "big", size: 5 << 30, modifiedSeconds: 1_700_000_000)
    add(big.header)
    length += big.size
    add(big.descriptor)
    var small = ZipEntry(name: "ä.txt", size: 2, modifiedSeconds: 1_700_000_000)
    small.offset = length
    small.checksum = 0xd893_2aac  // of "hi", by zlib's own crc32
    add(small.header)
    add(Array("hi".utf8))
    add(small.descriptor)
    // when its directory follows
    let directory = big.directoryRecord + small.directoryRecord
    let start = length
    add(directory)
    add(ZipFormat.end(count: 2, offset: start, size: UInt64(directory.count)))
    // then Python reads it
    #expect(try judge(path) == "[('big', 5368709120), ('ä.txt', 2)] b'hi'\n")
  }
}

@Suite struct FolderModelTests {
  private func parse(_ text: String) throws -> JSONValue { try JSON.parse(Array(text.utf8)) }

  private func page(_ ids: [Int], from: Int, total: Int) throws -> JSONValue {
    let items = ids.map { #"{"kind":"recording","id":"\#($0)","title":"t"}"# }
    return try parse(
      #"{"folder":{"id":"f","title":"F"},"order":"byDate","total":\#(total),"from":\#(from),"#
        + #""items":[\#(items.joined(separator: ","))]}"#)
  }

  private func ids(_ model: FolderModel) -> [String] { model.rows.map(\.id) }

  @Test("pages are joined, and a first one replaces all")
  func pages() throws {
    var model = FolderModel()
    #expect(model.apply(page: try page([1, 2], from: 0, total: 3)) && !model.isComplete)
    #expect(model.apply(page: try page([3], from: 2, total: 3)) && model.isComplete)
    #expect(ids(model) == ["1", "2", "3"])
    #expect(model.apply(page: try page([9], from: 0, total: 1)) && ids(model) == ["9"])
    #expect(!model.apply(page: try page([5], from: 7, total: 8)), "a page is missing")
  }

  @Test("changes are applied where the recorder says")
  func changes() throws {
    var model = FolderModel()
    #expect(model.apply(page: try page([1, 2, 3], from: 0, total: 3)))
    let added = try parse(#"{"what":"added","at":1,"id":"4","item":{"id":"4","kind":"folder"}}"#)
    #expect(model.apply(added)?.count == 1 && ids(model) == ["1", "4", "2", "3"])
    let moved = try parse(#"{"what":"changed","was":0,"at":3,"id":"1","item":{"id":"1"}}"#)
    #expect(model.apply(moved)?.count == 1 && ids(model) == ["4", "2", "3", "1"])
    #expect(model.apply(try parse(#"{"what":"removed","at":0,"id":"4"}"#))?.count == 1)
    #expect(ids(model) == ["2", "3", "1"] && model.total == 3)
    #expect(model.apply(try parse(#"{"what":"counted","recordings":7,"unheard":2}"#)) != nil)
    #expect(String(decoding: model.head, as: UTF8.self).contains(#""recordings":7"#))
  }

  @Test(
    "a change that does not fit makes the model unusable, and traps nothing",
    arguments: [
      #"{"what":"added","at":9,"id":"4","item":{"id":"4"}}"#, #"{"what":"added","at":-1,"id":"4"}"#,
      #"{"what":"removed","at":3}"#, #"{"what":"removed"}"#,
      #"{"what":"changed","was":0,"at":9223372036854775807,"id":"1"}"#,
      #"{"what":"changed","was":-5,"at":0,"id":"1"}"#, #"{"what":"added","at":0}"#,
    ])
  func misfits(_ text: String) throws {
    var model = FolderModel()
    #expect(model.apply(page: try page([1, 2, 3], from: 0, total: 3)))
    #expect(model.apply(try parse(text)) == nil)
  }

  @Test("a row is short, and has what the list shows")
  func rows() throws {
    let item = try parse(
      #"{"kind":"recording","id":"a","title":"T","sequence":4,"lengthMilliseconds":9,"#
        + #""heard":false,"file":"x","marks":[{},{}],"integrity":{"gaps":[{}],"recovered":true},"#
        + #""copies":[{"state":"verified"}],"began":{"local":"L","synchronised":false}}"#)
    let row = try #require(ItemRow(item))
    #expect(
      String(decoding: row.bytes, as: UTF8.self)
        == #"{"kind":"recording","id":"a","title":"T","number":4,"began":"L","isUnsure":true,"#
        + #""milliseconds":9,"heard":false,"marks":2,"gaps":1,"recovered":true,"copied":true}"#)
    #expect(ItemRow(try parse("{}")) == nil)
  }
}
