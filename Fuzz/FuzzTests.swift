// The fuzzers' findings and corpora as ordinary tests: each file of findings/TARGET and
// corpus/TARGET goes through its target once. One thread a target.

import FoundationEssentials
import Testing

@Suite struct FuzzTests {
  private static let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()

  private static func names(in folder: String) -> [String] {
    // A missing folder counts as empty.
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private func replay(_ target: FuzzTarget, _ kind: String) {
    let folder = "\(Self.folder)/\(kind)/\(target.name)"
    for name in Self.names(in: folder).sorted() {
      guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
        Issue.record("\(folder)/\(name) cannot be read")
        continue
      }
      do { try target.run(Array(bytes)) } catch {
        Issue.record("Fuzz/\(kind)/\(target.name)/\(name): \(error)")
      }
    }
  }

  @Test("what was found once is found no more", arguments: FuzzTarget.all.map(\.name))
  func findings(_ name: String) throws {
    replay(try #require(FuzzTarget.all.first { $0.name == name }), "findings")
  }

  @Test("every promise holds for the corpus", arguments: FuzzTarget.all.map(\.name))
  func corpus(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    #expect(!Self.names(in: "\(Self.folder)/corpus/\(name)").isEmpty)
    replay(target, "corpus")
  }

  @Test("what our own code makes keeps every promise", arguments: FuzzTarget.all.map(\.name))
  func seeds(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let seeds = try target.seeds()
    #expect(!seeds.isEmpty)
    for seed in seeds {
      #expect(seed.count <= target.limitBytes, "longer than the fuzzer would take")
      try target.run(seed)
    }
  }

  @Test("findings and corpora belong to a target that there is")
  func folders() {
    let targets = FuzzTarget.all.map(\.name)
    for kind in ["findings", "corpus"] {
      for name in Self.names(in: "\(Self.folder)/\(kind)") {
        #expect(targets.contains(name), "Fuzz/\(kind)/\(name)")
      }
    }
  }
}
