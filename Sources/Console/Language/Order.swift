// A command understood: what is wanted, with everything that was said of it as values. What is
// named in it has not been looked up yet. Plain values; any thread.

import Recorder

public enum Order: Equatable, Sendable {
  case status, watch
  case notices(all: Bool)
  case list(String?, ListOptions)
  case enter(String?, isPanel: Bool)
  case place
  case info(String)
  case record(title: String?, in: String?)
  case play(String?, from: Int64?)
  case volume(VolumeOrder?)
  /// What needs nothing to be looked up.
  case wish(Verb, Request)
  case makeFolder(String)
  case move([String], to: String, at: Int?)
  case rename(String, to: String)
  case remove([String], isSure: Bool)
  case restore([String])
  case trashList
  case trashEmpty(String?, olderThanDays: Int?, isSure: Bool)
  case search(String)
  case sort(Folder.Order, String?)
  case setHeard([String], Bool)
  case export([String], to: String, format: String?)
  case importFiles([String], into: String?)
  case waveform(String, points: Int)
  case verify(String?)
  case handOver(Bool?)
  case panel
  case identify(pullsDown: Bool)
  case config, flight, doctor, version
  case mode(isJSON: Bool)
  case help(String?)
  case complete([String])
}

public struct ListOptions: Equatable, Sendable {
  public var order: Folder.Order?
  public var isUnheardOnly = false
  public var from = 0
  public var count = 500
}

public enum VolumeOrder: Equatable, Sendable {
  case to(Int)
  case by(Int)
}

extension Order {
  /// Understands the words of a command. On one wire only those that can be had there.
  public init(_ words: [String], on wire: Wire) throws(Mistake) {
    let call = try Call(words)
    guard call.spec.wires.contains(wire) else {
      throw Mistake("“\(call.spec.name)” is not to be had here.", .notHere)
    }
    self = try Self.order(call)
  }

  private static func order(_ call: Call) throws(Mistake) -> Order {
    switch call.spec.verb {
    case .record, .stop, .mark, .split, .play, .pause, .resume, .seek, .next, .previous, .volume,
      .acknowledge, .cancel, .lock, .unlock, .reload, .handOver:
      return try wishing(call)
    case .makeFolder, .move, .rename, .remove, .restore, .trashList, .trashEmpty, .search, .sort,
      .heard, .export, .importFile, .waveform, .verify:
      return try changing(call)
    case .status, .watch, .list, .enter, .place, .info, .notices, .panel, .identify, .config,
      .flight, .doctor, .mode, .completion, .complete, .help, .version:
      return try looking(call)
    }
  }

  private static func wishing(_ call: Call) throws(Mistake) -> Order {
    let verb = call.spec.verb
    switch verb {
    case .record: return .record(title: call.word(0), in: call.option("--in"))
    case .stop: return .wish(verb, .take(.stop))
    case .mark: return .wish(verb, .take(.mark(name: call.word(0) ?? "")))
    case .split: return .wish(verb, .take(.split))
    case .play:
      guard let from = call.option("--from") else { return .play(call.word(0), from: nil) }
      return .play(call.word(0), from: try Position(from).absolute())
    case .pause: return .wish(verb, .deck(.pause))
    case .resume: return .wish(verb, .deck(.resume))
    case .seek: return .wish(verb, .deck(.seek(try Position(try call.need(0)).seek)))
    case .next: return .wish(verb, .deck(.next))
    case .previous: return .wish(verb, .deck(.previous))
    case .volume:
      guard let word = call.word(0) else { return .volume(nil) }
      return .volume(try VolumeOrder(word))
    case .acknowledge: return .wish(verb, .system(.acknowledge))
    case .cancel: return .wish(verb, .item(.work(.cancel(ticket: try call.number(0)))))
    case .lock: return .wish(verb, .system(.lock(true)))
    case .unlock: return .wish(verb, .system(.lock(false)))
    case .handOver: return .handOver(call.word(0).map { $0 == "on" })
    default: return .wish(verb, .system(.reload))
    }
  }

  private static func changing(_ call: Call) throws(Mistake) -> Order {
    let isSure = call.has("--yes")
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
        throw Mistake("An item or --older-than, not both; see `help trash empty`.")
      }
      return .trashEmpty(call.word(0), olderThanDays: days, isSure: isSure)
    case .search: return .search(try call.need(0))
    case .sort: return .sort(Self.folderOrder(try call.need(0)), call.word(1))
    case .heard: return .setHeard(call.words(0), !call.has("--not"))
    case .export:
      return .export(call.words(0), to: try call.need(1), format: call.option("--format"))
    case .importFile: return .importFiles(call.words(0), into: call.option("--in"))
    case .waveform: return .waveform(try call.need(0), points: try call.number("--points") ?? 600)
    default: return .verify(call.word(0))
    }
  }

  private static func looking(_ call: Call) throws(Mistake) -> Order {
    switch call.spec.verb {
    case .status: return .status
    case .watch: return .watch
    case .list: return .list(call.word(0), try listOptions(call))
    case .enter: return .enter(call.word(0), isPanel: call.has("--panel"))
    case .place: return .place
    case .info: return .info(try call.need(0))
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
    default: throw Mistake("“\(call.spec.name)” is for reelctl itself.", .notHere)
    }
  }

  private static func listOptions(_ call: Call) throws(Mistake) -> ListOptions {
    var options = ListOptions()
    for order in ["name", "date", "length"] where call.has("--by-" + order) {
      options.order = folderOrder(order)
    }
    options.isUnheardOnly = call.has("--unheard")
    options.from = try call.number("--from") ?? 0
    options.count = try call.number("--count") ?? options.count
    return options
  }

  private static func folderOrder(_ word: String) -> Folder.Order {
    switch word {
    case "name": .byName
    case "length": .byLength
    case "hand": .byHand
    default: .byDate
    }
  }
}
