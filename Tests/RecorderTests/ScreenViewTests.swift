// Pins screens as text, and proves that any screen fits its console and is safe for a terminal: no
// row too wide, no row too many, no control character, the cursor on the screen.

import Glibc
import Testing

@testable import Recorder

@Suite struct ScreenViewTests {
  private func screen(_ given: Given, _ console: Int = 1) throws -> ScreenView {
    try #require(ScreenView(console: console, in: given.state))
  }

  private func text(_ given: Given) throws -> String {
    try screen(given).rows.map { row in
      String(row.text.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  static let base = Given().booted().withDevice()
  static let filled = base.withFolder("Interviews").withRecording("Kitchen", seconds: 75)
    .withRecording("日本語のとても長いタイトル", seconds: 3700, isHeard: true).withSpace(1 << 33)

  @Test("Ready, on a screen of 80 by 24")
  func ready() throws {
    let shown = try text(Self.filled.withConsole().key(.down, .down))
    #expect(
      shown == """
        Reel  Recordings   2, 1 unheard
        record ○   status ·   play ◐   all is well
        ────────────────────────────────────────────────────────────────────────────────
        ■ Ready   armed

        12 days left   1 unheard   USB Mic, 48 kHz   volume 80 %
        ▷ nothing playing
        ────────────────────────────────────────────────────────────────────────────────
         ▸ Interviews                                                                0
         * Kitchen                                                                1:15
           日本語のとても長いタイトル                                          1:01:40












        r record  space play  ? help  q quit  ↑↓ select  enter open  n new folder
        """)
  }

  @Test("A folder's row has its counts and, if there is room, the date of its newest recording")
  func folderRow() throws {
    let given = Self.base.withFolder("Interviews").withRecording("Kitchen", in: .of("Interviews"))
    func row(columns: Int) throws -> String? {
      try text(given.withConsole(columns: columns, rows: 24)).split(separator: "\n")
        .first { $0.contains("▸ Interviews") }.map(String.init)
    }
    let date = given.state.localTime(WallTime(milliseconds: Given.wall))
    #expect(try row(columns: 80)?.hasSuffix("1, 1 unheard   \(date)") == true)
    #expect(try row(columns: 40)?.hasSuffix("1, 1 unheard") == true)
  }

  @Test("Recording and playing, on a screen of 40 by 10")
  func recording() throws {
    let given = Self.filled.withConsole(columns: 40, rows: 10).playing(.of("Kitchen")).recording()
    let shown = try text(given.when(.tick, after: 10_000))
    #expect(
      shown == """
        Reel  Recordings   3, 1 unheard
        record ●   status ·   play ●   all is w…
        ────────────────────────────────────────
        ● RECORDING 0:12   2026-11-20 14.03.20

        12 days left   1 unheard   USB Mic, 48 …
        ▶ Kitchen  ━┄┄┄┄┄┄┄┄┄┄┄┄┄  0:10 / 1:15
         ▸ Interviews                        0
         ▶ Kitchen                        1:15
        r stop  space pause  ? help  q quit
        """)
  }

  @Test("Refused, on a screen of 20 by 5")
  func refused() throws {
    let given = Self.filled.withConsole(columns: 20, rows: 5).key(.character("x"))
    let shown = try text(given)
    #expect(
      shown == """
        record ◉   status ·…
        ■ Ready   armed
         ▸ Interviews    0
        No recording is run…
        r record  space play
        """)
  }

