// For a checkup: what a panel has found of its plan, and what not. Called on the loop's thread,
// after the panel has begun.
import Recorder

extension PanelRoom {
  public var facts: PanelFacts {
    var facts = PanelFacts()
    for button in probe.buttons {
      switch button.source {
      case .line: facts.lines.append("\(button.name) on \(button.source)")
      case .key: facts.keys.append("\(button.name) is \(button.source)")
      case .virtual: break
      }
    }
    facts.lines += lightsThere.map { "light \($0.rawValue)" }
    facts.faults = faults.map(\.sentence)
    return facts
  }
}
