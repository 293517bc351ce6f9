// Plans the commands of one request or none: recording, playing, navigating, searching. Pure.

import Recorder

extension Planner {
  func requesting(_ order: ParsedCommand) throws(Stop) -> Plan {
    switch order {
    case .enter(let target, let isPanel): return try enter(target, isPanel: isPanel)
    case .record(let title, let folder): return try record(title, in: folder)
    case .play(let target, let from): return try play(target, from: from)
    case .volume(let volume): return self.volume(volume)
    case .request(let verb, let request): return oneRequest(verb, request)
    case .handOver(let isOn): return handOver(isOn)
    case .search(let text): return one(.item(.search(text)), ending: .told)
    case .verify(let target):
      let id = try findNamed(target) ?? .root
      return one(.item(.work(.verify(id))), isLong: true, ending: .told)
    case .waveform(let target, let points):
      let id = try find(target, .recording)
      return .request(
        PlannedRequests(
          requests: [.item(.work(.waveform(id, points: points)))], isLong: true, item: id,
          ending: .told))
    default: preconditionFailure("every order has its plan")
    }
  }

  func one(_ request: Request, isLong: Bool = false, ending: PlannedRequests.Ending) -> Plan {
    .request(PlannedRequests(requests: [request], isLong: isLong, ending: ending))
  }

  private func enter(_ target: String?, isPanel: Bool) throws(Stop) -> Plan {
    let id = try findNamed(target, .folder) ?? .root
    if isPanel, !mayChange { throw .failed(CommandError(.mayNotChange)) }
    return .request(
      PlannedRequests(
        requests: [.browse(.enter(id))], isOfPanel: isPanel,
        ending: .said { state, _ in .told(state.library.pathName(of: id)) }))
  }

  /// Whether the console may change things; checked here for what the heart does not see.
  var mayChange: Bool { origin.console.flatMap(state.console)?.access == .control }

  private func record(_ title: String?, in folder: String?) throws(Stop) -> Plan {
    let lastNotice = state.notices.lastID
    let target = try findNamed(folder, .folder)
    let planned = PlannedRequests(
      requests: [.take(.start(title: title, in: target))],
      ending: .until(
        atLatestMilliseconds: 10_000,
        { state, id in Self.beginning(of: id, in: state, after: lastNotice) },
        otherwise: { _, _ in .done(.init("The recording is about to begin.")) }))
    return .request(planned)
  }

  private static func beginning(
    of id: ItemID?, in state: State, after notice: Int
  ) -> Answer? {
    switch state.transport.take {
    case .arming: return nil
    case .greeting: return .done(.init("The greeting is playing; the recording follows it."))
    case .waitingForDevice: return .done(.init("The recording waits for the sound device."))
    case .recording(let take):
      let items = [ItemReport(take.id, in: state)].compactMap { $0 }
      return .done(.init("Recording \(items.first?.named ?? "")", items))
    case .none:
      let why = failure(of: .takeFailed, in: state, after: notice)
      return .failed(CommandError("takeFailed", why ?? "The recording did not begin."))
    }
  }

  /// Returns what went wrong since a notice; an earlier failure belongs to another command.
  private static func failure(
    of kind: Notice.Kind, in state: State, after notice: Int
  ) -> String? {
    state.notices.kept.first { $0.kind == kind && $0.id > notice }?.sentence
  }

  private func play(_ target: String?, from: Int64?) throws(Stop) -> Plan {
    let id = try findNamed(target, .recording)
    let seek = from.map { Request.deck(.seek(.to(milliseconds: $0))) }
    let lastNotice = state.notices.lastID
    return .request(
      PlannedRequests(
        requests: [.deck(.play(id))] + [seek].compactMap { $0 },
        ending: .until(
          atLatestMilliseconds: 5000,
          { state, id in Self.sounding(id, in: state, after: lastNotice) },
          otherwise: { state, id in Self.said("Playing", id, in: state) })))
  }

  private static func sounding(_ id: ItemID?, in state: State, after notice: Int) -> Answer? {
    if case .loading = state.transport.deck { return nil }
    if let why = failure(of: .playbackFailed, in: state, after: notice) {
      return .failed(CommandError("playbackFailed", why))
    }
    return said("Playing", id, in: state)
  }