  @Test("Opening the card, at a prompt")
  func opening() throws {
    let given = Given().when(.host(.booted(Boot(id: Given.boot, version: "1"))))
      .withConsole(1, .serial, columns: 60, rows: 14).type("stat")
    let screen = try screen(given)
    #expect(screen.cursor == ScreenView.Cursor(row: 13, column: 10))
    let shown = try text(given)
    #expect(
      shown == """
        Reel  opening the card…
        record ○   status ·   play ○   all is well
        ────────────────────────────────────────────────────────────
        ■ Ready   armed

        0 unheard   volume 80 %
        ▷ nothing playing
        ────────────────────────────────────────────────────────────





        reel> stat
        """)
  }

  // MARK: Whatever is shown

  static let hostile = [
    "\u{1B}[2J\u{1B}[31mred", "a\u{202E}txt.exe\u{2066}b", "line\r\nbreak\u{85}\u{2028}",
    "e\u{301}\u{302}\u{303}", "👩‍👩‍👧‍👦 🇩🇪 ❤️ 1️⃣", String(repeating: "漢", count: 200),
    "क्षि नी த்", "ｗｉｄｅ", "한국어 각", "\u{300}starts with a mark", "\u{9B}31m", "\u{7F}\u{0}",
  ]

  @Test(
    "Nothing is too wide, too long or dangerous, whatever the titles",
    arguments: hostile.indices, [(80, 24), (40, 10), (20, 5), (37, 7), (500, 200)])
  func fits(number: Int, size: (columns: Int, rows: Int)) throws {
    let title = Self.hostile[number]
    let shown = Self.base.withConsole(columns: size.columns, rows: size.rows)
      .withConsole(2, .serial, columns: size.columns, rows: size.rows)
      .withFolder(title).withRecording(title + "2", seconds: 9_999_999).withRecording(title)
      .when(.sound(.denied([title]))).playing(.of(title)).recording()
    let states = [
      shown, shown.key(.end), shown.key(.end, .character("e")).type(title),
      shown.key(.end, .character("d")), shown.key(.character("?")), shown.key(.character("x")),
      shown.type(title, on: 2), shown.when(.card(.failed(title))),
      shown.when(.sound(.lost(title))), shown.request(.browse(.enter(.of(title)))),
      shown.when(.card(.unreadable(.root, why: title))),
    ]
    for (given, console) in states.flatMap({ [($0, 1), ($0, 2)] }) {
      try check(screen(given, console), size.columns, size.rows)
    }
  }

  /// The C library's count of a scalar's columns, independent of ours.
  private static let wcwidth: (@convention(c) (UInt32) -> CInt)? = {
    setlocale(LC_CTYPE, "C.UTF-8")
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "wcwidth") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> CInt).self)
  }()

  private func check(_ screen: ScreenView, _ columns: Int, _ rows: Int) throws {
    let wcwidth = try #require(Self.wcwidth)
    #expect(screen.rows.count <= rows)
    for row in screen.rows {
      let width = row.text.unicodeScalars.reduce(0) { $0 + Int(max(0, wcwidth($1.value))) }
      #expect(width <= columns, "\(row.text)")
      #expect(!row.text.unicodeScalars.contains { Text.isControl($0) })
    }
    if let cursor = screen.cursor {
      #expect(cursor.row < screen.rows.count && cursor.column < columns)
    }
    #expect(screen.meterRow.map { $0 < screen.rows.count } ?? true)
  }

  @Test("The prompt and the answer to a question are visible on the smallest screen")
  func promptInSight() throws {
    let small = Self.filled.withConsole(1, .serial, columns: 20, rows: 5).recording()
      .takeEnds(.failed).type("abc")
    let screen = try screen(small)
    #expect(screen.rows.last?.text == "reel> abc" && screen.cursor?.row == 4)
  }

  @Test("A socket console has no screen, and neither has one that is gone")
  func noScreen() {
    let socket = Self.base.withConsole(1, .socket)
    #expect(ScreenView(console: 1, in: socket.state) == nil)
    #expect(ScreenView(console: 9, in: socket.state) == nil)
  }

  @Test(
    "The selected row is visible, wherever it is",
    arguments: [(0, 5, 0..<5), (99, 5, 95..<100), (50, 5, 48..<53), (1, 5, 0..<5)])
  func windowing(selected: Int, rows: Int, expected: Range<Int>) {
    #expect(window(of: 100, around: selected, rows: rows) == expected)
    #expect(window(of: 3, around: nil, rows: rows) == 0..<3)
    #expect(window(of: 100, around: nil, rows: rows) == 95..<100)
  }
}
