// Notices are added, limited in number, and marked as seen. Any reducer may add one; none but this
// changes them. Pure.

extension State {
  mutating func note(
    _ kind: Notice.Kind, item: ItemID?, _ detail: String, _ step: inout Step
  ) {
    notices.lastID += 1
    notices.revision += 1
    let notice = Notice(
      id: notices.lastID, kind: kind, item: item, detail: detail, instant: now, wall: wall)
    notices.kept.append(notice)
    trimNotices()
    step.announce(.noticed(notice), at: .notices)
  }

  /// Drops acknowledged notices first, then the least severe, the oldest first: many minor ones
  /// must not displace a fault.
  mutating func trimNotices() {
    while notices.kept.count > settings.noticesKept {
      let rank = { (notice: Notice) in notice.isAcknowledged ? -1 : notice.severity.rawValue }
      let lowest = notices.kept.map(rank).min()
      guard let index = notices.kept.firstIndex(where: { rank($0) == lowest }) else { return }
      notices.kept.remove(at: index)
    }
  }

  /// Marks notices as seen: one kind, because it is over, or all (nil), on request.
  mutating func acknowledge(_ kind: Notice.Kind?, _ step: inout Step) {
    var isChanged = false
    for index in notices.kept.indices
    where !notices.kept[index].isAcknowledged && (kind == nil || notices.kept[index].kind == kind) {
      notices.kept[index].isAcknowledged = true
      isChanged = true
    }
    guard isChanged else { return }
    notices.revision += 1
    step.announce(.reloaded, at: .notices)
  }
}