  static func said(_ what: String, _ id: ItemID?, in state: State) -> Answer {
    let items = [id.flatMap { ItemReport($0, in: state) }].compactMap { $0 }
    return .done(.init(items.isEmpty ? "\(what)." : "\(what) \(items[0].named)", items))
  }

  private func volume(_ volume: VolumeChange?) -> Plan {
    let request: Request
    switch volume {
    case nil: return .answer(.told("\(state.device.volumePercent) %"))
    case .to(let percent): request = .deck(.volume(percent: percent))
    case .by(let percent):
      request = .deck(.volume(percent: min(max(state.device.volumePercent + percent, 0), 100)))
    }
    return one(
      request,
      ending: .said { state, _ in
        .done(.init("The volume is \(state.device.volumePercent) %."))
      })
  }

  private func oneRequest(_ verb: Verb, _ request: Request) -> Plan {
    switch verb {
    case .stop:
      let lastNotice = state.notices.lastID
      return one(
        request,
        ending: .until(
          atLatestMilliseconds: 20_000,
          { state, id in Self.kept(id, in: state, after: lastNotice) },
          otherwise: { state, id in
            Self.said("Stopped; the card is still taking the last of", id, in: state)
          }))
    case .reload: return reload(request)
    case .split:
      return one(
        request,
        ending: .said { state, _ in
          Self.said("Recording on as", state.transport.take.running?.id, in: state)
        })
    default:
      let words = Self.sentence(verb)
      return one(request, ending: .said { state, ids in Self.said(words, ids.last, in: state) })
    }
  }

  /// Asks the host to read the file, and waits until it reports whether it is in force.
  private func reload(_ request: Request) -> Plan {
    let (lastNotice, count) = (state.notices.lastID, state.host.configurationsRead)
    return one(
      request,
      ending: .until(
        atLatestMilliseconds: 10_000,
        { state, _ in
          guard state.host.configurationsRead != count else { return nil }
          if let why = Self.failure(of: .configurationRefused, in: state, after: lastNotice) {
            return .failed(CommandError("configurationRefused", why))
          }
          return .done(.init("The configuration is in force."))
        },
        otherwise: { _, _ in
          .failed(
            CommandError("timeout", "The configuration was not read in time; what held holds."))
        }))
  }

  private static func kept(
    _ id: ItemID?, in state: State, after notice: Int
  ) -> Answer? {
    guard let id else { return .done(.init("Nothing was recorded.")) }
    guard let recording = state.library.recordings[id] else {
      let why = failure(of: .takeFailed, in: state, after: notice)
      return .failed(CommandError("takeFailed", why ?? "The recording could not be kept."))
    }
    return recording.isSettled ? said("Kept", id, in: state) : nil
  }

  private static func sentence(_ verb: Verb) -> String {
    switch verb {
    case .mark: "Marked"
    case .pause: "Paused"
    case .resume: "Playing"
    case .seek: "Went there in"
    case .next, .previous: "Now at"
    case .acknowledge: "All notices are marked as seen"
    case .cancel: "It is being stopped"
    case .lock: "The panel is locked"
    case .unlock: "The panel is unlocked"
    default: "Done"
    }
  }

  private func handOver(_ isOn: Bool?) -> Plan {
    guard let isOn else {
      let isOut = state.library.phase == .exported
      return .answer(
        .told(isOut ? "A computer has the card." : "The recorder has the card."))
    }
    let words = isOn ? "The card may be used by a computer now." : "The card is taken back."
    return one(.system(.exportMode(isOn)), ending: .said { _, _ in .done(.init(words)) })
  }
}

extension ItemReport {
  /// "41 “Kitchen”, 12:31, in /Interviews."
  var named: String {
    let number = sequence.map { "\($0) " } ?? ""
    let isKnown = stage == .finished || stage == .recovered
    let length = isKnown ? lengthMilliseconds.map { ", " + Duration.clock(milliseconds: $0) } : nil
    return "\(number)“\(title)”\(length ?? "")\(folder.map { ", in \($0)" } ?? "")."
  }
}
