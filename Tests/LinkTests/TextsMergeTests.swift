// What comes of texts that were edited here and there: as single cases, and in random histories
// of two recorders and people at a server, who all edit. Pure.
import Seeds
import Testing

@testable import Link

@Suite struct TextsMergeTests {
  private static func texts(_ change: (inout Texts) -> Void = { _ in }) -> Texts {
    var texts = Texts()
    (texts.title, texts.folder, texts.notes) = ("Kitchen", "/Interviews", "First.")
    texts.marks = [48_000: "one"]
    change(&texts)
    return texts
  }

  private static let base = TextsBase(texts())

  private static func merge(
    here: Texts, there: Texts, base: TextsBase? = base, isThereNewer: Bool = true
  ) -> TextsMerge {
    TextsMerge(
      TextsMerge.Sides(
        here: here, there: there, base: base, isThereNewer: isThereNewer, heading: "nas 10:04"))
  }

  @Test("what only one side changed is taken from that side, without a conflict")
  func oneSide() {
    let here = Self.texts { ($0.title, $0.isHeard, $0.marks[96_000]) = ("Cellar", true, "two") }
    let there = Self.texts { ($0.folder, $0.place, $0.marks[48_000]) = ("/May", "Ulm", nil) }
    let merge = Self.merge(here: here, there: there)
    let both = Self.texts {
      ($0.title, $0.isHeard, $0.folder, $0.place) = ("Cellar", true, "/May", "Ulm")
      $0.marks = [96_000: "two"]
    }
    #expect(merge.texts == both && merge.conflicts.isEmpty)
  }

  @Test("of a text that both changed the later counts, and the other goes into the notes")
  func bothSides() {
    let (here, there) = (Self.texts { $0.title = "Küche" }, Self.texts { $0.title = "Cuisine" })
    let merge = Self.merge(here: here, there: there)
    #expect(merge.texts.title == "Cuisine")
    #expect(merge.texts.notes == "First.\n[nas 10:04] title: Küche")
    #expect(
      merge.conflicts
        == [TextsMerge.Conflict(what: "title", kept: "Cuisine", other: "Küche")])
    let other = Self.merge(here: here, there: there, isThereNewer: false)
    #expect(other.texts.title == "Küche" && other.texts.notes.hasSuffix("title: Cuisine"))
    // The same on both sides is none, and merging again adds nothing
    #expect(Self.merge(here: here, there: here).texts == here)
    let again = Self.merge(here: other.texts, there: there, isThereNewer: false)
    #expect(again.texts.notes == other.texts.notes)
  }

  @Test("notes that one side went on with are kept once; notes that differ are kept both")
  func notes() {
    let longer = Self.texts { $0.notes = "First. Second." }
    let longest = Self.texts { $0.notes = "First. Second. Third." }
    #expect(Self.merge(here: longer, there: longest).texts.notes == "First. Second. Third.")
    #expect(Self.merge(here: longest, there: longer).texts.notes == "First. Second. Third.")
    let other = Self.texts { $0.notes = "Other." }
    let merge = Self.merge(here: longer, there: other)
    #expect(merge.texts.notes == "Other.\n[nas 10:04] notes: First. Second.")
    #expect(merge.conflicts.count == 1)
  }

  @Test("edited on one side and deleted on the other: the edit wins")
  func deleted() {
    let gone = Self.texts { ($0.isDeleted, $0.folder) = (true, "/.trash") }
    let edited = Self.texts { $0.notes = "Important." }
    for (here, there) in [(gone, edited), (edited, gone)] {
      let merge = Self.merge(here: here, there: there)
      #expect(!merge.texts.isDeleted && merge.texts.notes == "Important.")
      #expect(merge.conflicts.map(\.what) == ["deleted"])
    }
    // Without an edit it is deleted there, too; and its folder there stays as it was
    let merge = Self.merge(here: gone, there: Self.texts())
    #expect(merge.texts.isDeleted && merge.texts.folder == "/Interviews")
    #expect(Self.merge(here: Self.texts(), there: gone).texts.isDeleted)
  }

  @Test("a mark that was renamed on one side and removed on the other stays")
  func marks() {
    let (renamed, removed) = (
      Self.texts { $0.marks[48_000] = "the answer" }, Self.texts { $0.marks = [:] }
    )
    #expect(Self.merge(here: renamed, there: removed).texts.marks == [48_000: "the answer"])
    #expect(Self.merge(here: removed, there: renamed).texts.marks == [48_000: "the answer"])
    let other = Self.texts { $0.marks[48_000] = "die Antwort" }
    let merge = Self.merge(here: renamed, there: other)
    #expect(merge.texts.marks == [48_000: "die Antwort"])
    #expect(merge.texts.notes.hasSuffix("mark: the answer"))
  }

  @Test("without knowing what both had last, nothing of either side is lost")
  func unknownBase() {
    let (here, there) = (
      Self.texts { ($0.title, $0.isHeard) = ("Küche", true) },
      Self.texts { ($0.title, $0.marks) = ("Cuisine", [9: "new"]) }
    )
    let merge = Self.merge(here: here, there: there, base: nil)
    #expect(merge.texts.title == "Cuisine" && merge.texts.notes.contains("Küche"))
    #expect(merge.texts.isHeard && merge.texts.marks == [9: "new", 48_000: "one"])
  }

  @Test("a text that the recorder refused is taken up again, also after both sides were compared")
  func refused() {
    let there = Self.texts { ($0.folder, $0.place) = ("/Full", "Ulm") }
    let first = Self.merge(here: Self.texts(), there: there)
    let base = TextsBase(
      first.texts, refused: [.folder], areMarksRefused: false, isDeletedRefused: false,
      here: Self.texts(), before: Self.base)
    let here = Self.texts { $0.place = "Ulm" }
    #expect(Self.merge(here: here, there: there, base: base).texts.folder == "/Full")
  }

  @Test("two recorders and people at the server edit: all come to the same, nothing typed is lost")
  func histories() throws {
    for seed in Seeds("texts", count: 600) {
      var model = TextsModel(seed: seed)
      for _ in 0..<60 { model.step() }
      let settles = model.settles()
      try #require(settles, "REEL_SEED=\(seed): the sides differ")
      let lost = model.lost
      try #require(lost.isEmpty, "REEL_SEED=\(seed): lost \(lost)")
    }
  }
}

