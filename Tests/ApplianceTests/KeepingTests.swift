// What the appliance keeps across restarts: folders, recordings, titles, marks, heard flags. A take
// that a kill cut short is there too, playable and marked as recovered.

import Glibc
import Tape
import Testing

@Suite actor KeepingTests: Desk {
  nonisolated let chair = Chair()

  private func quit(_ seat: Seat) throws {
    seat.child.send(SIGTERM)
    #expect(try seat.ending() == .exited(0))
  }

  @Test("folders, recordings and titles are there after a restart, and where they were")
  func restart() throws {
    let first = try Seat.ready()
    first.type("n")
    try first.see("Name of the new folder:")
    first.type("Küche", Seat.enter)
    try first.see("▸ Küche")
    first.type(Seat.down, Seat.enter)
    try first.see("Nothing here yet.")
    try first.record(milliseconds: 200)
    try first.see(" * ")
    first.type("e")
    try first.see("New name: ")
    first.type(Seat.eraseLine, "Tante Käthe: 1/2", Seat.enter)
    try first.see(" * Tante Käthe: 1/2")
    try quit(first)

    let second = try Seat.ready(first.scratch)
    try second.see("Recordings / Küche", " * Tante Käthe: 1/2", "1 unheard")
    #expect(second.scratch.soundFiles == ["Küche/0001 Tante Käthe- 1-2.opus"])
    try second.record(milliseconds: 100)
    try second.see("■ Ready")
    try until("a second file") {
      second.look()
      return second.scratch.soundFiles.contains { $0.hasPrefix("Küche/0002 ") }
    }
    #expect(second.complaints == "")
  }

  @Test("heard recordings stay heard, and marks stay where they were set")
  func heard() throws {
    let first = try Seat.ready()
    first.type("r")
    try first.see("● RECORDING")
    first.type("m")
    try first.see("1 marked")
    try first.stop()
    try first.see("■ Ready", " * ")
    first.type(Seat.enter)
    try first.see(" 0 unheard", "nothing playing")
    try quit(first)

    let second = try Seat.ready(first.scratch)
    try second.see(" 0 unheard", "0:0")
    let journal = second.scratch.contents("root/recordings/folder.journal")
    #expect(journal.contains("\"marks\":[[") && journal.contains("\"heard\":true"))
  }

  @Test("after kill -9 in a take it is in its folder, marked as recovered, and plays")
  func killed() throws {
    let first = try Seat.armed()
    first.type("r")
    try first.see("● RECORDING")
    try first.seeClock(of: 4)
    first.child.send(SIGKILL)
    #expect(try first.ending() == .killed(SIGKILL))

    let second = try Seat.ready(first.scratch)
    try second.see("A recording that was cut short has been recovered")
    try second.see("the take in the list") { rows in rows.contains { $0.hasPrefix(" * ") } }
    let name = try #require(second.scratch.soundFiles.first)
    let judgement = try Judgement(on: name, in: second.scratch)
    #expect(judgement.complaints == [] && judgement.seconds > 3)
    second.type(Seat.down, Seat.enter)
    try second.see("play ●")
    // A third start changes nothing more in the file, and does not reuse its number
    try quit(second)
    let bytes = first.scratch.bytes(first.scratch.recordings + "/" + name)
    let third = try Seat.ready(first.scratch)
    try third.record(milliseconds: 100)
    try third.see("■ Ready")
    try until("a second file") {
      third.look()
      return third.scratch.soundFiles.contains { $0.hasPrefix("0002 ") }
    }
    #expect(first.scratch.bytes(first.scratch.recordings + "/" + name) == bytes)
  }

  @Test("an appliance killed at any moment starts again with everything it had confirmed")
  func killedAnywhere() throws {
    let scratch = Scratch()
    var kept: [String] = []
    for round in 0..<6 {
      let seat = try Seat.ready(scratch)
      for name in kept { try seat.see("▸ " + name) }
      seat.type("n")
      try seat.see("Name of the new folder:")
      seat.type("Folder \(round)", Seat.enter)
      try seat.see("▸ Folder \(round)")
      kept.append("Folder \(round)")
      seat.type("r")
      // In each round the kill comes at another moment.
      try seat.pass(milliseconds: Int64(round) * 37)
      seat.child.send(SIGKILL)
      _ = try seat.ending()
    }
    let seat = try Seat.ready(scratch)
    for name in kept { try seat.see("▸ " + name) }
    for file in scratch.soundFiles where scratch.bytes(scratch.recordings + "/" + file).count > 0 {
      try until("\(file) to be repaired") {
        seat.look()
        let open = try PosixFile.open(scratch.recordings + "/" + file, .read)
        return try Repair.examine(open).verdict != .repairable
      }
    }
    #expect(Set(scratch.soundFiles.map { $0.prefix(4) }).count == scratch.soundFiles.count)
  }
}
