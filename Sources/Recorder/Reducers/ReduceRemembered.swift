// The state that survives a restart: place, volume, bookmark, and an unacknowledged fault. Written
// rarely, since it may lie on the recordings' card.

extension State {
  /// Applies the saved state as it is; `settle` corrects references to items that are gone.
  mutating func recall(_ remembered: Remembered, _ step: inout Step) {
    host.remembered = remembered
    panel.placeToRestore = PlaceToRestore(
      folders: Array(remembered.path.drop { $0 == .root }), selection: remembered.selection)
    device.volumePercent = min(max(remembered.volumePercent, 0), 100)
    step.emit(.deck(.volume(percent: device.volumePercent)))
    if let item = remembered.playing {
      transport.bookmark = Bookmark(item: item, frame: max(0, remembered.playingFrame))
    }
    if remembered.hasUnseenFault, !notices.hasUnseenFaultToRemember {
      note(.takeCutShort, item: nil, "before the last start", &step)
    }
  }

  private var toRemember: Remembered {
    Remembered(
      path: panel.place.trail + [panel.place.folder], selection: panel.place.chosen,
      volumePercent: device.volumePercent, playing: transport.bookmark?.item,
      playingFrame: transport.bookmark?.frame ?? 0,
      hasUnseenFault: notices.hasUnseenFaultToRemember)
  }

  mutating func remember(_ step: inout Step) {
    host.rememberDue = nil
    if toRemember == host.remembered { return }
    host.remembered = toRemember
    step.emit(.host(.remember(host.remembered)))
  }

  /// Writes a fault at once, with the rest as last written: a crash within the next seconds must
  /// not lose it.
  private mutating func rememberFault(_ step: inout Step) {
    let isUnseen = notices.hasUnseenFaultToRemember
    guard host.phase == .running, host.remembered.hasUnseenFault != isUnseen else { return }
    host.remembered.hasUnseenFault = isUnseen
    step.emit(.host(.remember(host.remembered)))
  }

  /// Writes 5 s after the first change, with all later ones, and at shutdown.
  mutating func noticeWhatToRemember(_ step: inout Step) {
    rememberFault(&step)
    if case .stopping = host.phase, panel.placeToRestore == nil { return remember(&step) }
    guard host.phase == .running, library.phase == .ready, panel.placeToRestore == nil else {
      return
    }
    if toRemember == host.remembered {
      host.rememberDue = nil
    } else if host.rememberDue == nil {
      host.rememberDue = now.adding(milliseconds: 5000)
    }
  }
}
