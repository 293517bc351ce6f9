// `reelctl watch --screen`: shows the panel's or a console's screen as the recorder draws it, in
// the size of this terminal. Only q and Ctrl-C do something. Without a terminal the screen is
// printed once. It runs on an event loop of its own.

import Catalogue
import Console
import Glibc
import JSON
import Recorder
import Systemd

enum ScreenWatch {
  static func run(
    _ connection: Connection, _ source: ScreenSource, isJSON: Bool
  ) throws(ExitError) -> Int32 {
    guard TerminalScreen.isPossible, !isJSON else {
      return try print(connection, source, isJSON: isJSON)
    }
    let spectator: Spectator
    do { spectator = try Spectator(connection, source) } catch let error as ExitError {
      throw error
    } catch { throw ExitError(ExitCode.unavailable, "\(error)") }
    return try spectator.run()
  }

  private static func print(
    _ connection: Connection, _ source: ScreenSource, isJSON: Bool
  ) throws(ExitError) -> Int32 {
    _ = try connection.ask(.watch(.screen(source, columns: 80, rows: 24)))
    while true {
      switch try connection.next() {
      case .now(_, .screen(let view)):
        if isJSON {
          do { Output.show(json: try JSON.encode(view)) } catch {
            throw ExitError(ExitCode.badData, "the screen cannot be written as JSON: \(error)")
          }
        } else {
          Output.write(view.plainText)
        }
        return 0
      case .error(_, let failure): throw ExitError(failure)
      default: continue
      }
    }
  }
}

/// A screen of the recorder in this terminal. Used by the loop's thread.
private final class Spectator {
  private let loop: EventLoop
  private let connection: Connection
  private let source: ScreenSource
  private var screen: TerminalScreen?
  private var sources: [EventSource] = []
  private var socket: FileWatch?
  /// The id of the subscription; nil while the terminal is too small.
  private var watched: Int?
  private var columns = 0
  private var hold = MeterHold()
  private var failure: ExitError?

  /// Below the recorder's screen, a row says who looks.
  private static let ownRows = 1

  init(_ connection: Connection, _ source: ScreenSource) throws {
    loop = try EventLoop()
    (self.connection, self.source) = (connection, source)
    sources = try [SIGTERM, SIGINT, SIGHUP].map { number in
      try loop.watch(signal: number) { [unowned loop] in loop.exit(code: 128 + number) }
    }
    socket = try loop.watch(fileDescriptor: connection.descriptor, for: .readable) {
      [unowned self] _ in perform { try read() }
    }
    screen = try TerminalScreen(
      on: loop,
      TerminalScreen.Handlers(
        key: { [unowned self] in handle($0) },
        resized: { [unowned self] columns, rows in perform { try watch(columns, rows) } },
        gone: { [unowned loop] in loop.exit(code: 128 + SIGHUP) }))
  }

  func run() throws(ExitError) -> Int32 {
    perform {
      if let size = screen?.size { try watch(size.columns, size.rows) }
      _ = try connection.ask(.watch(.levels))
    }
    defer { screen?.restore() }
    let code: Int32
    do throws(EventLoopError) { code = try loop.run() } catch {
      throw ExitError(ExitCode.unavailable, "\(error)")
    }
    // The terminal must be restored before the sentence is written to it.
    screen?.restore()
    if let failure { throw failure }
    return code
  }

  /// Ends the loop with what went wrong.
  private func perform(_ work: () throws -> Void) {
    do { return try work() } catch let error as ExitError { failure = error } catch {
      failure = ExitError(ExitCode.unavailable, "\(error)")
    }
    loop.exit(code: 0)
  }

  private func handle(_ key: Key) {
    switch key {
    case .character("q"), .control("c"): loop.exit(code: 0)
    default: break
    }
  }

  /// Asks for a screen that leaves room for the row of its own.
  private func watch(_ columns: Int, _ rows: Int) throws(ExitError) {
    if let watched { _ = try connection.ask(.unwatch(watched)) }
    watched = nil
    self.columns = columns
    let neededRows = ScreenSource.rows.lowerBound + Self.ownRows
    guard columns >= ScreenSource.columns.lowerBound, rows >= neededRows else {
      screen?.show(
        .tooSmall(
          columns: columns, rows: rows, neededColumns: ScreenSource.columns.lowerBound,
          neededRows: neededRows, in: Output.language))
      return
    }
    watched = try connection.ask(
      .watch(.screen(source, columns: columns, rows: rows - Self.ownRows)))
  }

  private func read() throws(ExitError) {
    for reply in try connection.arrived() {
      switch reply {
      case .now(let id, .screen(let view)) where id == watched:
        let own: [ScreenView.Span] = [
          .init(Output.language.say("watching \(source.phrase)") + "   ", .dim), .init("q", .key),
          .init(" " + Output.language.say("ends"), .dim),
        ]
        screen?.show(view.adding(own, columns: columns))
      case .now(_, .levels(let peak?)):
        screen?.show(hold.meter(decibels: peak))
      case .end(let id, _) where id == watched:
        throw ExitError(ExitCode.unavailable, "\(source.name) is gone")
      case .error(_, let failure): throw ExitError(failure)
      default: break
      }
    }
  }
}
