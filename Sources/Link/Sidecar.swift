// The file with a recording's texts at a target, `texts/0041-62e2e4c1.json`: people may edit it,
// and programs too. What is read is a stranger's: it is bounded, and what is wrong is told in
// one sentence with its line, never mended by writing over it. Pure.
import JSON

/// A file of texts.
public struct Sidecar: Equatable, Sendable {
  /// The recording it is about.
  public let id: String
  public let texts: Texts
  /// The recording's files at the target, as far as the file tells them rightly.
  public let files: [SidecarFacts.File]

  public static let bytesMaximum = 256 << 10
  static let marksMaximum = 10_000
  private static let textBytesMaximum = 16 << 10

  /// Reads a file. A key that is missing leaves the text as it is here.
  public init(
    _ bytes: [UInt8], here: Texts, rate: Int, of name: RemoteName
  ) throws(LinkError) {
    let limits = JSON.Limits(bytes: Self.bytesMaximum, depth: 16)
    do throws(JSONError) {
      let value = try JSON.parse(bytes, dialect: .json5, limits: limits)
      guard case .table(let members) = value.value else {
        throw JSONError(.type, offset: 0, "it is no object of JSON")
      }
      var reading = SidecarReading(texts: here, rate: rate)
      for member in members { try reading.read(member) }
      (id, texts, files) = (reading.id, reading.texts, reading.files)
    } catch {
      let line = TextPlace(of: error.offset, in: bytes).line
      throw LinkError(
        .source, .recording,
        "“\(name.file)” cannot be read, line \(line): \(error.sentence); mend it, or delete it, and"
          + " it is written anew.")
    }
  }

  static func text(_ item: JSONValue, _ key: String) throws(JSONError) -> String {
    guard case .string(let text) = item.value else {
      throw JSONError(.type, offset: item.offset, "\"\(key)\" takes a text in quotes")
    }
    if text.utf8.count > textBytesMaximum {
      throw JSONError(.size, offset: item.offset, "\"\(key)\" is too long")
    }
    return text
  }
}

/// The members of the file as they are read.
private struct SidecarReading {
  var id = ""
  var texts: Texts
  var files: [SidecarFacts.File] = []
  let rate: Int

  mutating func read(_ member: JSONValue.Member) throws(JSONError) {
    let item = member.item
    if let field = TextField(rawValue: member.key) {
      texts[field] = try Sidecar.text(item, member.key)
      return
    }
    switch member.key {
    case "id": id = try Sidecar.text(item, "id")
    case "heard": texts.isHeard = try flag(item, "heard")
    case "deleted": texts.isDeleted = try flag(item, "deleted")
    case "marks": texts.marks = try marks(item)
    case "files": files = list(item)
    default: break
    }
  }

  private func list(_ item: JSONValue) -> [SidecarFacts.File] {
    guard case .list(let items) = item.value else { return [] }
    return items.prefix(16).compactMap(file)
  }

  /// Nil if something is missing or no such value.
  private func file(_ item: JSONValue) -> SidecarFacts.File? {
    guard case .table(let members) = item.value else { return nil }
    func text(_ key: String) -> String? {
      guard case .string(let text)? = members.first(where: { $0.key == key })?.item.value else {
        return nil
      }
      return text
    }
    func number(_ key: String) -> Int64? {
      guard case .integer(let number)? = members.first(where: { $0.key == key })?.item.value,
        (0...1 << 44).contains(number)
      else { return nil }
      return number
    }
    guard let file = text("file"), let track = text("track"), let sha256 = text("sha256"),
      let size = number("sizeBytes"), let from = number("soundFrom")
    else { return nil }
    return SidecarFacts.File(
      file: file, track: track, sizeBytes: size, sha256: sha256, soundFrom: from)
  }

  private func flag(_ item: JSONValue, _ key: String) throws(JSONError) -> Bool {
    guard case .bool(let flag) = item.value else {
      throw JSONError(.type, offset: item.offset, "\"\(key)\" takes true or false")
    }
    return flag
  }

  private func marks(_ item: JSONValue) throws(JSONError) -> [Int64: String] {
    guard case .list(let items) = item.value, items.count <= Sidecar.marksMaximum else {
      throw JSONError(.type, offset: item.offset, "\"marks\" takes a list of marks")
    }
    var marks: [Int64: String] = [:]
    for item in items {
      guard case .table(let members) = item.value else {
        throw JSONError(
          .type, offset: item.offset, "a mark is an object with \"at\", its second, and \"name\"")
      }
      var (frame, name): (Int64?, String) = (nil, "")
      for member in members {
        switch member.key {
        // The frame is exact; one without it was added by a person.
        case "frame": frame = try number(member.item, times: 1)
        case "at" where frame == nil: frame = try number(member.item, times: rate)
        case "name": name = try Sidecar.text(member.item, "name")
        default: break
        }
      }
      guard let frame else {
        throw JSONError(.type, offset: item.offset, "this mark lacks \"at\", its second")
      }
      marks[frame] = name
    }
    return marks
  }

  private func number(_ item: JSONValue, times rate: Int) throws(JSONError) -> Int64 {
    let seconds: Double
    switch item.value {
    case .integer(let whole): seconds = Double(whole)
    case .real(let real): seconds = real
    default: throw JSONError(.type, offset: item.offset, "a mark's place is a number")
    }
    guard (0...1e12).contains(seconds) else {
      throw JSONError(.type, offset: item.offset, "a mark's place is no such number")
    }
    return Int64((seconds * Double(max(1, rate))).rounded())
  }
}
