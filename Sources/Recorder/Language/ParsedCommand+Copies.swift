// The commands about copies elsewhere, parsed: what is not safe yet, for people and for the program
// that copies; and what that program and the one that serves the page report. Pure functions.

extension ParsedCommand {
  static func copying(_ call: Call) throws(ParseError) -> ParsedCommand {
    let verb = call.spec.verb
    switch verb {
    case .about: return .request(verb, .item(.manifest(.about)))
    case .manifest: return .request(verb, .item(.manifest(.head)))
    case .openManifest: return .request(verb, .item(.manifest(.open)))
    case .copied: return .request(verb, .item(.noteCopy(try note(call))))
    case .copying: return .request(verb, .system(.copying(try report(call))))
    case .pairing: return .request(verb, .system(.pairing(try pairing(call))))
    case .openFile:
      let (item, folder) = (try id(call.need(0)), try id(call.needOption("--in")))
      let file = FileRequest(item, in: folder, track: call.option("--track"))
      return .request(verb, .item(.openFile(file)))
    case .fetch:
      return .fetch(
        target: try target(call.need(0)), into: call.option("--to"),
        configuration: call.option("--config"))
    default: return .request(verb, .item(.copies(try query(call))))
    }
  }

  private static func query(_ call: Call) throws(ParseError) -> CopyQuery {
    var place: CopyPlace?
    if let word = call.option("--after") {
      place = CopyPlace(word)
      if place == nil { throw ParseError("--after takes what `next` of an answer said.") }
    }
    return CopyQuery(
      target: try call.option("--target").map(target),
      call.option("--of").flatMap(CopyQuery.Scope.init) ?? .lacking, after: place,
      count: try call.number("--count") ?? CopyQuery.defaultCount)
  }

  private static func note(_ call: Call) throws(ParseError) -> CopyNote {
    let (item, folder) = (try id(call.need(0)), try id(call.needOption("--in")))
    let target = try target(call.needOption("--target"))
    if call.has("--gone") { return CopyNote(item, in: folder, at: target, .gone) }
    if let texts = call.option("--texts") {
      guard Recording.isTexts(texts) else { throw ParseError("--texts takes 16 digits.") }
      return CopyNote(item, in: folder, at: target, .described(texts: texts))
    }
    let (remote, file) = (try call.needOption("--remote"), try call.needOption("--file"))
    if call.has("--renamed") {
      return CopyNote(item, in: folder, at: target, .renamed(remote: remote, file: file))
    }
    let hashes = try call.needOption("--sha256").split(separator: ",").map(String.init)
    return CopyNote(
      item, in: folder, at: target, .verified(remote: remote, file: file, hashes: hashes))
  }

  private static func report(_ call: Call) throws(ParseError) -> CopyingReport {
    let condition = CopyCondition(rawValue: try call.needOption("--state")) ?? .waiting
    return CopyingReport(
      try target(call.need(0)), item: try call.option("--item").map(id), condition,
      waiting: try call.number("--waiting"), why: call.option("--why"),
      retrySeconds: try call.number("--retry-after"), editedTwice: call.option("--edited-twice"))
  }

  private static func pairing(_ call: Call) throws(ParseError) -> PairingReport {
    guard let digits = call.word(0) else { return .over }
    let picture = call.option("--picture")?.split(separator: "/").map(String.init) ?? []
    guard
      let code = PairingCode(
        digits: digits, address: try call.needOption("--address"), picture: picture)
    else { throw ParseError("That is no code of digits from 1 to 9, address and square picture.") }
    return .code(code, seconds: try call.number("--seconds") ?? 60)
  }

  private static func target(_ word: String) throws(ParseError) -> String {
    if let name = RecordingCopy.targetName(word) { return name }
    throw ParseError("A target's name is one line of at most 60 bytes.")
  }

  private static func id(_ word: String) throws(ParseError) -> ItemID {
    if let id = ItemID(word) { return id }
    throw ParseError("“\(word)” is no id of an item, as `info --json` shows it.")
  }
}
