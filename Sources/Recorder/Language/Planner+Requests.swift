// Plans the commands of one request or none: recording, playing, navigating, searching. Pure.

extension Planner {
  func requesting(_ order: ParsedCommand) throws(Stop) -> Plan {
    switch order {
    case .enter(let target, let isPanel): return try enter(target, isPanel: isPanel)
    case .record(let title, let folder, let asksForName):
      return try record(title, in: folder, asksForName)
    case .play(let target, let from): return try play(target, from: from)
    case .volume(let volume): return self.volume(volume)
    case .request(let verb, let request): return oneRequest(verb, request)
    case .handOver(let isOn): return handOver(isOn)
    case .search(let text): return one(.item(.search(text)), ending: .texts)
    case .verify(let target):
      let id = try findNamed(target) ?? .root
      return one(.item(.work(.verify(id))), isLong: true, ending: .texts)
    case .waveform(let target, let points):
      try refuseFolders([target], "draw")
      let id = try find(target, .recording)
      return .request(
        PlannedRequests(
          requests: [.item(.work(.waveform(id, points: points)))], isLong: true, item: id,
          ending: .texts))
    default: preconditionFailure("every command has its plan")
    }
  }

  func one(_ request: Request, isLong: Bool = false, ending: Ending) -> Plan {
    .request(PlannedRequests(requests: [request], isLong: isLong, ending: ending))
  }

  private func enter(_ target: String?, isPanel: Bool) throws(Stop) -> Plan {
    let id = try findNamed(target, .folder) ?? .root
    if isPanel, !mayChange { throw .failed(CommandError(.mayNotChange)) }
    return .request(
      PlannedRequests(
        requests: [.browse(.enter(id))], isOfPanel: isPanel,
        ending: .path(of: id)))
  }

  /// Whether the console may change things; checked here for what the heart does not see.
  var mayChange: Bool { origin.console.flatMap(state.console)?.access == .control }

  private func record(
    _ title: String?, in folder: String?, _ asksForName: Bool?
  ) throws(Stop) -> Plan {
    let target = try findNamed(folder, .folder)
    return one(
      .take(.start(title: title, in: target, asksForName: asksForName)),
      ending: .after(AwaitedEvent(.recordingBegins, in: state)))
  }

  private func play(_ target: String?, from: Int64?) throws(Stop) -> Plan {
    let id = try findNamed(target, .recording)
    let seek = from.map { Request.deck(.seek(.to(milliseconds: $0))) }
    return .request(
      PlannedRequests(
        requests: [.deck(.play(id))] + [seek].compactMap { $0 },
        ending: .after(AwaitedEvent(.playbackBegins, in: state))))
  }

  private func volume(_ volume: VolumeChange?) -> Plan {
    let request: Request
    switch volume {
    case nil: return .answer(.told("\(state.device.volumePercent) %"))
    case .to(let percent): request = .deck(.volume(percent: percent))
    case .by(let percent):
      request = .deck(.volume(percent: min(max(state.device.volumePercent + percent, 0), 100)))
    }
    return one(request, ending: .volume)
  }

  private func oneRequest(_ verb: Verb, _ request: Request) -> Plan {
    switch verb {
    case .stop: one(request, ending: .after(AwaitedEvent(.recordingEnds, in: state)))
    case .pair: one(request, ending: .after(AwaitedEvent(.codeIsShown, in: state)))
    case .reload:
      // The host reads the file, and reports whether it is used.
      one(
        request,
        ending: .after(
          AwaitedEvent(.configurationIsRead(count: state.host.configurationsRead), in: state)))
    case .split: one(request, ending: .split)
    default: one(request, ending: .last(Self.word(verb)))
    }
  }

  private static func word(_ verb: Verb) -> String {
    switch verb {
    case .mark: "Marked"
    case .pause: "Paused"
    case .resume: "Playing"
    case .seek: "Moved within"
    case .next, .previous: "Now at"
    case .markNext, .markPrevious: "At a mark of"
    case .acknowledge: "All notices are marked as seen"
    case .cancel: "Cancelled"
    case .lock: "The panel is locked"
    case .unlock: "The panel is unlocked"
    case .copied, .copying, .pairing: "Noted"
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
    return one(.system(.exportMode(isOn)), ending: .sentence(words))
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
