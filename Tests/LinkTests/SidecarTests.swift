// The file of texts at a target: what people and programs may write into it, how it is replaced
// while others write too, and what is remembered of it. No server, no loop.
import Glibc
import Scratch
import Seeds
import Testing

@testable import Link

@Suite struct SidecarTests {
  private static let facts = SidecarFacts(
    id: "62e2e4c1", number: 41, began: "2026-11-20T14:03:22Z", lengthMilliseconds: 5000,
    rate: 48_000, integrity: Array(#"{"clipped":0}"#.utf8))

  private static func name() throws -> RemoteName {
    try SidecarName(of: "62e2e4c1-1-2", number: 41, below: ["box"], recorder: "00").file
  }

  private static func read(_ text: String, here: Texts = Texts()) throws -> Sidecar {
    try Sidecar(Array(text.utf8), here: here, rate: 48_000, of: try name())
  }

  @Test("what is written is read back, whatever was typed")
  func roundTrip() throws {
    var texts = Texts()
    (texts.title, texts.folder) = ("„Küche“ \"1/2\" \\", "/Interviews/May")
    (texts.notes, texts.place, texts.speaker) = ("One.\nTwo.\t🎙", "Ulm", "Käthe")
    (texts.isHeard, texts.isDeleted) = (true, true)
    texts.marks = [0: "", 48_001: "the answer", 9_999_999_999: "late"]
    let file = SidecarFacts.File(
      file: "a.opus", track: "main", sizeBytes: 9, sha256: "00", soundFrom: 4)
    let bytes = try Sidecar.bytes(texts, Self.facts, files: [file, file])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(try Self.read(text) == Self.read(text, here: texts))
    #expect(try Self.read(text).texts == texts)
    #expect(try Self.read(text).id == "62e2e4c1")
    // The texts come first, each on a line of its own
    #expect(text.hasPrefix("{\n  \"title\": \"„Küche“ "))
    #expect(try Self.name().components == ["box", "texts", "0041-62e2e4c1.json"])
    #expect(try Self.read(text).files == [file, file])
  }

  @Test("a person may write a mark by its second, leave keys out, and add comments")
  func byHand() throws {
    var here = Texts()
    (here.title, here.notes) = ("Kitchen", "Kept.")
    let sidecar = try Self.read(
      "{ // changed by hand\n  title: 'Küche', marks: [{at: 1.5, name: 'here'}, {at: 2},], }",
      here: here)
    #expect(sidecar.texts.title == "Küche" && sidecar.texts.notes == "Kept.")
    #expect(sidecar.texts.marks == [72_000: "here", 96_000: ""])
    #expect(sidecar.id.isEmpty)
  }

  private static let badTexts: [(String, Int)] = [
    ("", 1), ("[]", 1), ("{\n\"title\": 5}", 2), ("{\n\n\"heard\": \"yes\"}", 3),
    ("{\n\"marks\": [{\"name\": \"x\"}]}", 2), ("{\"marks\": [{\"at\": -1}]}", 1),
    ("{\"title\": \"half", 1), ("{\"marks\": 5}", 1),
  ]

  @Test("what cannot be read is told with its line, and what to do", arguments: badTexts)
  func mistakes(_ text: String, line: Int) throws {
    let error: LinkError
    do {
      _ = try Self.read(text)
      Issue.record("\(text) was read")
      return
    } catch let failure as LinkError { error = failure }
    #expect(error.sentence.contains("line \(line): "), "\(error)")
    #expect(error.sentence.hasSuffix("mend it, or delete it, and it is written anew."), "\(error)")
    #expect(error.scope == .recording)
  }

  // MARK: Memory

  @Test("what both sides had is there again after a restart, also if the last line was torn")
  func memory() throws {
    let scratch = ScratchFolder()
    let memory = try TextsMemory(of: "nas", in: scratch.path)
    var texts = Texts()
    texts.marks = [5: "five"]
    let known = KnownTexts(base: TextsBase(texts), version: "\"v1\"")
    try memory.keep(known, of: "one")
    #expect(memory.firstSeen("s1", of: "two", nowSeconds: 7) == 7)
    #expect(memory.firstSeen("s1", of: "two", nowSeconds: 9) == 7)
    try memory.keep(known, of: "three")
    try memory.forget("three")
    let path = scratch.path + "/texts/nas.jsonl"
    let file = open(path, O_WRONLY | O_APPEND)
    #expect(write(file, "{\"id\":\"on", 9) == 9)
    close(file)
    let again = try TextsMemory(of: "nas", in: scratch.path)
    #expect(again.texts(of: "one") == known && again.texts(of: "three") == nil)
    #expect(again.firstSeen("s1", of: "two", nowSeconds: 11) == 7)
    #expect(again.firstSeen("s2", of: "two", nowSeconds: 12) == 12)
    // The torn line is gone, so that the next one is whole
    try again.keep(known, of: "four")
    #expect(try TextsMemory(of: "nas", in: scratch.path).texts(of: "four") == known)
  }

  // MARK: Replacing

  @Test("several write, servers lose answers, programs end anywhere: no version is lost unread")
  func histories() throws {
    for seed in Seeds("sidecars", count: 400) {
      var model = try SidecarModel(seed: seed)
      for _ in 0..<120 { model.step() }
      model.settle()
      try #require(model.lost.isEmpty, "REEL_SEED=\(seed): lost \(model.lost)")
    }
  }
}

/// A server with one file of texts, two programs that add to it, and a person who does. A version
/// is a set of numbers: each writer adds one to what it has read.
private struct SidecarModel {
  private struct Writer {
    var finding: FindSidecarJob?
    var replacing: ReplaceSidecarJob?
    var answer: RemoteAnswer?
    /// What it has read or written.
    var numbers: Set<Int> = []
    var fetched: Set<Int>?
    var isFinding: Bool { finding != nil }
  }

  private var random: SplitMix
  private let traits: TargetTraits
  private let names: [SidecarName]
  private var name: RemoteName { names[0].file }
  private var files: [String: Set<Int>] = [:]
  private var writers = [Writer(), Writer()]
  private var last = 0
  private var faultsLeft = 8
  private static let broken = LinkError(.network, .recording, "It broke.")

  init(seed: UInt64) throws {
    random = SplitMix(state: seed)
    var traits = TargetTraits()
    let kind = random.below(3)
    traits.moveIsVague = kind == 1
    if kind == 2 {
      (traits.hasParts, traits.moves, traits.replacesByVersion) = (false, false, true)
    }
    self.traits = traits
    names = try ["one", "two"].map {
      try SidecarName(of: "a", number: nil, below: [], recorder: $0)
    }
  }

  /// Every number that was written is in the file.
  var lost: [Int] { Set(0..<last).subtracting((files["\(name)"] ?? []).map { $0 - 1 }).sorted() }

  mutating func step() {
    if random.below(12) == 0 { return personEdits() }
    advance(random.below(2), mayFail: true)
  }

  /// Without faults, both go on until the file has what both have.
  mutating func settle() {
    faultsLeft = 0
    for _ in 0..<400 { advance(random.below(2), mayFail: false) }
  }

  private mutating func personEdits() {
    // An editor saves in place.
    guard faultsLeft > 0, let numbers = files["\(name)"] else { return }
    last += 1
    files["\(name)"] = numbers.union([last])
  }

  private mutating func advance(_ index: Int, mayFail: Bool) {
    if mayFail, faultsLeft > 0, random.below(20) == 0 {
      // The program is killed; the recorder knows what it has.
      faultsLeft -= 1
      writers[index] = Writer(numbers: writers[index].numbers)
      return
    }
    if writers[index].replacing != nil { return replace(index, mayFail) }
    find(index, mayFail)
  }

  private mutating func find(_ index: Int, _ mayFail: Bool) {
    var job =
      writers[index].finding
      ?? FindSidecarJob(
        names[index], known: nil, looksForTaken: true, traits: traits)
    switch job.next(writers[index].answer) {
    case .perform(let operation):
      writers[index].finding = job
      writers[index].answer = perform(operation, index, mayFail)
    case .end(let finding):
      (writers[index].finding, writers[index].answer) = (nil, nil)
      begin(index, after: finding)
    }
  }

  private mutating func begin(_ index: Int, after finding: SidecarFinding) {
    var former: ReplaceSidecarJob.Former?
    switch finding {
    case .failed, .unchanged: return
    case .absent: writers[index].fetched = nil
    case .leftOver:
      writers[index].numbers.formUnion(writers[index].fetched ?? [])
      // If this fails it is found again.
      _ = perform(.remove(names[index].taken), index, true)
      return
    case .found(let hashes, let version, _):
      former = ReplaceSidecarJob.Former(hashes, version: version)
      writers[index].numbers.formUnion(writers[index].fetched ?? [])
    }
    if faultsLeft > 0, random.below(2) == 0 {
      last += 1
      writers[index].numbers.insert(last)
    }
    if former != nil, writers[index].fetched == writers[index].numbers { return }
    if writers[index].numbers.isEmpty { return }
    writers[index].replacing = ReplaceSidecarJob(
      Self.content(of: writers[index].numbers), to: names[index], former: former, traits: traits)
  }

  private mutating func replace(_ index: Int, _ mayFail: Bool) {
    guard var job = writers[index].replacing else { return }
    switch job.next(writers[index].answer) {
    case .perform(let operation):
      writers[index].replacing = job
      writers[index].answer = perform(operation, index, mayFail)
    case .end:
      (writers[index].replacing, writers[index].answer) = (nil, nil)
    }
  }

  private static func content(of numbers: Set<Int>) -> Content {
    Sidecar.content(of: numbers.sorted().map { UInt8($0 % 251) } + [UInt8(numbers.count % 251)])
  }

  private func version(of numbers: Set<Int>) -> String { "\(numbers.sorted())" }

  private mutating func perform(
    _ operation: RemoteOperation, _ index: Int, _ mayFail: Bool
  ) -> RemoteAnswer {
    let fault = mayFail && faultsLeft > 0 && random.below(10) == 0 ? random.below(2) : nil
    if fault != nil { faultsLeft -= 1 }
    if fault == 0 { return .failed(Self.broken) }
    let answer = answer(operation, index)
    return fault == 1 ? .failed(Self.broken) : answer
  }

  private mutating func answer(_ operation: RemoteOperation, _ index: Int) -> RemoteAnswer {
    switch operation {
    case .version(let name):
      return files["\(name)"].map { .version(version(of: $0), changedSeconds: 0) } ?? .absent
    case .fetch(let name, _, _):
      guard let numbers = files["\(name)"] else { return .absent }
      writers[index].fetched = numbers
      return .hashed(Self.content(of: numbers).hashes)
    case .send(let name, _, _):
      if !traits.hasParts, files["\(name)"] != nil { return .taken }
      files["\(name)"] = writers[index].numbers
      return .sent(nil, resumedFrom: 0)
    case .replace(let name, _, let wanted):
      guard let numbers = files["\(name)"] else { return .absent }
      if version(of: numbers) != wanted { return .taken }
      files["\(name)"] = writers[index].numbers
      return .sent(nil, resumedFrom: 0)
    case .move(let old, let new):
      guard let numbers = files["\(old)"] else { return .absent }
      if files["\(new)"] != nil { return traits.moveIsVague ? .failed(Self.broken) : .taken }
      files["\(old)"] = nil
      files["\(new)"] = numbers
      return .done
    case .read(let name, _):
      return files["\(name)"].map { .hashed(Self.content(of: $0).hashes) } ?? .absent
    case .remove(let name): return files.removeValue(forKey: "\(name)") == nil ? .absent : .done
    case .makeFolder, .duplicate, .list, .probe, .pieces: return .done
    }
  }
}
