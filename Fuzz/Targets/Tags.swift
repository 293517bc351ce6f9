// Tags of files, and the file names made of them: tags are written as they were read, an ID3 tag
// has the length that it states, and any title makes a name that any card takes.

@testable import Library
@testable import Recorder
@testable import Tape

extension FuzzTarget {
  /// The bytes are both a packet of tags and, as text, a title.
  static let tags = FuzzTarget(
    name: "tags", limitBytes: 2048,
    seeds: {
      var tags = Tags()
      (tags.title, tags.sequence, tags.date) = ("Küche: \"1/2\"", 42, "2026-11-20T14:03:22Z")
      (tags.id, tags.software, tags.timeQuality) = ("1-2", "Reel", .corrected)
      (tags.bootID, tags.monotonicNanoseconds, tags.trackGain) = ("b", 99, -300)
      (tags.device, tags.sampleRate, tags.channels, tags.folder) = ("Mic", 44_100, 2, "Interviews")
      tags.marks = [Tags.Mark(frame: 480, name: "here"), Tags.Mark(frame: 96_000, name: "")]
      (tags.place, tags.speaker, tags.notes) = ("Küche", "Käthe", "one\ntwo")
      tags.facts = [
        ("REEL_GAPS", "480+960 overrun, 7+8 cut"), ("REEL_PEAK_DBFS", "-1.20"),
        ("REEL_STOP", "pressed"), ("REEL_PART", "2"), ("REEL_WALL_MS", "1700000000123"),
        ("REEL_CONTINUES", "0000abcd-0000-0000-0000-000000000001"), ("REEL_STAGE", "recovered"),
      ].map { Tags.Comment(key: $0, value: $1) }
      tags.others = [Tags.Comment(key: "MOOD", value: "=")]
      let names = ["CON", "  .a. ", "a\u{301}/\u{202E}b", "日本語.opus", "0042 K.opus", "lpt1.txt"]
      let padded = try tags.packet(padded: 900)
      return [padded, try tags.packet()] + names.map { Array($0.utf8) }
    },
    run: { bytes in
      if let tags = bytes.withUnsafeBytes({ Tags(packet: $0) }) { try check(tags) }
      try checkName(String(decoding: bytes, as: UTF8.self))
    })

  private static func check(_ tags: Tags) throws {
    let written = try tags.packet()
    guard let again = written.withUnsafeBytes({ Tags(packet: $0) }) else {
      throw Broken("tags that were read are written so that they cannot be read")
    }
    try prove(known(again) == known(tags), "tags change by being written:\n\(tags)\n\(again)")
    let third = try again.packet().withUnsafeBytes { Tags(packet: $0) }
    try prove(third.map(sorted) == sorted(again), "tags change by being written twice")
    try checkFacts(tags)
    for room in [0, 64, 300, written.count - 1, written.count] {
      let some = tags.fitting(room)
      let isWhole = some.comments == tags.comments
      try prove(
        isWhole == (written.count <= room) || isBare(some), "too much or too little is left")
    }
    let tag = ID3.bytes(of: tags)
    // Without a frame there is no tag.
    if tag.isEmpty { return }
    let size = tag[6..<10].reduce(0) { $0 << 7 | Int($1) }
    try prove(
      tag[6..<10].allSatisfy { $0 < 0x80 } && size == tag.count - 10 && size > 0, "a wrong ID3 size"
    )
  }

  /// Whether nothing is left that could be left out.
  private static func isBare(_ tags: Tags) -> Bool {
    tags.notes == nil && tags.marks.isEmpty && tags.facts.isEmpty && tags.place == nil
      && tags.speaker == nil
  }

  /// Facts that were read are written so that they are read again, and are bounded.
  private static func checkFacts(_ tags: Tags) throws {
    let facts = RecordingFacts(tags.facts.map { Fact(key: $0.key, value: $0.value) })
    try prove(RecordingFacts(facts.facts) == facts, "facts change by being written:\n\(facts)")
    try prove(tags.facts.count <= 64 && facts.integrity.gaps.count <= 10_000, "too many facts")
    _ = facts.integrity.framesTornOut
  }

  /// Without unknown tags: a duplicate chapter time may be dropped by writing.
  private static func known(_ tags: Tags) -> Tags {
    var tags = tags
    tags.others = []
    return tags
  }

  /// Sorts the unknown tags, which may come in any order.
  private static func sorted(_ tags: Tags) -> Tags {
    var tags = tags
    tags.others.sort { ($0.key, $0.value) < ($1.key, $1.value) }
    return tags
  }

  private static func checkName(_ title: String) throws {
    for sequence in [nil, 42] as [Int?] {
      for number in [1, 2, 12_345] {
        let name = FileName.recording(
          sequence: sequence, title: title, ending: FileName.ending, number: number)
        try checkAllowed(name)
        // Compared by bytes, as other programs read the card.
        try prove(Array(name.utf8.suffix(5)) == Array(".opus".utf8), "\(name) is no sound file")
        try prove(FileName.parts(name).ending == ".opus", "we take \(name) for no sound file")
        guard let sequence else { continue }
        try prove(FileName.parts(name).sequence == sequence, "\(name) has no number")
      }
    }
    let directory = FileName.directory(title: title)
    try checkAllowed(directory)
    try prove(FileName.directory(title: directory) == directory, "a name of a name is another name")
    let folded = FileName.folded(directory)
    try prove(FileName.folded(folded) == folded, "folding twice is not folding once")
  }

  private static func checkAllowed(_ name: String) throws {
    try prove((1...255).contains(name.utf8.count), "\(name.utf8.count) bytes of name")
    let forbidden = Set("/\\:*?\"<>|".utf8)
    try prove(!name.utf8.contains { forbidden.contains($0) }, "a card refuses \(name)")
    let (first, last) = (name.utf8.first, name.utf8.last)
    try prove(first != 0x2E && last != 0x2E && last != 0x20, "a card changes \(name)")
    try prove(FileName.normalised(name).utf8.elementsEqual(name.utf8), "\(name) is not composed")
    try proveReadable(name)
  }
}
