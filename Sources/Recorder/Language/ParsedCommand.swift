// A parsed command, with its arguments as values. Names in it have not been looked up yet. Plain
// values; any thread.

/// A command with its arguments as values.
public enum ParsedCommand: Equatable, Sendable {
  case status
  /// - Parameter screen: nil for the status.
  case watch(screen: ScreenSource?)
  case notices(all: Bool)
  case list(String?, ListOptions)
  case enter(String?, isPanel: Bool)
  case place
  case info(String)
  case detail(String)
  case record(title: String?, in: String?, asksForName: Bool?)
  case play(String?, from: Int64?)
  case volume(VolumeChange?)
  /// A request in which no name must be looked up.
  case request(Verb, Request)
  case makeFolder(String)
  case move([String], to: String, at: Int?)
  case rename(String, to: String)
  /// Only reelctl performs it.
  case fetch(target: String, into: String?, configuration: String?)
  case addMark(String, at: MarkPlace, name: String)
  case mark(String, number: Int, MarkOrder)
  case describe(String, RecordingField, String)
  case remove([String], isSure: Bool)
  case restore([String])
  case trashList
  case trashEmpty(String?, olderThanDays: Int?, isSure: Bool)
  case search(String)
  case sort(Folder.SortOrder, String?)
  case setHeard([String], Bool)
  case undo, undoList
  case export([String], to: String, ExportForm)
  case join([String], to: String, ExportForm)
  case importFiles([String], into: String?, format: String?)
  case waveform(String, points: Int)
  case verify(String?)
  case handOver(Bool?)
  case panel
  case identify(pullsDown: Bool)
  case config, flight, doctor, version
  case mode(isJSON: Bool)
  case help(String?)
  case complete([String])
  /// For reelctl itself.
  case verifyManifest(ManifestOptions)
}

/// What `manifest verify` compares, and with what.
public struct ManifestOptions: Equatable, Sendable {
  public let directory: String
  /// A public key, or a file that has it.
  public var key: String?
  public var publicFile: String?
  /// A file with a head from earlier.
  public var head: String?
  /// The text of a manifest; nil: all of the directory.
  public var manifest: String?
  public var isPartial = false
}

/// Which items of a folder are listed, and in which order.
public struct ListOptions: Equatable, Sendable {
  public var order: Folder.SortOrder?
  public var isUnheardOnly = false
  public var from = 0
  public var count = 500

  public init(
    order: Folder.SortOrder? = nil, isUnheardOnly: Bool = false, from: Int = 0, count: Int = 500
  ) {
    (self.order, self.isUnheardOnly) = (order, isUnheardOnly)
    (self.from, self.count) = (from, count)
  }
}

/// Where a mark is to be.
public enum MarkPlace: Equatable, Sendable {
  case frame(Int64)
  case milliseconds(Int64)
}

/// What to do with a mark.
public enum MarkOrder: Equatable, Sendable {
  case rename(to: String)
  case move(to: Seek)
  case remove
}

/// A volume, or a difference to the present one.
public enum VolumeChange: Equatable, Sendable {
  case to(Int)
  case by(Int)
}

extension ParsedCommand {
  /// Parses the words of a command; one that this wire does not offer is an error.
  public init(_ words: [String], on wire: Wire) throws(ParseError) {
    let call = try Call(words)
    guard call.spec.wires.contains(wire) else {
      throw ParseError("“\(call.spec.name)” does not work here.", .notHere)
    }
    self = try Self.order(call)
  }

  private static func order(_ call: Call) throws(ParseError) -> ParsedCommand {
    switch call.spec.verb {
    case .record, .stop, .mark, .split, .play, .pause, .resume, .seek, .next, .previous,
      .markNext, .markPrevious, .volume, .acknowledge, .cancel, .lock, .unlock, .reload, .handOver,
      .pair:
      return try requesting(call)
    case .makeFolder, .move, .rename, .note, .recordedPlace, .speaker, .remove, .restore,
      .trashList, .trashEmpty, .search, .sort, .heard, .undo, .export, .join, .importFile,
      .waveform, .verify:
      return try changing(call)
    case .markAdd, .markRename, .markMove, .markRemove: return try marking(call)
    case .copies, .copied, .copying, .openFile, .fetch, .manifest, .openManifest, .about, .pairing:
      return try copying(call)
    case .status, .watch, .list, .enter, .place, .info, .detail, .notices, .panel, .identify,
      .config,
      .flight, .doctor, .verifyManifest, .mode, .web, .completion, .complete, .help, .version:
      return try looking(call)
    }
  }

  private static func requesting(_ call: Call) throws(ParseError) -> ParsedCommand {
    let verb = call.spec.verb
    switch verb {
    case .record:
      return .record(
        title: call.word(0), in: call.option("--in"),
        asksForName: call.option("--ask-name").map { $0 == "on" })
    case .stop: return .request(verb, .take(.stop))
    case .mark: return .request(verb, .take(.mark(name: call.word(0) ?? "")))
    case .split: return .request(verb, .take(.split))
    case .play:
      guard let from = call.option("--from") else { return .play(call.word(0), from: nil) }
      return .play(call.word(0), from: try Position(from).absolute())
    case .pause: return .request(verb, .deck(.pause))
    case .resume: return .request(verb, .deck(.resume))
    case .seek: return .request(verb, .deck(.seek(try Position(try call.need(0)).seek)))
    case .next: return .request(verb, .deck(.next))
    case .previous: return .request(verb, .deck(.previous))
    case .markNext: return .request(verb, .deck(.nextMark))
    case .markPrevious: return .request(verb, .deck(.previousMark))
    case .volume:
      guard let word = call.word(0) else { return .volume(nil) }
      return .volume(try VolumeChange(word))
    case .acknowledge: return .request(verb, .system(.acknowledge))
    case .cancel: return .request(verb, .item(.cancel(ticket: try call.number(0))))
    case .lock: return .request(verb, .system(.lock(true)))
    case .unlock: return .request(verb, .system(.lock(false)))
    case .pair: return .request(verb, .system(.askForCode))
    case .handOver: return .handOver(call.word(0).map { $0 == "on" })
    default: return .request(verb, .system(.reload))
    }
  }

