// Keeps a recording's gaps and marks consistent with its file after a cut. Pure.

extension Recording {
  /// Drops gaps and marks beyond the end, which recovery may have moved.
  public mutating func cutToLength() {
    marks.removeAll { $0.frame > sound.frames }
    integrity.gaps = integrity.gaps.compactMap { $0.cut(to: sound.frames) }
  }

  /// Drops the first frames: the recording begins later, and marks and gaps are counted from there.
  public mutating func loseBeginning(frames: Int64) {
    guard frames > 0 else { return }
    began = began.adding(milliseconds: Frames.milliseconds(frames, rate: sound.rate))
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
  /// The number of frames that power cuts tore out, according to the gaps.
  public var framesTornOut: Int64 {
    gaps.reduce(0) { $1.cause == .cut ? $0.clampedAdding($1.frames) : $0 }
  }
}

extension [Gap] {
  /// Returns the gaps and a further one, less the parts that are listed already, in order of
  /// frames.
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
