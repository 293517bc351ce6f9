// Which names this server answers to, and from which pages a request may come. A page elsewhere can
// let its own name lead here (DNS rebinding); such a name is not answered. Pure.
import Glibc

/// The rules for `Host`, `Origin` and the headers that browsers add.
struct HostRules: Sendable {
  /// Names that the operator gave, in lower case.
  let names: Set<String>
  /// Whether this server itself speaks HTTPS. If it does not, a proxy before it may.
  let isSecure: Bool

  init(names: [String] = [], isSecure: Bool = false) {
    self.names = Set(names.map { $0.lowercased() })
    self.isSecure = isSecure
  }

  /// Whether a `Host` header names this server: an address in numbers, `localhost`, a name that
  /// ends in `.local`, or one that was given.
  func allows(host: String) -> Bool {
    guard let name = Self.name(of: host) else { return false }
    if names.contains(name) || name == "localhost" || Self.isAddress(name) { return true }
    return name.hasSuffix(".local") && name.count > 6 && Self.isPlain(name)
  }

  /// Whether a request that changes something comes from a page of this server.
  func allows(origin: String?, host: String) -> Bool {
    guard let origin, let scheme = origin.firstRange(of: "://") else { return false }
    return (isSecure ? ["https"] : ["http", "https"]).contains(origin[..<scheme.lowerBound])
      && origin[scheme.upperBound...].lowercased() == host.lowercased()
  }

  /// The name in "NAME", "NAME:PORT" or "[ADDRESS]:PORT", in lower case; nil if it is none of
  /// these.
  private static func name(of host: String) -> String? {
    var name = host.lowercased()
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]") else { return nil }
      guard isPort(name[name.index(after: end)...]) else { return nil }
      name = String(name[name.index(after: name.startIndex)..<end])
      return name.contains(":") && isAddress(name) ? name : nil
    }
    if let colon = name.firstIndex(of: ":") {
      guard isPort(name[colon...]) else { return nil }
      name = String(name[..<colon])
    }
    return isPlain(name) ? name : nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || (text.hasPrefix(":") && UInt16(text.dropFirst()) != nil)
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 253
      && name.utf8.allSatisfy { byte in
        (97...122).contains(byte) || (48...57).contains(byte) || byte == 45 || byte == 46
      }
  }

  private static func isAddress(_ text: String) -> Bool {
    // To C a text ends at its first NUL: "::" with anything behind it passed for an address.
    guard !text.utf8.contains(0) else { return false }
    var four = in_addr()
    var six = in6_addr()
    return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
  }
}

extension String {
  /// Returns the first place of a text.
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(text) }
      .map { $0..<index($0, offsetBy: text.count) }
  }
}
