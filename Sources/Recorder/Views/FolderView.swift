// A folder as a list: the first value that an observer of it receives, and the rows that screens
// show.

/// A folder as an observer gets it.
public struct FolderView: Equatable, Codable, Sendable {
  public let id: ItemID
  public let name: String
  public let path: [String]
  public let reading: Folder.Reading
  public let order: Folder.SortOrder
  public let summary: Summary
  public let rows: [ItemRow]

  /// Nil when there is no such folder.
  public init?(_ id: ItemID, in state: State) {
    guard let folder = state.library.folders[id] else { return nil }
    self.id = id
    name = folder.name
    path = state.library.path(to: id).map(\.name)
    reading = folder.reading
    order = folder.order
    summary = folder.summary
    rows = folder.items.compactMap { ItemRow($0, in: state) }
  }
}

/// One line of a folder.
public struct ItemRow: Equatable, Codable, Sendable, Identifiable {
  public let id: ItemID
  public let title: String
  public let kind: Kind

  public enum Kind: Equatable, Codable, Sendable {
    case folder(Summary)
    case recording(RecordingRow)
  }

  /// A recording as a row of a list.
  public struct RecordingRow: Equatable, Codable, Sendable {
    public let stage: Recording.Stage
    public let began: WallTime
    public let lengthMilliseconds: Int64
    public let isHeard: Bool
    public let marks: Int
    /// The recording has gaps, clipping or a dead microphone, or was cut short.
    public let isDoubtful: Bool
  }

  public init?(_ id: ItemID, in state: State) {
    self.id = id
    if let folder = state.library.folders[id] {
      title = folder.name
      kind = .folder(folder.summary)
    } else if let recording = state.library.recordings[id] {
      title = recording.title
      kind = .recording(RecordingRow(recording, in: state))
    } else {
      return nil
    }
  }
}

extension ItemRow.RecordingRow {
  fileprivate init(_ recording: Recording, in state: State) {
    stage = state.stage(of: recording)
    began = recording.began.wall
    let isRunning = state.transport.take.running?.id == recording.id
    lengthMilliseconds = isRunning ? state.takeMilliseconds : recording.lengthMilliseconds
    isHeard = recording.isHeard
    marks = recording.marks.count
    let integrity = recording.integrity
    isDoubtful =
      !integrity.gaps.isEmpty || integrity.clippedFrames > 0 || integrity.microphoneSeemsDead
      || integrity.stopReason?.isCutShort ?? false
  }
}
