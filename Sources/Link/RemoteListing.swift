// The names in a folder at a server, taken out of what it answers: XML of S3 and of WebDAV, or
// lines of SFTP. Only names are looked for; all else is skipped, and whatever a server sends, the
// result is a bounded list of names that may be file names. Pure.

/// The names in an answer.
enum RemoteListing {
  static let bytesMaximum = 32 << 20
  static let namesMaximum = 200_000

  /// Of an answer to S3's ListObjectsV2.
  static func s3(_ body: [UInt8]) -> RemoteAnswer {
    let hasMore = texts(of: "IsTruncated", in: body).first == "true"
    return .names(names(texts(of: "Key", in: body)), hasMore: hasMore)
  }

  /// Of an answer to PROPFIND. The folder itself is in it, with a slash at its end.
  static func webDAV(_ body: [UInt8]) -> RemoteAnswer {
    .names(names(texts(of: "href", in: body)), hasMore: false)
  }

  /// Of a list with a name on each line.
  static func lines(_ body: [UInt8]) -> RemoteAnswer {
    let lines = body.split(separator: 10).prefix(namesMaximum).map {
      String(decoding: $0.last == 13 ? $0.dropLast() : $0, as: UTF8.self)
    }
    return .names(lines.filter(RemoteName.isGood), hasMore: false)
  }

  private static func names(_ paths: [String]) -> [String] {
    paths.compactMap { path in
      if path.hasSuffix("/") { return nil }
      let last = path.split(separator: "/").last.map(String.init) ?? ""
      let name = PercentDecoding.decode(last)
      return RemoteName.isGood(name) ? name : nil
    }
  }

  private static func texts(of element: String, in body: [UInt8]) -> [String] {
    elements([element], in: body).map(\.text)
  }

  /// The elements of those names with their texts, whatever their namespace is called.
  static func elements(
    _ names: Set<String>, in body: [UInt8]
  ) -> [(name: String, text: String)] {
    let wanted = Dictionary(uniqueKeysWithValues: names.map { (Array($0.utf8), $0) })
    var (found, at) = ([(name: String, text: String)](), 0)
    while at < body.count, found.count < namesMaximum {
      guard let open = body[at...].firstIndex(of: UInt8(ascii: "<")),
        let close = body[open...].firstIndex(of: UInt8(ascii: ">"))
      else { break }
      at = close + 1
      let tag = body[(open + 1)..<close].prefix { $0 != UInt8(ascii: " ") }
      if tag.first == UInt8(ascii: "/") { continue }
      let local = tag.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last
      guard let local, let name = wanted[Array(local)] else { continue }
      let end = body[at...].firstIndex(of: UInt8(ascii: "<")) ?? body.count
      let text = unescaped(String(decoding: body[at..<end].prefix(4096), as: UTF8.self))
      found.append((name, text))
      at = end
    }
    return found
  }

  private static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
