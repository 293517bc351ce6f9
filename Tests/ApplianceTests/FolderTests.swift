// Folders and names at the dashboard: made, entered, recorded into, renamed, deleted, restored; on
// the screen and on the card.

import Testing

@Suite actor FolderTests: Desk {
  nonisolated let chair = Chair()

  private let name = "Küche Größe 3"

  @Test("a recording made in a folder is in a directory of that name")
  func folder() throws {
    let seat = try Seat.ready()

    seat.type("n")
    try seat.see("Name of the new folder:")
    seat.type(name)
    try seat.see("Name of the new folder: " + name)
    seat.type(Seat.enter)
    try seat.see("▸ " + name)
    seat.type(Seat.down, Seat.enter)
    try seat.see("Recordings / " + name, "Nothing here yet.")
    try seat.record(milliseconds: 200)
    try seat.see(" * ")

    let file = try #require(seat.scratch.soundFiles.first)
    #expect(file.hasPrefix(name + "/0001 "))
    // The folder's row has its count and the date of its newest recording.
    seat.type("u")
    try seat.see("▸ " + name, "1, 1 unheard   20")
  }

  @Test("a name that is typed at stop is that of the file")
  func nameOnSave() throws {
    let seat = try Seat.ready()
    seat.type("r")
    try seat.see("● RECORDING")
    seat.type("r")
    try seat.see("Name of the recording: ", "Enter keeps it")
    seat.type(name, Seat.enter)
    try seat.see("* " + name)
    try until("the name on the card") { seat.scratch.soundFiles == ["0001 \(name).opus"] }
  }

  @Test("a name that is nothing but blanks is refused, and can be repaired")
  func noName() throws {
    let seat = try Seat.ready()
    seat.type("n")
    try seat.see("Name of the new folder:")
    seat.type("  ", Seat.enter)
    try seat.see("A name needs at least one visible character")
    seat.type("Keller", Seat.enter)
    try seat.see("▸ Keller")
  }

  @Test("escape cancels a prompt")
  func escape() throws {
    let seat = try Seat.ready()
    seat.type("n")
    try seat.see("Name of the new folder:")
    seat.type("x\u{1B}")
    try seat.see("no question") { !$0.contains { $0.hasPrefix("Name of") } }
    #expect(seat.scratch.everything(in: "root/recordings") == [".trash"])
  }

  @Test("a recording is renamed, moved to the trash, shown there, and restored")
  func rename() throws {
    let seat = try Seat.ready()
    try seat.record(milliseconds: 100)
    try seat.see(" * ")

    // When it is renamed, its file is too
    seat.type(Seat.down, "e")
    try seat.see("New name: ")
    seat.type(Seat.eraseLine, "Lüftung", Seat.enter)
    try seat.see(" * Lüftung")
    #expect(seat.scratch.soundFiles == ["0001 Lüftung.opus"])

    // When it is deleted, it stays until the question is answered with y
    seat.type("d")
    try seat.see("Move “Lüftung” to the trash? y/n")
    #expect(seat.scratch.soundFiles == ["0001 Lüftung.opus"])
    seat.type("n")
    try seat.see(" * Lüftung", "q quit")
    seat.type("d")
    try seat.see("Move “Lüftung” to the trash? y/n")
    seat.type("y")
    try seat.see("Nothing here yet.")
    #expect(seat.scratch.soundFiles.map { $0.hasPrefix(".trash/") } == [true])

    // When it is restored, it is as before
    seat.type("t")
    try seat.see("Lüftung")
    seat.type(Seat.down, "d")
    try seat.see("In the trash: r restores the one selected")
    seat.type("r")
    try seat.see("Nothing here yet.")
    seat.type("u")
    try seat.see(" * Lüftung")
    #expect(seat.scratch.soundFiles == ["0001 Lüftung.opus"])
  }

  @Test("emptying the trash needs a yes, and is final")
  func emptyTrash() throws {
    let seat = try Seat.ready()
    try seat.record(milliseconds: 100)
    try seat.see(" * ")
    seat.type(Seat.down, "d")
    try seat.see("to the trash? y/n")
    seat.type("y")
    try seat.see("Nothing here yet.")
    seat.type("t")
    try seat.see("a recording in the trash") { $0.contains { $0.hasPrefix(" * ") } }
    seat.type(Seat.down, "d")
    try seat.see("y deletes all for good")
    seat.type("y")
    try seat.see("Nothing here yet.")
    #expect(seat.scratch.soundFiles == [])
  }
}
