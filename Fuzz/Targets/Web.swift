// What strangers send to the page's server: heads and bodies of requests, codes, the file of
// sessions; and what a recorder that lies tells it. Nothing here serves anything.

import JSON

@testable import Web

extension FuzzTarget {
  /// The first section says what the second is.
  static let web = FuzzTarget(
    name: "web", limitBytes: 4096,
    seeds: {
      [
        [.init("host".utf8), .init("reel.local:8080".utf8), .init("http://reel.local:8080".utf8)],
        [.init("range".utf8), .init("bytes=10-20".utf8)],
        [.init("cookie".utf8), .init("a=1; reel-session=x".utf8)],
        [.init("body".utf8), .init(#"{"words":["rename","--","41","x"],"yes":true}"#.utf8)],
        [.init("code".utf8), .init("1234 5678".utf8)],
        [.init("book".utf8), SessionBook().bytes],
        [.init("name".utf8), .init("A/0001 x.opus".utf8)],
        [
          .init("folder".utf8),
          .init(#"{"folder":{"id":"f"},"from":0,"total":2,"items":[{"id":"a"},{"id":"b"}]}"#.utf8),
          .init(#"{"what":"changed","was":0,"at":1,"id":"a","item":{"id":"a"}}"#.utf8),
        ],
      ].map { [UInt8].sections($0) }
    },
    run: { bytes in
      let parts = bytes.sections
      let texts = parts.map { String(decoding: $0, as: UTF8.self) }
      let text = texts.count > 1 ? texts[1] : ""
      switch texts[0] {
      case "host": try proveHost(text, origin: texts.count > 2 ? texts[2] : "")
      case "range": try proveRange(text)
      case "cookie": try proveCookie(text)
      case "body": try proveBody(parts.count > 1 ? parts[1] : [])
      case "code": try proveCode(text)
      case "book": try proveBook(parts.count > 1 ? parts[1] : [])
      case "name": try proveName(text)
      default: try proveFolder(parts)
      }
    })
}

private func proveHost(_ host: String, origin: String) throws {
  let rules = HostRules(names: ["box.example"])
  if rules.allows(host: host) {
    try prove(
      host.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") }, "a host \(host)")
  }
  if rules.allows(origin: origin, host: host) {
    try prove(origin.lowercased().hasSuffix("://" + host.lowercased()), "an origin \(origin)")
  }
}

private func proveRange(_ text: String) throws {
  for size in [0, 1, 100, Int64.max] as [Int64] {
    switch ByteRange(text, condition: nil, tag: "", size: size) {
    case .whole, .outside: break
    case .part(let first, let count):
      try prove(first >= 0 && count > 0 && first <= size - count, "\(first)+\(count) of \(size)")
    }
  }
}

private func proveCookie(_ text: String) throws {
  let request = HTTPRequest(
    method: "GET", path: text, headers: [("Cookie", text)], arguments: [(text, text)])
  let value = request.cookie("reel-session")
  try prove(value.map { text.contains($0) } ?? true, "a cookie from nowhere")
  try prove(WebService.name(ofItem: text).map { !$0.hasPrefix("-") } ?? true, "an option")
}

private func proveBody(_ bytes: [UInt8]) throws {
  guard let body = WebJSON.parse(bytes) else { return }
  let again = WebJSON.parse(body.bytes)
  try prove(again?.bytes == body.bytes, "what was written again is something else")
  let words = (body["words"]?.items ?? []).compactMap(\.text)
  if let role = AllowedCommands.role(for: words) {
    let refused = ["export", "import", "open", "reload", "config", "flight", "hand-over", "join"]
    try prove(!refused.contains(words[0]), "\(role) may \(words[0])")
  }
  try prove(SayAPI.reply(to: body).status > 0, "no answer")
}

private func proveCode(_ text: String) throws {
  var pairing = Pairing()
  pairing.offer("73920184", .control, atSeconds: 1)
  let digits = text.filter { $0.isASCII && $0.isNumber }
  let isPaired = pairing.enter(text, atSeconds: 2) == .paired(.control)
  try prove(isPaired == (digits == "73920184"), "paired by \(text)")
  let name = SessionBook.cleaned(text)
  try prove(!name.isEmpty && name.utf8.count <= SessionBook.nameBytesMaximum, "the name \(name)")
}

private func proveBook(_ bytes: [UInt8]) throws {
  guard let book = SessionBook(bytes) else { return }
  try prove(SessionBook(book.bytes) == book, "what was saved is something else")
}

private func proveName(_ text: String) throws {
  if let name = ZipWalk.name(text, below: ["A"]) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    try prove(parts.allSatisfy { !["", ".", ".."].contains($0) }, "the path \(name)")
  }
  let header = SoundAPI.attachment(text)
  try prove(
    header.utf8.allSatisfy { $0 >= 32 && $0 < 127 } && header.count { $0 == "\"" } == 2,
    "the header \(header.debugDescription)")
}

private func proveFolder(_ parts: [[UInt8]]) throws {
  var model = FolderModel()
  for part in parts {
    guard let value = WebJSON.parse(part) else { continue }
    if value["what"] == nil {
      if !model.apply(page: value) { model = FolderModel() }
    } else if model.apply(value) == nil {
      model = FolderModel()
    }
    try prove(model.rows.count <= model.total, "more rows than there are")
  }
}
