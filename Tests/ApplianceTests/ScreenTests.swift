// The screen itself: help, other sizes, no colour, and bytes on a terminal that are no key.

import Testing

@Suite actor ScreenTests: Desk {
  nonisolated let chair = Chair()

  @Test("help appears, and any key closes it without doing anything else")
  func help() throws {
    let seat = try Seat.ready()
    seat.type("?")
    try seat.see("any key closes this", "mark")
    seat.type("r")
    try seat.see("no help") { !$0.contains { $0.contains("any key closes") } }
    try seat.see("■ Ready", "r record")
  }

  @Test("a resized window is repainted whole")
  func resize() throws {
    let seat = try Seat.ready()
    for (columns, rows) in [(120, 40), (40, 12), (80, 24)] {
      seat.resize(columns: columns, rows: rows)
      try seat.see("a picture of \(columns) by \(rows)") { picture in
        !picture.contains { $0.contains("#") } && picture[2].count == columns
          && picture[0].hasPrefix("Reel  Recordings")
      }
      #expect(seat.screen.text.last?.contains("record") == true)
    }
    #expect(seat.screen.unknown == [])
  }

  @Test("NO_COLOR removes the colours, unless it is empty", arguments: ["1", ""])
  func noColour(_ value: String) throws {
    let seat = try Seat(environment: ["NO_COLOR": value])
    try seat.see("■ Ready", " dB")
    seat.type("r")
    try seat.see("● RECORDING")
    #expect(seat.screen.hasSeenColour == value.isEmpty)
  }

  @Test("bytes that are no keys change nothing, and the next key is understood")
  func noise() throws {
    let seat = try Seat.ready()
    let noise = "\u{1B}[200~\u{1B}[24;80R\u{1B}[?62c\u{1B}OP\u{1B}[[A\u{0}\u{1C}\u{80}\u{9B}"
    for _ in 0..<20 { seat.type(noise) }
    seat.type("?")
    try seat.see("any key closes this")
    #expect(seat.complaints == "")
  }

  @Test("control characters in a title do not reach the screen")
  func controls() throws {
    let seat = try Seat.ready()
    seat.type("n")
    try seat.see("Name of the new folder:")
    seat.type("a\u{202E}b\u{85}c", Seat.enter)
    try seat.see("▸ a")
    #expect(seat.screen.unknown == [])
  }
}
