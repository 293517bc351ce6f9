// The buttons of a panel that are on lines: asked for, watched and read. Loop thread only; nothing
// here waits. A line that cannot be had is a fault, and the others work.
import Recorder
import Systemd

final class PanelLines {
  private let loop: EventLoop
  private let world: PanelRoom.World
  private var lines: [Line] = []
  private(set) var faults: [PanelFault] = []

  private final class Line {
    let line: GpioLine
    let place: LinePlace
    let button: PanelButton
    var watch: FileWatch?

    init(_ line: consuming GpioLine, _ place: LinePlace, _ button: PanelButton) {
      self.line = line
      self.place = place
      self.button = button
    }

    // Before the descriptor is closed.
    deinit { watch?.stop() }
  }

  init(on loop: EventLoop, _ world: PanelRoom.World) {
    self.loop = loop
    self.world = world
  }

  var buttons: [PanelButton] { lines.map(\.button) }

  /// - Parameter ready: called when there are edges to be read.
  func open(_ plan: PanelPlan, _ chips: GpioChips, ready: @escaping () -> Void) {
    for button in plan.buttons {
      do throws(PanelFault) {
        let line = try open(button, plan.timing(of: button), chips)
        try watch(line, ready)
        lines.append(line)
      } catch {
        faults.append(error)
      }
    }
  }

  private func open(
    _ plan: ButtonPlan, _ timing: GestureTiming, _ chips: GpioChips
  ) throws(PanelFault) -> Line {
    let owner = "the button \(plan.use.name)"
    let place = try chips.find(plan.line, for: owner)
    var result: Int32 = 0
    guard
      let line = GpioLine.input(
        place, bias: plan.bias, isActiveLow: plan.isActiveLow,
        consumer: "reel \(plan.use.name)", &result)
    else { throw GpioChips.refused(place, for: owner, result: result) }
    let button = PanelButton(
      plan.use, owner: owner,
      source: .line(chip: place.chip, offset: place.offset, name: place.name), timing,
      isActive: line.isActive ?? false, at: world.now())
    return Line(line, place, button)
  }

  private func watch(_ line: Line, _ ready: @escaping () -> Void) throws(PanelFault) {
    do {
      line.watch = try loop.watch(
        fileDescriptor: line.line.descriptor, for: .readable, priority: .urgent
      ) { _ in ready() }
    } catch {
      throw PanelFault(.failed, "The button \(line.button.use.name) is not heard: \(error).")
    }
  }

  /// Everything that waits, as it happened on each line.
  func read() -> [(button: PanelButton, edge: Edge)] {
    lines.flatMap { line in read(line).map { (line.button, $0) } }
  }

  private func read(_ line: Line) -> [Edge] {
    if line.watch == nil { return [] }
    var edges: [Edge] = []
    var hasLost = false
    while true {
      let news = line.line.read()
      if news.result < 0 { return edges + lose(line, news.result) }
      let now = world.now()
      edges += news.edges.map { Edge(isActive: $0.isActive, at: believable($0.at, now)) }
      hasLost = hasLost || news.mayHaveLost
      if news.edges.isEmpty || (news.edges.count < Self.edgesAtOnce && !news.mayHaveLost) { break }
    }
    // What the line did in the meantime is not known; what it is now is.
    if hasLost, let isActive = line.line.isActive {
      edges.append(Edge(isActive: isActive, at: world.now()))
    }
    return edges
  }

  private static let edgesAtOnce = 16

  /// The chip is gone, and with it the hand that was on the button.
  private func lose(_ line: Line, _ result: Int32) -> [Edge] {
    line.watch = nil
    faults.append(GpioChips.refused(line.place, for: line.button.owner, result: result))
    return [Edge(isActive: false, at: world.now())]
  }

  /// A driver that stamps with another clock is not to put a press years from now.
  private func believable(_ stamp: Instant, _ now: Instant) -> Instant {
    let age = now.milliseconds(since: stamp)
    return stamp <= now && age < 600_000 ? stamp : now
  }

  func end() { lines = [] }
}
