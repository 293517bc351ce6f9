// A few connections for commands of all browsers. The recorder allows 32 requests at a time on
// each; what is beyond waits here, a bounded number. Loop's thread.
import Systemd

/// Sends commands to the recorder.
final class CommandPool {
  private static let perConnection = 24
  private static let waitingMaximum = 200

  private let connections: [RecorderConnection]
  private var queue: [Command] = []

  private struct Command {
    let words: [String]
    let file: OwnedFile?
    let work: LongWork?
    let done: (RecorderReply) -> Void
  }

  init(to path: String, count: Int = 2, on loop: EventLoop) {
    connections = (0..<count).map { _ in RecorderConnection(to: path, on: loop) }
    for connection in connections {
      connection.onAnswer = { [unowned self] in proceed() }
      connection.onArrival = { [unowned self] _ in proceed() }
      connection.onLoss = { [unowned self] _ in proceed() }
    }
  }

  func connect() { for connection in connections { connection.connect() } }

  /// `done` is called once, with `away` if the recorder is not there or too much waits.
  /// - Parameters:
  ///   - file: passed with the command.
  ///   - work: by which the command can be cancelled.
  func ask(
    _ words: [String], passing file: OwnedFile? = nil, work: LongWork? = nil,
    done: @escaping (RecorderReply) -> Void
  ) {
    if queue.count >= Self.waitingMaximum { return done(.away) }
    queue.append(Command(words: words, file: file, work: work, done: done))
    proceed()
  }

  private func proceed() {
    while let next = queue.first {
      let there = connections.filter(\.isThere)
      if there.isEmpty {
        queue.removeFirst()
        next.done(.away)
        continue
      }
      guard let free = there.min(by: { $0.pendingCount < $1.pendingCount }),
        free.pendingCount < Self.perConnection
      else { return }
      queue.removeFirst()
      free.ask(next.words, passing: next.file, work: next.work, done: next.done)
    }
  }
}

/// Work of the recorder's that takes long. It has a ticket as soon as the recorder has told how far
/// it is, and is cancelled by it.
final class LongWork {
  private enum Phase {
    case waiting(isUnwanted: Bool)
    case running(ticket: Int)
    case over
  }

  private var phase = Phase.waiting(isUnwanted: false)
  private let pool: CommandPool

  init(_ pool: CommandPool) { self.pool = pool }

  /// Whether it was cancelled before it began.
  var isUnwanted: Bool {
    if case .waiting(isUnwanted: true) = phase { true } else { false }
  }

  func begin(_ ticket: Int) {
    guard case .waiting(let isUnwanted) = phase else { return }
    phase = .running(ticket: ticket)
    if isUnwanted { cancel() }
  }

  func end() { phase = .over }

  func cancel() {
    switch phase {
    case .waiting: phase = .waiting(isUnwanted: true)
    case .running(let ticket):
      phase = .over
      // It may have ended meanwhile; then there is nothing to cancel.
      pool.ask(["cancel", "\(ticket)"]) { _ in }
    case .over: break
    }
  }
}
