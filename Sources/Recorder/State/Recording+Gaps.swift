// What a recording tells of lost sound and of places in it, kept true to what its file holds. Pure.

extension Recording {
  /// Nothing it tells of lies behind its end, wherever that has come to be.
  public mutating func cutToLength() {
    marks.removeAll { $0.frame > sound.frames }
    integrity.gaps = integrity.gaps.compactMap { $0.cut(to: sound.frames) }
  }

  /// Its first frames are lost: it began later, and what it tells of is counted from there.
  public mutating func loseBeginning(frames: Int64) {
    guard frames > 0 else { return }
    began = began.adding(milliseconds: Frames.milliseconds(frames, rate: 48_000))
    marks = marks.map { Mark(frame: max(0, $0.frame &- frames), name: $0.name) }
    integrity.gaps = integrity.gaps.compactMap { $0.from(frames) }
  }
}

extension Gap {
  fileprivate var end: Int64 { frame.clampedAdding(frames) }

  fileprivate func cut(to length: Int64) -> Gap? {
    if frame >= length { return nil }
    return end <= length ? self : Gap(frame: frame, frames: length &- frame, cause: cause)
  }

  fileprivate func from(_ start: Int64) -> Gap? {
    if end <= start { return nil }
    let first = max(frame, start)
    return Gap(frame: first &- start, frames: end &- first, cause: cause)
  }
}

extension Integrity {
  /// How much a power cut tore out, as far as it is told.
  public var framesTornOut: Int64 {
    gaps.reduce(0) { $1.cause == .cut ? $0.clampedAdding($1.frames) : $0 }
  }
}

extension [Gap] {
  /// With one more, as far as it is not told of already, in the order of time.
  public func telling(_ gap: Gap) -> [Gap] {
    var untold: [Gap] = []
    var start = gap.frame
    for told in sorted(by: { $0.frame < $1.frame }) where told.end > start && told.frame < gap.end {
      if told.frame > start {
        untold.append(Gap(frame: start, frames: told.frame - start, cause: gap.cause))
      }
      start = told.end
    }
    if start < gap.end {
      untold.append(Gap(frame: start, frames: gap.end - start, cause: gap.cause))
    }
    return (self + untold).sorted { $0.frame < $1.frame }
  }
}
