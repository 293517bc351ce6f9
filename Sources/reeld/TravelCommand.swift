// `reeld --replay FILE --screens`: goes to and fro in a flight log, with the screens of then. In a
// terminal, keys move; without one, the screen of one moment is printed. Reads one file, and runs
// on a loop of its own with nothing of a recorder.

import Catalogue
import Console
import Glibc
import Loop
import Recorder
import Systemd

enum TravelCommand {
  /// Exit codes as in sysexits; 128 and the signal's number if a signal ends it.
  static func run(file: String, at index: Int?) -> Int32 {
    guard let bytes = ReplayCommand.bytes(of: file) else { return 66 }
    let travel: Travel
    do {
      travel = try Travel(ReplayHistory(bytes), at: index, in: .environment)
    } catch let error as Travel.BeginError {
      logError(Language.environment.translate(error.description))
      return 65
    } catch {
      logError("\(file): \(error)")
      return 65
    }
    guard TerminalScreen.isPossible else {
      print(travel.text, terminator: "")
      return 0
    }
    do { return try TravelScreen(travel).run() } catch {
      logError("\(error)")
      return 71
    }
  }
}

/// A journey in this terminal. Used by the loop's thread.
private final class TravelScreen {
  private let loop: EventLoop
  private var travel: Travel
  private var screen: TerminalScreen?
  private var signals: [EventSource] = []

  init(_ travel: Travel) throws {
    loop = try EventLoop()
    self.travel = travel
    signals = try [SIGTERM, SIGINT, SIGHUP].map { number in
      try loop.watch(signal: number) { [unowned loop] in loop.exit(code: 128 + number) }
    }
    screen = try TerminalScreen(
      on: loop,
      TerminalScreen.Handlers(
        key: { [unowned self] in handle($0) },
        resized: { [unowned self] in show(columns: $0, rows: $1) },
        gone: { [unowned loop] in loop.exit(code: 128 + SIGHUP) }))
  }

  func run() throws -> Int32 {
    defer { screen?.restore() }
    if let size = screen?.size { show(columns: size.columns, rows: size.rows) }
    return try loop.run()
  }

  private func handle(_ key: Key) {
    if !travel.handle(key) { return loop.exit(code: 0) }
    screen?.show(travel.screen)
  }

  private func show(columns: Int, rows: Int) {
    travel.resize(columns: columns, rows: rows)
    screen?.show(travel.screen)
  }
}
