// Finds the line of a button: watches every free input of every chip and reports which of them
// moved. For `reelctl panel identify`: the user need not count pins. Loop thread only; it never
// drives a line, and leaves alone outputs and lines in use.
import Recorder
import Systemd

/// Listens to free lines, to find a button's.
public final class LineFinder {
  /// A line that moved.
  public struct Moved: Equatable, Codable, Sendable {
    public let chip: String
    public let offset: Int
    /// Empty if it has none; then the chip and the offset are its address.
    public let name: String
    public let edge: Edge
  }

  private final class Line {
    let line: GpioLine
    let place: LinePlace
    var watch: FileWatch?

    init(_ line: consuming GpioLine, _ place: LinePlace) {
      self.line = line
      self.place = place
    }

    deinit { watch?.stop() }
  }

  private let dependencies: PanelRoom.Dependencies
  private var lines: [Line] = []
  private let moved: (Moved) -> Void
  /// The number of lines that are watched.
  public var count: Int { lines.count }

  /// - Parameter bias: pull-up finds buttons to ground, pull-down those to the supply.
  public init(
    on loop: EventLoop, bias: Bias = .pullUp,
    dependencies: PanelRoom.Dependencies = PanelRoom.Dependencies(),
    moved: @escaping (Moved) -> Void
  ) throws(EventLoopError) {
    self.dependencies = dependencies
    self.moved = moved
    let chips = GpioChips.present(in: dependencies.devices)
    for chip in chips.chips {
      for (offset, line) in chip.lines.enumerated() where !line.isUsed && !line.isOutput {
        try listen(to: chips.place(chip, offset), bias, loop)
      }
    }
  }

  private func listen(
    to place: LinePlace, _ bias: Bias, _ loop: EventLoop
  ) throws(EventLoopError) {
    var result: Int32 = 0
    // A button between the line and ground makes it active.
    let isActiveLow = bias == .pullUp
    guard
      let input = GpioLine.input(
        place, bias: bias, isActiveLow: isActiveLow, consumer: "reel identify", &result)
    else { return }
    let line = Line(input, place)
    line.watch = try loop.watch(fileDescriptor: line.line.descriptor, for: .readable) {
      [unowned self, unowned line] _ in
      read(line)
    }
    lines.append(line)
  }

  private func read(_ line: Line) {
    let news = line.line.read()
    // Its chip is gone.
    if news.result < 0 { line.watch = nil }
    for edge in news.edges {
      let place = line.place
      moved(Moved(chip: place.chip, offset: place.offset, name: place.name, edge: edge))
    }
  }
}
