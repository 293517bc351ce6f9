// The library's tables as the flight log keeps them: rows of folders and recordings, apart from the
// rest of the state. Pure functions, for the recorder on the loop's thread and for a replay. What a
// row holds is in RowFormat.
//
//   batch   count of gone rows, their keys; count of rows, their keys; the rows in the same order

import Loop

/// The rows of the library in the flight log.
public enum LibraryTables: FlightTables {
  public static func outline(_ state: State) -> State {
    var outline = state
    outline.library.recordings = [:]
    outline.library.folders = [:]
    return outline
  }

  public static func rowCount(_ state: State) -> Int {
    state.library.recordings.count + state.library.folders.count
  }

  public static func revision(_ state: State) -> UInt64 { state.library.lastRevision }

  // MARK: A state

  /// Writes the rows folder by folder, because a row is then most like the one before it.
  public static func write(_ state: State, to writer: inout RowWriter) {
    var ids: [ItemID] = []
    ids.reserveCapacity(rowCount(state))
    ids += state.library.folders.keys
    for folder in state.library.folders.values {
      ids += folder.items.lazy.filter { state.library.recordings[$0] != nil }
    }
    write(gone: [], ids, of: state.library, to: &writer)
  }

  public static func writeChanges(
    _ state: State, after revision: UInt64, base: RowReader, to writer: inout RowWriter
  ) {
    let library = state.library
    var changed: [ItemID] = []
    for folder in library.folders.values where folder.revision > revision {
      changed.append(folder.id)
    }
    for recording in library.recordings.values where recording.revision > revision {
      changed.append(recording.id)
    }
    var base = base
    var gone: [ItemID] = []
    do {
      _ = try keys(&base)
      gone = try keys(&base).filter { !library.contains($0) }
    } catch {
      // Another process wrote over the base. The replay finds its checksum wrong and says so.
      gone = []
    }
    write(gone: gone, changed, of: library, to: &writer)
  }

  private static func write(
    gone: [ItemID], _ ids: [ItemID], of library: Library, to writer: inout RowWriter
  ) {
    write(gone, to: &writer)
    write(ids, to: &writer)
    var format = RowFormat()
    for id in ids where !writer.isOverfull {
      if let folder = library.folders[id] {
        format.write(folder, hasItems: folder.order == .byHand, to: &writer)
      } else if let recording = library.recordings[id] {
        format.write(recording, to: &writer)
      }
    }
  }

  public static func restore(_ batches: [RowReader], to outline: inout State) throws {
    for var batch in batches {
      for id in try keys(&batch) {
        outline.library.recordings[id] = nil
        outline.library.folders[id] = nil
      }
      for row in try rows(&batch) {
        switch row {
        case .folder(let folder): outline.library.folders[folder.id] = folder
        case .recording(let recording): outline.library.recordings[recording.id] = recording
        }
      }
    }
    outline.library.restoreOrders()
  }

  // MARK: An action

  /// A listing with fewer rows is logged as it is.
  private static let leastRows = 16

  public static func rowCount(_ action: Action) -> Int {
    guard case .card(.listed(_, let listing)) = action else { return 0 }
    return listing.items.count < leastRows ? 0 : listing.items.count
  }

  public static func outline(_ action: Action) -> Action {
    guard case .card(.listed(let id, let listing)) = action else { return action }
    return .card(.listed(id, Listing(order: listing.order)))
  }

  public static func write(_ action: Action, to writer: inout RowWriter) {
    guard case .card(.listed(_, let listing)) = action else { return }
    write([], to: &writer)
    write(listing.items.map(\.id), to: &writer)
    var format = RowFormat()
    for item in listing.items {
      switch item {
      case .folder(let folder): format.write(folder, hasItems: true, to: &writer)
      case .recording(let recording): format.write(recording, to: &writer)
      }
    }
  }

  public static func restore(_ rows: RowReader, to outline: inout Action) throws {
    guard case .card(.listed(let id, let listing)) = outline else { return }
    var rows = rows
    _ = try keys(&rows)
    var folders: [Folder] = []
    var recordings: [Recording] = []
    for row in try self.rows(&rows) {
      switch row {
      case .folder(let folder): folders.append(folder)
      case .recording(let recording): recordings.append(recording)
      }
    }
    outline = .card(
      .listed(id, Listing(folders: folders, recordings: recordings, order: listing.order)))
  }

  // MARK: A digest

  public static func eachRow(
    of state: State, after revision: UInt64, _ body: (RowKey, any Encodable) throws -> Void
  ) rethrows {
    let isAll = revision == 0
    for folder in state.library.folders.values where isAll || folder.revision > revision {
      try body(folder.id.rowKey, folder)
    }
    for recording in state.library.recordings.values
    where isAll || recording.revision > revision {
      try body(recording.id.rowKey, recording)
    }
  }

  public static func hasRow(_ key: RowKey, in state: State) -> Bool {
    state.library.contains(ItemID(high: key.high, low: key.low))
  }

  // MARK: Keys

  private static func write(_ ids: [ItemID], to writer: inout RowWriter) {
    writer.unsigned(UInt64(ids.count))
    for id in ids { writer.key(id.rowKey) }
  }

  private static func keys(_ reader: inout RowReader) throws(RowError) -> [ItemID] {
    var ids: [ItemID] = []
    for _ in 0..<(try reader.count()) { ids.append(try reader.id()) }
    return ids
  }

  private static func rows(_ reader: inout RowReader) throws(RowError) -> [RowFormat.Row] {
    var format = RowFormat()
    var rows: [RowFormat.Row] = []
    for id in try keys(&reader) { rows.append(try format.read(id, from: &reader)) }
    return rows
  }
}

extension ItemID {
  var rowKey: RowKey { RowKey(high: high, low: low) }
}

extension RowReader {
  mutating func id() throws(RowError) -> ItemID {
    let key = try self.key()
    return ItemID(high: key.high, low: key.low)
  }
}

extension Library {
  /// Sorts each folder's items into its order; a folder ordered by hand has its list in its row.
  fileprivate mutating func restoreOrders() {
    var items: [ItemID: [ItemID]] = [:]
    for folder in folders.values {
      if let parent = folder.parent { items[parent, default: []].append(folder.id) }
    }
    for recording in recordings.values { items[recording.folder, default: []].append(recording.id) }
    for (id, folder) in folders where folder.order != .byHand {
      let sorted = items[id, default: []].sorted { comesBefore($0, $1, in: folder.order) }
      folders[id]?.items = ItemOrder(sorted)
    }
  }
}
