// A runtime whose rooms only log their commands, and whose time stands still until a test moves it.
// One thread.

import Loop
import Recorder
import Runtime

final class Bench {
  private(set) var lines: [String] = []
  private(set) var now: Int64 = 1_000_000_000
  private var timers: [(due: Int64, every: Int64?, number: Int, work: () -> Void)] = []
  private var lastTimer = 0
  let heart: Driver<Appliance>
  private(set) var runtime: Runtime?
  private var tokens: [Token] = []

  init(_ inquiries: Inquiries = Inquiries()) {
    let clock = Clock()
    heart = Driver(State(), now: { clock.stamp() })
    clock.bench = self
    tokens.append(
      heart.store.show({ $0.settings }) { [unowned self] in
        note("settings \($0.prerollMilliseconds)")
      })
    runtime = Runtime(heart, rooms, timekeeping, inquiries)
  }

  func note(_ line: String) { lines.append(line) }

  /// Returns and clears the log.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  // MARK: Time

  func advance(byMilliseconds milliseconds: Int64) {
    let end = now + milliseconds * 1_000_000
    while let next = timers.filter({ $0.due <= end }).min(by: { $0.due < $1.due }) {
      now = max(now, next.due)
      timers.removeAll { $0.number == next.number }
      if let every = next.every {
        timers.append((next.due + every, every, next.number, next.work))
      }
      next.work()
    }
    now = end
  }

  private var timekeeping: Timekeeping {
    Timekeeping(
      once: { [unowned self] deadline, _, work in add(deadline, nil, work) },
      every: { [unowned self] milliseconds, _, work in
        add(now + milliseconds * 1_000_000, milliseconds * 1_000_000, work)
      },
      nowNanoseconds: { [unowned self] in now })
  }

  private func add(
    _ due: Int64, _ every: Int64?, _ work: @escaping () -> Void
  ) -> Timekeeping.Stop {
    lastTimer += 1
    let number = lastTimer
    timers.append((due, every, number, work))
    return { [unowned self] in timers.removeAll { $0.number == number } }
  }

  /// Each action is stamped a moment after the one before, and has fresh identities.
  private final class Clock {
    weak var bench: Bench?
    private var count: UInt64 = 0

    func stamp() -> Stamp {
      count += 1
      return Stamp(
        monotonicNanoseconds: bench?.now ?? 0, wallMilliseconds: 1_790_000_000_000,
        freshHigh: 9, freshLow: count)
    }
  }

  // MARK: Rooms

  private var rooms: Rooms {
    let note: (String) -> Void = { [unowned self] in self.note($0) }
    return Rooms(
      sound: Rooms.Sound(
        record: { note("record \(word($0))") }, play: { note("play \(word($0))") },
        poll: { note("look") },
        metering: Metering(turn: { note("meter \($0)") }, peak: { 0.5 })),
      card: Rooms.Card(
        perform: { note("card \(word($0))") }, measureSpace: { note("measure") }),
      panel: Rooms.Panel(perform: { note("panel \(word($0))") }, begin: { note("panel begins") }),
      host: Rooms.Host(
        remember: { _ in note("remember") }, mark: { note("mark \($0 != nil)") },
        reload: { note("reload") }, notice: { note("notice \($0.kind)") },
        end: { note("end \($0)") }))
  }
}

/// The name of a command's case.
private func word(_ command: Any) -> String {
  String("\(command)".prefix { $0 != "(" })
}
