// The wiring between heart and rooms: which room gets which command, the order of a start, and that
// subscriptions run as long as the state wants them.

import Console
import Recorder
import Testing

@testable import Runtime

@Suite struct RuntimeTests {
  private let bench = Bench()

  private func begin(
    _ settings: Settings = Settings(), continuation: TakeContinuation? = nil
  ) throws -> Runtime {
    let runtime = try #require(bench.runtime)
    begin(runtime, settings, continuation: continuation)
    return runtime
  }

  private func begin(
    _ runtime: Runtime, _ settings: Settings = Settings(), continuation: TakeContinuation? = nil
  ) {
    let boot = Boot(id: ItemID(high: 1, low: 1), version: "1", continuation: continuation)
    runtime.begin(
      Start(
        settings: settings, zone: ZoneOffsets(7200), isClockSet: true, boot: boot,
        remembered: nil, damages: ["state.json was damaged."]))
  }

  /// An appliance that can record: a card and a microphone.
  private func ready() throws -> Runtime {
    let runtime = try begin()
    let heart = runtime.heart
    heart.send(.card(.opened(CardReport(nextSequence: 1))))
    heart.send(.sound(.opened(CaptureInfo(name: "Mic", rate: 48_000, channels: 1))))
    _ = bench.take()
    return runtime
  }

  private var instant: Instant { Instant(nanoseconds: bench.now) }

  @Test("a start sends settings and clock before the boot, and opens the panel after it")
  func start() throws {
    // Given settings of its own
    var settings = Settings()
    settings.prerollMilliseconds = 1234
    // When the recorder starts
    let runtime = try begin(settings)
    // Then the settings come first, and the panel begins after the boot
    let lines = bench.take()
    let order = ["settings 1234", "card open", "notice memoryDamaged", "panel begins", "look"]
    let places = order.map { line in lines.firstIndex { $0.hasPrefix(line) } ?? -1 }
    #expect(places.allSatisfy { $0 >= 0 } && places == places.sorted(), "\(lines)")
    let state = runtime.heart.store.state
    #expect(state.clock.isSynchronised && state.clock.zone == ZoneOffsets(7200))
  }

  @Test("the crash marker of the last run stays until the take goes on")
  func mark() throws {
    // Given a take in which the last run died
    let link = TakeContinuation(continues: ItemID(high: 3, low: 3), part: 2)
    // When the recorder starts
    _ = try begin(continuation: link)
    // Then the marker is never removed in between
    #expect(bench.take().filter { $0.hasPrefix("mark") } == ["mark true"])
  }

  @Test("each command goes to its room")
  func routing() throws {
    let runtime = try ready()
    runtime.heart.send(.panel(.gesture(.record, .press, at: instant)))
    #expect(bench.take().contains("record begin"))
    runtime.heart.send(.request(.deck(.volume(percent: 30)), from: .appliance))
    #expect(bench.take().contains("play volume"))
    runtime.reload()
    #expect(bench.take().contains("reload"))
    runtime.reloaded(.configured(Settings()))
    runtime.shutDown()
    #expect(bench.take().contains("record end"))
  }

  @Test("an answer reaches the client that sent the command")
  func reply() throws {
    let runtime = try ready()
    var answers: [[Int]] = []
    runtime.attachClients { client, request, _, isLast in
      if isLast { answers.append([client, request]) }
    }
    open(7, on: runtime)
    runtime.heart.send(
      .console(.command(["volume", "40"], files: [], from: .client(7, request: 1))))
    #expect(answers == [[7, 1]])
  }

