// Continues a take after a crash: what must be stored for that while the take runs, and the search
// for its folder after the start. Recording does not wait for the search: until the folder is found
// the sound is kept in memory, as it is until the card is open.

extension State {
  /// What the next start needs to continue the take if the daemon dies now; nil without a take.
  public var continuation: TakeContinuation? {
    switch transport.take {
    case .none: return nil
    case .greeting(let order, _), .arming(let order), .waitingForDevice(let order, _):
      return continuation(as: order)
    case .recording(let take):
      // Without a file nothing of this part survives a crash: the same part begins again.
      guard let recording = library.recordings[take.id], recording.file != nil else {
        return continuation(as: take.request)
      }
      return TakeContinuation(
        path: wayTo(recording.folder), continues: take.id, part: take.request.part + 1,
        title: take.request.title)
    }
  }

  private func continuation(as order: TakePlan) -> TakeContinuation {
    TakeContinuation(
      path: wayTo(order.folder), continues: order.continues, part: order.part, title: order.title)
  }

  private func wayTo(_ folder: ItemID) -> [ItemID] {
    if let search = transport.folderSearch, search.target == folder { return search.path }
    return library.path(to: folder).map(\.id).filter { $0 != .root }
  }

  /// Makes the next part of an interrupted take wait for the device.
  mutating func goOn(with continuation: TakeContinuation, _ step: inout Step) {
    let folder = continuation.path.last ?? .root
    if folder != .root {
      transport.folderSearch = FolderSearch(path: continuation.path, target: folder)
    }
    transport.take = .waitingForDevice(
      TakePlan(
        id: step.newID(), folder: folder, pressed: now, prerollMilliseconds: 0,
        continues: continuation.continues, part: continuation.part, title: continuation.title,
        asksForName: settings.asksForName),
      until: now.adding(milliseconds: max(settings.reconnectMilliseconds, 60_000)))
  }

  /// Whether a take that begins now can be handed to the card at once.
  var canHandOverTakes: Bool { library.phase == .ready && transport.folderSearch == nil }

  /// Reads the folders on the path to a continued take's folder. Ends when that folder is known, or
  /// when one on the path is missing or cannot be read.
  mutating func searchFolder(_ step: inout Step) {
    guard library.phase == .ready, let search = transport.folderSearch else { return }
    var here = ItemID.root
    for next in search.path where library.folders[search.target] == nil {
      switch library.folders[here]?.reading {
      case .unread:
        library.setReading(of: here, .reading, &step)
        return step.emit(.card(.read(here)))
      case .reading: return
      case .read, .failed, nil: break
      }
      guard library.folders[next]?.parent == here else { break }
      here = next
    }
    handOverTakes(to: search, &step)
  }

  private mutating func handOverTakes(to search: FolderSearch, _ step: inout Step) {
    transport.folderSearch = nil
    for id in search.takes {
      if library.folders[search.target] != nil, library.recordings[id]?.waitsForCard == true {
        library.move(id, to: folderForTakes(search.target), &step)
      }
    }
    handOverTakes(&step)
  }
}
