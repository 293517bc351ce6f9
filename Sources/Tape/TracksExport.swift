// Exports all tracks of a take, or of its parts in turn, as one WAV file, which has the channels of
// the first track, then those of the second, and so on, and names them in an iXML chunk. Long work
// that blocks on the disk: give it a thread of its own. Memory holds a block of each track, however
// long the take is. No track's file is changed, and a failed export leaves no file behind.

import Realtime

/// Opens the sounds of a track that follow each other, by their number; nil behind the last.
typealias TrackSounds = (Int) throws(TapeError) -> SoundReader?

/// Makes one WAV file of the tracks of a take.
public struct TracksExport {
  private struct Source {
    let name: String
    /// Nil if the track is in one file.
    let plan: JoinPlan?
    let sounds: (Range<Int>) -> TrackSounds
  }

  /// The open file of a track.
  private final class Held {
    let file: PosixFile
    init(_ file: consuming PosixFile) { self.file = file }
  }

  private var sources: [Source] = []

  public init() {}

  /// Adds a track behind those that there are.
  public mutating func add(_ file: consuming PosixFile, named name: String) {
    let held = Held(file)
    let sounds: TrackSounds = { index throws(TapeError) in
      if index > 0 { return nil }
      return try Self.whole(held.file, name)
    }
    sources.append(Source(name: name, plan: nil) { _ in sounds })
  }

  /// Adds a track whose parts are in files of their own. All tracks have the same parts.
  public mutating func add(
    _ count: Int, opening open: @escaping Join.Opening, named name: String
  ) throws(TapeError) {
    let plan = try JoinPlan(count, opening: open, .wav(.bits24))
    sources.append(Source(name: name, plan: plan) { plan.sounds(of: $0, open) })
  }

  /// The parts, apart where an encoder began anew: there each track begins at the same place again,
  /// since a cut may have left one longer than another.
  private var stretches: [Range<Int>] {
    let plans = sources.compactMap(\.plan)
    guard let first = plans.first else { return [0..<1] }
    let opus = plans.filter { $0.kind == .opus }
    let starts = Set((opus.isEmpty ? [first] : opus).flatMap { $0.runs.map(\.lowerBound) }).sorted()
    return zip(starts, starts.dropFirst() + [first.count]).map { $0..<$1 }
  }

  /// Exports the tracks into an open and empty file, and syncs it. A track that plays at another
  /// rate than the first is converted to that, and one that is shorter than the longest ends in
  /// silence.
  @discardableResult
  public func run(
    into file: borrowing PosixFile, as depth: Export.Depth, tags: Tags,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Join.Manner {
    precondition(!sources.isEmpty, "a take has a track")
    if depth == .bits16 {
      try write(Int16.self, to: file, depth, tags, progress)
    } else {
      try write(Float.self, to: file, depth, tags, progress)
    }
    try Self.clearSpeakers(of: file)
    try file.sync()
    let isOpus = sources.contains { $0.plan?.kind == .opus }
    let anew = isOpus ? stretches.dropFirst().map(\.lowerBound) : []
    return anew.isEmpty ? .decoded : .pieced(before: anew)
  }

  /// Exports into a file that appears under its name when it is whole.
  @discardableResult
  public func run(
    to destination: String, as depth: Export.Depth, tags: Tags,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Join.Manner {
    var part = try PartFile.make(for: destination, replacing: false)
    let manner = try run(into: part.file, as: depth, tags: tags, progress: progress)
    try part.complete()
    return manner
  }

  static func notWhole(_ name: String) -> TapeError {
    TapeError(
      .damaged,
      "The track “\(name)” is not whole; `verify` says what is wrong, and --track exports the"
        + " others.")
  }

  private static func whole(
    _ file: borrowing PosixFile, _ name: String
  ) throws(TapeError) -> SoundReader {
    let verdict = try Repair.examine(file).verdict
    if verdict == .repairable || verdict == .noSound { throw notWhole(name) }
    do { return try SoundReader.open(file) } catch {
      let isBroken = error.code == .notSound || error.code == .damaged
      throw isBroken ? notWhole(name) : error
    }
  }

  private func readers<Kind: ExportSample>(
    of stretch: Range<Int>, _: Kind.Type
  ) throws(TapeError) -> [TrackReader<Kind>] {
    var readers: [TrackReader<Kind>] = []
    for source in sources {
      readers.append(
        try TrackReader(
          source.sounds(stretch), named: source.name, rate: readers.first.map(\.sampleRate)))
    }
    return readers
  }

  private func write<Kind: ExportSample>(
    _: Kind.Type, to file: borrowing PosixFile, _ depth: Export.Depth, _ tags: Tags,
    _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    let stretches = stretches
    var mixer = Interleaver(try readers(of: stretches[0], Kind.self))
    var writer = try SndfileWriter.open(
      file.descriptor, name: file.path, .wav(depth), channels: mixer.channels,
      sampleRate: mixer.sampleRate, tags: tags, channelNames: mixer.channelNames)
    let total = sources[0].plan?.frames ?? mixer.frames
    var done: Int64 = 0
    for index in stretches.indices {
      if index > 0 { mixer = Interleaver(try readers(of: stretches[index], Kind.self)) }
      while case let count = try mixer.read(), count > 0 {
        try Kind.write(mixer.frames(count), to: writer)
        done += Int64(count)
        try progress(Progress(done: done, of: total)).check()
      }
    }
    try writer.finish()
  }

  /// Says in the header that no channel belongs to a speaker. libsndfile always names speakers, by
  /// which a player would mix four microphones as if they were the corners of a room.
  private static func clearSpeakers(of file: borrowing PosixFile) throws(TapeError) {
    // The chunk “fmt ” of an extended format, which is 40 bytes long, is one of the first.
    let (head, format): ([UInt8], [UInt8]) = (
      try file.bytes(at: 0, count: 128), [0x66, 0x6D, 0x74, 0x20, 40, 0, 0, 0]
    )
    guard let place = head.indices.first(where: { head[$0...].starts(with: format) }) else {
      return
    }
    try file.write([0, 0, 0, 0], at: Int64(place) + 28)
  }
}
