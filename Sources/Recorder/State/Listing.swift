// A folder's contents as the card read them, on their way from its thread to the recorder's. Plain
// values.

/// A folder's contents as the card read them.
public struct Listing: Equatable, Sendable {
  /// The folders, then the recordings.
  public let items: [Item]
  /// The folder's sort order; if it is by hand, folders and recordings are each in that order.
  public let order: Folder.SortOrder

  /// Boxed (`indirect`) because there may be 10,000: the card and the recorder share them.
  public indirect enum Item: Equatable, Sendable {
    case recording(Recording)
    case folder(Folder)

    public var id: ItemID {
      switch self {
      case .recording(let recording): recording.id
      case .folder(let folder): folder.id
      }
    }

    @inlinable
    public var isSettledRecording: Bool {
      if case .recording(let recording) = self { recording.life.isSettled } else { false }
    }

    // Each asks for one field: for two, the whole recording is copied.

    @inlinable
    public var isHeard: Bool {
      if case .recording(let recording) = self { recording.isHeard } else { false }
    }

    @inlinable
    public var isCopied: Bool {
      if case .recording(let recording) = self { !recording.copies.isEmpty } else { false }
    }

    @inlinable
    public var began: Moment? {
      if case .recording(let recording) = self { recording.began } else { nil }
    }
  }

  public init(folders: [Item], recordings: [Item], order: Folder.SortOrder) {
    // Most folders have only recordings, which need not be copied.
    items = folders.isEmpty ? recordings : folders + recordings
    self.order = order
  }

  public init(
    folders: [Folder] = [], recordings: [Recording] = [], order: Folder.SortOrder = .byDate
  ) {
    self.init(
      folders: folders.map { .folder($0) }, recordings: recordings.map { .recording($0) },
      order: order)
  }

  public var folders: [Folder] {
    items.compactMap { if case .folder(let folder) = $0 { folder } else { nil } }
  }

  /// Copies each; to go through them, use `items`.
  public var recordings: [Recording] {
    items.compactMap { if case .recording(let recording) = $0 { recording } else { nil } }
  }
}

extension Listing: Codable {
  private enum Key: String, CodingKey { case folders, recordings, order }

  public init(from decoder: any Decoder) throws {
    let listing = try decoder.container(keyedBy: Key.self)
    self.init(
      folders: try listing.decode([Folder].self, forKey: .folders),
      recordings: try listing.decode([Recording].self, forKey: .recordings),
      order: try listing.decode(Folder.SortOrder.self, forKey: .order))
  }

  public func encode(to encoder: any Encoder) throws {
    var listing = encoder.container(keyedBy: Key.self)
    try listing.encode(folders, forKey: .folders)
    try listing.encode(recordings, forKey: .recordings)
    try listing.encode(order, forKey: .order)
  }
}
