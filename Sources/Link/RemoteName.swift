// The name of a file at a target: folders and a file, each a single path component that was
// checked. The tree there is readable as it is: `Interviews/0041 Kitchen.opus`. Pure.

/// A path below a target's place.
public struct RemoteName: Hashable, Sendable, CustomStringConvertible {
  /// At least one.
  public let components: [String]

  /// What file systems and servers accept as one component, in bytes.
  static let componentBytesMaximum = 255
  static let depthMaximum = 32
  /// Left free for what is added to a name while it is sent.
  private static let ending = 24

  /// Checks each component. Throws an error with the code `name`.
  public init(_ components: [String]) throws(LinkError) {
    guard (1...Self.depthMaximum).contains(components.count) else {
      throw LinkError(
        .name, .recording,
        "A copy lies in at most \(Self.depthMaximum - 1) folders; move the recording further up.")
    }
    for component in components where !Self.isGood(component) {
      throw LinkError(
        .name, .recording,
        "The name “\(component)” cannot be used at a server; rename the folder or the recording.")
    }
    self.components = components
  }

  private init(unchecked components: [String]) { self.components = components }

  /// A name without "/", control characters and reserved words.
  static func isGood(_ component: String) -> Bool {
    !component.isEmpty && component != "." && component != ".."
      && component.utf8.count <= componentBytesMaximum
      && component.unicodeScalars.allSatisfy {
        $0 != "/" && $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
      }
  }

  public var description: String { components.joined(separator: "/") }
  var file: String { components[components.count - 1] }

  /// The folders above it, the outermost first.
  var folders: [RemoteName] {
    (1..<max(1, components.count)).map { RemoteName(unchecked: Array(components[..<$0])) }
  }

  private func renamed(_ file: String) -> RemoteName {
    RemoteName(unchecked: components.dropLast() + [file])
  }

  /// Returns the name for the n-th content of that name: `Kitchen (2).opus`.
  func numbered(_ number: Int) -> RemoteName {
    if number < 2 { return self }
    let dot = file.lastIndex(of: ".").flatMap { $0 > file.startIndex ? $0 : nil } ?? file.endIndex
    return renamed(Self.shortened(file[..<dot]) + " (\(number))" + file[dot...])
  }

  /// Returns the name while the file is sent. It names the content, so an upload that goes on after
  /// a power cut never continues another one.
  func part(of content: ContentHashes) -> RemoteName {
    renamed(Self.shortened(file[...]) + ".\(content.digits).part")
  }

  /// The name while a file is sent that only this recorder sends, always from its beginning: what a
  /// crash left is written over.
  var part: RemoteName { renamed(Self.shortened(file[...]) + ".part") }

  /// Cuts a very long name at a character, so that an ending fits.
  private static func shortened(_ text: Substring) -> String {
    var text = text
    while text.utf8.count > componentBytesMaximum - ending { text = text.dropLast() }
    return String(text)
  }

  /// For an address: each byte that is not unreserved in RFC 3986 is written as %XX.
  var encoded: String { components.map(Self.encode).joined(separator: "/") }

  static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126: result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
