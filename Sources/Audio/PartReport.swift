// The report on a part of a take whose tracks are closed file by file: it is complete once all of
// them are. Used by the write thread.

import Recorder

/// Collects what is known of the files of a part.
struct PartReport {
  private var sounds: [Int: Sound] = [:]
  private var plans: [Int: TrackPlan] = [:]
  /// That of the first track, by which a recording's gaps are counted.
  private var integrity = Integrity()
  private var endIsOwed = false
  /// The worst reason so far, and how bad it is.
  private var worst: (reason: StopReason?, rank: Int) = (nil, -1)

  /// Adds a closed file, with the sound it holds. `failure` is set if it could not be written.
  /// Returns the report if this was the last file.
  mutating func add(
    _ closing: FileClosing, _ sound: Sound, failure: StopReason?, endIsOwed: Bool
  ) -> TakeReport? {
    let track = closing.track
    (sounds[track.index], plans[track.index]) = (sound, track.plan)
    if track.index == 0 { integrity = closing.integrity }
    self.endIsOwed = self.endIsOwed || endIsOwed
    let reason = failure ?? closing.integrity.stopReason
    let rank = Self.rank(reason, isOfCard: failure != nil)
    if rank > worst.rank { worst = (reason, rank) }
    return sounds.count == track.count ? report(count: track.count) : nil
  }

  /// A card that failed explains more than a take that was given up, and that more than a take that
  /// ended as it should.
  private static func rank(_ reason: StopReason?, isOfCard: Bool) -> Int {
    if isOfCard { return reason == .cardFull ? 2 : 3 }
    return reason?.isCutShort ?? false ? 1 : 0
  }

  private func report(count: Int) -> TakeReport? {
    guard let first = sounds[0], let plan = plans[0] else { return nil }
    var integrity = integrity
    (integrity.stopReason, integrity.endIsOwed) = (worst.reason, endIsOwed)
    let others = (1..<max(1, count)).compactMap { index in
      plans[index].map { Track(index + 1, $0, sound: sounds[index] ?? Sound()) }
    }
    return TakeReport(
      sound: first, integrity: integrity, tracks: Tracks(firstName: plan.name, others: others))
  }
}
