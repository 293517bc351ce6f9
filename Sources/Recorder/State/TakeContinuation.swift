// What a take needs to go on after the daemon died during it. The reducer computes the present
// value, a file outside the state keeps it while a take runs, and the next start passes it back.
// Plain values; a value that comes back is untrusted and is clamped.

/// The next part of an interrupted take.
public struct TakeContinuation: Equatable, Codable, Sendable {
  /// The folders below the root that lead to its folder, the outermost first; empty for the root.
  public let path: [ItemID]
  /// The previous part; nil if no part of the take has a file yet.
  public let continues: ItemID?
  /// Its part number, from 1.
  public let part: Int
  /// The title of the whole take, if it was given one.
  public let title: String?

  public init(
    path: [ItemID] = [], continues: ItemID? = nil, part: Int = 1, title: String? = nil
  ) {
    self.path = path
    self.continues = continues
    self.part = part
    self.title = title
  }

  static let partLimit = 1_000_000
  static let depthLimit = 100

  /// If the path is too long, the take goes into the root.
  var withinBounds: TakeContinuation {
    TakeContinuation(
      path: path.count <= Self.depthLimit ? path.filter { $0 != .root } : [],
      continues: continues, part: min(max(part, 1), Self.partLimit),
      title: title.flatMap(Text.title))
  }
}

/// The search for the folder of a continued take, until it is read or known to be gone.
struct FolderSearch: Equatable, Codable, Sendable {
  let path: [ItemID]
  let target: ItemID
  /// Takes that began during the search and belong in that folder.
  var takes: [ItemID] = []
}
