// Events from the panel: a gesture makes the request that is bound to it, by the configuration or
// by default; the panel's lock and its faults are stored. Pure.

extension State {
  mutating func handle(_ event: PanelEvent, _ step: inout Step) {
    switch event {
    case .hold(let isLocked): lock(isLocked)
    case .faults(let faults):
      for fault in faults where !panel.faults.contains(fault) {
        note(.panelFault, item: nil, fault, &step)
      }
      panel.faults = faults
      if faults.isEmpty { acknowledge(.panelFault, &step) }
    case .gesture(let control, let gesture, let instant):
      for binding in settings.bindings where binding.control == control {
        if binding.gesture == gesture {
          handle(binding.request, from: .panel, at: instant, &step)
        }
      }
    }
  }

  mutating func lock(_ isLocked: Bool) { panel.isLocked = isLocked }
}
