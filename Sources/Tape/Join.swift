// Joins the parts of a take into one file: Opus packet by packet where no encoder stopped between
// the parts, otherwise by decoding them. Long work that blocks on the disk: give it a thread of its
// own. No part is changed, and the file is the caller's to name when it is whole.

/// Joins parts of a take.
public enum Join {
  /// How the parts became one file.
  public enum Manner: Equatable, Sendable {
    /// The same packets: it decodes to the samples of the undivided take.
    case copied
    /// The decoded samples, which are those of the undivided take.
    case decoded
    /// The parts were decoded and follow each other directly, but before each of these parts the
    /// encoder was begun anew, as after a lost device or a crash. Opus was encoded once more.
    case pieced(before: [Int])
  }

  /// The parts, opened one at a time. A part may be opened several times.
  public typealias Opening = (Int) throws(TapeError) -> PosixFile

  /// Joins into an open and empty file and syncs it.
  public static func run(
    _ count: Int, opening open: @escaping Opening, into file: borrowing PosixFile,
    as format: Export.Format, tags: Tags, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Manner {
    let plan = try JoinPlan(count, opening: open, format)
    let isCopied = format == .opus && plan.kind == .opus && plan.runs.count == 1
    if isCopied {
      try copy(plan, open, to: file, tags, progress)
    } else {
      try decode(plan, open, to: file, as: format, tags, progress)
    }
    try file.sync()
    if plan.kind == .opus, plan.runs.count > 1 {
      return .pieced(before: plan.runs.dropFirst().map(\.lowerBound))
    }
    return isCopied ? .copied : .decoded
  }

  /// Joins into a file that appears under its name when it is whole.
  public static func run(
    _ count: Int, opening open: @escaping Opening, to destination: String,
    as format: Export.Format, tags: Tags, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Manner {
    var part = try PartFile.make(for: destination, replacing: false)
    let manner = try run(
      count, opening: open, into: part.file, as: format, tags: tags, progress: progress)
    try part.complete()
    return manner
  }

  private static func copy(
    _ plan: JoinPlan, _ open: @escaping Opening, to file: borrowing PosixFile, _ tags: Tags,
    _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    var pages = try JoinedPages.open(0..<plan.count, tags: tags, opening: open)
    var written: Int64 = 0
    while let page = try pages.next() {
      try file.write(page, at: written)
      written += Int64(page.count)
      try progress(Progress(done: written, of: plan.byteCount)).check()
    }
  }

  private static func decode(
    _ plan: JoinPlan, _ open: @escaping Opening, to file: borrowing PosixFile,
    as format: Export.Format, _ tags: Tags, _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    let output = try Export.output(format, plan.shape, tags: tags, to: file, named: file.path)
    var done: Int64 = 0
    for run in plan.runs {
      var reader = try plan.reader(of: run, open)
      let before = done
      try Export.copy(&reader, to: output, file) { now in
        done = before + now.done
        return progress(Progress(done: done, of: plan.frames))
      }
    }
    try output.finish(to: file)
  }
}

/// What is known of the parts before anything is written.
struct JoinPlan {
  enum Kind { case opus, flac }

  let count: Int
  private(set) var kind = Kind.opus
  private var sampleRate = OpusReader.sampleRate
  /// Parts between which no encoder stopped. Each FLAC file is one, as its samples depend on no
  /// other file.
  private(set) var runs: [Range<Int>] = []
  private(set) var byteCount: Int64 = 0
  private(set) var frames: Int64 = 0
  private var channels = 1
  private var channelsMade: Int { min(channels, format.mostChannels) }
  private var serial: UInt32 = 0
  private let format: Export.Format
  private var lengths: [Int64] = []

  init(
    _ count: Int, opening open: Join.Opening, _ format: Export.Format
  ) throws(TapeError) {
    precondition(count > 0, "a take has a part")
    (self.count, self.format) = (count, format)
    var first = 0
    for index in 0..<count {
      try examine(try open(index), index)
      guard index + 1 < count else { break }
      if try kind == .flac ? true : !Seam.isExact(try open(index), try open(index + 1)) {
        runs.append(first..<index + 1)
        first = index + 1
      }
    }
    runs.append(first..<count)
  }

  private mutating func examine(_ file: borrowing PosixFile, _ index: Int) throws(TapeError) {
    let examination = try Repair.examine(file)
    let flac = try FlacLayout.read(from: file)
    let opus = flac == nil ? try OpusHeaders.read(from: file) : nil
    guard let serial = flac?.serial ?? opus?.serial else {
      throw TapeError(.notSound, "\(file.path) is neither Opus in mono or stereo nor a FLAC take.")
    }
    guard examination.verdict == .whole else {
      throw TapeError(.damaged, "\(file.path) is not whole; `verify` says what is wrong.")
    }
    if index == 0 {
      (kind, self.serial) = (flac == nil ? .opus : .flac, serial)
      (channels, sampleRate) = (examination.channels, examination.rate)
    }
    guard examination.channels == channels else {
      throw TapeError(
        .unsupported,
        "Part \(index + 1) has another number of channels than the first: the parts"
          + " cannot be one file.")
    }
    guard kind == (flac == nil ? .opus : .flac), examination.rate == sampleRate else {
      throw TapeError(
        .unsupported,
        "Part \(index + 1) has another format than the first: the parts cannot be one file.")
    }
    byteCount += examination.byteCount
    frames += examination.frames
    lengths.append(examination.frames)
  }

  /// Returns a reader of the parts of one run.
  func reader(
    of run: Range<Int>, _ open: @escaping Join.Opening
  ) throws(TapeError) -> SoundReader {
    if kind == .opus {
      return try SoundReader.open(
        try JoinedPages.open(run, tags: Tags(), opening: open), frames: lengths[run].reduce(0, +))
    }
    var reader = try SoundReader.open(try open(run.lowerBound))
    reader.mixDown(to: format.mostChannels)
    return reader
  }

  /// The sounds of some parts in turn. Opus is one sound, since its decoder goes on; the parts are
  /// then of one run.
  func sounds(of parts: Range<Int>, _ open: @escaping Join.Opening) -> TrackSounds {
    { index throws(TapeError) in
      guard index < (kind == .opus ? 1 : parts.count) else { return nil }
      let part = parts.lowerBound + index
      return try reader(of: kind == .opus ? parts : part..<part + 1, open)
    }
  }

  /// Of the joined file. Opus that is encoded once more has no fewer bits than the parts have.
  var shape: Export.Shape {
    let seconds = max(1, frames / 48_000)
    let bits = Int(clamping: byteCount * 8 / seconds)
    let usual = OpusSettings().bitsPerSecond * channelsMade
    return Export.Shape(
      rate: sampleRate, channels: channelsMade,
      opusBitsPerSecond: kind == .flac
        ? Export.opusBitsPerSecond * channelsMade : min(max(usual, bits), 256_000),
      serial: serial)
  }
}
