// Resolves a name: a path from the root or from the current place, a recording's number, or the
// beginning of an id. Pure; if it needs a folder that has not been read yet, it returns which, and
// is called again when that has been read.

/// The result of resolving a name.
public enum Finding: Equatable, Sendable {
  case found(ItemID)
  /// These folders must be read first.
  case need([ItemID])
  case failed(CommandError)
}

/// An error: a code for programs and a sentence for people.
public struct CommandError: Error, Equatable, Codable, Sendable {
  public let code: String
  public let sentence: String

  public init(_ code: String, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  public init(_ refusal: Refusal) { self.init(refusal.rawValue, refusal.sentence) }

  init(_ mistake: ParseError) { self.init(mistake.code.rawValue, mistake.sentence) }
}

struct Resolver {
  let library: Library
  /// The folder that relative paths begin at.
  let place: ItemID

  /// The name of the trash below the root.
  static let trashName = ".trash"

  func find(_ text: String, _ kind: ItemKind = .any) -> Finding {
    let start = kind == .trashed && !text.hasPrefix("/") ? ItemID.trash : place
    var found = walk(text, from: start)
    if case .failed(let failure) = found, failure.code == Refusal.notFound.rawValue {
      found = findByNumber(text) ?? found
    }
    guard case .found(let id) = found else { return found }
    return check(id, is: kind, text)
  }

  /// Returns the folder in which to make something new, and its name.
  func findNew(_ text: String) -> (Finding, name: String) {
    var path = Substring(text)
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    guard let slash = path.lastIndex(of: "/") else { return (.found(place), String(path)) }
    let name = String(path[path.index(after: slash)...])
    let parent = slash == path.startIndex ? "/" : String(path[..<slash])
    return (find(parent, .folder), name)
  }

  private func check(_ id: ItemID, is kind: ItemKind, _ text: String) -> Finding {
    let isFolder = library.folders[id] != nil
    switch kind {
    case .recording where isFolder:
      return .failed(CommandError("notARecording", "“\(text)” is a folder, not a recording."))
    case .folder where !isFolder:
      return .failed(CommandError("notAFolder", "“\(text)” is a recording, not a folder."))
    case .any, .recording, .folder, .trashed: return .found(id)
    }
  }

  // MARK: Paths

  private func walk(_ text: String, from start: ItemID) -> Finding {
    var here = text.hasPrefix("/") ? ItemID.root : start
    var parts = text.split(separator: "/").map(String.init)[...]
    while !parts.isEmpty {
      guard library.folders[here] != nil else {
        if library.recordings[here] == nil { return .failed(CommandError(.notReady)) }
        let name = library.title(of: here) ?? text
        return .failed(CommandError("notAFolder", "“\(name)” is a recording, not a folder."))
      }
      switch step(from: here, &parts) {
      case .found(let next): here = next
      case let other: return other
      }
    }
    return library.folders[here] == nil && library.recordings[here] == nil
      ? .failed(CommandError(.notReady)) : .found(here)
  }

  /// Resolves the next part. A title may contain a `/`, and is then several parts.
  private func step(from here: ItemID, _ parts: inout ArraySlice<String>) -> Finding {
    let first = parts[parts.startIndex]
    switch first {
    case ".":
      parts.removeFirst()
      return .found(here)
    case "..":
      parts.removeFirst()
      return .found(library.parent(of: here) ?? .root)
    case Self.trashName where here == .root:
      parts.removeFirst()
      return .found(.trash)
    default: break
    }
    for count in 1...parts.count {
      let name = parts.prefix(count).joined(separator: "/")
      let found = child(named: name, of: here, isLast: count == parts.count)
      if case .failed(let failure) = found, failure.code == Refusal.notFound.rawValue { continue }
      parts.removeFirst(count)
      return found
    }
    return child(named: first, of: here, isLast: parts.count == 1)
  }

