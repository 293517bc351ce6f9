// The address of a server, taken apart: scheme, host, port and path. It refuses what a target's
// address never needs, such as a user's name or a query. Pure; the text may come from a server.

/// An address such as `https://cloud.example/dav/reel`.
public struct ServerURL: Equatable, Sendable {
  public let scheme: String
  /// In lower case; an IPv6 address has its brackets.
  public let host: String
  public let port: Int
  /// Encoded, without the slash at its end; empty for the root.
  public let path: String

  static let defaultPorts = ["http": 80, "https": 443, "sftp": 22]

  /// Nil if the text is no such address.
  public init?(_ text: String) {
    guard text.utf8.count <= 2000, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let colon = text.firstRange(of: "://"), !text.contains("#"), !text.contains("?")
    else { return nil }
    scheme = text[..<colon.lowerBound].lowercased()
    guard let standard = Self.defaultPorts[scheme] else { return nil }
    let rest = text[colon.upperBound...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<slash]
    guard !authority.contains("@"), !authority.contains("\\"), !authority.contains("%") else {
      return nil
    }
    var name = authority[...]
    var number = Substring()
    let closing = authority.lastIndex(of: "]")
    if let last = authority.lastIndex(of: ":"), closing.map({ $0 < last }) ?? true {
      name = authority[..<last]
      number = authority[authority.index(after: last)...]
      guard let given = Int(number), (1...65_535).contains(given) else { return nil }
    }
    let inner = name.dropFirst(closing == nil ? 0 : 1).dropLast(closing == nil ? 0 : 1)
    if closing != nil, !name.hasPrefix("[") { return nil }
    if inner.isEmpty || (closing == nil && inner.contains(":")) { return nil }
    host = name.lowercased()
    port = Int(number) ?? standard
    var path = rest[slash...]
    while path.hasSuffix("/") { path = path.dropLast() }
    self.path = String(path)
  }

  /// Without the path.
  public var origin: String {
    "\(scheme)://\(host)" + (port == Self.defaultPorts[scheme] ? "" : ":\(port)")
  }

  /// Whether both are on the same server, asked by the same protocol.
  public func isSameServer(as other: ServerURL) -> Bool { origin == other.origin }

  /// Whether the server is this machine, so that nothing can be read on the way.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Returns the address that a server redirects to; nil if it is none. A query is allowed here.
  static func isSameServer(_ text: String, as origin: ServerURL) -> Bool {
    let plain = text.prefix { $0 != "?" && $0 != "#" }
    return ServerURL(String(plain))?.isSameServer(as: origin) ?? false
  }
}
