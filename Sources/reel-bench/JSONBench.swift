// What reading and writing JSON costs beside Foundation's decoder and encoder, and beside touching
// the same bytes once: a status, as the socket sends it, many times over. Used on the main thread.
import CAllocations
import FoundationEssentials
import JSON

/// As many members and texts as an item's report has.
private struct Item: Codable, Equatable {
  var id: String
  var sequence: Int
  var title: String
  var began: String
  var seconds: Double
  var isHeard: Bool
  var marks: [Int64]
  var continues: String?
}

func measureJSON(_ arguments: [String]) throws -> String? {
  guard let first = arguments.first, let count = Int(first), count > 0 else { return nil }
  let items = (0..<count).map { number in
    Item(
      id: "7d0f3a5b-9e6c-4b1f-8a2d-4e6f10c5a901", sequence: number,
      title: "Küche \(number) \"live\"", began: "2026-11-22T21:00:00Z",
      seconds: Double(number) / 8, isHeard: number % 2 == 0,
      marks: Array(repeating: 48_000, count: number % 3), continues: nil)
  }
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  let decoder = JSONDecoder()
  let text = try JSON.encode(items)
  let data = Data(text)
  guard try encoder.encode(items) == data, try JSON.decode([Item].self, from: text) == items else {
    throw JSONError(.type, offset: 0, "ours differs from Foundation's")
  }
  let figures: [(String, () throws -> Int)] = [
    ("read ours", { try JSON.decode([Item].self, from: text).count }),
    ("read foundation", { try decoder.decode([Item].self, from: data).count }),
    ("read plainly", { text.reduce(0) { $0 &+ Int($1) } }),
    ("write ours", { try JSON.encode(items).count }),
    ("write foundation", { try encoder.encode(items).count }),
  ]
  return try figures.map { name, work in
    // Runs once before, so that one-time setup is not measured.
    guard try work() > 0 else { throw JSONError(.size, offset: 0, "nothing was read") }
    let start = processor_microseconds()
    _ = try work()
    return "\(name) \(processor_microseconds() - start)"
  }.joined(separator: "\n")
}
