// Where wishes come in and answers go out: who may ask, which subject it is, and how each kind of
// asker is told. A wish that is refused changes nothing but what shows the refusal.

extension State {
  mutating func wish(
    _ request: Request, from origin: Origin, at instant: Instant, _ turn: inout Turn
  ) {
    if let refusal = refusal(to: origin, asking: request) {
      return answer(origin, .refused(refusal), &turn)
    }
    switch request {
    case .take(let wish): self.wish(wish, from: origin, at: instant, &turn)
    case .deck(let wish): self.wish(wish, from: origin, &turn)
    case .item(let wish): self.wish(wish, from: origin, &turn)
    case .browse(let wish): self.wish(wish, from: origin, &turn)
    case .system(let wish): self.wish(wish, from: origin, &turn)
    }
  }

  private func refusal(to origin: Origin, asking request: Request) -> Refusal? {
    if host.isEnding, request.isWork { return .shuttingDown }
    if origin == .panel, panel.isLocked { return .locked }
    guard let id = origin.console else { return nil }
    // A console that has hung up since may still have wishes on the way: they are nobody's now.
    guard let console = console(id) else { return .mayNotChange }
    return console.access == .control || request.isHarmless ? nil : .mayNotChange
  }

  /// Tells whoever asked.
  mutating func answer(_ origin: Origin, _ reply: Reply, _ turn: inout Turn) {
    if case .refused(let refusal) = reply { show(refusal, to: origin, &turn) }
    switch origin {
    case .panel, .appliance: break
    case .client: turn.emit(.console(.reply(reply, to: origin)))
    case .console(let id):
      // Where commands are typed, the answer comes as what the command says.
      if console(id)?.kind == .terminal, let text = words(of: reply) {
        tell(id, text, isRefusal: reply.isRefusal)
      }
      turn.emit(.console(.reply(reply, to: origin)))
    }
  }

  /// The record light and a tone say so, when it was asked at the panel or with its keys.
  private mutating func show(_ refusal: Refusal, to origin: Origin, _ turn: inout Turn) {
    let isPanel = origin == .panel || origin.console.flatMap(console)?.kind == .terminal
    guard isPanel else { return }
    transport.refusal = ShownRefusal(
      refusal: refusal, until: now.adding(milliseconds: settings.refusalMilliseconds))
    turn.emit(.sound(.tone(.refused)))
  }

  private func words(of reply: Reply) -> String? {
    switch reply {
    case .done, .working, .waveform: nil
    case .refused(let refusal): refusal.sentence
    case .failed(let why): why
    case .found(let hits): hits.isEmpty ? "Nothing found." : "\(hits.count) found."
    case .told(let text): text
    }
  }

  mutating func tell(_ id: Int, _ text: String, isRefusal: Bool = false) {
    let message = Message(
      text: text, isRefusal: isRefusal, until: now.adding(milliseconds: 5000))
    withConsole(id) { $0.message = message }
  }

  mutating func withConsole(_ id: Int, _ change: (inout Console) -> Void) {
    guard let index = consoles.firstIndex(where: { $0.id == id }) else { return }
    change(&consoles[index])
  }

  // MARK: Notices

  mutating func note(
    _ kind: Notice.Kind, item: ItemID?, _ detail: String, _ turn: inout Turn
  ) {
    notices.lastID += 1
    notices.revision += 1
    let notice = Notice(
      id: notices.lastID, kind: kind, item: item, detail: detail, instant: now, wall: wall)
    notices.kept.append(notice)
    trimNotices()
    turn.announce(.noticed(notice), at: .notices)
  }

  /// Lets go of those that were seen, then of the least severe, the oldest first: many small things
  /// must not push out the one that matters.
  mutating func trimNotices() {
    while notices.kept.count > settings.noticesKept {
      let rank = { (notice: Notice) in notice.isAcknowledged ? -1 : notice.severity.rawValue }
      let lowest = notices.kept.map(rank).min()
      guard let index = notices.kept.firstIndex(where: { rank($0) == lowest }) else { return }
      notices.kept.remove(at: index)
    }
  }

  /// Marks notices as seen: one kind, because it is over, or all, because somebody says so.
  mutating func acknowledge(_ kind: Notice.Kind?, _ turn: inout Turn) {
    var isChanged = false
    for index in notices.kept.indices
    where !notices.kept[index].isAcknowledged && (kind == nil || notices.kept[index].kind == kind) {
      notices.kept[index].isAcknowledged = true
      isChanged = true
    }
    guard isChanged else { return }
    notices.revision += 1
    turn.announce(.reloaded, at: .notices)
  }
}

extension Reply {
  var isRefusal: Bool {
    switch self {
    case .refused, .failed: true
    case .done, .working, .found, .told, .waveform: false
    }
  }
}
