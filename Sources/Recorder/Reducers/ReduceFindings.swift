// What the card found by itself: takes that were cut short and are repaired, files and folders that
// no index listed, items that are gone. The library follows the card. Pure.

extension State {
  mutating func handle(_ finding: CardFinding, _ step: inout Step) {
    switch finding {
    case .recovered(let recording, let path):
      adopt(recording, path: path, &step)
      note(.recovered, item: recording.id, recording.title, &step)
      arrived(recording.id, from: nil)
    case .adopted(let recording, let path):
      adopt(recording, path: path, &step)
      note(.fileAdopted, item: recording.id, recording.title, &step)
      arrived(recording.id, from: nil)
    case .vanished(let gone): lose(gone, as: .fileVanished, &step)
    case .closed(let recording):
      guard library.recordings[recording.id]?.isSettled == true else { return }
      library.update(recording.id, &step) {
        ($0.sound, $0.tracks) = (recording.sound, recording.tracks)
        $0.integrity = recording.integrity
        $0.cutToLength()
      }
    case .arrived(let recording, let path): adopt(recording, path: path, &step)
    case .rebuilt(let folder):
      note(.indexRebuilt, item: folder, library.title(of: folder) ?? "", &step)
    case .tornLine(let folder, let bytes):
      let name = library.title(of: folder) ?? ""
      note(.indexMended, item: folder, "\(name), \(bytes) bytes", &step)
    case .left(let folder, let why): note(.workFailed, item: folder, why, &step)
    case .folder(let folder, let path): adopt(folder, path: path, &step)
    case .miscounted(let item, let latest):
      let difference = item.tally.boundedDifference
      guard let known = library.folders[item.id] else {
        return library.countUnread(difference, latest: latest, along: item.path, &step)
      }
      // The summary of a folder that has been read is right already.
      if known.reading != .read {
        library.recount(item.id, Summary(known.tally + difference, latest: latest), &step)
      }
    }
  }

  private mutating func adopt(_ folder: Folder, path: [ItemID], _ step: inout Step) {
    guard let parent = path.last, library.recordings[folder.id] == nil,
      folder.id != .root, folder.id != .trash
    else { return }
    if let known = library.folders[folder.id] {
      if library.holdsTake(folder.id), known.parent != parent { return }
      guard library.folders[parent] != nil, !library.isBelow(folder.id, parent) else { return }
      if known.parent != parent { library.move(folder.id, to: parent, &step) }
      library.rename(folder: folder.id, to: folder.name, directory: folder.directory, &step)
    } else if library.folders[parent] != nil {
      var new = folder
      new.parent = parent
      new.reading = .unread
      new.items = ItemOrder()
      new.tally = folder.tally.bounded
      library.insert(new, &step)
    } else {
      library.countUnread(folder.tally.bounded, latest: folder.latest, along: path, &step)
    }
  }

  mutating func adopt(_ recording: Recording, path: [ItemID], _ step: inout Step) {
    library.nextSequence = max(library.nextSequence, (recording.sequence ?? 0).clampedAdding(1))
    guard recording.isSettled else { return }
    if let known = library.recordings[recording.id] {
      guard known.isSettled else { return }
      // The user moved it with a file manager.
      if known.folder != recording.folder, library.folders[recording.folder] != nil {
        moveSelection(awayFrom: recording.id)
        library.move(recording.id, to: recording.folder, &step)
      }
      return library.update(recording.id, &step) { $0.adopt(recording) }
    }
    if library.folders[recording.folder] == nil || library.folders[recording.id] != nil {
      return library.countUnread(recording.tally, latest: recording.date, along: path, &step)
    }
    library.insert(recording, &step)
  }

  mutating func lose(_ gone: [Whereabouts], as kind: Notice.Kind, _ step: inout Step) {
    for item in gone {
      if let recording = library.recordings[item.id] {
        if !recording.isSettled { continue }
        if transport.deck.cue?.item == item.id { unload(&step) }
        note(kind, item: nil, recording.title, &step)
        moveSelection(awayFrom: item.id)
        library.remove(item.id, &step)
      } else if let folder = library.folders[item.id], folder.parent != nil {
        if library.holdsTake(item.id) { continue }
        note(kind, item: nil, folder.name, &step)
        moveSelection(awayFrom: item.id)
        library.remove(item.id, &step)
      } else {
        note(kind, item: nil, "", &step)
        library.countUnread(Tally() - item.tally.bounded, along: item.path, &step)
      }
    }
  }
}

extension Recording {
  /// Adopts what the card has read; `isHeard` and the sequence number stay.
  fileprivate mutating func adopt(_ other: Recording) {
    title = other.title
    life = Life(other.stage, CardEntry(sequence: sequence, file: other.file ?? file))
    sound = other.sound
    tracks = other.tracks
    integrity = other.integrity
    marks = other.marks
  }
}
