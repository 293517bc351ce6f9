// The screen of one recording: its lines are selected, typed and moved by keys, on a dashboard and
// on a console with a command line.

import Testing

@testable import Recorder

@Suite struct DetailTests {
  private static let song = ItemID.of("Song")
  private let given = Given().booted().withDevice().withConsole(1)
    .withRecording("Song", seconds: 100, marks: [Mark(frame: 480_000, name: "chorus")])
    .request(.browse(.select(.of("Song"))), from: .panel)

  private var shown: Given { given.key(.character("i")) }

  private func text(_ given: Given, _ console: Int = 1) -> String {
    ScreenView(console: console, in: given.state)?.text ?? ""
  }

  private func detail(_ given: Given, _ console: Int = 1) -> Detail? {
    if case .detail(let detail)? = given.console(console)?.dialog { detail } else { nil }
  }

  @Test("It shows the texts, the position, the marks and the facts, and goes with Escape")
  func contents() {
    for word in ["title      Song", "place", "notes", "0:00 / 1:40", "mark 1", "chorus", "path"] {
      #expect(text(shown).contains(word), "\(word)")
    }
    #expect(shown.key(.escape).console()?.dialog == nil)
    #expect(text(shown.key(.escape)).contains("* Song"))
  }

  @Test("The waveform is asked for, drawn when it comes, and cancelled if the screen goes before")
  func waveform() {
    #expect(shown.works == [.long(.waveform(Self.song, points: 500))])
    #expect(text(shown).contains("drawing the waveform…"))
    let peaks = [Int](repeating: 32_767, count: 500)
    let drawn = shown.done(.waveform(Waveform(rate: 48_000, frames: 1, peaks: peaks, rms: peaks)))
    #expect(text(drawn).contains("████"))
    let ticket = shown.state.library.lastTicket
    let gone = shown.key(.escape)
    #expect(gone.cards.contains(.cancel(ticket: ticket)))
    let late = gone.when(.card(.work(ticket: ticket, .failed("cancelled"))))
    #expect(late.console()?.message == nil)
  }

  @Test("During a take no waveform is drawn")
  func duringTake() {
    let taking = given.recording().key(.character("i"))
    #expect(detail(taking) != nil && taking.works.isEmpty)
  }

  @Test("Enter types the selected line anew, and Enter again asks for the change")
  func typing() {
    let renamed = shown.key(.enter, .control("u")).type("Hymn").key(.enter)
    #expect(renamed.works == [.rename(Self.song, to: "Hymn")] && detail(renamed)?.input == nil)
    let placed = shown.key(.down, .enter).type("Kirche").key(.enter)
    #expect(placed.recording(of: Self.song)?.details.place == "Kirche")
    #expect(text(placed).contains("place      Kirche"))
    let noted = shown.key(.down, .down, .down, .enter).type("one").key(.control("n"))
    #expect(text(noted).contains("Notes (Ctrl-N begins a line): one⏎"))
    let kept = noted.type("two").key(.enter)
    #expect(kept.recording(of: Self.song)?.details.notes == "one\ntwo")
    // Escape ends the typing only
    let left = shown.key(.enter).type("x").key(.escape)
    #expect(left.works.isEmpty && detail(left) != nil && detail(left)?.input == nil)
  }

  @Test("A text that is refused stays to be changed")
  func refused() {
    let empty = shown.key(.enter, .control("u"), .enter)
    #expect(detail(empty)?.input?.text == "")
    #expect(empty.console()?.message?.text == Refusal.noName.sentence)
  }

  @Test("A mark is named, moved to the position, removed, and given back")
  func marks() {
    let onMark = shown.key(.up).key(.down, .down, .down, .down, .down)
    #expect(detail(onMark)?.line == .mark(0))
    let named = onMark.key(.enter, .control("u")).type("gate").key(.enter)
    #expect(named.recording(of: Self.song)?.marks.first?.name == "gate")
    // The position is 20 s after the beginning.
    let moved = onMark.key(.right, .right, .character("v"))
    #expect(moved.recording(of: Self.song)?.marks.first?.frame == 960_000)
    let removed = onMark.key(.character("d"))
    #expect(removed.recording(of: Self.song)?.marks == [])
    #expect(removed.key(.character("z")).recording(of: Self.song)?.marks.count == 1)
    let added = shown.key(.right, .character("m"))
    #expect(added.recording(of: Self.song)?.marks.map(\.frame) == [480_000, 480_000])
    // The last line is selected instead of one that is gone
    #expect(detail(removed.key(.up))?.line == .text(.notes))
  }

  @Test("The position moves by keys and to marks, within the recording; playing begins there")
  func position() {
    func place(_ keys: Key...) -> Int64? {
      detail(keys.reduce(shown) { $0.key($1) })?.positionMilliseconds
    }
    #expect(place(.right) == 10_000 && place(.right, .left, .left) == 0)
    #expect(place(.end) == 100_000 && place(.end, .right) == 100_000 && place(.end, .home) == 0)
    #expect(place(.character(".")) == 10_000 && place(.end, .character(",")) == 10_000)
    let played = shown.key(.right, .character(" "))
    #expect(played.state.transport.deck.cue?.item == Self.song)
    #expect(
      played.commands.contains { command in
        if case .deck(.seek(_, frame: 480_000)) = command { true } else { false }
      })
    // Once it plays, the player's position counts, and keys move that
    let playing = given.playing(Self.song).key(.character("i")).passing(5000)
    #expect(text(playing).contains("0:05 / 1:40"))
    #expect(text(playing.key(.right)).contains("0:15 / 1:40"))
    #expect(playing.key(.character("p")).state.transport.deck.isPaused)
  }

  @Test("On the serial console `detail` shows it on a screen, and prints it where there is none")
  func serial() {
    let serial = given.withConsole(2, .serial).type("detail Song", on: 2).key(.enter, on: 2)
    #expect(detail(serial, 2)?.item == Self.song)
    #expect(text(serial, 2).contains("title      Song"))
    let closed = serial.key(.escape, on: 2).type("pwd", on: 2)
    #expect(closed.console(2)?.commandLine?.prompt.input.text == "pwd")
    let plain = given.withConsole(2, .serial).when(.console(.mode(2, .plain)))
      .when(.console(.line(2, "detail Song")))
    guard case .item(let report)? = plain.answers.last else {
      Issue.record("\(plain.answers)")
      return
    }
    #expect(report.id == Self.song && plain.console(2)?.dialog == nil)
  }

  @Test("A console that may not change anything sees it, and is refused")
  func statusOnly() {
    let watching = Given().booted().withDevice().withConsole(1, .terminal, .status)
      .withRecording("Song").request(.browse(.select(Self.song)), from: .panel)
      .key(.character("i"))
    #expect(detail(watching)?.item == Self.song)
    let typed = watching.key(.down, .enter).type("x").key(.enter)
    #expect(typed.recording(of: Self.song)?.details.place == "")
    #expect(typed.console()?.message?.text == Refusal.mayNotChange.sentence)
  }

  @Test("It goes with its recording")
  func gone() {
    let lost = shown.when(
      .card(.found(.vanished([Whereabouts(id: Self.song, path: [.root], tally: Tally())]))))
    #expect(lost.console()?.dialog == nil)
  }
}
