// Observing is one call: the observer gets the present value, then every change after it without a
// gap, then the end when the thing is gone. Owned by `Store`, used on the loop's thread. It holds
// no copies of values, only the revision each observer has seen: one stray copy of a large value
// would make every later change copy the whole value.

/// What an observer receives.
public enum Observation<Value, Change> {
  /// The present value: sent once, in the observing call itself.
  case present(Value)
  /// The changes since then: applied to the value before, they give the value now.
  case changed([Change])
  /// The value changed in a way that no change describes: replace it by this one.
  case reloaded(Value)
  /// The thing is gone; nothing follows.
  case ended
}

struct Observers<P: Program> {
  typealias Taker = (Observation<P.Value, P.Change>) -> Void

  private struct Observer {
    let address: P.Address
    let take: Taker
    var seenRevision: UInt64
  }

  private var observers: [Int: Observer] = [:]

  var isEmpty: Bool { observers.isEmpty }

  mutating func add(_ id: Int, at address: P.Address, revision: UInt64, take: @escaping Taker) {
    observers[id] = Observer(address: address, take: take, seenRevision: revision)
  }

  mutating func remove(_ id: Int) { observers[id] = nil }

  /// Returns what each observer is to receive for this state, oldest observer first. Marks it as
  /// seen, so that an observer that joins meanwhile receives nothing twice.
  mutating func due(
    in state: P.State, said: [Announcement<P.Address, P.Change>]
  ) -> [(id: Int, observation: Observation<P.Value, P.Change>)] {
    var due: [(id: Int, observation: Observation<P.Value, P.Change>)] = []
    for (id, observer) in observers.sorted(by: { $0.key < $1.key }) {
      guard let revision = P.revision(of: observer.address, in: state) else {
        due.append((id, .ended))
        continue
      }
      if revision == observer.seenRevision { continue }
      observers[id]?.seenRevision = revision
      let changes = said.filter { $0.address == observer.address }.map(\.change)
      if !changes.isEmpty, !changes.contains(where: P.isReload) {
        due.append((id, .changed(changes)))
      } else if let value = P.value(of: observer.address, in: state) {
        due.append((id, .reloaded(value)))
      }
    }
    return due
  }

  /// Returns the handler of an observer, unless it left since the list was made. The end removes
  /// it.
  mutating func taker(of id: Int, for observation: Observation<P.Value, P.Change>) -> Taker? {
    guard let observer = observers[id] else { return nil }
    if case .ended = observation { observers[id] = nil }
    return observer.take
  }
}
