// The buttons of a panel that are on lines: requested, watched and read. Loop thread only; nothing
// here waits. A line that is refused is a fault, and the others work; it is requested again when
// chips appear.
import Recorder
import Systemd

final class PanelLines {
  private let loop: EventLoop
  private let dependencies: PanelRoom.Dependencies
  /// Open lines, in the order of the plan.
  private var lines: [Line] = []
  private var plan = PanelPlan()
  private var ready: () -> Void = {}
  /// The faults of buttons, by index in the plan.
  private var faultOf: [Int: PanelFault] = [:]

  private final class Line {
    /// The button's index in the plan.
    let index: Int
    let line: GpioLine
    let place: LinePlace
    let button: PanelButton
    var watch: FileWatch?

    init(
      _ index: Int, _ line: consuming GpioLine, _ place: LinePlace, _ button: PanelButton
    ) {
      self.index = index
      self.line = line
      self.place = place
      self.button = button
    }

    // Stopped before the descriptor is closed.
    deinit { watch?.stop() }
  }

  init(on loop: EventLoop, _ dependencies: PanelRoom.Dependencies) {
    self.loop = loop
    self.dependencies = dependencies
  }

  var buttons: [PanelButton] { lines.map(\.button) }

  var faults: [PanelFault] { faultOf.sorted { $0.key < $1.key }.map(\.value) }

  /// - Parameter ready: called when there are edges to be read.
  func open(_ plan: PanelPlan, _ chips: GpioChips, ready: @escaping () -> Void) {
    self.plan = plan
    self.ready = ready
    openMissing(chips)
  }

  /// Requests the missing lines. The button of a lost line was released when that was lost.
  func openMissing(_ chips: GpioChips) {
    for (index, button) in plan.buttons.enumerated() {
      if lines.contains(where: { $0.index == index && $0.watch != nil }) { continue }
      // A line that was lost is dropped first.
      lines.removeAll { $0.index == index }
      do throws(PanelFault) {
        let line = try open(index, button, plan.timing(of: button), chips)
        try watch(line)
        lines.append(line)
        faultOf[index] = nil
      } catch {
        faultOf[index] = error
      }
    }
    lines.sort { $0.index < $1.index }
  }

  private func open(
    _ index: Int, _ plan: ButtonPlan, _ timing: GestureTiming, _ chips: GpioChips
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
      isActive: line.isActive ?? false, at: dependencies.now())
    return Line(index, line, place, button)
  }

  private func watch(_ line: Line) throws(PanelFault) {
    do {
      line.watch = try loop.watch(
        fileDescriptor: line.line.descriptor, for: .readable, priority: .urgent
      ) { [unowned self] _ in ready() }
    } catch {
      throw PanelFault(.failed, "The button \(line.button.use.name) is not heard: \(error).")
    }
  }

  /// Returns all edges that wait, in order for each line.
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
      let now = dependencies.now()
      edges += news.edges.map { Edge(isActive: $0.isActive, at: believable($0.at, now)) }
      hasLost = hasLost || news.mayHaveLost
      if news.edges.isEmpty || (news.edges.count < Self.edgesAtOnce && !news.mayHaveLost) { break }
    }
    // The lost edges are unknown; the present level is not.
    if hasLost, let isActive = line.line.isActive {
      edges.append(Edge(isActive: isActive, at: dependencies.now()))
    } else if let edge = onTheWay(from: line, behind: edges) {
      edges.append(edge)
    }
    return edges
  }

  /// Returns an edge that the kernel still has to report: its thread may be late, and then a spike
  /// would stand long enough to be a press. So before a level counts, it is compared with the line.
  private func onTheWay(from line: Line, behind edges: [Edge]) -> Edge? {
    let now = dependencies.now()
    guard let level = line.button.gestures.level(settledBy: now, after: edges),
      let isActive = line.line.isActive, isActive != level
    else { return nil }
    // It was between the last edge and now. Right behind the last one, that never settles.
    return Edge(isActive: isActive, at: edges.last?.at ?? line.button.lastEdge?.at ?? now)
  }

  private static let edgesAtOnce = 16

  /// The chip is gone: its button counts as released.
  private func lose(_ line: Line, _ result: Int32) -> [Edge] {
    line.watch = nil
    faultOf[line.index] = GpioChips.refused(line.place, for: line.button.owner, result: result)
    return [Edge(isActive: false, at: dependencies.now())]
  }

  /// A driver that stamps with another clock must not put a press years from now.
  private func believable(_ stamp: Instant, _ now: Instant) -> Instant {
    let age = now.milliseconds(since: stamp)
    return stamp <= now && age < 600_000 ? stamp : now
  }

  func end() { lines = [] }
}
