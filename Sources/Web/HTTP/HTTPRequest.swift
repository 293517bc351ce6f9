// The head of a request as a value, copied out of the library. Pure after it was made. All of it is
// a stranger's: a header that must be unique counts as missing if it is there twice.
import CMicrohttpd

/// What a client asks for.
struct HTTPRequest {
  let method: String
  /// Decoded, without the query.
  let path: String
  private let headers: [(name: String, value: String)]
  private let arguments: [(name: String, value: String)]

  init(
    method: String, path: String, headers: [(String, String)] = [],
    arguments: [(String, String)] = []
  ) {
    self.method = method
    self.path = path
    self.headers = headers.map { (name: $0.0.lowercased(), value: $0.1) }
    self.arguments = arguments.map { (name: $0.0, value: $0.1) }
  }

  init(_ connection: OpaquePointer, method: String, path: String) {
    self.init(
      method: method, path: path, headers: Self.pairs(of: connection, reel_mhd_headers),
      arguments: Self.pairs(of: connection, reel_mhd_arguments))
  }

  /// Returns a header that is there exactly once; nil otherwise.
  func header(_ name: String) -> String? {
    let found = headers.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  func hasHeader(_ name: String) -> Bool { headers.contains { $0.name == name } }

  /// Returns an argument of the query that is there exactly once.
  func argument(_ name: String) -> String? {
    let found = arguments.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  /// Returns a cookie; nil if there are several of that name.
  func cookie(_ name: String) -> String? {
    let parts = (header("cookie") ?? "").split(separator: ";").map { part in
      part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    let found = parts.filter { $0.count == 2 && $0[0].trimmed == name }
    return found.count == 1 ? String(found[0][1].trimmed) : nil
  }

  private static func pairs(
    of connection: OpaquePointer, _ kind: MHD_ValueKind
  ) -> [(String, String)] {
    var pairs = Pairs()
    withUnsafeMutablePointer(to: &pairs) { pairs in
      _ = MHD_get_connection_values(
        connection, kind,
        { context, _, name, value in
          guard let context, let name else { return reel_mhd_no }
          context.assumingMemoryBound(to: Pairs.self).pointee.list.append(
            (String(cString: name), value.map { String(cString: $0) } ?? ""))
          return reel_mhd_yes
        }, pairs)
    }
    return pairs.list
  }

  private struct Pairs { var list: [(String, String)] = [] }
}

extension StringProtocol {
  /// Without blanks at both ends.
  var trimmed: SubSequence {
    var rest = self[...]
    while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
    return rest
  }
}
