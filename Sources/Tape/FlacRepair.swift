// Examines and repairs a FLAC file that Reel recorded: cuts it to its last whole frame, and writes
// its length into the header. The file's owner calls it, on a thread that may block on the disk. It
// must touch no byte of a whole frame, and nothing that Reel did not record.
//
// While a take runs, its header says that the length is unknown; that it is known says that the
// file is whole. Cards write pages in any order, so a power cut may leave a hole in what was not
// synced: such a file ends at the hole, as most programs would play it.

enum FlacRepair {
  struct Findings {
    var examination: Repair.Examination
    let layout: FlacLayout
  }

  /// Nil if the file is not FLAC. Reads its header and its end only, if it was closed properly.
  static func examine<File: TapeFile & ~Copyable>(
    _ file: borrowing File, of serial: UInt32?
  ) throws(TapeError) -> Findings? {
    guard let layout = try FlacLayout.read(from: file) else { return nil }
    let byteCount = try file.byteCount()
    var findings = Findings(
      examination: Repair.Examination(
        verdict: .foreign, byteCount: byteCount, wholeByteCount: byteCount),
      layout: layout)
    guard let own = layout.serial, own == serial ?? own else { return findings }
    findings.examination.rate = layout.info.sampleRate
    findings.examination.channels = layout.info.channels
    findings.examination.bits = layout.info.bits
    let walk = try FlacWalk.toTheEnd(of: file, layout, byteCount: byteCount)
    let seal = layout.info.seal
    findings.examination.verdict = .noSound
    findings.examination.tagsAreDamaged = layout.tagsAreDamaged
    if walk.frames == 0, !(seal.isSet && seal.frames == 0) { return findings }
    findings.examination.frames = walk.frames
    findings.examination.wholeByteCount = walk.end
    findings.examination.isEndMarked = seal.isSet && seal.frames == walk.frames
    let isWhole =
      findings.examination.isEndMarked && walk.end == byteCount && !layout.tagsAreDamaged
    findings.examination.verdict = isWhole ? .whole : .repairable
    return findings
  }

  /// Repairs what was examined, and syncs.
  static func repair<File: TapeFile & ~Copyable>(
    _ file: borrowing File, _ findings: Findings, _ report: inout Repair.Report
  ) throws(TapeError) {
    let (examination, layout) = (findings.examination, findings.layout)
    if examination.tagsAreDamaged {
      let tags = try layout.tags(from: file) ?? Tags()
      try layout.write(tags, into: file, evenIfSame: true)
      report.repairedTags = true
    }
    try Repair.cut(file, examination, &report)
    if !examination.isEndMarked {
      var seal = FlacSeal()
      seal.frames = examination.frames
      try layout.write(seal, into: file)
      report.sealed = true
    }
  }
}

/// A walk over a file's frames, each behind the one before.
struct FlacWalk {
  /// Where the last whole frame ends, in the sound and in the file.
  private(set) var frames: Int64 = 0
  private(set) var end: Int64
  /// Bytes and sound between frames, and whether there is any.
  private(set) var damage = Repair.Damage()
  private let layout: FlacLayout
  private let byteCount: Int64
  private let start: Int64
  /// False until a frame was found, if the walk does not begin with the first.
  private var isOnFrame: Bool
  private static let windowBytes = 1 << 20
  /// A frame is shorter: so much is looked through at the end of a file that was closed.
  private static let endBytes: Int64 = 1 << 20
  private static let mostAttempts = 8
  /// Of a file that was not closed so much may be unsynced.
  private static let unsafeBytes: Int64 = 64 << 20

  init(_ layout: FlacLayout, from start: Int64? = nil, byteCount: Int64) {
    self.layout = layout
    self.byteCount = byteCount
    self.start = max(layout.end, start ?? layout.end)
    end = self.start
    isOnFrame = end == layout.end
  }

