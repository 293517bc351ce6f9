// What a person does with recordings after they are made, in front of the virtual appliance: keys
// only, as on a board with a screen. docs/everyday.md lists each with the tests of its parts.

import Testing

@Suite actor EverydayTests: Desk {
  nonisolated let chair = Chair()

  @Test("unheard ones play from the oldest on, and a deleted one is given back")
  func listening() throws {
    let seat = try Seat.ready()
    seat.type("z")
    try seat.see("There is nothing to undo")
    // Given two unheard recordings, named as they ended
    for name in ["Eins", "Zwei"] {
      seat.type("r")
      try seat.see("● RECORDING")
      seat.type("m")
      try seat.see("1 marked")
      seat.type("r")
      try seat.see("Name of the recording: ")
      seat.type(name, Seat.enter)
      try seat.see("* " + name)
    }
    // When play is pressed, the oldest is first, then the next
    seat.type(" ")
    try seat.see("▶ Eins")
    try seat.see("▶ Zwei")
    seat.type("s")
    try seat.see("nothing playing")
    // When one is deleted by mistake, undo gives it back
    seat.type("\u{1B}[H", "d")
    try seat.see("Move “Eins” to the trash?")
    seat.type("y")
    try seat.see("no Eins") { !$0.contains { $0.contains("Eins") } }
    seat.type("z")
    try seat.see("Undone: delete “Eins”.", "Eins")
  }

  @Test("one recording is shown whole, and described, marked and played there")
  func detail() throws {
    let seat = try Seat.ready()
    try seat.record(milliseconds: 300)
    try seat.see(" * ")
    seat.type(Seat.down, "i")
    try seat.see(" title ", " position ", "path ")
    seat.type(Seat.down, Seat.enter)
    try seat.see("Place:")
    seat.type("Küche", Seat.enter)
    try seat.see(" place      Küche")
    seat.type("m")
    try seat.see(" mark 1 ")
    seat.type(" ")
    try seat.see(" ▶ ")
    seat.type("i")
    try seat.see("no detail") { !$0.contains { $0.contains(" place      Küche") } }
    // And commands change the same, and give it back
    #expect(try seat.say("mark", "rename", "1", "1", "gate").output.contains("Named the mark"))
    let info = try seat.say("info", "1").output
    #expect(info.contains("Küche") && info.contains("gate"))
    #expect(try seat.say("undo").output.contains("Undone: mark"))
    #expect(try !seat.say("info", "1").output.contains("gate"))
  }

  @Test(
    "the environment's language is that of the screen; what programs read stays the same",
    arguments: [("de_DE.UTF-8", "Bereit"), ("zh_CN.UTF-8", "就绪")])
  func language(locale: String, ready: String) throws {
    let seat = try Seat(environment: ["LANG": locale])
    // The first picture comes before the socket listens.
    try seat.see("■ " + ready, " dB")
    #expect(try seat.say("status", "--json").output.contains("\"Ready"))
  }
}

extension Seat {
  /// Runs `reelctl` beside the dashboard, in English.
  fileprivate func say(_ words: String...) throws -> Scratch.Result {
    let child = try Child(
      Talker.reelctl, ["--socket", scratch.root + "/run/control.sock"] + words,
      environment: scratch.environment, directory: scratch.path,
      output: .file(scratch.path + "/output"), errors: .file(scratch.path + "/errors"))
    return try scratch.result(of: child)
  }
}
