// One file of the project, split into code and comments, so that a rule about code is not triggered
// by a string or a comment. Pure: no file is opened here. It knows nested comments, raw and
// multi-line strings and interpolation; it does not know bare regular-expression literals, so the
// project has none.
import Glibc

/// `path:line: sentence`, the sentence saying what to do.
struct Violation: CustomStringConvertible, Equatable {
  let path: String
  let line: Int
  let sentence: String

  var description: String { "\(path):\(line): \(sentence)" }
}

/// A rule looks at one file only.
typealias Rule = (SourceFile) -> [Violation]

struct SourceFile {
  let path: String
  let text: [UInt8]
  /// As long as `text`, with blanks for everything but code (a string keeps its quotes) ...
  let code: [UInt8]
  /// ... and for everything but comments. Line ends are in both.
  let comments: [UInt8]
  private let lineStarts: [Int]

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = Array(text.utf8)
    var splitter = Splitter(self.text)
    if [".swift", ".c", ".h"].contains(where: path.hasSuffix) { splitter.split() }
    code = splitter.code
    comments = splitter.comments
    lineStarts =
      [0]
      + self.text.indices.filter { [newline = self.text] in newline[$0] == 10 }
      .map { $0 + 1 }
  }

  var isSwift: Bool { path.hasSuffix(".swift") }

  /// The folder below `Sources` that holds the file, if any.
  var room: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  var lineCount: Int { text.last == 10 ? lineStarts.count - 1 : lineStarts.count }

  /// Returns the line's number, from 1.
  func line(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// Returns one line of `text`, `code` or `comments`, without its end; empty beyond the file.
  func line(_ number: Int, of bytes: KeyPath<SourceFile, [UInt8]>) -> String {
    guard (1...lineStarts.count).contains(number) else { return "" }
    let end = number < lineStarts.count ? lineStarts[number] - 1 : text.count
    return String(decoding: self[keyPath: bytes][lineStarts[number - 1]..<end], as: UTF8.self)
  }

  func violation(at offset: Int, _ sentence: String) -> Violation {
    Violation(path: path, line: line(at: offset), sentence: sentence)
  }
}

/// Returns the offsets of `needle` in `bytes`.
func offsets(of needle: String, in bytes: some Collection<UInt8>) -> [Int] {
  var found: [Int] = []
  (Array(bytes) + [0]).withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: CChar.self) { characters in
      guard let start = characters.baseAddress else { return }
      var rest = start
      while let hit = strstr(rest, needle) {
        found.append(UnsafePointer(hit) - start)
        rest = UnsafePointer(hit) + 1
      }
    }
  }
  return found
}

/// Returns the offsets of `word` in `bytes`, not as part of a longer word.
func offsets(ofWord word: String, in bytes: some Collection<UInt8>) -> [Int] {
  let length = word.utf8.count
  let bytes = Array(bytes)
  return offsets(of: word, in: bytes).filter { start in
    let end = start + length
    return !(start > 0 && isWordByte(bytes[start - 1]))
      && !(end < bytes.count && isWordByte(bytes[end]))
  }
}

/// Letters, digits, `_`, and all bytes of other alphabets.
func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 48...57, 65...90, 97...122, 95, 128...: true
  default: false
  }
}
