// Sends a large watched folder in pages, one for each pass of a timer, and only to a client that
// has read the page before: neither the loop nor a client's queue may hold ten thousand items at
// once. Until then the client receives changes only of the items it has. Loop's thread; never
// waits.

import Recorder

/// How much of a watched folder a client has received.
struct FolderWindow: Equatable {
  static let pageCount = 200

  let folder: ItemID
  /// How many items have been sent, from the first on.
  private(set) var toldCount = 0

  init(_ folder: ItemID) { self.folder = folder }

  /// Returns the next page; nil if the folder is gone.
  mutating func nextPage(in state: State) -> FolderListing? {
    var options = ListOptions()
    (options.from, options.count) = (toldCount, Self.pageCount)
    guard let page = FolderListing(folder, options, in: state) else { return nil }
    toldCount = page.from + page.items.count
    return page
  }

  /// Translates a change for a client that has only the items sent so far. Returns nil if it
  /// concerns only items of a later page.
  mutating func narrowed(_ change: Change) -> Change? {
    switch change {
    case .added(_, let index) where index < toldCount:
      toldCount += 1
      return change
    case .removed(_, let index) where index < toldCount:
      toldCount -= 1
      return change
    case .changed(let id, let index, let old):
      switch (old < toldCount, index < toldCount) {
      case (true, true): return change
      case (true, false):
        toldCount -= 1
        return .removed(id, at: old)
      case (false, true):
        toldCount += 1
        return .added(id, at: index)
      case (false, false): return nil
      }
    case .added, .removed: return nil
    default: return change
    }
  }
}

extension ControlSocket {
  /// Begins to send a folder from its first item, also if it was sent before.
  func sendFolder(_ folder: ItemID, _ id: Int, _ client: WireClient) {
    client.windows[id] = FolderWindow(folder)
    sendPage(id, client)
    if client.windows[id] != nil, streams.pageTimer == nil {
      streams.pageTimer = timer(everyMilliseconds: 5) { [unowned self] in sendSomePage() }
    }
  }

  private func sendPage(_ id: Int, _ client: WireClient) {
    guard client.subscriptions[id] != nil, var window = client.windows[id],
      let page = window.nextPage(in: dependencies.state())
    else {
      client.windows[id] = nil
      return
    }
    client.windows[id] = page.from + page.items.count < page.total ? window : nil
    client.send(.now(id, .listing(page)))
  }

  /// Sends one page to the client that has received least, of those with no queued output.
  private func sendSomePage() {
    let open = clients.values.flatMap { client in
      client.windows.map { (client, $0.key, $0.value) }
    }
    if open.isEmpty {
      streams.pageTimer?.stop()
      streams.pageTimer = nil
    }
    let next = open.filter { $0.0.queuedBytes == 0 }.min {
      ($0.2.toldCount, $0.0.id, $0.1) < ($1.2.toldCount, $1.0.id, $1.1)
    }
    if let (client, id, _) = next { sendPage(id, client) }
  }
}
