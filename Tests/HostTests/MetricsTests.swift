// The figures for Prometheus, parsed as strictly as its text exposition format is defined: each
// family has one HELP and one TYPE before its samples, a counter's name ends in `_total`, and every
// value is a number. And the file that holds them, which another user reads.
import Glibc
import Testing

@testable import Host
@testable import Recorder

/// A parsed page: types by family, and values by name and labels.
private struct Exposition {
  var types: [String: String] = [:]
  var samples: [String: Double] = [:]

  struct Mistake: Error { let line: String }

  init(_ text: String) throws {
    var helped: Set<String> = []
    var family = ""
    guard text.hasSuffix("\n") else { throw Mistake(line: "the last line has no end") }
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      func check(_ isRight: Bool) throws { if !isRight { throw Mistake(line: String(line)) } }
      if let help = line.wholeMatch(of: #/# HELP ([a-z_:][a-z0-9_:]*) (\S.*)/#)?.output {
        // A family's lines follow each other, and a family comes once.
        try check(helped.insert(String(help.1)).inserted)
        family = String(help.1)
      } else if let type = line.wholeMatch(of: #/# TYPE ([a-z_:]+) (counter|gauge)/#)?.output {
        try check(type.1 == family && types[family] == nil)
        try check((type.2 == "counter") == family.hasSuffix("_total"))
        types[family] = String(type.2)
      } else {
        let label = #/[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"/#
        let sample = #/([a-z_:]+)(\{[^}]*\})? (-?[0-9]+(?:\.[0-9]+)?)/#
        guard let found = line.wholeMatch(of: sample)?.output else {
          throw Mistake(line: String(line))
        }
        try check(found.1 == family && types[family] != nil)
        if let labels = found.2 {
          try check(labels.dropFirst().dropLast().wholeMatch(of: label) != nil)
        }
        let name = String(found.1) + (found.2 ?? "")
        try check(samples[name] == nil)
        samples[name] = Double(found.3)
      }
    }
  }
}

private func recording(seconds: Int64, gaps: [Gap] = [], clipped: Int64 = 0) -> Recording {
  let began = Moment(
    boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 1_700_000_000_250),
    quality: .synchronised)
  return Recording(
    id: .trash, folder: .root, sequence: 1, title: "T", began: began,
    sound: Sound(frames: seconds * 48_000),
    integrity: Integrity(gaps: gaps, clippedFrames: clipped))
}

private func notice(_ kind: Notice.Kind) -> Notice {
  Notice(
    id: 1, kind: kind, item: nil, detail: "", instant: Instant(nanoseconds: 0),
    wall: WallTime(milliseconds: 0))
}

@Suite struct MetricsTests {
  @Test("at the start the page is well formed, and every counter is 0")
  func atFirst() throws {
    let page = try Exposition(Metrics.text(StatusView(State()), health: ["board_throttled": 1]))
    #expect(page.samples["reel_recording"] == 0)
    #expect(page.samples["reel_board_throttled"] == 1)
    let counters = page.types.filter { $0.value == "counter" }.map(\.key)
    #expect(counters.count == 8)
    for name in counters where name != "reel_notices_total" {
      #expect(page.samples[name] == 0, "\(name)")
    }
    #expect(page.samples.keys.count { $0.hasPrefix("reel_notices_total{") } > 20)
    #expect(page.types["reel_last_take_timestamp_seconds"] == nil)
  }

  @Test("what encoding costs is a share, once it is known")
  func encoding() throws {
    var state = State()
    #expect(try Exposition(Metrics.text(StatusView(state))).types["reel_encoding_share"] == nil)
    state.device.encoding = EncodingLoad(permille: 123)
    let page = try Exposition(Metrics.text(StatusView(state)))
    #expect(page.samples["reel_encoding_share"] == 0.123)
  }

  @Test("takes, seconds, gaps, clipped frames and notices are added up")
  func counted() throws {
    // Given
    var counters = MetricsCounters()
    let gaps = [
      Gap(frame: 0, frames: 480, cause: .overrun), Gap(frame: 9600, frames: 20, cause: .stalled),
    ]
    // When
    counters.add(recording(seconds: 60, gaps: gaps, clipped: 7))
    counters.add(recording(seconds: 2))
    for kind in [Notice.Kind.recovered, .takeFailed, .takeFailed] { counters.add(notice(kind)) }
    // Then
    let page = try Exposition(Metrics.text(StatusView(State()), counters))
    let expected = [
      "reel_takes_total": 2, "reel_recorded_seconds_total": 62, "reel_gaps_total": 2,
      "reel_lost_frames_total": 500, "reel_clipped_frames_total": 7, "reel_recovered_total": 1,
      "reel_takes_failed_total": 2, "reel_notices_total{kind=\"takeFailed\"}": 2,
      "reel_last_take_timestamp_seconds": 1_700_000_000.25,
    ]
    for (name, value) in expected { #expect(page.samples[name] == value, "\(name)") }
    #expect(page.types["reel_last_take_timestamp_seconds"] == "gauge")
  }

  @Test(
    "pages that Prometheus would refuse are refused by this test's parser",
    arguments: [
      "a 1\n", "# HELP a b\na 1\n", "# HELP a b\n# TYPE a counter\na 1\n",
      "# HELP a b\n# TYPE a gauge\na 1", "# HELP a b\n# TYPE a gauge\na x\n",
      "# HELP a b\n# TYPE a gauge\na{b=\"\"c\"} 1\n", "# HELP a b\n# TYPE a gauge\na 1\na 1\n",
    ])
  func strict(text: String) {
    #expect(throws: Exposition.Mistake.self) { try Exposition(text) }
  }

  @Test("the file is replaced whole, any user may read it, and a failure is reported")
  func file() throws {
    let folder = Folder()
    let path = folder.path + "/reel.prom"
    // Given the umask of the service
    let mask = umask(0o027)
    defer { umask(mask) }
    // When
    #expect(Metrics.write("old\n", to: path) == nil)
    #expect(Metrics.write("new\n", to: path) == nil)
    // Then
    #expect(folder.read("reel.prom") == "new\n")
    #expect(access(path + ".new", F_OK) != 0)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o644)
    #expect(
      Metrics.write("x\n", to: "/nowhere/reel.prom")
        == "The metrics cannot be written to /nowhere/reel.prom: no such file or directory")
  }
}
