// Ranges of bytes that a client asks for: one range, as players do. Pure. What is not understood is
// ignored, as RFC 9110 says, and the whole file is sent; what lies outside it is refused.

/// What part of a file is sent.
enum ByteRange: Equatable {
  case whole
  case part(first: Int64, count: Int64)
  case outside

  /// - Parameter condition: the `If-Range` header: the range counts only for the file of that tag.
  init(_ header: String?, condition: String?, tag: String, size: Int64) {
    self = .whole
    guard let header, condition == nil || condition == tag else { return }
    guard header.hasPrefix("bytes="), !header.contains(",") else { return }
    let parts = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, header.utf8.count <= 64 else { return }
    let (from, to) = (parts[0].trimmed, parts[1].trimmed)
    if from.isEmpty {
      guard let length = Self.number(to) else { return }
      let count = min(length, size)
      self = count == 0 ? .outside : .part(first: size - count, count: count)
      return
    }
    guard let first = Self.number(from) else { return }
    let last = to.isEmpty ? Int64.max - 1 : Self.number(to)
    guard let last, last >= first else { return }
    self =
      first >= size ? .outside : .part(first: first, count: min(last, size - 1) - first + 1)
  }

  private static func number(_ text: Substring) -> Int64? {
    text.allSatisfy { $0.isASCII && $0.isNumber } && text.utf8.count <= 18 ? Int64(text) : nil
  }
}
