// Joins the parts of a take to one recording, as an entry: which parts belong together, and what is
// known of the whole. Pure; the sound itself is joined elsewhere.

extension Recording {
  /// Returns why the parts, in this order, are not one take; nil if they are.
  public static func reasonNotToJoin(_ parts: [Recording], track: String? = nil) -> String? {
    for part in parts {
      if !part.isSettled { return "“\(part.title)” is still being recorded." }
      if part.integrity.endIsOwed {
        return "The end of “\(part.title)” is not on the card yet; try again in a moment."
      }
    }
    for (before, after) in zip(parts, parts.dropFirst()) {
      if let reason = reasonNotToJoin(before, after, track) { return reason }
    }
    return nil
  }

  private static func reasonNotToJoin(
    _ before: Recording, _ after: Recording, _ track: String?
  ) -> String? {
    let names = "“\(before.title)” and “\(after.title)”"
    if before.id == after.id { return "“\(before.title)” is named twice." }
    if after.continues != before.id {
      let isOfOneTake = after.continues != nil && after.part > before.part + 1
      return isOfOneTake
        ? "A part is missing between \(names): they are parts \(before.part) and \(after.part)."
        : "\(names) are not consecutive parts of one take."
    }
    let (first, second) = (before.sound(ofTrackNamed: track), after.sound(ofTrackNamed: track))
    if first.rate != second.rate || first.channels != second.channels {
      return "\(names) differ in rate or channels, and cannot be one file."
    }
    return nil
  }

  /// Returns the parts as one recording: marks and gaps count from the beginning of the first.
  /// What was measured over a part, and cannot be added up, is not known of the whole. What people
  /// typed about any part is kept.
  /// - Parameter lengths: of the parts in the joined file; nil if those of their first tracks.
  public static func joined(_ parts: [Recording], lengths: [Int64]? = nil) -> Recording? {
    guard var whole = parts.first, let last = parts.last else { return nil }
    if parts.count == 1 { return whole }
    var start: Int64 = 0
    for (length, part) in zip(lengths ?? parts.map(\.sound.frames), parts.dropFirst()) {
      start = start.clampedAdding(length)
      whole.marks += part.marks.map {
        Mark(frame: start.clampedAdding($0.frame), name: $0.name)
      }
      whole.integrity.gaps += part.integrity.gaps.map {
        Gap(frame: start.clampedAdding($0.frame), frames: $0.frames, cause: $0.cause)
      }
      whole.sound.add(part.sound)
      for (place, track) in whole.tracks.others.enumerated() {
        whole.tracks.others[place].sound.add(part.sound(ofTrackNamed: track.plan.name))
      }
      whole.integrity.add(part.integrity)
    }
    if let entry = whole.entry, parts.contains(where: { $0.stage == .recovered }) {
      whole.life = .recovered(entry)
    }
    for field in RecordingField.allCases {
      let texts = parts.map { $0.details[field] }.filter { !$0.isEmpty }
      let distinct = texts.indices.filter { !texts[..<$0].contains(texts[$0]) }.map { texts[$0] }
      whole.details[field] = distinct.joined(separator: field == .notes ? "\n" : ", ")
    }
    whole.isHeard = parts.allSatisfy(\.isHeard)
    whole.integrity.stopReason = last.integrity.stopReason
    whole.integrity.loudnessCentiLUFS = nil
    return whole
  }
}

extension Sound {
  /// Adds the sound of the next part.
  fileprivate mutating func add(_ next: Sound) {
    frames = frames.clampedAdding(next.frames)
    sizeBytes = sizeBytes.clampedAdding(next.sizeBytes)
    hash = nil
  }
}

extension Integrity {
  /// Adds what is known of the next part.
  fileprivate mutating func add(_ next: Integrity) {
    clippedFrames = clippedFrames.clampedAdding(next.clippedFrames)
    // Hundredths of a decibel below full scale: the larger is the louder.
    if let peak = peakMillibels, let other = next.peakMillibels {
      peakMillibels = max(peak, other)
    } else {
      peakMillibels = nil
    }
    microphoneSeemsDead = microphoneSeemsDead || next.microphoneSeemsDead
    deadChannel = deadChannel ?? next.deadChannel
    if let cut = next.recoveredCutBytes {
      recoveredCutBytes = (recoveredCutBytes ?? 0).clampedAdding(cut)
    }
  }
}
