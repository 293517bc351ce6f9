// The marks of a recording: added by a press, renamed, moved, removed, and sought by the player.
// They are kept in the order of their frames. Pure.

extension State {
  /// Adds a mark, unless the recording is gone or has as many as allowed.
  /// - Parameter origin: the sender of the request; nil if the sound path reports the mark.
  mutating func addMark(
    _ mark: Mark, to id: ItemID, from origin: Origin? = nil, _ step: inout Step
  ) {
    guard let recording = library.recordings[id],
      recording.marks.count < settings.marksPerRecording
    else { return }
    library.update(id, &step) { $0.insert(mark) }
    keep(id, &step)
    rememberMark(nil, mark, of: id, by: origin)
  }

  /// Why a mark cannot be changed.
  func refusalToChangeMark(of id: ItemID, _ change: MarkChange) -> Refusal? {
    guard let recording = library.recordings[id] else { return .notFound }
    switch change {
    case .rename(let index, _), .remove(let index):
      return recording.marks.indices.contains(index) ? nil : .noMark
    case .move(let index, _):
      if !recording.marks.indices.contains(index) { return .noMark }
      return recording.isSettled ? nil : .stillInUse
    case .replace(nil, by: _):
      return recording.marks.count < settings.marksPerRecording ? nil : .tooManyMarks
    case .replace(let old?, by: _): return recording.marks.contains(old) ? nil : .noMark
    }
  }

  mutating func handle(
    _ change: MarkChange, toMarkOf id: ItemID, from origin: Origin, _ step: inout Step
  ) {
    let (old, new) = changeMark(of: id, change, &step)
    rememberMark(old, new, of: id, by: origin)
    answer(origin, .done(id), &step)
  }

  /// Changes a mark that `refusalToChangeMark` has checked; returns it before and after.
  @discardableResult
  mutating func changeMark(
    of id: ItemID, _ change: MarkChange, _ step: inout Step
  ) -> (Mark?, Mark?) {
    guard let recording = library.recordings[id] else { return (nil, nil) }
    let (old, new) = recording.replacement(for: change)
    library.update(id, &step) { recording in
      if let old, let index = recording.marks.firstIndex(of: old) {
        recording.marks.remove(at: index)
      }
      if let new { recording.insert(new) }
    }
    keep(id, &step)
    return (old, new)
  }

  /// Returns the frame of the nearest mark in a direction. Shortly behind a mark the one before it
  /// is meant.
  func markedFrame(_ direction: Int, in id: ItemID, from here: Int64) -> Int64? {
    guard let recording = library.recordings[id] else { return nil }
    let frames = recording.marks.map(\.frame)
    if direction > 0 { return frames.first { $0 > here } }
    let margin = Int64(recording.sound.rate)
    return frames.last { $0 < here.clampedSubtracting(margin) }
  }
}

extension Recording {
  /// Marks are in the order of their frames, and of their names on the same frame, so that one that
  /// was removed returns to its index.
  fileprivate mutating func insert(_ mark: Mark) {
    let index = marks.firstIndex { ($0.frame, $0.name) > (mark.frame, mark.name) } ?? marks.count
    marks.insert(mark, at: index)
  }

  /// The mark that a change takes out, and the one that it puts in.
  fileprivate func replacement(for change: MarkChange) -> (Mark?, Mark?) {
    switch change {
    case .rename(let index, let name):
      return (marks[index], Mark(frame: marks[index].frame, name: Text.title(name) ?? ""))
    case .move(let index, let milliseconds):
      let frame = Frames.count(milliseconds: milliseconds, rate: sound.rate)
      return (
        marks[index], Mark(frame: min(max(frame, 0), sound.frames), name: marks[index].name)
      )
    case .remove(let index): return (marks[index], nil)
    case .replace(let old, let new): return (old, new)
    }
  }
}
