// What common actions cost the heart, by the size of the library: bytes and allocations, which do
// not depend on the machine; instructions, if the machine counts them; and processor time as a
// guide. Each action is reduced many times over on one state, with its follow-up actions in
// between.
import CAllocations
import Loop
import Recorder

/// Returns lines of: action, what is measured, the figure.
func measureReduce(_ arguments: [String]) throws -> String? {
  guard arguments.count == 2, let count = Int(arguments[0]), let folders = Int(arguments[1]),
    (1...count).contains(folders)
  else { return nil }
  var bench = ReduceBench(recordings: count, folders: folders)
  for round in 0..<50 { bench.run(round) }
  return bench.report
}

private struct ReduceBench {
  private var state = State()
  private var milliseconds: Int64 = 0
  private var totals: [String: Cost] = [:]
  private var order: [String] = []
  private let instructions = instructions_begin()
  private let recordings: Int
  private let folders: [ItemID]

  private struct Cost {
    var runs = 0.0
    var bytes = 0.0
    var allocations = 0.0
    var instructions = 0.0
    var microseconds = 0.0
  }

  init(recordings: Int, folders: Int) {
    self.recordings = recordings
    self.folders = (0..<folders).map { ItemID(high: 7, low: UInt64($0)) }
    var settings = Settings()
    settings.itemsPerFolder = 1_000_000
    send(.host(.configured(settings)))
    send(.host(.booted(Boot(id: ItemID(high: 1, low: 1), version: ""))))
    send(.card(.opened(CardReport(nextSequence: recordings))))
    send(.sound(.output(canPlay: true, whileRecording: true)))
    let info = CaptureInfo(name: "Microphone", rate: 48_000, channels: 1)
    send(.sound(.found(info)))
    send(.sound(.opened(info)))
    send(.console(.opened(ConsoleDescription(id: 1, kind: .terminal, access: .control))))
    fill()
  }

  private mutating func fill() {
    let listed = folders.map { Folder(id: $0, parent: .root, name: "Folder \($0.low)") }
    send(.card(.listed(.root, Listing(folders: listed))))
    send(.card(.listed(.trash, Listing())))
    for (number, folder) in folders.enumerated() {
      let here = stride(from: number, to: recordings, by: folders.count)
        .map { recording($0, in: folder) }
      send(.card(.listed(folder, Listing(recordings: here))))
    }
    send(.request(.browse(.enter(folders[0])), from: .panel))
    send(.request(.browse(.enter(folders[0])), from: .console(1)))
  }

  private func recording(_ number: Int, in folder: ItemID) -> Recording {
    let began = Moment(
      boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
      quality: .synchronised)
    return Recording(
      id: ItemID(high: 9, low: UInt64(number)), folder: folder, sequence: number + 1,
      title: "Recording \(number)", began: began, file: "\(number).opus",
      sound: Sound(frames: 480_000))
  }

  // MARK: Measuring

  @discardableResult
  private mutating func send(_ action: Action) -> [Command] {
    milliseconds += 1000
    let stamp = Stamp(
      monotonicNanoseconds: milliseconds * 1_000_000, wallMilliseconds: milliseconds,
      freshHigh: UInt64(milliseconds), freshLow: UInt64(milliseconds))
    return Appliance.reduce(&state, Stamped(action, at: stamp))
  }

  @discardableResult
  private mutating func measure(_ name: String, _ action: Action) -> [Command] {
    let before = (
      allocations_so_far(), instructions_so_far(instructions), processor_microseconds()
    )
    let commands = send(action)
    let after = (
      allocations_so_far(), instructions_so_far(instructions), processor_microseconds()
    )
    if totals[name] == nil { order.append(name) }
    totals[name, default: Cost()].runs += 1
    totals[name, default: Cost()].bytes += Double(after.0.bytes - before.0.bytes)
    totals[name, default: Cost()].allocations += Double(after.0.count - before.0.count)
    totals[name, default: Cost()].instructions += Double(after.1 - before.1)
    totals[name, default: Cost()].microseconds += after.2 - before.2
    return commands
  }

  var report: String {
    order.flatMap { name -> [String] in
      guard let cost = totals[name] else { return [] }
      let figures = [
        ("bytes", cost.bytes), ("allocations", cost.allocations),
        ("instructions", cost.instructions), ("ns", cost.microseconds * 1000),
      ]
      return figures.filter { $0.0 != "instructions" || instructions >= 0 }
        .map { "\(name) \($0.0) \(Int($0.1 / cost.runs))" }
    }
    .joined(separator: "\n")
  }

  // MARK: What is done

  mutating func run(_ round: Int) {
    take()
    // The first recording of each folder in turn.
    let item = ItemID(high: 9, low: UInt64(round % folders.count))
    measure("select", .request(.browse(.selectBy(1)), from: .console(1)))
    measure("key", .console(.key(1, .down)))
    measure("tick", .tick)
    measure("space", .card(.space(freeBytes: 1 << 34 + Int64(round), totalBytes: 1 << 36)))
    measure(
      "heard", .request(.item(.setHeard(item, round / folders.count % 2 == 0)), from: .appliance))
    let name = "Kitchen \(round)"
    work("rename", .rename(item, to: name), .renamed(item, name: name, file: "\(name).opus"))
    let target = CardPlace(path: [.root], name: "M \(round)")
    work("move", .move(item, to: .root, at: nil), target.moved(item))
    work("delete", .delete(item), .thrown(item, file: "T \(round).opus"))
    let folder = folders[Int(item.low)]
    let home = CardPlace(path: [.root, folder], name: name)
    work("restore", .restore(item), home.moved(item))
  }

  private struct CardPlace {
    let path: [ItemID]
    let name: String

    func moved(_ item: ItemID) -> WorkResult {
      .moved(item, path: path, at: nil, name: name, file: "\(name).opus")
    }
  }

  /// Measures a request that is work for the card, and the result of that work.
  private mutating func work(_ name: String, _ request: ItemRequest, _ result: WorkResult) {
    for case .card(.work(let ticket, _)) in measure(
      name, .request(.item(request), from: .appliance))
    {
      _ = measure("\(name)-done", .card(.work(ticket: ticket, .done(result))))
      return
    }
    preconditionFailure("\(name) is work for the card")
  }

  private mutating func take() {
    measure("record", .request(.take(.start(title: nil)), from: .panel))
    guard let id = state.transport.take.running?.id else { return }
    let now = Instant(nanoseconds: milliseconds * 1_000_000)
    measure("file-made", .card(.take(id, .made(file: "\(milliseconds).opus"))))
    measure("began", .sound(.take(id, .began(at: now, rate: 48_000))))
    measure("progress", .sound(.take(id, .progress(frames: 48_000, behindMilliseconds: nil))))
    measure("mark", .sound(.take(id, .marked(Mark(frame: 100)))))
    measure("stop", .request(.take(.stop), from: .panel))
    let report = TakeReport(sound: Sound(frames: 96_000), integrity: Integrity())
    measure("ended", .sound(.take(id, .ended(report))))
  }
}
