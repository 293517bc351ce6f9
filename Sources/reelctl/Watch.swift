// `reelctl watch`: shows the status, redrawn in place with a level meter; if the output is no
// terminal, a line for each change. It ends with Ctrl-C, or with the appliance.

import Catalogue
import Console
import Glibc
import JSON
import Recorder

struct Watch {
  private let connection: Connection
  private let isJSON: Bool
  private var status: StatusView?
  private var peakDecibels: Double?
  private var hold = MeterHold()
  private var painted = Painted()
  private var told: Gist?

  init(_ connection: Connection, isJSON: Bool) throws(ExitError) {
    self.connection = connection
    self.isJSON = isJSON
  }

  consuming func run() throws(ExitError) -> Int32 {
    let isLive = Output.isTerminal && !isJSON
    let statusID = try connection.ask(.watch(.status))
    if isLive { _ = try connection.ask(.watch(.levels)) }
    while true {
      switch try connection.next() {
      case .now(_, .status(let view)):
        status = view
        if !isLive { try print(view) }
      case .now(_, .levels(let peak)): peakDecibels = peak
      case .error(_, let failure): throw ExitError(failure)
      case .end(statusID, _): return 0
      default: continue
      }
      if isLive { draw() }
    }
  }

  /// The parts of the status that make a new line worth reading; passing seconds do not.
  private struct Gist: Equatable {
    let words: [String]

    init(_ status: StatusView) {
      words = [
        status.state.rawValue, status.take.map { "\($0.id) \($0.marks) \($0.lostFrames)" } ?? "",
        status.deck.map { "\($0.id) \($0.isPlaying)" } ?? "", status.folder,
        "\(status.recordings) \(status.unheard)", status.device.name ?? "",
        status.cardState.rawValue, "\(status.volumePercent) \(status.isLocked)",
        "\(status.unseenNotices)", status.refusal?.rawValue ?? "",
      ]
    }
  }

  private mutating func print(_ view: StatusView) throws(ExitError) {
    let gist = Gist(view)
    if gist == told { return }
    told = gist
    guard isJSON else {
      return Output.write(Output.language.say(view.phrase) + "\n")
    }
    do { Output.show(json: try JSON.encode(view)) } catch {
      throw ExitError(ExitCode.badData, "the status cannot be written as JSON: \(error)")
    }
  }

  private mutating func draw() {
    guard let status else { return }
    var lines = AnswerText.lines(
      of: .status(status), columns: Output.columns, in: Output.language)
    if let peakDecibels {
      let meter = hold.meter(decibels: peakDecibels)
      lines.insert(meter.spans(columns: Output.columns, in: Output.language), at: 1)
    }
    painted.show(lines)
  }
}

extension MeterHold {
  mutating func meter(decibels: Double) -> Meter {
    meter(peak: Float(pow(10, decibels / 20)), nowNanoseconds: monotonicNanoseconds())
  }
}

/// Lines that are redrawn in place.
struct Painted {
  private var count = 0
  private var last: [[ScreenView.Span]] = []

  mutating func show(_ lines: [[ScreenView.Span]]) {
    if lines == last { return }
    last = lines
    let fitting = lines.prefix(max(1, Output.rows - 1)).map(fitted)
    let up = count > 0 ? "\u{1B}[\(count)A" : ""
    let rows = fitting.map { "\r\u{1B}[K" + Output.text(of: $0) + "\n" }
    Output.write(up + rows.joined() + "\u{1B}[J")
    count = fitting.count
  }

  /// Cuts a line to the width: a wrapped line would be counted wrongly.
  private func fitted(_ line: [ScreenView.Span]) -> [ScreenView.Span] {
    var left = Output.columns - 1
    var kept: [ScreenView.Span] = []
    for span in line where left > 0 {
      let text = Text.fitted(span.text, columns: left)
      left -= Text.columns(text)
      kept.append(ScreenView.Span(text, span.style))
    }
    return kept
  }
}

/// `reelctl panel` on a terminal: polls several times a second, so that a button shows while it is
/// pressed.
enum PanelWatch {
  static func run(_ connection: Connection) throws(ExitError) -> Int32 {
    var painted = Painted()
    while true {
      _ = try connection.ask(.command(["panel"]))
      switch try connection.next() {
      case .ok(_, let answer):
        painted.show(
          AnswerText.lines(of: answer, columns: Output.columns, in: Output.language))
      case .error(_, let failure): throw ExitError(failure)
      default: break
      }
      usleep(100_000)
    }
  }
}

func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