  private func child(named name: String, of folder: ItemID, isLast: Bool) -> Finding {
    guard let listed = library.folders[folder] else { return .failed(CommandError(.notFound)) }
    switch listed.reading {
    case .unread, .reading: return .need([folder])
    case .failed(let why):
      return .failed(
        CommandError("unreadable", "The folder “\(listed.name)” cannot be read: \(why)"))
    case .read: break
    }
    var titles: [(id: ItemID, title: String)] = []
    for id in listed.items {
      if let title = library.title(of: id) { titles.append((id, title)) }
    }
    var fitting = titles.filter { $0.title == name }
    if fitting.isEmpty {
      let small = name.lowercased()
      fitting = titles.filter { $0.title.lowercased() == small }
    }
    // Before the last part, only folders count.
    if !isLast, fitting.count > 1 { fitting = fitting.filter { library.folders[$0.id] != nil } }
    switch fitting.count {
    case 1: return .found(fitting[0].id)
    case 0:
      let (meant, path) = (
        nearest(to: name, among: titles.map(\.title)), library.pathName(of: folder)
      )
      return .failed(
        CommandError(
          Refusal.notFound.rawValue,
          meant.map { "There is no “\(name)” in \(path); did you mean \($0)?" }
            ?? "There is no “\(name)” in \(path)."))
    default: return ambiguous(name, fitting.map(\.id))
    }
  }

  private func ambiguous(_ text: String, _ ids: [ItemID]) -> Finding {
    let numbers = ids.compactMap { library.recordings[$0]?.sequence }
    let areUnique = Set(numbers).count == numbers.count
    let candidates = ids.sorted().prefix(8).map { id in
      let title = library.pathName(of: id)
      if areUnique, let number = library.recordings[id]?.sequence { return "\(number) (\(title))" }
      return "\("\(id)".prefix(8)) (\(title))"
    }
    let more = ids.count > 8 ? " and \(ids.count - 8) more" : ""
    return .failed(
      CommandError(
        "ambiguous",
        "“\(text)” may be \(candidates.joined(separator: ", ") + more); say its number."))
  }

  // MARK: Numbers and ids

  /// Nil when it is neither a recording's number nor the beginning of an id.
  private func findByNumber(_ text: String) -> Finding? {
    if let id = ItemID(text), library.contains(id) { return .found(id) }
    let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
    let number = digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    // Two may share a number: a card can hold files that were recorded on another.
    let numbered = library.recordings.values.filter { number != nil && $0.sequence == number }
    if numbered.count > 1 { return ambiguous(text, numbered.map(\.id)) }
    if let only = numbered.first { return .found(only.id) }
    // A number that has not been assigned yet belongs to no recording: no folder need be read.
    let isGiven = number.map { $0 < library.nextSequence } ?? false
    // Ids are shown with at least eight digits: fewer, without a letter, are a number.
    let prefix = number == nil || digits.utf8.count >= 8 ? IDPrefix(text) : nil
    guard isGiven || prefix != nil else { return nil }
    let unread = library.folders.values.filter { $0.reading == .unread || $0.reading == .reading }
    if !unread.isEmpty { return .need(unread.map(\.id).sorted()) }
    guard let prefix else { return nil }
    let folders = library.folders.keys.filter { $0 != .root && $0 != .trash }
    let fitting = (folders + library.recordings.keys).filter(prefix.begins)
    switch fitting.count {
    case 0: return nil
    case 1: return .found(fitting[0])
    default: return ambiguous(text, fitting)
    }
  }
}

/// The first digits of an id, at least four.
private struct IDPrefix {
  private let high: UInt64
  private let low: UInt64
  private let maskHigh: UInt64
  private let maskLow: UInt64

  init?(_ text: String) {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    guard (4...32).contains(digits.count) else { return nil }
    func bits(_ part: some Sequence<UInt8>) -> UInt64? {
      let padded = String(decoding: Array(part), as: UTF8.self)
      if padded.isEmpty { return 0 }
      guard !padded.hasPrefix("+"), let bits = UInt64(padded, radix: 16) else { return nil }
      return bits << UInt64(64 - padded.utf8.count * 4)
    }
    guard let high = bits(digits.prefix(16)), let low = bits(digits.dropFirst(16)) else {
      return nil
    }
    (self.high, self.low) = (high, low)
    let highDigits = min(16, digits.count)
    maskHigh = ~UInt64(0) << UInt64(64 - highDigits * 4)
    maskLow = digits.count > 16 ? ~UInt64(0) << UInt64(64 - (digits.count - 16) * 4) : 0
  }

  func begins(_ id: ItemID) -> Bool { id.high & maskHigh == high && id.low & maskLow == low }
}

extension Library {
  /// Returns the path of an item from the root, such as "/Interviews/Kitchen".
  public func pathName(of id: ItemID) -> String {
    if id == .root { return "/" }
    let top = isInTrash(id) ? ["", Resolver.trashName] : [""]
    var parts: [String] = []
    var next: ItemID? = id
    while let here = next, here != .root, here != .trash {
      parts.append(title(of: here) ?? "")
      next = parent(of: here)
    }
    return (top + parts.reversed()).joined(separator: "/")
  }
}
