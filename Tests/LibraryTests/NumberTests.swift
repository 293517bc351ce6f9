// Numbers belong to what Reel recorded, and to nothing else on the card, whatever its name, an
// index or tags say.

import FoundationEssentials
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct NumberTests {
  /// Makes the sound of another program, with a number in its tags as music has it.
  private func foreign(_ desk: StoreDesk, _ name: String) throws {
    var tags = Tags()
    (tags.sequence, tags.title) = (20_240_503, "Interview")
    var bytes: [UInt8] = []
    var writer = try OggOpusWriter.begin(OpusSettings(), tags: tags, serial: 1) {
      (page) throws(TapeError) in bytes += page.bytes
    }
    let samples = [Int16](repeating: 99, count: 48_000)
    try samples.withUnsafeBufferPointer { samples in
      try writer.write(samples) { (page) throws(TapeError) in bytes += page.bytes }
    }
    try writer.finish { (page) throws(TapeError) in bytes += page.bytes }
    try desk.put(name, Data(bytes))
  }

  @Test("a foreign file does not affect the numbers, whatever its name")
  func foreignFiles() throws {
    // Given a recording, a sound file named by its date, and one with a number in its tags
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    let wave = desk.scratch.path + "/20240501 Interview.wav"
    try desk.work(.long(.export(take.id, format: "wav", to: "\(wave)")))
    try foreign(desk, "20240502 Interview.opus")
    // When the card is opened again, with its index and without
    for isIndexLost in [false, true] {
      if isIndexLost {
        for name in desk.indexes { try desk.remove(name) }
      }
      let report = try desk.reopen().report
      // Then both are listed without a number, and the next number is that after the recording
      #expect(report?.nextSequence == 2)
      let found = try desk.listing().recordings
      #expect(found.compactMap(\.sequence) == [1] && found.count == 3, "index lost: \(isIndexLost)")
      #expect(
        found.filter { $0.sequence == nil }.map(\.title).sorted()
          == ["20240501 Interview", "20240502 Interview"])
    }
    let again = try desk.reopen()
    #expect(again.report?.nextSequence == 2 && again.findings == [])
  }

  @Test(
    "absurdly high or low numbers are ignored", arguments: [Int.max, .max - 1, .min])
  func absurd(number: Int) throws {
    // Given a card with a crafted index, as a snapshot or as a line
    for isSnapshot in [true, false] {
      let card = MemoryCard(.journalling)
      var recording = Recording.take(ItemID(high: 1, low: 1), stage: .finished)
      recording.life = .finished(Recording.CardEntry(sequence: number, file: "a.opus"))
      try card.plant(Array("a.opus".utf8), in: "", [1])
      var index = FolderIndex(id: .root, name: "")
      index.apply(.put(Entry(recording)))
      let changes = [IndexChange.put(Entry(recording)), .next(number)]
      let bytes =
        isSnapshot
        ? IndexFormat.snapshot(of: index, generation: 1)
        : IndexFormat.line(changes, after: 0, number: 1, before: 0, in: .root)
      try card.plant(Array((isSnapshot ? "folder.1.json" : "folder.journal").utf8), in: "", bytes)
      let rig = StoreRig(card)
      // Then the next number is 1, and takes count on from there
      #expect(try rig.open().report?.nextSequence == 1)
      #expect(try rig.listing(of: .root).recordings.map(\.sequence) == [nil])
      try rig.record(ItemID(high: 1, low: 2))
      #expect(try StoreRig(card).open().report?.nextSequence == 3)
    }
  }

  @Test("at the highest number nothing overflows")
  func last() throws {
    let last = Recording.sequences.upperBound
    let rig = StoreRig(MemoryCard(.journalling))
    try rig.open()
    for id in 1...2 as ClosedRange<UInt64> {
      var recording = Recording.take(ItemID(high: 1, low: id))
      recording.life = .take(Recording.CardEntry(sequence: last))
      let events = rig.give(.begin(recording))
      #expect(events.contains { if case .take(_, .made) = $0 { true } else { false } })
    }
    #expect(try StoreRig(rig.system).open().report?.nextSequence == last)
  }
}

extension StoreDesk {
  fileprivate var indexes: [String] {
    (FileName.slots + [FileName.journal]).filter { !file($0).isEmpty }
  }
}
