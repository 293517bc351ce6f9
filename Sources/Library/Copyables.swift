// The recordings that a target lacks, kept so that not every question needs a search of the card.
// A search finds the oldest ones behind a place; afterwards each change of an entry is followed.
// A plain value; the card's thread.

import Recorder

/// The recordings to be copied next to one target.
struct Copyables {
  struct Candidate: Equatable {
    let place: CopyPlace
    let folder: ItemID
  }

  /// The oldest first.
  private(set) var candidates: [Candidate] = []
  /// Recordings up to this one were left out.
  let after: CopyPlace?
  /// Candidates beyond the limit were dropped.
  private(set) var isCut = false

  static let limit = 1024

  init(after: CopyPlace?) { self.after = after }

  /// Whether it answers what is next behind a place.
  func covers(_ place: CopyPlace?) -> Bool {
    if let after, place.map({ $0 < after }) ?? true { return false }
    return !isCut || candidates.last.map { last in place.map { $0 < last.place } ?? true } ?? false
  }

  func next(after place: CopyPlace?, count: Int) -> [Candidate] {
    let start = place.map { place in candidates.partitionPoint { $0.place <= place } } ?? 0
    return Array(candidates[start...].prefix(count))
  }

  mutating func insert(_ candidate: Candidate) {
    if let after, candidate.place <= after { return }
    let index = candidates.partitionPoint { $0.place < candidate.place }
    if index < candidates.count, candidates[index].place == candidate.place {
      candidates[index] = candidate
      return
    }
    if isCut, index == candidates.count { return }
    candidates.insert(candidate, at: index)
    if candidates.count > 2 * Self.limit {
      candidates.removeLast(Self.limit)
      isCut = true
    }
  }

  /// A recording that moved is in its new folder already.
  mutating func remove(_ id: ItemID, from folder: ItemID) {
    candidates.removeAll { $0.place.id == id && $0.folder == folder }
  }
}

extension Array {
  /// The index of the first element for which the condition does not hold. All before it fulfil it.
  fileprivate func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