/// Two recorders that merge with the file at a server.
private struct TextsModel {
  private struct Box {
    var texts: Texts
    var base: TextsBase?
    var seen: Int64 = 0
  }

  private var random: SplitMix
  private var boxes: [Box]
  private var server: Texts
  private var serverSeconds: Int64 = 0
  private var now: Int64 = 0
  private var typed = 0
  /// What was typed and not taken away by a person who saw it.
  private var owed: Set<String> = []

  init(seed: UInt64) {
    random = SplitMix(state: seed)
    var texts = Texts()
    texts.title = "t0"
    server = texts
    boxes = [Box(texts: texts, base: TextsBase(texts)), Box(texts: texts, base: TextsBase(texts))]
  }

  mutating func step() {
    now += 1
    switch random.below(8) {
    case 0...1:
      server = edited(server)
      serverSeconds = now
    case 2...4:
      let box = random.below(2)
      boxes[box].texts = edited(boxes[box].texts)
      boxes[box].seen = now
    case 5...6: merge(random.below(2))
    default:
      // The state directory of one is lost.
      if random.below(6) == 0 { boxes[random.below(2)].base = nil }
    }
  }

  private mutating func edited(_ before: Texts) -> Texts {
    var texts = before
    typed += 1
    let word = "w\(typed)w"
    switch random.below(7) {
    case 0...3:
      let field = TextField.allCases[random.below(5)]
      if field == .folder, texts.isDeleted { return texts }
      // A person who writes over a text has seen it.
      dismiss(texts[field])
      texts[field] = field == .folder ? "/" + word : word
      owed.insert(word)
    case 4:
      let frame = Int64(random.below(4))
      if let old = texts.marks[frame] { dismiss(old) }
      texts.marks[frame] = word
      owed.insert(word)
    case 5:
      guard let frame = texts.marks.keys.sorted().first else { return texts }
      dismiss(texts.marks[frame] ?? "")
      texts.marks[frame] = nil
    default:
      if random.below(2) == 0 {
        texts.isHeard.toggle()
      } else {
        texts.isDeleted.toggle()
        // Whatever folder it was in, the trash is the one that counts.
        if texts.isDeleted { dismiss(texts.folder) }
      }
    }
    return texts
  }

  private mutating func dismiss(_ text: String) {
    owed = owed.filter { !text.contains($0) }
  }

  private mutating func merge(_ index: Int) {
    let box = boxes[index]
    let merge = TextsMerge(
      TextsMerge.Sides(
        here: box.texts, there: server, base: box.base, isThereNewer: serverSeconds > box.seen,
        heading: "side \(index) \(now)"))
    if merge.texts != server { serverSeconds = now }
    (boxes[index].texts, server) = (merge.texts, merge.texts)
    boxes[index].base = TextsBase(merge.texts)
  }

  mutating func settles() -> Bool {
    for _ in 0..<6 {
      merge(0)
      merge(1)
      if boxes[0].texts == server, boxes[1].texts == server { return true }
    }
    return false
  }

  var lost: [String] {
    let all =
      TextField.allCases.map { server[$0] }.joined(separator: " ")
      + server.marks.values.joined(separator: " ")
    return owed.filter { !all.contains($0) }.sorted()
  }
}
