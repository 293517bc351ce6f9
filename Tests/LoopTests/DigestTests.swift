// Proves that the digest tells values apart and depends on order only where order matters. Pure
// functions, no fixtures.

import Testing

@testable import Loop

@Test("Equal values have equal digests, whatever order a dictionary happens to be in")
func dictionaryOrderDoesNotMatter() throws {
  var there: [String: Int] = [:]
  var back: [String: Int] = [:]
  for number in 0..<100 { there["key \(number)"] = number }
  for number in (0..<100).reversed() { back["key \(number)"] = number }
  #expect(try Digest(of: there) == Digest(of: back))
}

@Test("Values that differ in order, type or nesting have different digests")
func differencesShow() throws {
  #expect(try Digest(of: [1, 2]) != Digest(of: [2, 1]))
  #expect(try Digest(of: ["1"]) != Digest(of: [1]))
  #expect(try Digest(of: [[1], [2]]) != Digest(of: [[1, 2]]))
  #expect(try Digest(of: ["a": 1]) != Digest(of: ["a": 2]))
}

@Test("The digest is the same on every machine and in every run: it is pinned here")
func digestIsPinned() throws {
  let state = Counters.State(counters: ["a": .init(value: 1, revision: 2)], lastRevision: 2)
  let digest = try Digest(of: state)
  #expect(digest.description == "45eae1d6cf2ea3b9")
}

@Test("A change of any one member, case or payload shows")
func everyMemberCounts() throws {
  let values: [Counters.Action] = [
    .add(1, to: "a"), .add(2, to: "a"), .add(1, to: "b"), .set("a", 1), .remove("a"), .load("a"),
  ]
  let digests = try values.map { try Digest(of: $0).bits }
  #expect(Set(digests).count == values.count)
  #expect(try Digest(of: [1: "a"]) == Digest(of: [1: "a"]))
  #expect(try Digest(of: Int?.none) != Digest(of: 0))
  #expect(try Digest(of: [String]()) != Digest(of: [String: String]()))
}
