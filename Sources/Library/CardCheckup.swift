// Checks a card: free space, whether it can be written and outlasts a restart, how fast it is and
// how long it stalls. Blocks on the card, so it has a thread of its own. Writes one file, which is
// always removed: after a power cut, the next start removes it by its name.

import Glibc
import Recorder
import Tape

/// Checks a card for `doctor`.
public enum CardCheckup {
  /// How much load the card may get; asked before each piece of work.
  public enum Care: Equatable, Sendable {
    case none
    /// Write little, and seldom.
    case gentle(why: String)
    case skip(why: String)
  }

  static let blockBytes = 1 << 20
  static let syncBytes = 4096
  /// The most that is written in one go.
  static let sequentialBytes: Int64 = 64 << 20
  static let sequentialSeconds = 4.0
  /// With less room, little is written; below `tinyBytes`, nothing is measured.
  static let roomyBytes: Int64 = 1 << 30
  static let tinyBytes: Int64 = 64 << 20

  public static func isVolatile(_ directory: String) -> Bool {
    // A card that cannot be opened is not known to lose its data.
    (try? PosixCard.open(directory).space().isVolatile) ?? false
  }

  /// Examines the card at a folder and measures it for so many seconds.
  /// - Parameter goOn: gets the progress; returns whether to go on.
  public static func run(
    at folder: String, seconds: Double = 10, care: () -> Care, goOn: (_ permille: Int) -> Bool
  ) -> CardFacts {
    var facts = CardFacts(folder: folder)
    do {
      let space = try PosixCard.open(folder).space()
      (facts.freeBytes, facts.totalBytes) = (space.freeBytes, space.totalBytes)
      (facts.isReadOnly, facts.isVolatile) = (space.isReadOnly, space.isVolatile)
    } catch {
      facts.trouble = error.sentence
      return facts
    }
    if facts.isReadOnly { return facts }
    guard access(folder, W_OK | X_OK) == 0 else {
      facts.trouble =
        TapeError.system(
          .cannotWrite, "\(folder) cannot be written", errno: errno
        ).sentence
      return facts
    }
    facts.speed = measure(folder, facts.freeBytes ?? 0, seconds, care, goOn)
    return facts
  }

  private static func measure(
    _ folder: String, _ freeBytes: Int64, _ seconds: Double, _ care: () -> Care,
    _ goOn: (Int) -> Bool
  ) -> CardFacts.Speed {
    if freeBytes < tinyBytes { return .notMeasured(why: "the card is nearly full") }
    var little = freeBytes < roomyBytes ? "the card is nearly full" : nil
    switch care() {
    case .skip(let why): return .notMeasured(why: why)
    case .gentle(let why): little = why
    case .none: break
    }
    do {
      var work = try CardMeasuring.begin(in: folder, seconds: little == nil ? seconds : seconds / 2)
      let whyLess = try work.run(isGentle: little != nil, care, goOn)
      guard let speed = work.speed else {
        return .notMeasured(why: whyLess ?? little ?? "there was no time")
      }
      return (whyLess ?? little).map { .measuredLittle(speed, why: $0) } ?? .measured(speed)
    } catch {
      return .failed(error.sentence)
    }
  }
}

/// One measurement and its file.
private struct CardMeasuring: ~Copyable {
  private let path: String
  private let file: PosixFile
  private let seconds: Double
  private let block = UnsafeMutableRawBufferPointer.allocate(
    byteCount: CardCheckup.blockBytes, alignment: 4096)
  private let began = now()
  private var written: Int64 = 0
  private var writingNanoseconds: Int64 = 0
  private var syncs: [Int64] = []

  static func begin(
    in folder: String, seconds: Double
  ) throws(TapeError) -> CardMeasuring {
    let path = folder + "/" + PartName.fresh()
    return CardMeasuring(path, try PosixFile.open(path, .create), seconds)
  }

  private init(_ path: String, _ file: consuming PosixFile, _ seconds: Double) {
    self.path = path
    self.file = file
    self.seconds = seconds
    // Not all the same, in case a card treats constant data specially.
    for index in block.indices { block[index] = UInt8(truncatingIfNeeded: index &* 167 >> 3) }
  }

  deinit {
    unlink(path)
    block.deallocate()
  }

  var speed: CardSpeed? {
    if syncs.isEmpty { return nil }
    let sorted = syncs.sorted()
    let rate =
      writingNanoseconds > 0
      ? Int64(Double(written) * 1e9 / Double(writingNanoseconds)) : nil
    return CardSpeed(
      bytesPerSecond: rate, syncs: syncs.count,
      medianSyncMicroseconds: sorted[sorted.count / 2] / 1000,
      worstMicroseconds: (sorted.last ?? 0) / 1000, seconds: elapsed)
  }

  private var elapsed: Double { Double(now() - began) / 1e9 }

  /// Writes and syncs until the time is over. Returns why it did less than it could, or nil.
  mutating func run(
    isGentle: Bool, _ care: () -> CardCheckup.Care, _ goOn: (Int) -> Bool
  ) throws(TapeError) -> String? {
    var whyLess: String?
    var isGentle = isGentle
    while elapsed < seconds {
      if !goOn(Int(min(1, elapsed / seconds) * 1000)) { return "it was stopped" }
      switch care() {
      case .none: break
      case .gentle(let why):
        if !isGentle { whyLess = why }
        isGentle = true
      case .skip(let why): return why
      }
      let isWriting =
        !isGentle && written < CardCheckup.sequentialBytes
        && elapsed < min(CardCheckup.sequentialSeconds, seconds / 2)
      if isWriting { try writeBlock() }
      try sync()
      if !isWriting { usleep(isGentle ? 250_000 : 20_000) }
    }
    return whyLess
  }

  private mutating func writeBlock() throws(TapeError) {
    let start = now()
    try write(CardCheckup.blockBytes, at: written)
    try file.syncData()
    writingNanoseconds += now() - start
    written += Int64(CardCheckup.blockBytes)
  }

  /// Writes and syncs a few bytes, as a recording does every second.
  private mutating func sync() throws(TapeError) {
    let start = now()
    try write(CardCheckup.syncBytes, at: Int64(syncs.count % 64 * CardCheckup.syncBytes))
    try file.syncData()
    syncs.append(now() - start)
  }

  private func write(_ count: Int, at offset: Int64) throws(TapeError) {
    try file.write(UnsafeRawBufferPointer(rebasing: block[..<count]), at: offset)
  }
}

private func now() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