  private static func changing(_ call: Call) throws(ParseError) -> ParsedCommand {
    let isSure = call.has("--yes")
    if let field = call.spec.verb.field {
      return .describe(try call.need(0), field, try call.need(1))
    }
    switch call.spec.verb {
    case .makeFolder: return .makeFolder(try call.need(0))
    case .move: return .move(call.words(0), to: try call.need(1), at: try call.number("--at"))
    case .rename: return .rename(try call.need(0), to: try call.need(1))
    case .remove: return .remove(call.words(0), isSure: isSure)
    case .restore: return .restore(call.words(0))
    case .trashList: return .trashList
    case .trashEmpty:
      let days = try call.number("--older-than")
      if call.word(0) != nil, days != nil {
        throw ParseError("An item or --older-than, not both; see `help trash empty`.")
      }
      return .trashEmpty(call.word(0), olderThanDays: days, isSure: isSure)
    case .search: return .search(try call.need(0))
    case .sort: return .sort(Self.folderOrder(try call.need(0)), call.word(1))
    case .heard: return .setHeard(call.words(0), !call.has("--not"))
    case .undo: return call.has("--list") ? .undoList : .undo
    case .export:
      return .export(
        call.words(0), to: try call.need(1),
        ExportForm(
          format: call.option("--format"), track: call.option("--track"),
          repairsClipping: call.has("--repair-clipping")))
    case .join:
      return .join(
        call.words(0), to: try call.needOption("--to"),
        ExportForm(format: call.option("--format"), track: call.option("--track")))
    case .importFile:
      return .importFiles(
        call.words(0), into: call.option("--in"), format: call.option("--format"))
    case .waveform: return .waveform(try call.need(0), points: try call.number("--points") ?? 600)
    default: return .verify(call.word(0))
    }
  }

  private static func marking(_ call: Call) throws(ParseError) -> ParsedCommand {
    if call.spec.verb == .markAdd {
      let place: MarkPlace
      if let frame = try call.number("--frame") {
        place = .frame(Int64(frame))
      } else {
        place = .milliseconds(try Position(call.need(1)).absolute())
      }
      return .addMark(try call.need(0), at: place, name: call.word(2) ?? "")
    }
    let (item, number) = (try call.need(0), try call.number(1))
    switch call.spec.verb {
    case .markRename: return .mark(item, number: number, .rename(to: call.word(2) ?? ""))
    case .markMove: return .mark(item, number: number, .move(to: try Position(call.need(2)).seek))
    default: return .mark(item, number: number, .remove)
    }
  }

  private static func looking(_ call: Call) throws(ParseError) -> ParsedCommand {
    switch call.spec.verb {
    case .status: return .status
    case .watch: return .watch(screen: try screen(call))
    case .list: return .list(call.word(0), try listOptions(call))
    case .enter: return .enter(call.word(0), isPanel: call.has("--panel"))
    case .place: return .place
    case .info: return .info(try call.need(0))
    case .detail: return .detail(try call.need(0))
    case .notices: return .notices(all: call.has("--all"))
    case .panel: return .panel
    case .identify: return .identify(pullsDown: call.has("--pull-down"))
    case .config: return .config
    case .flight: return .flight
    case .doctor: return .doctor
    case .mode: return .mode(isJSON: try call.need(0) == "json")
    case .complete: return .complete(call.words(0))
    case .help: return .help(call.word(0))
    case .version: return .version
    case .verifyManifest: return .verifyManifest(try manifestOptions(call))
    default: throw ParseError("“\(call.spec.name)” is for reelctl itself.", .notHere)
    }
  }

  private static func manifestOptions(_ call: Call) throws(ParseError) -> ManifestOptions {
    var options = ManifestOptions(directory: try call.need(0))
    (options.key, options.publicFile) = (call.option("--key"), call.option("--public"))
    (options.head, options.manifest) = (call.option("--head"), call.option("--manifest"))
    options.isPartial = call.has("--partial")
    if options.key != nil, options.publicFile != nil {
      throw ParseError("--key or --public, not both; see `help manifest verify`.")
    }
    return options
  }

  private static func screen(_ call: Call) throws(ParseError) -> ScreenSource? {
    let console = try call.number("--console")
    if call.has("--screen") { return console.map { .console($0) } ?? .panel }
    if console == nil { return nil }
    throw ParseError("--console goes with --screen; see `help watch`.")
  }

  private static func listOptions(_ call: Call) throws(ParseError) -> ListOptions {
    var options = ListOptions()
    for order in ["name", "date", "length"] where call.has("--by-" + order) {
      options.order = folderOrder(order)
    }
    options.isUnheardOnly = call.has("--unheard")
    options.from = try call.number("--from") ?? 0
    options.count = try call.number("--count") ?? options.count
    return options
  }

  private static func folderOrder(_ word: String) -> Folder.SortOrder {
    switch word {
    case "name": .byName
    case "length": .byLength
    case "hand": .byHand
    default: .byDate
    }
  }
}
