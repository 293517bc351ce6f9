// The order of a folder's items: a list of ids in which inserting and removing anywhere costs the
// same for ten items as for a hundred thousand. It is an array of short runs; a change touches one
// run and skips the others by their counts. Changed in place; a copy is cheap until one side
// changes.

/// The items of a folder in their order.
public struct ItemOrder: Equatable, Sendable {
  /// Long enough to keep runs few, short enough that moving half of one costs nothing.
  static let runLimit = 256

  private var runs: [[ItemID]] = []
  public private(set) var count = 0

  public init() {}

  /// The items must already be in order.
  public init(_ items: some Collection<ItemID>) {
    count = items.count
    var rest = items[...]
    while !rest.isEmpty {
      runs.append(Array(rest.prefix(Self.runLimit / 2)))
      rest = rest.dropFirst(Self.runLimit / 2)
    }
  }

  public var isEmpty: Bool { count == 0 }

  public static func == (left: ItemOrder, right: ItemOrder) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  public mutating func insert(_ item: ItemID, at index: Int) {
    precondition(index >= 0 && index <= count, "an index of the order, or its end")
    count += 1
    guard !runs.isEmpty else {
      runs = [[item]]
      return
    }
    let (run, offset) = place(of: index)
    runs[run].insert(item, at: offset)
    if runs[run].count > Self.runLimit {
      let half = runs[run].count / 2
      runs.insert(Array(runs[run][half...]), at: run + 1)
      runs[run].removeSubrange(half...)
    }
  }

  @discardableResult
  public mutating func remove(at index: Int) -> ItemID {
    precondition(index >= 0 && index < count, "an index of the order")
    let (run, offset) = place(of: index)
    count -= 1
    let item = runs[run].remove(at: offset)
    if runs[run].isEmpty { runs.remove(at: run) }
    return item
  }

  /// Returns the first index whose item is not before the place sought. The items must be sorted
  /// so.
  public func partitionPoint(where isBefore: (ItemID) -> Bool) -> Int {
    var low = 0
    var high = runs.count
    while low < high {  // the first run whose last item is not before
      let middle = (low + high) / 2
      if isBefore(runs[middle][runs[middle].count - 1]) { low = middle + 1 } else { high = middle }
    }
    let passed = runs[..<low].reduce(0) { $0 + $1.count }
    guard low < runs.count else { return passed }
    let run = runs[low]
    var first = 0
    var last = run.count
    while first < last {
      let middle = (first + last) / 2
      if isBefore(run[middle]) { first = middle + 1 } else { last = middle }
    }
    return passed + first
  }

  /// For tests: whether the type's invariants hold.
  var isSound: Bool {
    runs.allSatisfy { !$0.isEmpty && $0.count <= Self.runLimit }
      && runs.reduce(0) { $0 + $1.count } == count
  }

  /// The run and the offset in it; the end belongs to the last run. Runs are never empty.
  private func place(of index: Int) -> (run: Int, offset: Int) {
    var rest = index
    for run in runs.indices {
      let here = runs[run].count
      if rest < here || (rest == here && run == runs.count - 1) { return (run, rest) }
      rest -= here
    }
    preconditionFailure("an index of the order, or its end")
  }
}

extension ItemOrder: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// Iterates over the runs directly: a subscript would count them again for each item.
  public func makeIterator() -> FlattenSequence<[[ItemID]]>.Iterator {
    runs.joined().makeIterator()
  }

  public subscript(index: Int) -> ItemID {
    precondition(index >= 0 && index < count, "an index of the order")
    let (run, offset) = place(of: index)
    return runs[run][offset]
  }
}

extension ItemOrder: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([ItemID].self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Array(self))
  }
}