  @Test("an inquiry goes to the room that knows, which is stopped when the client goes")
  func inquiry() throws {
    // Given a checkup that takes time, and a client that asks for it
    var reply: Inquiries.Reply?
    var stops = 0
    var inquiries = Inquiries()
    inquiries.doctor = { _, answer in
      reply = answer
      return { stops += 1 }
    }
    let bench = Bench(inquiries)
    let runtime = try #require(bench.runtime)
    begin(runtime)
    var answers: [Answer] = []
    runtime.attachClients { _, _, answer, _ in answers.append(answer) }
    let ask = { (request: Int) in
      let origin = Origin.client(7, request: request)
      runtime.heart.send(.console(.command(["doctor"], files: [], from: origin)))
    }
    open(7, on: runtime)
    // When it reports, then the client gets the parts and the end
    ask(1)
    reply?(.progress(ticket: 0, permille: 500), false)
    reply?(.checkup(CheckupView([])), true)
    #expect(answers == [.progress(ticket: 0, permille: 500), .checkup(CheckupView([]))])
    // When the client goes during another, then that is stopped
    ask(2)
    runtime.heart.send(.console(.closed(7)))
    #expect(stops == 1)
    // And a room that is not there says so
    open(8, on: runtime)
    runtime.heart.send(.console(.command(["panel"], files: [], from: .client(8, request: 1))))
    #expect(answers.last?.isFailure == true)
    runtime.heart.send(.console(.command(["config"], files: [], from: .client(8, request: 2))))
    #expect(answers.last == .told("Nothing is configured."))
  }

  private func open(_ client: Int, on runtime: Runtime) {
    let console = ConsoleDescription(id: client, kind: .socket, access: .control)
    runtime.heart.send(.console(.opened(console)))
  }

  @Test("a subscription runs as long as the state wants it")
  func subscriptions() throws {
    let runtime = try ready()
    // Given a card whose space is measured once a minute
    bench.advance(byMilliseconds: 60_000)
    #expect(bench.take().filter { $0 == "measure" }.count == 1)
    // When a take runs, then it is measured every two seconds instead
    runtime.heart.send(.panel(.gesture(.record, .press, at: instant)))
    _ = bench.take()
    bench.advance(byMilliseconds: 60_000)
    #expect(bench.take().filter { $0 == "measure" }.count == 30)
  }

  @Test("an alarm fires once, at its time")
  func alarm() throws {
    // Given a press that is refused
    let runtime = try begin()
    runtime.heart.send(.panel(.gesture(.play, .press, at: instant)))
    let state = { runtime.heart.store.state }
    let refusal = try #require(state().transport.refusal)
    // Then the panel shows it until its time has passed
    let left = (refusal.until.nanoseconds - bench.now) / 1_000_000
    bench.advance(byMilliseconds: left - 1)
    #expect(state().transport.refusal != nil)
    bench.advance(byMilliseconds: 2)
    #expect(state().transport.refusal == nil)
  }

  @Test("the meter runs while a console wants it, and every screen shows it")
  func meter() throws {
    let runtime = try #require(bench.runtime)
    var shown = 0
    var console = AttachedConsole(id: 1)
    console.opened = ConsoleDescription(
      id: 1, kind: .terminal, access: .control, columns: 80, rows: 24)
    console.show = { _ in shown += 1 }
    runtime.attach(console)
    _ = try begin()
    runtime.heart.send(.sound(.opened(CaptureInfo(name: "Mic", rate: 48_000, channels: 1))))
    bench.advance(byMilliseconds: 1000)
    #expect(shown == 20)
    #expect(bench.take().filter { $0.hasPrefix("meter") } == ["meter true"])
    runtime.heart.send(.console(.closed(1)))
    bench.advance(byMilliseconds: 1000)
    #expect(shown == 20)
    #expect(bench.take().filter { $0.hasPrefix("meter") } == ["meter false"])
  }

  @Test("an entered line, a completion and an end go to their own console only")
  func consoles() throws {
    let runtime = try #require(bench.runtime)
    for id in 1...2 {
      var console = AttachedConsole(id: id)
      console.opened = ConsoleDescription(id: id, kind: .serial, access: .control)
      console.began = { [bench] in bench.note("\(id) runs \($0)") }
      console.close = { [bench] in bench.note("\(id) closes") }
      runtime.attach(console)
    }
    _ = try begin()
    _ = bench.take()
    for key in [Key.character("x"), .enter] {
      runtime.heart.send(.console(.key(2, key)))
    }
    #expect(bench.take().filter { $0.contains("runs") } == ["2 runs x"])
  }
}