  /// Walks to the last frame of a file that was closed. Of another, to the first frame that does
  /// not follow the one before.
  static func toTheEnd<File: TapeFile & ~Copyable>(
    of file: borrowing File, _ layout: FlacLayout, byteCount: Int64
  ) throws(TapeError) -> FlacWalk {
    var walk = try over(file, layout, byteCount: byteCount)
    // Found by random bytes: behind damage, a last frame was found only with what followed it,
    // which a repair cuts off.
    var end = byteCount
    for _ in 0..<mostAttempts {
      guard walk.damage.hasLostPages, walk.end < end else { return walk }
      end = walk.end
      walk = try over(file, layout, byteCount: end)
    }
    // Reel did not write it: as if there were no frame.
    return FlacWalk(layout, byteCount: byteCount)
  }

  private static func over<File: TapeFile & ~Copyable>(
    _ file: borrowing File, _ layout: FlacLayout, byteCount: Int64
  ) throws(TapeError) -> FlacWalk {
    let isClosed = layout.info.seal.isSet
    var walk = FlacWalk(
      layout, from: byteCount - (isClosed ? endBytes : unsafeBytes), byteCount: byteCount)
    while try isClosed ? walk.stepAcross(file) : walk.step(in: file) {}
    if walk.frames == 0, walk.start > layout.end {
      // The end of the file holds no frame: Reel did not write it.
      walk = FlacWalk(layout, byteCount: byteCount)
      while try walk.step(in: file) {}
    }
    return walk
  }

  /// Walks over a window. Returns false at the end, and at a frame that does not follow.
  private mutating func step<File: TapeFile & ~Copyable>(
    in file: borrowing File
  ) throws(TapeError) -> Bool {
    let window = try window(of: file)
    let found = try FlacWalk.frames(in: window, layout.info, next: isOnFrame ? frames : nil)
    let start = end
    for (index, frame) in found.enumerated() {
      guard frame.isNext || !isOnFrame && index == 0 else { return false }
      isOnFrame = true
      end = start + Int64(frame.end)
      frames = frame.endFrame
    }
    return !found.isEmpty && end < byteCount
  }

  /// Walks over all of a file, across damage. `progress` is called now and then.
  static func across<File: TapeFile & ~Copyable>(
    _ file: borrowing File, _ layout: FlacLayout, progress: (Progress) -> Onward
  ) throws(TapeError) -> FlacWalk {
    var walk = FlacWalk(layout, byteCount: try file.byteCount())
    while try walk.stepAcross(file) {
      try progress(Progress(done: walk.end, of: walk.byteCount)).check()
    }
    return walk
  }

  private mutating func stepAcross<File: TapeFile & ~Copyable>(
    _ file: borrowing File
  ) throws(TapeError) -> Bool {
    let window = try window(of: file)
    let found = try FlacWalk.frames(in: window, layout.info, next: isOnFrame ? frames : nil)
    let start = end
    for frame in found {
      if !frame.isNext, isOnFrame { addGap(before: frame) }
      isOnFrame = true
      end = start + Int64(frame.end)
      frames = max(frames, frame.endFrame)
    }
    if found.isEmpty, window.count == Self.windowBytes {
      // No frame is as long as a window, so there is none of this stream in its first half.
      damage.hasLostPages = true
      damage.strayByteCount += Int64(window.count / 2)
      end += Int64(window.count / 2)
      return true
    }
    return !found.isEmpty && end < byteCount
  }

  private func window<File: TapeFile & ~Copyable>(
    of file: borrowing File
  ) throws(TapeError) -> [UInt8] {
    try file.bytes(at: end, count: Int(min(Int64(Self.windowBytes), max(0, byteCount - end))))
  }

  private mutating func addGap(before frame: FlacFrame) {
    damage.hasLostPages = true
    let missing = max(0, frame.firstFrame - frames)
    let (sum, isTooMuch) = damage.missingFrames.addingReportingOverflow(missing)
    damage.missingFrames = isTooMuch ? .max : sum
  }

  private static func frames(
    in window: [UInt8], _ info: FlacInfo, next: Int64?
  ) throws(TapeError) -> [FlacFrame] {
    try window.withUnsafeBytes { bytes in
      Result { () throws(TapeError) in try FlacFrames.find(in: bytes, info, next: next) }
    }.get()
  }
}
