// The request that a command makes as it stands, without more words: with it views and completion
// find out whether the command would be refused now. Pure.

extension Verb {
  /// Nil if the command only reads, or if what it asks for depends on its words.
  var request: Request? {
    switch self {
    case .record: .take(.start(title: nil))
    case .stop: .take(.stop)
    case .mark: .take(.mark(name: ""))
    case .split: .take(.split)
    case .play: .deck(.play(nil))
    case .pause: .deck(.pause)
    case .resume: .deck(.resume)
    case .seek: .deck(.seek(.by(milliseconds: 0)))
    case .next: .deck(.next)
    case .previous: .deck(.previous)
    case .markNext: .deck(.nextMark)
    case .markPrevious: .deck(.previousMark)
    case .undo: .item(.undo)
    case .trashEmpty: .item(.purge(.everything))
    case .acknowledge: .system(.acknowledge)
    case .lock: .system(.lock(true))
    case .unlock: .system(.lock(false))
    case .reload: .system(.reload)
    case .pair: .system(.askForCode)
    default: nil
    }
  }
}

extension State {
  /// Returns why a command would be refused now, as far as that is known without more words.
  func refusal(to verb: Verb, from origin: Origin) -> Refusal? {
    verb.request.flatMap { refusal(to: $0, from: origin) }
  }
}
