// Dispatches requests and replies to them: checks the origin's access, calls the subject's reducer,
// and replies to each kind of origin. A refused request changes nothing but what shows the refusal,
// except that a change which can never be undone is forgotten.

/// The reply to a request. The command that made it goes on with the reply.
enum Reply: Equatable {
  case done(ItemID?)
  /// The card has the work; more replies follow under this ticket.
  case working(ticket: Int, permille: Int)
  case refused(Refusal)
  case failed(String)
  case found([Hit])
  case uncopied(CopyPage)
  case opened(ClientFile)
  case manifest(ManifestQuery, ManifestFacts)
  case told(String)
  case verified(VerifyReport)
  case waveform(Waveform)
}

extension State {
  mutating func handle(
    _ request: Request, from origin: Origin, at instant: Instant, _ step: inout Step
  ) {
    if case .item(.work(.waveform(_, let points))) = request,
      !Waveform.pointRange.contains(points)
    {
      return answer(origin, .failed(Waveform.sentenceOnPoints), &step)
    }
    if let refusal = refusal(to: request, from: origin) {
      if request == .item(.undo) { undoRefused(refusal) }
      return answer(origin, .refused(refusal), &step)
    }
    switch request {
    case .take(let request): self.handle(request, from: origin, at: instant, &step)
    case .deck(let request): self.handle(request, from: origin, &step)
    case .item(let request): self.handle(request, from: origin, &step)
    case .browse(let request): self.handle(request, from: origin, &step)
    case .system(let request): self.handle(request, from: origin, &step)
    }
  }

  /// Replies to the origin of a request.
  mutating func answer(_ origin: Origin, _ reply: Reply, _ step: inout Step) {
    if case .refused(let refusal) = reply { show(refusal, to: origin, &step) }
    if case .console(let id) = origin { showWaveform(reply, on: id) }
    // A console with a command line shows the command's own answer instead.
    if case .console(let id) = origin, console(id)?.kind == .dashboard,
      let text = words(of: reply)
    {
      show(id, text, isRefusal: reply.isRefusal)
    }
    step.reply(reply, to: origin)
  }

  /// Shows a refusal with the record light and a tone, if the request came from the panel or its
  /// keys.
  private mutating func show(_ refusal: Refusal, to origin: Origin, _ step: inout Step) {
    let isPanel = origin == .panel || origin.console.flatMap(console)?.kind == .dashboard
    guard isPanel else { return }
    transport.refusal = ShownRefusal(
      refusal: refusal, until: now.adding(milliseconds: settings.refusalMilliseconds))
    // During a take the microphone would record the tone: only the light shows it.
    if transport.take.running == nil { step.emit(.sound(.tone(.refused))) }
  }

  private func words(of reply: Reply) -> String? {
    switch reply {
    case .done, .working, .waveform, .uncopied, .opened, .manifest: nil
    case .refused(let refusal): refusal.sentence
    case .failed(let why): why
    case .found(let hits): hits.isEmpty ? "Nothing found." : "\(hits.count) found."
    case .told(let text): text
    case .verified(let report): report.sentence
    }
  }

  mutating func show(_ id: Int, _ text: String, isRefusal: Bool = false) {
    let message = Message(
      text: text, isRefusal: isRefusal, until: now.adding(milliseconds: 5000))
    withConsole(id) { $0.message = message }
  }

  mutating func withConsole(_ id: Int, _ change: (inout Console) -> Void) {
    guard let index = consoles.firstIndex(where: { $0.id == id }) else { return }
    change(&consoles[index])
  }
}

extension Reply {
  var isRefusal: Bool {
    switch self {
    case .refused, .failed: true
    case .done, .working, .found, .uncopied, .opened, .manifest, .told, .verified, .waveform: false
    }
  }
}
