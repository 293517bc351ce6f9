// Turns a parsed command into a plan: an answer at once, requests to make one after another, or
// folders to read first. A pure function of the command, the state and the origin; it is called
// again when the folders have been read.

enum Plan {
  case answer(Answer)
  case need([ItemID])
  case request(PlannedRequests)
  /// The console shows a recording.
  case detail(ItemID)
  /// Another room knows the answer.
  case inquiry(Inquiry)
}

/// Requests that are made in order, the next when the one before is granted.
public struct PlannedRequests: Equatable, Codable, Sendable {
  var requests: [Request]
  var isLong = false
  /// Requested on behalf of the panel.
  var isOfPanel = false
  /// Added to the sentence of a failure.
  var remark: String?
  /// The item they are about, if the reply does not name it.
  var item: ItemID?
  var ending: Ending
}

struct Planner {
  let state: State
  let origin: Origin
  /// The numbers of open files that were passed with the command.
  var files: [Int] = []

  enum Stop: Error {
    case need([ItemID])
    case failed(CommandError)
    case ask(String)
  }

  func plan(_ order: ParsedCommand) -> Plan {
    do throws(Stop) { return try make(order) } catch {
      switch error {
      case .need(let folders): return .need(folders)
      case .failed(let failure): return .answer(.failed(failure))
      case .ask(let question): return .answer(.question(question))
      }
    }
  }

  private func make(_ order: ParsedCommand) throws(Stop) -> Plan {
    switch order {
    case .status: return .answer(.status(StatusView(state)))
    case .notices(let all): return .answer(.notices(notices(all: all)))
    case .list(let target, let options): return .answer(try list(target, options))
    case .trashList: return .answer(try list("/" + Resolver.trashName, ListOptions()))
    case .place: return .answer(.told(state.library.pathName(of: place)))
    case .info(let target): return .answer(try info(target))
    case .detail(let target): return .detail(try find(target, .recording))
    case .enter, .record, .play, .volume, .request, .handOver, .search, .verify, .waveform:
      return try requesting(order)
    case .makeFolder, .move, .rename, .describe, .remove, .restore, .trashEmpty, .sort, .setHeard,
      .export, .join, .importFiles, .undo, .mark, .addMark:
      return try changing(order)
    case .undoList: return .answer(.changes(state.undo.steps.reversed().map(ChangeReport.init)))
    case .version: return .answer(.told("reeld \(state.host.version)"))
    case .mode(let isJSON): return .answer(.mode(isJSON: isJSON))
    case .help(let command): return .answer(help(command))
    case .complete(let words): return .answer(try completions(words))
    case .panel: return .inquiry(.panel)
    case .config: return .inquiry(.configuration)
    case .flight: return .inquiry(.flightLog)
    case .doctor: return .inquiry(.checkup(mayMeasure: mayChange))
    case .identify(let pullsDown):
      return mayChange ? .inquiry(.lines(pullsDown: pullsDown)) : .answer(.failed(.mayNotChange))
    case .watch, .fetch, .verifyManifest:
      return .answer(.failed(CommandError("notHere", "This appliance cannot do that.")))
    }
  }

  // MARK: Names

  var place: ItemID { state.place(of: origin).folder }

  func find(_ text: String, _ kind: ItemKind = .any) throws(Stop) -> ItemID {
    try unwrap(Resolver(library: state.library, place: place).find(text, kind))
  }

  /// Returns nil if no name was given.
  func findNamed(_ text: String?, _ kind: ItemKind = .any) throws(Stop) -> ItemID? {
    guard let text else { return nil }
    return try find(text, kind)
  }

  func findAll(_ texts: [String], _ kind: ItemKind = .any) throws(Stop) -> [ItemID] {
    var found: [ItemID] = []
    for text in texts { found.append(try find(text, kind)) }
    return found
  }

  func unwrap(_ finding: Finding) throws(Stop) -> ItemID {
    switch finding {
    case .found(let id): return id
    case .failed(let failure): throw .failed(failure)
    case .need(let folders): throw .need(folders)
    }
  }

  /// Checks that a folder has been read, or asks for it to be read.
  private func read(_ id: ItemID) throws(Stop) {
    switch state.library.folders[id]?.reading {
    case .read, nil: return
    case .unread, .reading: throw .need([id])
    case .failed(let why):
      throw .failed(CommandError("unreadable", "This folder cannot be read: \(why)"))
    }
  }

  // MARK: Looking

  private func notices(all: Bool) -> [NoticeReport] {
    (all ? state.notices.kept : state.notices.unacknowledged).map { NoticeReport($0, in: state) }
  }

  private func list(_ target: String?, _ options: ListOptions) throws(Stop) -> Answer {
    let id = try findNamed(target) ?? place
    if let item = ItemReport(id, in: state), item.kind == .recording, let parent = item.folderID,
      let folder = ItemReport(parent, in: state)
    {
      return .listing(FolderListing(only: item, in: folder))
    }
    try read(id)
    guard let listing = FolderListing(id, options, in: state) else { return .failed(.notReady) }
    return .listing(listing)
  }

  private func info(_ target: String) throws(Stop) -> Answer {
    guard let report = ItemReport(try find(target), in: state) else { return .failed(.notFound) }
    return .item(report.withTracks(in: state))
  }

  private func completions(_ words: [String]) throws(Stop) -> Answer {
    switch Completer(library: state.library, place: place, wire: .socket).complete(words) {
    case .need(let folders): throw .need(folders)
    case .candidates(let candidates): return .completions(candidates)
    }
  }

  private func help(_ command: String?) -> Answer {
    let wire = origin.wire
    guard let command else { return .help(HelpReport(verb: nil, wire: wire, refusal: nil)) }
    let words = command.split(separator: " ").map(String.init)
    do throws(ParseError) {
      let spec = try CommandTable.spec(for: words).0
      let refusal = state.refusal(to: spec.verb, from: origin)
      return .help(HelpReport(verb: spec.verb, wire: wire, refusal: refusal))
    } catch {
      return .failed(CommandError(error))
    }
  }
}
