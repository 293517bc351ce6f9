// What a command answers when its requests are granted: at once, or when the state shows that what
// they asked for has happened. Plain values, and pure functions of the state.

enum Ending: Equatable, Codable, Sendable {
  case sentence(String)
  /// A word for what was done, and the items it was done to; nil stands for those that were made.
  case items(String, [ItemID]? = nil)
  /// A word for what was done to the last item.
  case last(String)
  case path(of: ItemID)
  case volume
  case split
  /// The texts from the card.
  case texts
  case after(AwaitedEvent)

  /// - Parameter done: the items that the replies named.
  func answer(in state: State, done: [ItemID], texts: [String]) -> Answer? {
    switch self {
    case .sentence(let words): return .done(.init(words))
    case .items(let word, let ids): return Self.items(word, ids ?? done, in: state)
    case .last(let word): return Self.item(word, done.last, in: state)
    case .path(let id): return .told(state.library.pathName(of: id))
    case .volume: return .done(.init("The volume is \(state.device.volumePercent) %."))
    case .split: return Self.item("Recording on as", state.transport.take.running?.id, in: state)
    case .texts: return .told(texts.joined(separator: "\n"))
    case .after(let event): return event.answer(in: state, item: done.last)
    }
  }

  static func items(_ word: String, _ ids: [ItemID], in state: State) -> Answer {
    let items = ids.compactMap { ItemReport($0, in: state) }
    let what = items.count == 1 ? " \(items[0].named)" : items.isEmpty ? "." : " \(items.count)."
    return .done(.init(word + what, items))
  }

  static func item(_ word: String, _ id: ItemID?, in state: State) -> Answer {
    let items = [id.flatMap { ItemReport($0, in: state) }].compactMap { $0 }
    return .done(.init(items.isEmpty ? "\(word)." : "\(word) \(items[0].named)", items))
  }
}

/// What a command waits for after its requests are granted.
public struct AwaitedEvent: Equatable, Codable, Sendable {
  enum Kind: Equatable, Codable, Sendable {
    case recordingBegins, recordingEnds, playbackBegins, codeIsShown
    /// Carries how many configurations had been read before.
    case configurationIsRead(count: Int)
  }

  let kind: Kind
  /// The last notice before the requests: an earlier failure belongs to another command.
  let lastNotice: Int

  init(_ kind: Kind, in state: State) {
    self.kind = kind
    lastNotice = state.notices.lastID
  }

  var limitMilliseconds: Int64 {
    switch kind {
    case .recordingBegins, .configurationIsRead: 10_000
    case .recordingEnds: 20_000
    case .playbackBegins: 5_000
    case .codeIsShown: Pairing.answerMilliseconds
    }
  }

  /// Nil until it has happened.
  func answer(in state: State, item id: ItemID?) -> Answer? {
    switch kind {
    case .recordingBegins: beginning(of: id, in: state)
    case .recordingEnds: end(of: id, in: state)
    case .playbackBegins: playback(of: id, in: state)
    case .codeIsShown: code(in: state)
    case .configurationIsRead(let count): configuration(in: state, after: count)
    }
  }

  /// The answer if it has not happened within the limit.
  func lateAnswer(in state: State, item id: ItemID?) -> Answer {
    switch kind {
    case .recordingBegins: .done(.init("The recording is about to begin."))
    case .recordingEnds: Ending.item("Stopped; the card still writes the end of", id, in: state)
    case .playbackBegins: Ending.item("Playing", id, in: state)
    case .codeIsShown: .failed(.noPage)
    case .configurationIsRead:
      .failed(
        CommandError(
          "timeout", "The configuration was not read in time; the one before stays in use."))
    }
  }

  private func beginning(of id: ItemID?, in state: State) -> Answer? {
    switch state.transport.take {
    case .arming: return nil
    case .greeting: return .done(.init("The greeting is playing; the recording follows it."))
    case .waitingForDevice: return .done(.init("The recording waits for the sound device."))
    case .recording(let take):
      let items = [ItemReport(take.id, in: state)].compactMap { $0 }
      return .done(.init("Recording \(items.first?.named ?? "")", items))
    case .none:
      let why = failure(.takeFailed, in: state)
      return .failed(CommandError("takeFailed", why ?? "The recording did not begin."))
    }
  }

  private func end(of id: ItemID?, in state: State) -> Answer? {
    guard let id else { return .done(.init("Nothing was recorded.")) }
    guard let recording = state.library.recordings[id] else {
      let why = failure(.takeFailed, in: state)
      return .failed(CommandError("takeFailed", why ?? "The recording could not be saved."))
    }
    return recording.isSettled ? Ending.item("Saved", id, in: state) : nil
  }

  private func playback(of id: ItemID?, in state: State) -> Answer? {
    if case .loading = state.transport.deck { return nil }
    if let why = failure(.playbackFailed, in: state) {
      return .failed(CommandError("playbackFailed", why))
    }
    return Ending.item("Playing", id, in: state)
  }

  private func code(in state: State) -> Answer? {
    switch state.pairing {
    case .wanted: nil
    case .shown(let code, _, _): .pairing(code)
    case .none: .failed(.noPage)
    }
  }

  private func configuration(in state: State, after count: Int) -> Answer? {
    guard state.host.configurationsRead != count else { return nil }
    if let why = failure(.configurationRefused, in: state) {
      return .failed(CommandError("configurationRefused", why))
    }
    return .done(.init("The new configuration is in use."))
  }

  private func failure(_ kind: Notice.Kind, in state: State) -> String? {
    state.notices.kept.first { $0.kind == kind && $0.id > lastNotice }?.sentence
  }
}
